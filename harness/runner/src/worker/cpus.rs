//! Cores of their own for workers: which CPUs may be used and share a core, which cores a session takes, and the locks by which
//! it claims them against other runners of the machine.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use record::is_same_file;
use rustix::fs::{Mode, OFlags, openat};
use rustix::process::geteuid;

use super::sys::System;
use crate::text::count;

/// The CPUs of each slot. The cores are claimed as long as this lives.
#[derive(Debug, Default)]
pub(super) struct Pins {
    /// One CPU of each core of a slot; its siblings stay idle.
    pub slots: Vec<Vec<u32>>,
    _locks: Vec<CoreLock>,
}

/// Chooses as many cores as threads for each job, and claims them by lock files in a folder.
///
/// # Errors
/// Why the session is not pinned, in words for its user.
pub(super) fn pin(system: &System, usable: &[u32], jobs: usize, threads: usize, locks: &Path) -> Result<Pins, String> {
    let mut cores = cores(system, usable);
    let needed = jobs.saturating_mul(threads);
    let number = cores.len();
    let asked = format!("{} x {}", count(jobs as u64, "job"), count(threads as u64, "thread"));
    let not_pinned = |on: String| format!("{asked} on {on}: not pinned, runs disturb each other");
    if number < needed {
        return Err(not_pinned(count(number as u64, "core")));
    }
    if number > needed
        && let Some(first) = cores.iter().position(|core| core.cpus.contains(&usable.first().copied().unwrap_or(0)))
    {
        // The last to be taken: the runner and whatever else the machine does are at home there.
        let first = cores.remove(first);
        cores.push(first);
    }
    let mut held = Vec::with_capacity(needed);
    let mut chosen: Vec<Core> = Vec::with_capacity(needed);
    for core in cores {
        if chosen.len() == needed {
            break;
        }
        match CoreLock::new(locks, core.id) {
            Ok(lock) => {
                held.push(lock);
                chosen.push(core);
            }
            Err(Refused::Taken) => {}
            Err(Refused::Failed(error)) => {
                return Err(format!("{}: not pinned, as cores cannot be claimed: {error}", locks.display()));
            }
        }
    }
    if chosen.len() < needed {
        let taken = number - chosen.len();
        return Err(not_pinned(format!(
            "{}, {taken} of them taken by another tilebench",
            count(number as u64, "core")
        )));
    }
    let slots = chosen.chunks(threads.max(1)).map(|cores| cores.iter().map(|core| core.cpus[0]).collect()).collect();
    Ok(Pins { slots, _locks: held })
}

/// A physical core.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Core {
    /// The lowest CPU of the core, usable or not: the same to every process of the machine.
    pub id: u32,
    /// Its usable CPUs, which are hyper-threads of one another.
    pub cpus: Vec<u32>,
}

/// The number of cores behind some CPUs.
pub(crate) fn core_count(system: &System, cpus: &[u32]) -> usize {
    cores(system, cpus).len()
}

/// The cores behind some CPUs, those of one package side by side.
fn cores(system: &System, cpus: &[u32]) -> Vec<Core> {
    let mut cores: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for &cpu in cpus {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        let read = |name: &str| system.read(format!("{topology}/{name}"));
        // Where the machine does not tell, every CPU is a core.
        let siblings = list(&read("thread_siblings_list")).unwrap_or_else(|| vec![cpu]);
        let id = siblings.iter().copied().min().unwrap_or(cpu);
        cores.entry((read("physical_package_id").parse().unwrap_or(0), id)).or_default().push(cpu);
    }
    cores.into_iter().map(|((_, id), cpus)| Core { id, cpus }).collect()
}

