//! What a program needs to be linked without shared libraries, CBC and the libraries of the system among them.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What may make `pkg-config` answer otherwise.
const SETTINGS: [&str; 6] =
    ["TILEBENCH_CBC", "PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "CC"];

/// What the standard libraries of Rust and of C++ link.
const SYSTEM: [&str; 8] = ["stdc++", "gcc_s", "m", "c", "dl", "pthread", "rt", "util"];

/// Whether archives of CBC, LAPACK and the system make a program here. Before 2.34 threads need more of the C library than a linker takes.
const PROBE: &str = "
#include <features.h>
#if !__GLIBC_PREREQ(2, 34)
#error an older C library
#endif
void *Cbc_newModel(void);
void xerbla_(void) {}
int main(void) { return !Cbc_newModel(); }
";

/// Tells who links a program where archives of CBC and of the system are and how to name them, unless the environment wants shared
/// libraries: the loader then has nothing to do, with each run that starts. Without archives all is as it is by default.
pub fn tell_archives() {
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

/// Makes a folder that holds the archives alone, as a linker that is told of several takes a shared library before an archive
/// only if one folder has both. Nothing is told unless a program can be made of them, and runs.
fn find() -> Option<()> {
    let pkg_config = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_owned());
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let words = output(Command::new(&pkg_config).args(["--libs", "--static", "cbc"]))?;
    let system = output(Command::new(&pkg_config).args(["--variable=libdir", "cbc"]))?;
    let beginning = |with: &'static str| words.split_whitespace().filter_map(move |word| word.strip_prefix(with));
    let names: BTreeSet<&str> = beginning("-l").chain(SYSTEM).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    let folder = out.join("archives");
    // Left by an earlier build, perhaps of another system.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).ok()?;
    for name in &names {
        // The archive of this library goes by another name.
        let file = format!("lib{}.a", if *name == "gcc_s" { "gcc_eh" } else { name });
        let mut places = beginning("-L").chain([system.as_str()]).map(|place| Path::new(place).join(&file));
        // The compiler repeats the name, without a folder, of what it does not find. It may find a CBC that is not the one asked for.
        let of_compiler = || output(Command::new(&compiler).arg(format!("-print-file-name={file}"))).map(PathBuf::from);
        let of_system = || of_compiler().filter(|path| path.is_absolute() && !name.starts_with(char::is_uppercase));
        let archive = places.find(|path| path.is_file()).or_else(of_system)?;
        symlink(&archive, folder.join(format!("lib{name}.a"))).ok()?;
        println!("cargo::rerun-if-changed={}", archive.display());
    }
    // The archives need one another in circles. At a fixed address there are 100,000 pointers less to set right when the program starts,
    // and what is called before `main` lies together, on a few pages instead of seventy: linkers other than LLD ignore that.
    let names: String = names.iter().map(|name| format!("-l{name} ")).collect();
    let link = format!("-static -no-pie -Wl,-z,keep-text-section-prefix -Wl,--start-group {names}-Wl,--end-group");
    let [source, probe] = ["probe.c", "probe"].map(|file| out.join(file));
    fs::write(&source, PROBE).ok()?;
    output(Command::new(&compiler).arg("-o").args([&probe, &source]).arg("-L").arg(&folder).args(link.split(' ')))?;
    output(&mut Command::new(&probe))?;
    println!("cargo::metadata=FOLDER={}", folder.display());
    println!("cargo::metadata=LINK={link}");
    Some(())
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
