//! Notes the git revision the binary is built from, with `-dirty` for changed files; nothing outside of git. And has
//! the binary linked so that it starts quickly, as every run starts it once.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    note_revision();
    if !is_plain_linux() {
        return;
    }
    // At a fixed address the loader has 100,000 pointers less to set right and 2 MB less to copy.
    println!("cargo::rustc-link-arg=-no-pie");
    // What is called before `main` lies together, on a few pages instead of seventy. Linkers other than LLD ignore it.
    println!("cargo::rustc-link-arg=-Wl,-z,keep-text-section-prefix");
    // Without shared libraries, where the crate of the solvers found archives of all; else CBC stays a shared library.
    if let (Ok(folder), Ok(link)) = (env::var("DEP_TILEBENCH_CBC_FOLDER"), env::var("DEP_TILEBENCH_CBC_LINK")) {
        println!("cargo::rustc-link-search=native={folder}");
        link.split(' ').for_each(|word| println!("cargo::rustc-link-arg={word}"));
    }
}

/// Whether this is built for the machine itself, with shared libraries of the GNU system; else the linker is left alone.
fn is_plain_linux() -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let is_static = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    target == variable("HOST") && target.ends_with("-linux-gnu") && !is_static
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
