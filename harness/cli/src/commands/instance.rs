//! The instance that an argument names: a file or, as in configs, one of a suite, `SUITE/NAME`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::ensure;
use puzzle::{InputError, Instance, near_file};
use runner::{PlannedInstance, is_suite};

use super::generate::make_suite;

/// Reads the instance, or makes it by its suite.
pub fn load(path: &Path) -> anyhow::Result<Instance> {
    let (file, text) = read(path)?;
    Ok(Instance::parse(&text, &file)?)
}

/// The same with its text, for runs.
pub fn planned(path: &Path) -> anyhow::Result<Arc<PlannedInstance>> {
    let (file, text) = read(path)?;
    Ok(PlannedInstance::new(Instance::parse(&text, &file)?, &file, text))
}

/// The error where neither this file is there nor one with a similar name: says how instances of suites are named.
fn missing(path: &Path) -> anyhow::Error {
    let suite = path.parent().map(|folder| PathBuf::from(format!("{}.suite.toml", folder.display())));
    let meant = suite.filter(|suite| suite.is_file()).zip(path.file_name()).map(|(suite, name)| suite.join(name));
    let hint = match meant {
        Some(meant) => format!("did you mean \"{}\"?", meant.display()),
        None => "an instance is a file, or one of a suite: NAME.suite.toml/INSTANCE".to_owned(),
    };
    anyhow::anyhow!("{}: there is no such file; {hint}", path.display())
}

/// The text of an instance, and its path or the one that its file would have.
fn read(path: &Path) -> anyhow::Result<(PathBuf, String)> {
    let is_list = |path: &Path| is_suite(path) && path.is_file();
    ensure!(
        !is_list(path),
        "{0}: this is a suite of instances; name one of them, as {0}/NAME (tilebench generate suite writes their files)",
        path.display()
    );
    let Some(suite) = path.parent().filter(|parent| is_list(parent)) else {
        return match puzzle::read_text(path) {
            Err(error) if error.kind() == ErrorKind::NotFound && near_file(path).is_none() => Err(missing(path)),
            read => Ok((path.to_owned(), read.map_err(InputError::io(path))?)),
        };
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".toml").unwrap_or(&name);
    let made = make_suite(suite)?;
    let instead = || runner::alternatives(name, made.iter().map(|(name, _)| name.as_str()));
    let found = made.iter().find(|(made, _)| made == name);
    let (name, text) = found.ok_or_else(|| {
        anyhow::anyhow!("{}: there is no instance \"{name}\" in this suite; {}", suite.display(), instead())
    })?;
    Ok((suite.join(format!("{name}.toml")), text.clone()))
}
