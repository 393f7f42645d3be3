//! Where workers run: how they are confined and which cores are theirs, found out once a session. Cores are claimed against other
//! runners of the machine.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use system::Claim;

use super::cgroup::ParentGroup;
use super::scratch::Scratch;
use super::sys::{System, held};
use crate::text::count;

/// How runs are kept apart where there are no control groups, for the column `isolation`.
const PROCESS_GROUP: &str = "process-group";

/// What to use of what the machine offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkplaceOptions {
    /// Whether each worker is to have cores of its own.
    pub pin: bool,
    /// Whether to use control groups where that is possible.
    pub cgroups: bool,
    /// Bytes of disk that the temporary files and the proof of a run may take up.
    pub disk_b: u64,
    /// What the names begin with by which runners of one machine keep off each other's cores.
    pub claims: String,
}

impl Default for WorkplaceOptions {
    fn default() -> Self {
        Self { pin: true, cgroups: true, disk_b: 64 << 30, claims: "tilebench-core".to_owned() }
    }
}

/// The workplaces of a session, one for each slot. Cores are claimed and groups made ready as long as this lives.
#[derive(Debug)]
pub struct Workplaces {
    slots: Vec<Workplace>,
    /// How workers are kept apart, as the column `isolation` says it.
    pub isolation: &'static str,
    /// Whether each worker has cores of its own.
    pub pinned: bool,
    /// What disturbs the measurements.
    pub warnings: Vec<String>,
    /// Why there are no control groups, if they were asked for.
    pub without_cgroups: Option<String>,
    _claims: Vec<Claim>,
}

/// Where one slot runs its workers, one after the other.
#[derive(Debug)]
pub struct Workplace {
    pub(super) parent: Option<Arc<ParentGroup>>,
    cpus: Vec<u32>,
    /// An empty folder for the temporary files of the next run.
    scratch: Mutex<Option<Scratch>>,
    /// Bytes of disk that a run may take up.
    pub(super) disk_b: u64,
}

impl Workplaces {
    /// Prepares places for so many workers at a time, each with so many threads.
    ///
    /// What cannot be had is done without: the warnings tell what the user should know.
    #[must_use]
    pub fn prepare(jobs: usize, threads: usize, options: &WorkplaceOptions) -> Self {
        let jobs = jobs.max(1);
        let (mut warnings, mut pins) = (Vec::new(), Pins::default());
        if options.pin {
            let found = pin(&System::default(), &system::usable_cpus(), jobs, threads.max(1), &options.claims);
            pins = found.unwrap_or_else(|reason| {
                warnings.push(reason);
                Pins::default()
            });
        }
        let (parent, without_cgroups) = match options.cgroups.then(ParentGroup::shared) {
            Some(Ok(parent)) => (Some(parent), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        let cpus = |slot: usize| pins.slots.get(slot).cloned().unwrap_or_default();
        Self {
            slots: (0..jobs)
                .map(|slot| Workplace {
                    parent: parent.clone(),
                    cpus: cpus(slot),
                    scratch: Mutex::default(),
                    disk_b: options.disk_b,
                })
                .collect(),
            isolation: parent.as_ref().map_or(PROCESS_GROUP, |parent| parent.isolation()),
            pinned: !pins.slots.is_empty(),
            warnings,
            without_cgroups,
            _claims: pins.claims,
        }
    }

    /// The place of a slot; slots beyond the number of jobs share places.
    #[must_use]
    pub fn slot(&self, slot: usize) -> &Workplace {
        // There is at least one.
        &self.slots[slot % self.slots.len()]
    }
}

impl Workplace {
    /// The CPUs of a worker with so many threads, if it is pinned.
    pub(super) fn cpus(&self, threads: u32) -> Option<&[u32]> {
        let number = (threads.max(1) as usize).min(self.cpus.len());
        (number > 0).then(|| &self.cpus[..number])
    }

    pub(super) fn column(&self, threads: u32) -> Option<String> {
        let numbers: Vec<String> = self.cpus(threads)?.iter().map(u32::to_string).collect();
        Some(numbers.join(" "))
    }

    /// A folder for the temporary files of a run.
    pub(super) fn take_scratch(&self) -> io::Result<Scratch> {
        self.scratch().take().filter(Scratch::is_empty).map_or_else(Scratch::new, Ok)
    }

    /// Takes the folder of a run that has ended: it is removed, or serves the next run if it is empty.
    pub(super) fn keep_scratch(&self, scratch: Scratch) {
        *self.scratch() = Some(scratch).filter(Scratch::is_empty);
    }

    fn scratch(&self) -> MutexGuard<'_, Option<Scratch>> {
        held(&self.scratch)
    }
}

/// How often to try, and how long to wait in between: a process that is just being started may hold a claim that was given up.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// The CPUs of each slot. The cores are claimed as long as this lives.
#[derive(Debug, Default)]
struct Pins {
    /// One CPU of each core of a slot; its siblings stay idle.
    slots: Vec<Vec<u32>>,
    claims: Vec<Claim>,
}

/// Chooses as many cores as threads for each job, and claims them by names that begin with a prefix.
fn pin(system: &System, usable: &[u32], jobs: usize, threads: usize, prefix: &str) -> Result<Pins, String> {
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
    let mut taken = 0;
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(PAUSE);
        }
        let claimed =
            claim(&cores, needed, prefix).map_err(|e| format!("not pinned, as cores cannot be claimed: {e}"))?;
        if claimed.len() == needed {
            let (cpus, claims): (Vec<u32>, _) = claimed.into_iter().unzip();
            return Ok(Pins { slots: cpus.chunks(threads.max(1)).map(<[u32]>::to_vec).collect(), claims });
        }
        taken = number - claimed.len();
    }
    Err(not_pinned(format!("{}, {taken} of them taken by another tilebench", count(number as u64, "core"))))
}

