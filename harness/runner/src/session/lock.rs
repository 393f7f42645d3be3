//! One process at a time writes a results directory.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use record::{ResultsDir, is_same_file};

use crate::RunnerError;

/// How often to try, and how long to wait in between: what a killed runner was just starting may hold its lock for a moment.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// A locked file. A child that another thread is just starting has the file open too until it runs its program, so
/// closing it here might not be enough.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a directory.
    ///
    /// # Errors
    /// Another process holds the lock, or the file system has none.
    pub fn take(dir: &ResultsDir) -> Result<Self, RunnerError> {
        let path = dir.root().join(".lock");
        let io = |source| RunnerError::Io { path: path.clone(), source };
        for _ in 0..TRIES {
            let mut file =
                File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(io)?;
            match file.try_lock() {
                // Somebody may have deleted the file between the two lines.
                Ok(()) if is_same_file(&file, &path) => {
                    let holder = format!("process {}\n", std::process::id());
                    let noted = file.set_len(0).and_then(|()| file.write_all(holder.as_bytes()));
                    noted.map_err(io)?;
                    return Ok(Self { file, path });
                }
                Ok(()) => {}
                Err(TryLockError::Error(source)) => return Err(io(source)),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
        let mut holder = String::new();
        // Only to name it.
        let named = File::open(&path).and_then(|file| file.take(100).read_to_string(&mut holder));
        let holder = match named {
            Ok(_) if !holder.trim().is_empty() => format!(" ({})", holder.trim()),
            _ => String::new(),
        };
        Err(RunnerError::Results {
            dir: dir.root().to_owned(),
            reason: format!("another tilebench run{holder} is writing here; wait for it or choose another --out"),
        })
    }

    /// Whether the directory is still where it was when it was locked.
    ///
    /// # Errors
    /// It was deleted or moved, or its lock was.
    pub fn check(&self) -> io::Result<()> {
        if is_same_file(&self.file, &self.path) {
            return Ok(());
        }
        Err(io::Error::other(format!("{} was deleted or moved while it was in use", self.path.display())))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nobody can be told; the lock goes with the last process that has the file open.
        drop(self.file.unlock());
    }
}
