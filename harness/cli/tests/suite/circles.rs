//! In no crate do modules import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::bench::workspace;

/// The path of a module in its crate; empty for the root.
type Name = Vec<String>;

/// A module without comments and tests.
struct Module {
    imports: Vec<Import>,
    /// All but the imports.
    code: String,
}

struct Import {
    /// Whether others are to import it from here.
    is_handed_on: bool,
    path: String,
    /// What it is called here.
    name: String,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

impl Module {
    fn of(text: &str) -> Self {
        let (text, tests) = text.split_once("#[cfg(test)]\nmod tests").unwrap_or((text, ";\n"));
        // What stands behind them would not be looked at.
        assert!(
            tests == ";\n" || tests.find("\n}\n").is_some_and(|end| end + 3 == tests.len()),
            "`mod tests` is not the last item"
        );
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n").replace(" as ", "@");
        let code = regex(r"pub\([^)]*\)").replace_all(&code, "pub");
        let import = regex(r"(?m)^\s*(pub\s+)?use\s+([\w:{}*,\s@]+);");
        let imports = import.captures_iter(&code).flat_map(|found| {
            let tree: String = found[2].split_whitespace().collect();
            leaves(&tree).into_iter().map(move |leaf| {
                let (path, name) = leaf.split_once('@').unwrap_or((&leaf, leaf.rsplit("::").next().expect("a name")));
                Import { is_handed_on: found.get(1).is_some(), path: path.to_owned(), name: name.to_owned() }
            })
        });
        let imports: Vec<Import> = imports.collect();
        let code = regex(r"\bmod \w+;").replace_all(&import.replace_all(&code, ""), "").into_owned();
        Self { imports, code }
    }

    /// Whether the code has a name that is imported.
    fn has(&self, name: &str) -> bool {
        let ends = if name.starts_with(char::is_uppercase) { r"\b" } else { r"\(" };
        regex(&format!(r"\b{}{ends}", regex::escape(name))).is_match(&self.code)
    }
}

/// The paths of a tree of imports: `a::b` and `a::c` of `a::{b,c}`.
fn leaves(tree: &str) -> Vec<String> {
    let Some((before, inner)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let inner = inner.strip_suffix('}').expect("what is opened is closed");
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in inner.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(letter),
        }
    }
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.flat_map(|part| leaves(&format!("{before}{part}"))).collect()
}

/// The modules of a crate, and where what they hand on is defined.
struct Crate {
    modules: BTreeMap<Name, Module>,
    handed_on: BTreeMap<(Name, String), Name>,
}

