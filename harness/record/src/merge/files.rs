//! Files that stand beside rows, as a merge takes them over.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::{Drafts, RecordError, ResultsDir};

/// Names in a folder; none where there is no folder.
pub fn names(folder: &Path) -> Result<impl Iterator<Item = Result<OsString, RecordError>> + use<>, RecordError> {
    let io = |folder: &Path| {
        let path = folder.to_owned();
        move |source| RecordError::Io { path: path.clone(), source }
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        other => Some(other.map_err(io(folder))?),
    };
    let failed = io(folder);
    Ok(entries.into_iter().flatten().map(move |entry| entry.map(|entry| entry.file_name()).map_err(&failed)))
}

/// Refuses to replace what is no merge.
pub fn refuse_measured(out: &ResultsDir) -> Result<(), RecordError> {
    let is_lock = |name: &OsString| name == ".lock";
    let is_empty = names(out.root())?.all(|name| name.is_ok_and(|name| is_lock(&name)));
    if is_empty || out.merged().exists() {
        return Ok(());
    }
    let reason = "holds what no merge made, or results that were measured there since: choose another --out".to_owned();
    Err(RecordError::File { path: out.root().to_owned(), reason })
}

/// Puts a file in a place too: as a link, where the file system has them, else as a copy. Files of results are replaced, never
/// changed, but for logs, to which further attempts are appended.
pub fn place(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => return Ok(()),
        // A session in the source has removed it in between.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => return Ok(()),
        Err(_) => {}
    }
    if let (Ok(ours), Ok(there)) = (fs::metadata(from), fs::metadata(to)) {
        let is_same = (ours.dev(), ours.ino()) == (there.dev(), there.ino());
        if is_same || (ours.len() == there.len() && fs::read(from)? == fs::read(to)?) {
            return Ok(());
        }
    }
    let draft = to.with_file_name(".draft-merge");
    fs::copy(from, &draft)?;
    fs::rename(&draft, to)
}

/// Drafts a copy of a file; where there is none, there is to be none.
pub fn copy_or_remove(drafts: &mut Drafts, from: &Path, to: &Path) -> Result<(), RecordError> {
    match File::open(from) {
        Ok(mut file) => drafts.add_with(to, |out| io::copy(&mut file, out).map(drop)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::remove_file(to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RecordError::Write { path: to.to_owned(), source: error })
            }
            _ => Ok(()),
        },
        Err(source) => Err(RecordError::Io { path: from.to_owned(), source }),
    }
}
