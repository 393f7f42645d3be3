//! Archives of CBC to link instead of its shared libraries, where there are any.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What may make `pkg-config` answer otherwise.
const SETTINGS: [&str; 6] =
    ["TILEBENCH_CBC", "PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "CC"];

/// Has the archives linked, unless the environment wants the shared library. Without archives CBC stays that, as it is by
/// default.
pub fn link_archives() {
    println!("cargo::rustc-check-cfg=cfg(loads_lapack)");
    for name in SETTINGS {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if is_plain_linux() && env::var("TILEBENCH_CBC").map_or(true, |kind| kind != "shared") {
        let _ = find();
    }
}

/// Whether this is built for the machine itself, with shared libraries of the GNU system; else the linker is left alone.
fn is_plain_linux() -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let is_static = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    target == variable("HOST") && target.ends_with("-linux-gnu") && !is_static
}

/// Takes CBC from the archives that stand beside its shared libraries, if all are there: the same code, but the loader
/// need not look 13,000 symbols up in a dozen libraries. A folder that holds the archives alone comes first in the search.
/// Nothing is changed unless all that the archives need is found.
fn find() -> Option<()> {
    let pkg_config = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_owned());
    let system = PathBuf::from(output(&pkg_config, &["--variable=libdir", "cbc"])?);
    let words = output(&pkg_config, &["--libs", "--static", "cbc"])?;
    let mut words: Vec<&str> = words.split_whitespace().collect();
    // The parts of CBC begin with a capital; what they need of the system does not.
    let libraries = words.iter().filter_map(|word| word.strip_prefix("-l"));
    let (coin, others): (Vec<&str>, Vec<&str>) = libraries.partition(|name| name.starts_with(char::is_uppercase));
    let archives: Vec<PathBuf> = coin.iter().map(|name| system.join(format!("lib{name}.a"))).collect();
    let mut folders: Vec<&Path> = words.iter().filter_map(|word| word.strip_prefix("-L")).map(Path::new).collect();
    folders.push(&system);
    if !coin.contains(&"Cbc")
        || !archives.iter().all(|archive| archive.is_file())
        || !others
            .iter()
            .all(|name| ["so", "a"].iter().any(|ending| found(&format!("lib{name}.{ending}"), &folders).is_some()))
    {
        return None;
    }
    let ours = PathBuf::from(env::var_os("OUT_DIR")?).join("cbc");
    // Left by an earlier build, perhaps of another system.
    let _ = fs::remove_dir_all(&ours);
    fs::create_dir_all(&ours).ok()?;
    // What else is in C++ has no shared library left that needs these.
    let runtime = ["stdc++", "bz2", "z"].into_iter().filter_map(|name| found(&format!("lib{name}.a"), &folders));
    // Archives of other crates name it before those of CBC, where some linkers have done with it.
    words.push("-lstdc++");
    for archive in archives.into_iter().chain(runtime) {
        symlink(&archive, ours.join(archive.file_name()?)).ok()?;
        println!("cargo::rerun-if-changed={}", archive.display());
    }
    // For the tests of this crate; and for who links a program.
    println!("cargo::rustc-link-search=native={}", ours.display());
    words.iter().for_each(|word| println!("cargo::rustc-link-arg-tests={word}"));
    println!("cargo::metadata=FOLDER={}", ours.display());
    println!("cargo::metadata=WORDS={}", words.join(" "));
    // Another library than the usual one is linked as the words say.
    if others.contains(&"lapack") && found("liblapack.so.3", &[]).is_some() {
        println!("cargo::rustc-cfg=loads_lapack");
    }
    Some(())
}

/// Where the linker finds a file, in these folders or in its own.
fn found(file: &str, folders: &[&Path]) -> Option<PathBuf> {
    let of_linker = || {
        let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        // It repeats the name, without a folder, of what it does not find.
        output(&compiler, &[&format!("-print-file-name={file}")]).map(PathBuf::from).filter(|path| path.is_file())
    };
    folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file()).or_else(of_linker)
}

/// What a command prints, if it succeeds.
fn output(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command).args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
