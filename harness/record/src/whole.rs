//! Files that are there whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::RecordError;

/// Writes a file beside its place, syncs it to disk and renames it into place; a crash or a full disk leaves
/// what was there before. Missing folders are not made.
///
/// # Errors
/// A path without a file name, a folder that does not exist or may not be written to, a full disk.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let Some(name) = path.file_name() else {
        return Err(RecordError::File { path: path.to_owned(), reason: "this is no file name".to_owned() });
    };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = tempfile::Builder::new();
    draft.prefix(".").suffix(name);
    // Drafts are private by default; the umask takes from this what others shall not have.
    #[cfg(unix)]
    draft.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let write = || {
        let mut draft = draft.tempfile_in(folder)?;
        draft.write_all(content)?;
        draft.as_file().sync_data()?;
        draft.persist(path).map_err(|e| e.error)
    };
    write().map(drop).map_err(|source| RecordError::Io { path: path.to_owned(), source })
}