/// Claims so many cores, or as many as are free; one CPU of each.
fn claim(cores: &[Core], needed: usize, prefix: &str) -> io::Result<Vec<(u32, Claim)>> {
    let mut claimed = Vec::with_capacity(needed);
    for core in cores {
        if claimed.len() == needed {
            break;
        }
        claimed.extend(Claim::of(&format!("{prefix}-{}", core.id))?.map(|claim| (core.cpus[0], claim)));
    }
    Ok(claimed)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Core {
    /// The lowest CPU of the core, usable or not: the same to every process of the machine.
    pub id: u32,
    /// Its usable CPUs, which are hyper-threads of one another.
    pub cpus: Vec<u32>,
}

/// The cores behind some CPUs, those of one package side by side.
pub(crate) fn cores(system: &System, cpus: &[u32]) -> Vec<Core> {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Names of claims that no other test has.
    fn names() -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        format!("tilebench-test-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
    }

    /// A machine without topology: each CPU is a core.
    fn pinned(cpus: &[u32], jobs: usize, threads: usize, prefix: &str) -> Result<Pins, String> {
        let (_folder, system) = machine_of(&[]);
        pin(&system, cpus, jobs, threads, prefix)
    }

    #[test]
    fn each_job_has_cores_of_its_own_and_the_first_is_left() {
        let names = names();
        let pins = pinned(&[0, 1, 2, 3, 4], 2, 2, &names).expect("enough");
        assert_eq!(pins.slots, [[1, 2], [3, 4]]);
        // What is left is enough for one more.
        let rest = pinned(&[0, 1, 2, 3, 4], 1, 1, &names).expect("enough");
        assert_eq!(rest.slots, [[0]]);
        let reason = pinned(&[0, 1, 2, 3, 4], 1, 1, &names).expect_err("none is left");
        assert!(reason.contains("5 cores, 5 of them taken by another tilebench: not pinned"), "{reason}");
        drop(pins);
        assert_eq!(pinned(&[0, 1, 2, 3, 4], 1, 2, &names).expect("free again").slots, [[1, 2]]);
    }

    #[test]
    fn with_too_few_cores_nobody_is_pinned() {
        let names = names();
        let reason = pinned(&[0, 1], 4, 1, &names).expect_err("too few");
        assert_eq!(reason, "4 jobs x 1 thread on 2 cores: not pinned, runs disturb each other");
        assert_eq!(pinned(&[0, 1], 2, 1, &names).expect("just enough").slots, [[0], [1]]);
    }

    #[test]
    fn claims_given_up_are_free_again() {
        let names = names();
        let _one = pinned(&[0, 1, 2], 1, 1, &names).expect("enough");
        assert!(pinned(&[0, 1, 2], 3, 1, &names).is_err());
        assert_eq!(pinned(&[0, 1, 2], 2, 1, &names).expect("the other two").slots, [[2], [0]]);
    }

    #[test]
    fn what_cannot_be_claimed_is_told() {
        let reason = pinned(&[0], 1, 1, &"long".repeat(50)).expect_err("a name that is too long");
        assert!(reason.starts_with("not pinned, as cores cannot be claimed: "), "{reason}");
    }

    /// A machine whose CPUs have these siblings and packages.
    fn machine_of(cpus: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let file = |cpu: usize, name| format!("/sys/devices/system/cpu/cpu{cpu}/topology/{name}");
        let files = cpus.iter().enumerate().flat_map(|(cpu, (siblings, package))| {
            [(file(cpu, "thread_siblings_list"), *siblings), (file(cpu, "physical_package_id"), *package)]
        });
        System::of(&files.collect::<Vec<_>>())
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
        assert_eq!(cores(&system, &[0, 2]).len(), 1);
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
}
