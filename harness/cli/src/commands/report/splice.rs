//! `tilebench report --splice`: renews the marked parts of documents, or says which are not as the results make them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use record::write_whole;
use report::Analysis;

use crate::failure::Failed;
use crate::output::{say, several};

/// Renews the documents, or only compares them. A mistake in any of them leaves all as they are.
pub fn splice(documents: &[PathBuf], experiments: &[Analysis], is_check: bool) -> anyhow::Result<ExitCode> {
    let mut changes = Vec::new();
    for document in documents {
        let text = fs::read_to_string(document).with_context(|| document.display().to_string())?;
        let spliced = report::splice(document, &text, experiments)?;
        let folder = document.parent().unwrap_or(Path::new(""));
        let mut files: Vec<_> = spliced.files.into_iter().map(|(path, bytes)| (folder.join(path), bytes)).collect();
        // Pictures first: a document never shows what is not there.
        files.push((document.clone(), spliced.text.into_bytes()));
        let count = files.len();
        for (path, bytes) in files {
            if !is_same(&path, &bytes)? {
                changes.push((path, bytes));
            }
        }
        let pictures = several(count as u64 - 1, "picture");
        say!("{}: {} with {pictures}", document.display(), several(spliced.parts as u64, "marked part"));
    }
    if changes.is_empty() {
        say!("all as these results make it");
        return Ok(ExitCode::SUCCESS);
    }
    if is_check {
        let names: Vec<_> = changes.iter().map(|(path, _)| path.display().to_string()).collect();
        let what = format!("not as these results make it: {} (without --check this is renewed)", names.join(", "));
        return Err(Failed(what).into());
    }
    for (path, bytes) in &changes {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        write_whole(path, bytes)?;
        say!("renewed {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a file holds just that.
fn is_same(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match fs::read(path) {
        Ok(found) => Ok(found == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}
