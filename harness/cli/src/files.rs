//! Writing files whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a file under another name and renames it, so that a crash leaves no half of it.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let name = path.file_name().with_context(|| format!("{} is no file name", path.display()))?.to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.part"));
    let written = fs::write(&draft, content).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The draft is of no use to anyone; that it may not exist is no second error.
        let _ = fs::remove_file(&draft);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