impl Crate {
    fn read(src: &Path) -> Self {
        let (mut modules, mut handed_on) = (BTreeMap::new(), BTreeMap::new());
        let mut waiting = vec![(src.to_owned(), Name::new())];
        while let Some((folder, name)) = waiting.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
                let inner = [name.as_slice(), std::slice::from_ref(&stem)].concat();
                let name = match stem.as_str() {
                    // The executable, and tests in a file of their own.
                    "main" | "tests" => continue,
                    _ if path.is_dir() => {
                        waiting.push((path, inner));
                        continue;
                    }
                    "lib" | "mod" => name.clone(),
                    _ => inner,
                };
                if path.extension().is_some_and(|ending| ending == "rs") {
                    modules.insert(name, Module::of(&fs::read_to_string(&path).expect("a source")));
                }
            }
        }
        for (name, module) in &modules {
            // Exported macros are items of the root.
            for found in regex(r"macro_rules! (\w+)").captures_iter(&module.code) {
                handed_on.insert((Name::new(), found[1].to_owned()), name.clone());
            }
        }
        let mut this = Self { modules, handed_on };
        // Some hand on what others hand on.
        for _ in 0..4 {
            let imports = this.modules.iter().flat_map(|(name, module)| module.imports.iter().map(move |i| (name, i)));
            let imports = imports.filter(|(_, import)| import.is_handed_on);
            let found = imports.filter_map(|(name, import)| {
                Some(((name.clone(), import.name.clone()), this.home(name, &import.path)?))
            });
            let found: Vec<_> = found.collect();
            this.handed_on.extend(found);
        }
        this
    }

    /// The module that defines what a path in a module leads to; `None` for other crates and for names that were imported.
    fn home(&self, from: &Name, path: &str) -> Option<Name> {
        let inner = |at: &Name, part: &str| {
            let inner = [at.as_slice(), &[part.to_owned()]].concat();
            self.modules.contains_key(&inner).then_some(inner)
        };
        let mut parts = path.split("::").peekable();
        let mut at = match *parts.peek()? {
            "crate" => Name::new(),
            "self" | "super" => from.clone(),
            first => inner(from, first).map(|_| from.clone())?,
        };
        parts.next_if(|part| ["crate", "self"].contains(part));
        while parts.next_if_eq(&"super").is_some() {
            at.pop();
        }
        while let Some(next) = parts.peek().and_then(|part| inner(&at, part)) {
            at = next;
            parts.next();
        }
        let item = parts.next().unwrap_or_default().to_owned();
        Some(self.handed_on.get(&(at.clone(), item)).cloned().unwrap_or(at))
    }

    /// The modules that a module uses.
    fn uses(&self, name: &Name, module: &Module) -> BTreeSet<Name> {
        let imported = module.imports.iter().filter(|import| !import.is_handed_on || module.has(&import.name));
        let imported = imported.map(|import| import.path.clone());
        let paths = regex(r"(?:^|[^\w:])(\w+(?:::\w+)+)");
        let named = paths.captures_iter(&module.code).map(|found| found[1].to_owned());
        imported.chain(named).filter_map(|path| self.home(name, &path)).filter(|other| other != name).collect()
    }

    /// What is left when modules are taken away that use none of those that are left: circles, and what uses them.
    fn circles(&self) -> BTreeMap<Name, BTreeSet<Name>> {
        let uses = self.modules.iter().map(|(name, module)| (name.clone(), self.uses(name, module)));
        let mut left: BTreeMap<Name, BTreeSet<Name>> = uses.collect();
        loop {
            let known: BTreeSet<Name> = left.keys().cloned().collect();
            left.retain(|_, uses| {
                uses.retain(|other| known.contains(other));
                !uses.is_empty()
            });
            if left.len() == known.len() {
                return left;
            }
        }
    }
}

#[test]
fn modules_import_each_other_in_no_circle() {
    for entry in fs::read_dir(workspace().join("harness")).expect("the crates") {
        let path = entry.expect("an entry").path();
        let of = Crate::read(&path.join("src"));
        assert!(of.modules.len() > 1, "{}: the sources were found", path.display());
        let circles = of.circles();
        let shown: Vec<String> = circles
            .iter()
            .map(|(name, uses)| {
                let uses: Vec<String> = uses.iter().map(|other| other.join("::")).collect();
                format!("{} uses {}", name.join("::"), uses.join(", "))
            })
            .collect();
        assert!(circles.is_empty(), "{}: a circle of modules:\n{}", path.display(), shown.join("\n"));
    }
}

#[test]
fn a_circle_is_found() {
    let module = |name: &str, text: &str| (name.split("::").map(str::to_owned).collect::<Name>(), Module::of(text));
    let of = |texts: &[(&str, &str)]| {
        let modules = texts.iter().map(|(name, text)| module(name, text)).collect();
        Crate { modules, handed_on: BTreeMap::new() }
            .circles()
            .into_keys()
            .map(|name| name.join("::"))
            .collect::<Vec<_>>()
    };
    let sound = [("a", "use super::b::{X, c::Y};"), ("b", "pub use c::Y;"), ("b::c", "use std::fmt;")];
    assert!(of(&sound).is_empty());
    let siblings = [("a", "use super::b::{X, c::Y};"), ("b", "mod c;"), ("b::c", "fn f() { crate::a::g() }")];
    assert_eq!(of(&siblings), ["a", "b::c"]);
    assert_eq!(of(&[("b", "fn f() { c::g() }"), ("b::c", "use super::f;")]), ["b", "b::c"]);
}
