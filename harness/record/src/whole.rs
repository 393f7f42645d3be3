//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::RecordError;

/// Writes a file beside its place, syncs it to disk and renames it into place; a crash, a full disk or a loss of power
/// leaves what was there before. Missing folders are not made.
///
/// # Errors
/// A path without a file name, a folder that does not exist or may not be written to, a full disk.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    write_whole_with(path, |file| file.write_all(content))
}

/// The same for content that is made while it is written.
///
/// # Errors
/// As [`write_whole`], and what the writer returns.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), RecordError> {
    let Some(name) = path.file_name() else {
        return Err(RecordError::File { path: path.to_owned(), reason: "this is no file name".to_owned() });
    };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new();
    draft.prefix(".").suffix(name);
    let whole = || {
        // Opened by hand: the draft is not private, and errors do not name it.
        let mut draft = draft.make_in(folder, |path| File::create_new(path))?;
        let mut buffered = BufWriter::new(draft.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        draft.as_file().sync_data()?;
        draft.persist(path).map_err(|e| e.error)?;
        sync_folder(folder)
    };
    whole().map_err(|source| RecordError::Write { path: path.to_owned(), source })
}

/// Waits until names that were made in a folder are on disk; without this a loss of power may take a whole file along.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.txt");
        for text in ["first", "2nd"] {
            write_whole(&path, text.as_bytes()).expect("a file can be written");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[test]
    fn errors_name_the_file_and_not_the_draft() {
        let error = write_whole(Path::new("/nowhere/a.txt"), b"").expect_err("no folder").to_string();
        assert_eq!(error, "cannot write /nowhere/a.txt: No such file or directory (os error 2)");
        assert!(write_whole(Path::new("/"), b"").is_err());
    }
}
