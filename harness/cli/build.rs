//! Notes the git revision the binary is built from, with `-dirty` for changed files; nothing outside of git. And has
//! the binary linked so that it starts quickly, as every run starts it once.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// CBC and what it is made of.
const COIN: [&str; 7] = ["CbcSolver", "Cbc", "Cgl", "OsiClp", "Clp", "Osi", "CoinUtils"];

fn main() {
    note_revision();
    // At a fixed address the loader has 100,000 pointers less to set right and 2 MB less to copy.
    println!("cargo::rustc-link-arg=-no-pie");
    println!("cargo::rerun-if-env-changed=TILEBENCH_CBC");
    if env::var("TILEBENCH_CBC").is_ok_and(|kind| kind == "shared") {
        return;
    }
    // Without archives CBC stays the shared library that it is by default.
    let _ = link_cbc_archives();
}

fn note_revision() {
    let git = |args: &[&str]| output("git", args);
    let revision = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    let sources = ["status", "--porcelain", "--", "..", "../../Cargo.toml", "../../Cargo.lock"];
    let dirty = git(&sources).is_some_and(|changes| !changes.is_empty());
    println!("cargo::rustc-env=TILEBENCH_GIT_COMMIT={revision}{}", if dirty { "-dirty" } else { "" });
    for path in ["..", "../../Cargo.toml", "../../Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    for path in ["HEAD", "index"] {
        if let Some(file) = git(&["rev-parse", "--git-path", path]) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
}

/// Takes CBC from the archives that stand beside its shared libraries, if all are there: the same code, but the loader
/// need not look 13,000 symbols up in a dozen libraries. A folder that holds the archives alone comes first in the search.
fn link_cbc_archives() -> Option<()> {
    let system = PathBuf::from(output("pkg-config", &["--variable=libdir", "cbc"])?);
    let words = output("pkg-config", &["--libs", "--static", "cbc"])?;
    let archive = |folder: &Path, name: &str| folder.join(format!("lib{name}.a"));
    if !COIN.iter().all(|name| archive(&system, name).is_file()) {
        return None;
    }
    let ours = PathBuf::from(env::var_os("OUT_DIR")?).join("cbc");
    fs::create_dir_all(&ours).ok()?;
    for name in COIN {
        let link = archive(&ours, name);
        // Left by an earlier build, perhaps of another system.
        let _ = fs::remove_file(&link);
        symlink(archive(&system, name), link).ok()?;
    }
    println!("cargo::rustc-link-search=native={}", ours.display());
    for word in words.split_whitespace() {
        println!("cargo::rustc-link-arg={word}");
    }
    Some(())
}

/// What a command prints, if it succeeds.
fn output(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command).args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
