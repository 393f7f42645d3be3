//! A core that one runner of the machine uses alone: a lock on a file that anybody can open.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// A lock that is held. It goes with the process, whatever ends it; the file stays.
#[derive(Debug)]
pub(super) struct Claim(File);

/// Why a core was not claimed.
#[derive(Debug)]
pub(super) enum Refused {
    /// Another runner has it.
    Taken,
    /// Nobody can say.
    Failed(io::Error),
}

impl Claim {
    /// Claims a core by its number.
    pub fn new(folder: &Path, core: u32) -> Result<Self, Refused> {
        let file = open(folder, core).map_err(Refused::Failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(Refused::Taken),
            Err(TryLockError::Error(error)) => Err(Refused::Failed(error)),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A child that is just being started may have the file open too, so closing is not enough.
        drop(self.0.unlock());
    }
}

/// Opens the file of a core. Reading is enough for a lock, so files of other users serve as well.
fn open(folder: &Path, core: u32) -> io::Result<File> {
    let path = folder.join(format!("core-{core}.lock"));
    // Nobody can make us open something else by a link.
    let options = |options: &mut OpenOptions| options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&path);
    match options(OpenOptions::new().read(true)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    match DirBuilder::new().mode(0o1777).create(folder) {
        // The mode above is cut by the umask, and other users need the folder too.
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(0o1777))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    match options(OpenOptions::new().write(true).create_new(true)) {
        Ok(file) => {
            file.set_permissions(Permissions::from_mode(0o666))?;
            Ok(file)
        }
        // Somebody was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => options(OpenOptions::new().read(true)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_has_one_owner() {
        let folder = tempfile::tempdir().expect("a folder");
        let locks = folder.path().join("cpus");
        let first = Claim::new(&locks, 3).expect("free");
        assert!(matches!(Claim::new(&locks, 3), Err(Refused::Taken)));
        Claim::new(&locks, 4).expect("another core");
        drop(first);
        Claim::new(&locks, 3).expect("free again");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o7777;
        assert_eq!((mode(&locks), mode(&locks.join("core-3.lock"))), (0o1777, 0o666));
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink("/dev/null", folder.path().join("core-0.lock")).expect("a link");
        assert!(matches!(Claim::new(folder.path(), 0), Err(Refused::Failed(_))));
    }
}
