//! Copies of what a plan rests on, so that what tasks read tomorrow is what was planned today.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use runner::{Config, RunnerError};

/// Copies the files of a config into a folder, at their paths below the folder that all of them are in. Returns where the config is.
///
/// # Errors
/// A file that cannot be copied.
pub(crate) fn freeze(config: &Config, into: &Path) -> Result<PathBuf, RunnerError> {
    let files: BTreeMap<PathBuf, PathBuf> =
        config.inputs().into_iter().map(|path| Ok((plain(&path)?, path))).collect::<Result<_, RunnerError>>()?;
    let common = files.keys().filter_map(|path| path.parent()).fold(None, |common: Option<PathBuf>, folder| {
        Some(common.map_or_else(|| folder.to_owned(), |common| shared(&common, folder)))
    });
    let common = common.unwrap_or_default();
    let place = |path: &Path| into.join(path.strip_prefix(&common).unwrap_or(path));
    for (path, source) in &files {
        let target = place(path);
        if let Some(folder) = target.parent() {
            record::make_folder(folder)?;
        }
        fs::copy(source, &target).map_err(|error| RunnerError::Io { path: source.clone(), source: error })?;
    }
    Ok(place(&plain(&config.path)?))
}

/// Files that a config reads from elsewhere than a folder.
pub(crate) fn outside(config: &Config, folder: &Path) -> Result<Vec<PathBuf>, RunnerError> {
    let mut found = Vec::new();
    for path in config.inputs() {
        if !plain(&path)?.starts_with(folder) {
            found.push(path);
        }
    }
    Ok(found)
}

/// An absolute path without `.` and `..`, whatever links it leads through: patterns of a config are followed in the same way.
fn plain(path: &Path) -> Result<PathBuf, RunnerError> {
    let absolute = std::path::absolute(path).map_err(|source| RunnerError::Io { path: path.to_owned(), source })?;
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(AsRef::<OsStr>::as_ref(&part)),
        }
    }
    Ok(plain)
}

/// The longest path that both begin with.
fn shared(one: &Path, other: &Path) -> PathBuf {
    let parts = one.components().zip(other.components()).take_while(|(one, other)| one == other);
    parts.map(|(part, _)| part).collect()
}