/// Numbers of `0-2,8`; `None` if it is no such list.
fn list(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (first, last) = (number(first)?, number(last)?);
        numbers.extend(first..=last);
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// Mode of a folder in which everybody can make files, and nobody can take away those of others.
const EVERYBODYS: u32 = 0o1777;

/// Files are opened for reading, and links are not followed.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How often to lock a file anew that was deleted meanwhile.
const TRIES: u32 = 5;

/// A lock that is held. It goes with the process, whatever ends it; the file stays.
#[derive(Debug)]
struct CoreLock(File);

/// Why a core was not claimed.
#[derive(Debug)]
enum Refused {
    /// Another runner has it.
    Taken,
    /// Nobody can say.
    Failed(io::Error),
}

impl CoreLock {
    /// Claims a core by its number.
    fn new(folder: &Path, core: u32) -> Result<Self, Refused> {
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
    let open =
        || -> io::Result<File> { Ok(File::from(rustix::fs::open(folder, READ | OFlags::DIRECTORY, Mode::empty())?)) };
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
    if open_to_all || facts.uid() == 0 || facts.uid() == geteuid().as_raw() {
        return Ok(dir);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "this folder is another user's"))
}

/// Opens the file of a core. Reading is enough for a lock, so files of other users serve as well.
fn open(dir: &File, name: &str) -> io::Result<File> {
    let open =
        |flags| -> io::Result<File> { Ok(File::from(openat(dir, name, flags | OFlags::NONBLOCK, Mode::from(0o666))?)) };
    match open(READ) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    match open(OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC) {
        Ok(file) => {
            // The umask is not for other users' sake here.
            file.set_permissions(Permissions::from_mode(0o666))?;
            Ok(file)
        }
        // Somebody was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(READ),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    /// A machine without topology: each CPU is a core.
    fn pinned(cpus: &[u32], jobs: usize, threads: usize, locks: &Path) -> Result<Pins, String> {
        let nowhere = tempfile::tempdir().expect("a folder");
        pin(&System::at(nowhere.path()), cpus, jobs, threads, locks)
    }

    #[test]
    fn each_job_has_cores_of_its_own_and_the_first_is_left() {
        let locks = tempfile::tempdir().expect("a folder");
        let pins = pinned(&[0, 1, 2, 3, 4], 2, 2, locks.path()).expect("enough");
        assert_eq!(pins.slots, [[1, 2], [3, 4]]);
        // What is left is enough for one more.
        let rest = pinned(&[0, 1, 2, 3, 4], 1, 1, locks.path()).expect("enough");
        assert_eq!(rest.slots, [[0]]);
        let reason = pinned(&[0, 1, 2, 3, 4], 1, 1, locks.path()).expect_err("none is left");
        assert!(reason.contains("5 cores, 5 of them taken by another tilebench: not pinned"), "{reason}");
        drop(pins);
        assert_eq!(pinned(&[0, 1, 2, 3, 4], 1, 2, locks.path()).expect("free again").slots, [[1, 2]]);
    }

    #[test]
    fn with_too_few_cores_nobody_is_pinned() {
        let locks = tempfile::tempdir().expect("a folder");
        let reason = pinned(&[0, 1], 4, 1, locks.path()).expect_err("too few");
        assert_eq!(reason, "4 jobs x 1 thread on 2 cores: not pinned, runs disturb each other");
        assert_eq!(pinned(&[0, 1], 2, 1, locks.path()).expect("just enough").slots, [[0], [1]]);
    }

    #[test]
    fn claims_given_up_are_free_again() {
        let locks = tempfile::tempdir().expect("a folder");
        let _one = pinned(&[0, 1, 2], 1, 1, locks.path()).expect("enough");
        assert!(pinned(&[0, 1, 2], 3, 1, locks.path()).is_err());
        assert_eq!(pinned(&[0, 1, 2], 2, 1, locks.path()).expect("the other two").slots, [[2], [0]]);
    }

    /// A machine whose CPUs have these siblings and packages.
    fn machine_of(cpus: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().expect("a folder");
        for (cpu, (siblings, package)) in cpus.iter().enumerate() {
            let dir = folder.path().join(format!("sys/devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&dir).expect("a folder");
            fs::write(dir.join("thread_siblings_list"), format!("{siblings}\n")).expect("a file");
            fs::write(dir.join("physical_package_id"), format!("{package}\n")).expect("a file");
        }
        let system = System::at(folder.path());
        (folder, system)
    }

    fn core(id: u32, cpus: &[u32]) -> Core {
        Core { id, cpus: cpus.to_vec() }
    }

    #[test]
    fn siblings_are_one_core() {
        // As desktops number them: the second threads after all first ones.
        let (_folder, system) = machine_of(&[("0,2", "0"), ("1,3", "0"), ("0,2", "0"), ("1,3", "0")]);
        assert_eq!(cores(&system, &[0, 1, 2, 3]), [core(0, &[0, 2]), core(1, &[1, 3])]);
        // A core keeps its number when its first thread may not be used.
        assert_eq!(cores(&system, &[1, 2]), [core(0, &[2]), core(1, &[1])]);
        assert_eq!(core_count(&system, &[0, 2]), 1);
    }

    #[test]
    fn cores_of_one_package_stand_together() {
        let (_folder, system) = machine_of(&[("0-1", "1"), ("0-1", "1"), ("2-3", "0"), ("2-3", "0"), ("4", "1")]);
        assert_eq!(cores(&system, &[0, 1, 2, 3, 4]), [core(2, &[2, 3]), core(0, &[0, 1]), core(4, &[4])]);
    }

    #[test]
    fn without_topology_each_cpu_is_a_core() {
        let (_folder, system) = machine_of(&[]);
        assert_eq!(cores(&system, &[5, 7]), [core(5, &[5]), core(7, &[7])]);
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(list("0-2,8"), Some(vec![0, 1, 2, 8]));
        assert_eq!(list("3"), Some(vec![3]));
        assert_eq!((list(""), list("a-b")), (None, None));
    }

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
        if !geteuid().is_root() || chown(folder.path(), Some(4711), None).is_err() {
            return;
        }
        for (mode, used) in [(0o755, false), (0o777, false), (EVERYBODYS, true)] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("ours to do");
            assert_eq!(CoreLock::new(folder.path(), 0).is_ok(), used, "{mode:o}");
        }
    }
}
