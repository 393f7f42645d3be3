//! A worker and everything it starts: a process group, in a control group where there is one.
//!
//! This is the one place that knows how a worker is kept apart. Without a control group its descendants are found in
//! `/proc`, memory is polled, and a limit of data a little above stops what is too quick for that.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{RawPid, Signal};
use system::Cpus;

use super::cgroup::RunGroup;
use super::figures::MOST_DOUBT;
use super::guard::MARK;
use super::output::Stderr;
use super::sys::{self, Reaped, Start, System, doing, runner};
use super::tree::Tree;
use super::workplace::Workplace;
use super::{Worker, guard};
use crate::protocol::{Job, clock};

/// How often to look at a worker that has a limit which the parent keeps.
const OFTEN: Duration = Duration::from_millis(10);

const SELDOM: Duration = Duration::from_millis(50);

/// The lowest limit of data, which else is a twentieth above that of memory (mapped files do not count, so that all together
/// stays within a tenth): below this a process might not even begin.
const LOWEST_DATA_LIMIT: u64 = 32 << 20;

/// Seconds beyond the CPU limit at which the kernel steps in if the parent has not.
const CPU_BACKSTOP: u64 = 3;

/// Rounds of looking for descendants everywhere and killing them; more than one only if they are being born meanwhile.
const KILL_ROUNDS: u32 = 20;

/// Rounds of killing children of those that are known, between two of these: quick enough to catch up with processes that live for
/// a millisecond and start the next one.
const QUICK_ROUNDS: u32 = 50;

/// Pause before another look if it could not be told of a process whether it is a descendant.
const DOUBT: Duration = Duration::from_millis(1);

/// What a worker and its descendants use. `None`: not known now, or kept by the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Usage {
    pub memory: Option<u64>,
    pub cpu_s: Option<f64>,
    /// The kernel killed a process at the limit of memory.
    pub out_of_memory: bool,
}

/// What a worker leaves behind for the row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    pub reaped: Reaped,
    /// CPU time with all descendants, as far as they are known.
    pub cpu_time_s: f64,
    /// Peak memory and how it was measured.
    pub peak: Option<(u64, &'static str)>,
    /// The kernel killed a process at the limit of memory.
    pub out_of_memory: bool,
    /// Bytes of data that each of its processes could map.
    pub data_limit_b: Option<u64>,
}

/// A running worker. Dropped, it is killed and reaped with all of its descendants.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    leader: RawPid,
    /// Gone once it is reaped.
    child: Option<Child>,
    group: Option<RunGroup>,
    tree: Tree,
    memory_limit_b: Option<u64>,
    /// CPU time in a control group is only looked at if somebody wants to know.
    watch_cpu: bool,
    data_limit_b: Option<u64>,
    worker_peak: (u64, &'static str),
    sum_peak: u64,
    /// CPU time of descendants when they were killed.
    killed_cpu_s: Option<f64>,
    /// The worker has ended, and whatever it started is dead.
    cleared: bool,
}

impl WorkerProcess {
    /// Starts a worker on a job.
    pub fn start(
        worker: &Worker,
        job: &Job,
        place: &Workplace,
        scratch: &Path,
        stderr: &Stderr,
    ) -> io::Result<(Self, ChildStdout)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let told = Job { begun: Some(clock()), heard: worker.heard.clone(), ..job.clone() };
        sys::expect_children();
        // A file rather than a pipe: writing cannot block on a worker that does not read.
        let stdin = doing("cannot make a file in memory", system::memory_file("job", &serde_json::to_vec(&told)?))?;
        let group = place.parent.as_ref().map(|parent| parent.group(job.memory_limit_b)).transpose();
        let group = doing("cannot make a control group", group)?;
        let data_limit_b = match &group {
            Some(_) => None,
            None => job.memory_limit_b.map(|limit| limit.saturating_add(limit / 20).max(LOWEST_DATA_LIMIT)),
        };
        let mark = format!("{}-{}", runner(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(&worker.command);
        command.args(&worker.args).env(MARK, &mark).env("TMPDIR", scratch).process_group(0);
        // Only the end of what it prints is read for why it ended.
        command.env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::from(stdin)).stdout(Stdio::piped()).stderr(stderr.stdio()?);
        let start = Start {
            join: doing("cannot open a control group", group.as_ref().map(RunGroup::procs_files).transpose())?
                .unwrap_or_default(),
            cpus: place.cpus(job.threads).map(Cpus::of),
            data_b: data_limit_b,
            cpu_s: job.cpu_limit_s.map(|limit| (limit.ceil() as u64).saturating_add(CPU_BACKSTOP)),
        };
        sys::prepare(&mut command, start);
        let pinned = place.column(job.threads).map_or_else(String::new, |cpus| format!(" on CPU {cpus}"));
        let starting = format!("cannot start {}{pinned}", worker.command.display());
        let mut child = doing(starting, guard::spawn(&mut command))?;
        let leader = RawPid::try_from(child.id()).map_err(io::Error::other)?;
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no pipe to the worker"))?;
        let process = Self {
            leader,
            child: Some(child),
            memory_limit_b: job.memory_limit_b,
            watch_cpu: job.cpu_limit_s.is_some(),
            group,
            tree: Tree::new(System::default(), leader, &format!("{MARK}={mark}")),
            data_limit_b,
            worker_peak: (0, "VmHWM (parent poll)"),
            sum_peak: 0,
            killed_cpu_s: None,
            cleared: false,
        };
        Ok((process, stdout))
    }

