//! The instance that an argument names: a file or, as in configs, one of a suite, `SUITE/NAME`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::ensure;
use puzzle::Instance;
use runner::{PlannedInstance, is_suite};

use super::generate::make_suite;

/// Reads the instance, or makes it by its suite.
pub fn load(path: &Path) -> anyhow::Result<Instance> {
    Ok(match member(path)? {
        Some((file, text)) => Instance::parse(&text, &file)?,
        None => Instance::load(path)?,
    })
}

/// The same with its text, for runs.
pub fn planned(path: &Path) -> anyhow::Result<Arc<PlannedInstance>> {
    Ok(match member(path)? {
        Some((file, text)) => PlannedInstance::new(Instance::parse(&text, &file)?, &file, text),
        None => PlannedInstance::load(path)?,
    })
}

/// The text of an instance of a suite, and the path that its file would have; none for a path that is in no suite.
fn member(path: &Path) -> anyhow::Result<Option<(PathBuf, String)>> {
    let is_list = |path: &Path| is_suite(path) && path.is_file();
    ensure!(
        !is_list(path),
        "{0}: this is a suite of instances; name one of them, as {0}/NAME (tilebench generate suite writes their files)",
        path.display()
    );
    let Some(suite) = path.parent().filter(|parent| is_list(parent)) else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".toml").unwrap_or(&name);
    let made = make_suite(suite)?;
    let instead = || runner::alternatives(name, made.iter().map(|(name, _)| name.as_str()));
    let found = made.iter().find(|(made, _)| made == name);
    let (name, text) = found.ok_or_else(|| {
        anyhow::anyhow!("{}: there is no instance \"{name}\" in this suite; {}", suite.display(), instead())
    })?;
    Ok(Some((suite.join(format!("{name}.toml")), text.clone())))
}
