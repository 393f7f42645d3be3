//! A core that one runner of the machine uses alone: a lock on a file that anybody can open.

use std::ffi::CString;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use record::is_same_file;

use crate::worker::sys;

/// Mode of a folder in which everybody can make files, and nobody can take away those of others.
const EVERYBODYS: u32 = 0o1777;

/// How often to lock a file anew that was deleted meanwhile.
const TRIES: u32 = 5;

/// A lock that is held. It goes with the process, whatever ends it; the file stays.
#[derive(Debug)]
pub(super) struct CoreLock(File);

/// Why a core was not claimed.
#[derive(Debug)]
pub(super) enum Refused {
    /// Another runner has it.
    Taken,
    /// Nobody can say.
    Failed(io::Error),
}

impl CoreLock {
    /// Claims a core by its number.
    pub fn new(folder: &Path, core: u32) -> Result<Self, Refused> {
        let name = format!("core-{core}.lock");
        let dir = open_folder(folder).map_err(Refused::Failed)?;
        for _ in 0..TRIES {
            let file = open(&dir, &name).map_err(|error| match error.kind() {
                // Its owner has a reason, we may suppose.
                io::ErrorKind::PermissionDenied => Refused::Taken,
                _ => Refused::Failed(error),
            })?;
            match file.try_lock() {
                // A lock on a file that is gone keeps nobody off.
                Ok(()) if is_same_file(&file, &folder.join(&name)) => return Ok(Self(file)),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(Refused::Taken),
                Err(TryLockError::Error(error)) => return Err(Refused::Failed(error)),
            }
        }
        Err(Refused::Failed(io::Error::other(format!("{name} is deleted again and again"))))
    }
}

impl Drop for CoreLock {
    fn drop(&mut self) {
        // A child that is just being started may have the file open too, so closing is not enough.
        drop(self.0.unlock());
    }
}

/// Opens the folder, or makes it. Nobody can make us use another by a link.
fn open_folder(folder: &Path) -> io::Result<File> {
    let open = || OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW).open(folder);
    let dir = match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match DirBuilder::new().mode(EVERYBODYS).create(folder) {
                Ok(()) => {
                    let dir = open()?;
                    // The mode above is cut by the umask, and other users need the folder too.
                    dir.set_permissions(Permissions::from_mode(EVERYBODYS))?;
                    dir
                }
                // Somebody was quicker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open()?,
                Err(error) => return Err(error),
            }
        }
        other => other?,
    };
    let facts = dir.metadata()?;
    let open_to_all = facts.mode() & 0o1002 == 0o1002;
    if open_to_all || facts.uid() == 0 || facts.uid() == sys::user() {
        return Ok(dir);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "this folder is another user's"))
}

/// Opens the file of a core. Reading is enough for a lock, so files of other users serve as well.
fn open(dir: &File, name: &str) -> io::Result<File> {
    let name = CString::new(name)?;
    let open = |flags| sys::open_at(dir, &name, flags | libc::O_NOFOLLOW | libc::O_NONBLOCK);
    match open(libc::O_RDONLY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    match open(libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL) {
        Ok(file) => {
            // The umask is not for other users' sake here.
            file.set_permissions(Permissions::from_mode(0o666))?;
            Ok(file)
        }
        // Somebody was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(libc::O_RDONLY),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    #[test]
    fn a_core_has_one_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let locks = folder.path().join("cpus");
        let first = CoreLock::new(&locks, 3).expect("free");
        assert!(matches!(CoreLock::new(&locks, 3), Err(Refused::Taken)));
        CoreLock::new(&locks, 4).expect("another core");
        drop(first);
        CoreLock::new(&locks, 3).expect("free again");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o7777;
        assert_eq!((mode(&locks), mode(&locks.join("core-3.lock"))), (EVERYBODYS, 0o666));
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        symlink("/dev/null", folder.path().join("core-0.lock")).expect("a link");
        assert!(matches!(CoreLock::new(folder.path(), 0), Err(Refused::Failed(_))));
        // Nor is one in place of the folder, or anything else that is none.
        let (aim, link, file) = (folder.path().join("aim"), folder.path().join("link"), folder.path().join("file"));
        fs::create_dir(&aim).expect("a folder");
        symlink(&aim, &link).expect("a link");
        fs::write(&file, "").expect("a file");
        for wrong in [&link, &file] {
            assert!(matches!(CoreLock::new(wrong, 0), Err(Refused::Failed(_))), "{}", wrong.display());
        }
        assert_eq!(fs::read_dir(&aim).expect("a folder").count(), 0);
    }

    #[test]
    fn a_folder_of_another_user_is_not_used_unless_it_is_everybodys() {
        let folder = tempfile::tempdir().expect("a folder");
        // Only root can make one.
        if !sys::is_root() || chown(folder.path(), Some(4711), None).is_err() {
            return;
        }
        for (mode, used) in [(0o755, false), (0o777, false), (EVERYBODYS, true)] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("ours to do");
            assert_eq!(CoreLock::new(folder.path(), 0).is_ok(), used, "{mode:o}");
        }
    }
}