    pub fn leader(&self) -> RawPid {
        self.leader
    }

    /// How often [`WorkerProcess::look`] should be called.
    pub fn tick(&self) -> Duration {
        let by_kernel = self.group.as_ref().is_some_and(RunGroup::keeps_peak);
        if self.watch_cpu || (self.memory_limit_b.is_some() && !by_kernel) { OFTEN } else { SELDOM }
    }

    pub fn look(&mut self) -> Usage {
        let Some(group) = &mut self.group else {
            self.tree.look();
            let memory = Some(self.note_peak());
            return Usage { memory, cpu_s: Some(self.tree.cpu_s()), out_of_memory: false };
        };
        if !group.keeps_peak() {
            group.poll();
        }
        let mut cpu_s = self.watch_cpu.then(|| group.cpu_s()).flatten();
        if self.watch_cpu && cpu_s.is_none() {
            self.tree.look();
            cpu_s = Some(self.tree.cpu_s());
        }
        Usage { memory: None, cpu_s, out_of_memory: self.memory_limit_b.is_some() && group.out_of_memory() }
    }

    /// Resident memory now, of the worker and its descendants; the highest is kept, and that of the worker alone.
    fn note_peak(&mut self) -> u64 {
        let mut sum = self.tree.memory();
        // A copy of a process shares its memory, so before a run is ended for it, it is counted well.
        if self.tree.has_descendants && self.memory_limit_b.is_some_and(|limit| sum > limit) {
            sum = self.tree.memory_shared_once();
        }
        self.sum_peak = self.sum_peak.max(sum);
        let peak = System::default().field_b(format!("/proc/{}/status", self.leader), "VmHWM").unwrap_or(0);
        self.worker_peak.0 = self.worker_peak.0.max(peak);
        sum
    }

    pub fn kill(&mut self) {
        if let Some(group) = &self.group {
            sys::signal_group(self.leader, Signal::KILL);
            group.kill();
            if group.cpu_s().is_some() {
                return;
            }
        }
        // The worker is killed last: stopped, it starts nobody, and whoever loses its parent becomes its child and is found there.
        sys::signal_group(self.leader, Signal::STOP);
        self.tree.search();
        if self.killed_cpu_s.is_none() {
            self.note_peak();
            self.killed_cpu_s = Some(self.tree.cpu_unreported_s());
        }
        self.kill_descendants();
        sys::signal_group(self.leader, Signal::KILL);
        self.cleared = self.tree.leader_is_dead();
    }

    /// Kills the descendants that were found, looks for others, and so on until there are none.
    fn kill_descendants(&mut self) {
        let clear = Instant::now() + MOST_DOUBT;
        let mut rounds = 0;
        while rounds < KILL_ROUNDS {
            let lived = self.tree.kill_descendants();
            if self.tree.is_in_doubt && Instant::now() < clear {
                thread::sleep(DOUBT);
            } else if lived {
                rounds += 1;
            } else {
                break;
            }
            for _ in 0..QUICK_ROUNDS {
                self.tree.refresh();
                if !self.tree.kill_descendants() {
                    break;
                }
            }
            self.tree.search();
        }
        self.tree.kill_descendants();
    }

    /// Waits for the end of the worker, kills what is left of it, and says how it ended. What the worker says of its own peak is
    /// the best that is known where it was alone and in no control group.
    pub fn reap(mut self, said: Option<(u64, &'static str)>) -> io::Result<Measured> {
        sys::wait_for_end(self.leader);
        // Before the leader is reaped, while the number cannot be another group's yet.
        if !self.cleared {
            self.kill();
        }
        if self.group.is_some() {
            // Somebody with the rights to do so may have left the control group.
            self.tree.search();
            self.kill_descendants();
        }
        let child = self.child.take().ok_or_else(|| io::Error::other("reaped already"))?;
        let reaped = sys::reap(child);
        guard::reaped(self.leader);
        let reaped = reaped?;
        // What is more than this process ever had is the worker's own.
        let largest = reaped.max_rss_b;
        let own = || System::default().field_b("/proc/self/status", "VmHWM");
        if largest > self.worker_peak.0 && own().is_some_and(|own| largest > own) {
            self.worker_peak = (largest, "ru_maxrss (parent)");
        }
        let (mut cpu_time_s, mut out_of_memory) = (reaped.cpu_time_s + self.killed_cpu_s.unwrap_or(0.0), false);
        let peak = match &mut self.group {
            Some(group) => {
                group.clear();
                if let Some(counted) = group.cpu_s() {
                    // What passed before the worker joined is only in the other figure.
                    cpu_time_s = counted.max(reaped.cpu_time_s);
                }
                out_of_memory = self.memory_limit_b.is_some() && group.out_of_memory();
                group.peak().or(said)
            }
            // A descendant may have had its most between two polls.
            None if self.tree.has_descendants => {
                let sum = (self.sum_peak, "sum of VmRSS (parent poll)");
                said.into_iter().chain([self.worker_peak, sum]).max_by_key(|(peak, _)| *peak)
            }
            None => said.or(Some(self.worker_peak)),
        };
        let peak = peak.filter(|(peak, _)| *peak > 0);
        Ok(Measured { reaped, cpu_time_s, peak, out_of_memory, data_limit_b: self.data_limit_b })
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
        if let Some(child) = self.child.take() {
            // Nobody is left to tell of a failure here.
            let _ = sys::reap(child);
            guard::reaped(self.leader);
        }
    }
}
