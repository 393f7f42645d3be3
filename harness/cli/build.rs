//! Notes the git revision the binary is built from, with `-dirty` for changed files; nothing outside of git. And has
//! the binary linked without shared libraries, if that is possible.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    note_revision();
    // As the crate of the solvers found it possible.
    if let (Ok(folder), Ok(link)) = (env::var("DEP_TILEBENCH_CBC_FOLDER"), env::var("DEP_TILEBENCH_CBC_LINK")) {
        println!("cargo::rustc-link-search=native={folder}");
        link.split(' ').for_each(|word| println!("cargo::rustc-link-arg={word}"));
    }
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
    // Every commit and checkout is a line of the log, if there is one. The index also changes with `git status`, as above.
    for path in ["HEAD", "logs/HEAD"] {
        if let Some(file) = git(&["rev-parse", "--git-path", path]).filter(|file| Path::new(file).exists()) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
}

/// What a command prints, if it succeeds.
fn output(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command).args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
