//! Cores of their own for workers: chosen once a session, claimed against other runners of the machine.

mod claim;
mod topology;

use std::path::Path;

use self::claim::{CoreLock, Refused};
use self::topology::{Core, cores};
pub(crate) use self::topology::{core_count, usable};
use super::system::System;
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

#[cfg(test)]
mod tests {
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
}
