//! Where workers run: how they are confined and which CPUs are theirs, found out once a session.

use std::sync::Arc;

use super::cgroup::ParentGroup;
use super::cpus::{Pins, pin};
use super::sys::System;

/// How runs are kept apart where there are no control groups, for the column `isolation`.
const PROCESS_GROUP: &str = "process-group";

/// Disk space of a run where nothing else is said.
pub(crate) const DISK: u64 = 64 << 30;

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
        Self { pin: true, cgroups: true, disk_b: DISK, claims: "tilebench-core".to_owned() }
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
    _pins: Pins,
}

/// Where one slot runs its workers, one after the other.
#[derive(Debug, Clone)]
pub struct Workplace {
    pub(super) parent: Option<Arc<ParentGroup>>,
    cpus: Vec<u32>,
    disk_b: u64,
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
            match pin(&System::default(), &system::usable_cpus(), jobs, threads.max(1), &options.claims) {
                Ok(found) => pins = found,
                Err(reason) => warnings.push(reason),
            }
        }
        let (parent, without_cgroups) = match options.cgroups.then(ParentGroup::shared) {
            Some(Ok(parent)) => (Some(parent), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        let cpus = |slot: usize| pins.slots.get(slot).cloned().unwrap_or_default();
        Self {
            slots: (0..jobs)
                .map(|slot| Workplace { parent: parent.clone(), cpus: cpus(slot), disk_b: options.disk_b })
                .collect(),
            isolation: parent.as_ref().map_or(PROCESS_GROUP, |parent| parent.isolation()),
            pinned: !pins.slots.is_empty(),
            warnings,
            without_cgroups,
            _pins: pins,
        }
    }

    /// The place of a slot; slots beyond the number of jobs share places.
    #[must_use]
    pub fn slot(&self, slot: usize) -> &Workplace {
        // There is at least one.
        &self.slots[slot % self.slots.len()]
    }

    /// What to tell whoever limits memory or CPU time.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let polled = "without control groups: memory and CPU time are polled (see Machines in the book)";
        self.without_cgroups.as_ref().map(|_| polled)
    }
}

impl Workplace {
    /// The CPUs of a worker with so many threads, if it is pinned.
    pub(super) fn cpus(&self, threads: u32) -> Option<&[u32]> {
        let number = (threads.max(1) as usize).min(self.cpus.len());
        (number > 0).then(|| &self.cpus[..number])
    }

    /// The same for the column `cpus`.
    pub(super) fn column(&self, threads: u32) -> Option<String> {
        let numbers: Vec<String> = self.cpus(threads)?.iter().map(u32::to_string).collect();
        Some(numbers.join(" "))
    }

    /// Bytes of disk that a run may take up.
    pub(super) fn disk_b(&self) -> u64 {
        self.disk_b
    }

    /// The word for the column `isolation`.
    pub(super) fn isolation(&self) -> &'static str {
        self.parent.as_ref().map_or(PROCESS_GROUP, |parent| parent.isolation())
    }
}
