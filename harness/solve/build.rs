//! Tells the crate which versions of microlp, batsat and Pumpkin it links, as they themselves cannot say; and who links a program where archives of CBC are.

#[path = "build/cbc.rs"]
mod cbc;

use std::path::Path;
use std::{env, fs};

fn main() {
    if env::var_os("CARGO_FEATURE_CBC").is_some() {
        cbc::tell_archives();
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/cbc.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../Cargo.lock");
    let lock = fs::read_to_string(lock).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let version = |name: &str| {
        let packages = lock.as_ref()?.get("package")?.as_array()?;
        let package = packages.iter().find(|p| p.get("name").and_then(toml::Value::as_str) == Some(name))?;
        package.get("version")?.as_str().map(str::to_owned)
    };
    let named = [
        ("microlp", "MICROLP_VERSION"),
        ("good_lp", "GOOD_LP_VERSION"),
        ("batsat", "BATSAT_VERSION"),
        ("pumpkin-core", "PUMPKIN_VERSION"),
    ];
    for (name, variable) in named {
        println!("cargo::rustc-env={variable}={}", version(name).unwrap_or_else(|| "unknown".to_owned()));
    }
}
