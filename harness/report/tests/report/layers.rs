//! The layers of this crate: a module imports from those before it and from leaves, so that there is no circle.

use std::fs;
use std::path::{Path, PathBuf};

/// Layers in order.
const LAYERS: [&str; 7] = ["results", "analysis", "figures", "page", "render", "write", "splice"];

/// Beside the layers: a module, and the last layer that it knows. Nothing here depends on these.
const ASIDE: [(&str, &str); 2] = [("compare", "results"), ("exchange", "page")];

/// Modules that every layer may use and that know no layer; each may use those before it.
const LEAVES: [&str; 5] = ["error", "text", "group", "stats", "picture"];

/// The modules that a file of a module may name.
fn allowed(module: &str) -> Vec<&'static str> {
    let until = |layers: &[&'static str], last: &str| {
        let end = layers.iter().position(|layer| *layer == last).expect("a known module");
        layers[..=end].to_vec()
    };
    if LEAVES.contains(&module) {
        return until(&LEAVES, module);
    }
    let aside = ASIDE.iter().find(|(name, _)| *name == module);
    let mut names = until(&LAYERS, aside.map_or(module, |(_, last)| last));
    names.extend(LEAVES);
    names.extend(aside.map(|(name, _)| *name));
    names
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The modules that a source names behind `crate::`; items of the root are re-exports, which sources must not use, except
/// for the error.
fn named(source: &str) -> Vec<String> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: Vec<_> = code.collect();
    let code = code.join("\n");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let paths = code.match_indices("crate::").map(|(at, found)| &code[at + found.len()..]);
    let module = |word: String| if word == "ReportError" { "error".to_owned() } else { word };
    let groups = paths.map(|path| match path.strip_prefix('{') {
        Some(group) => panic!("one `use` for each module, not `crate::{{{}`", group.lines().next().unwrap_or_default()),
        None => module(word(path)),
    });
    groups.collect()
}

#[test]
fn modules_import_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&src);
    assert!(files.len() > LAYERS.len(), "the sources were found");
    for file in files {
        let place = file.strip_prefix(&src).expect("below src").with_extension("");
        let module = place.iter().next().expect("a name").to_string_lossy().into_owned();
        if module == "lib" {
            continue;
        }
        let allowed = allowed(&module);
        for name in named(&fs::read_to_string(&file).expect("a source")) {
            assert!(allowed.contains(&name.as_str()), "{}: {module} must not import {name}", file.display());
        }
    }
}
