//! Whether this process went on all the time while a run was watched: a process that is stopped (`kill -STOP`, Ctrl-Z) and a
//! machine that sleeps (a laptop that is shut) spoil what is measured.

use std::time::{Duration, Instant};

use super::sys::System;

/// What is so much later than it should be was stopped. A busy machine is late by less.
const LATE: Duration = Duration::from_secs(1);

/// Watches the clocks during a run.
#[derive(Debug)]
pub(super) struct Pulse {
    system: System,
    begun: Instant,
    /// Seconds since the machine was started, asleep or not; `None` where it does not tell.
    uptime_s: Option<f64>,
    last: Instant,
    stopped: Duration,
}

impl Pulse {
    pub fn new(system: System) -> Self {
        let now = Instant::now();
        Self { uptime_s: uptime_s(&system), system, begun: now, last: now, stopped: Duration::ZERO }
    }

    /// Somebody waited for so long at most since the last beat.
    pub fn beat(&mut self, waited: Duration) {
        let late = self.last.elapsed().saturating_sub(waited);
        if late >= LATE {
            self.stopped += late;
        }
        self.skip();
    }

    /// What passed since the last beat was work of which nobody knows how long it takes.
    pub fn skip(&mut self) {
        self.last = Instant::now();
    }

    /// Seconds for which this process was stopped or the machine asleep, if it was.
    pub fn stopped_s(&self) -> Option<f64> {
        // The monotonic clock stands still while the machine sleeps.
        let uptime_s = uptime_s(&self.system).zip(self.uptime_s).map_or(0.0, |(now, then)| now - then);
        let asleep_s = uptime_s - self.begun.elapsed().as_secs_f64();
        let asleep_s = if asleep_s >= LATE.as_secs_f64() { asleep_s } else { 0.0 };
        let stopped_s = self.stopped.as_secs_f64() + asleep_s;
        (stopped_s > 0.0).then_some(stopped_s)
    }
}

fn uptime_s(system: &System) -> Option<f64> {
    system.read("/proc/uptime").split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

    use super::*;

    #[test]
    fn a_machine_that_sleeps_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("proc")).expect("a folder");
        let uptime = |text: &str| fs::write(folder.path().join("proc/uptime"), text).expect("a file");
        uptime("1000.25 900.00\n");
        let pulse = Pulse::new(System::at(folder.path()));
        assert_eq!(pulse.stopped_s(), None);
        uptime("1060.25 900.00\n");
        assert!(pulse.stopped_s().is_some_and(|seconds| seconds > 1.0 && seconds <= 60.0));
        uptime("");
        assert_eq!(pulse.stopped_s(), None, "a machine that does not tell");
    }

    #[test]
    fn a_wait_that_ends_too_late_was_none() {
        let mut pulse = Pulse::new(System::default());
        thread::sleep(LATE + LATE / 10);
        pulse.beat(Duration::from_secs(60));
        assert_eq!(pulse.stopped, Duration::ZERO);
        thread::sleep(LATE + LATE / 10);
        pulse.beat(Duration::ZERO);
        assert!(pulse.stopped >= LATE);
        let stopped = pulse.stopped;
        thread::sleep(LATE + LATE / 10);
        pulse.skip();
        pulse.beat(Duration::ZERO);
        assert_eq!(pulse.stopped, stopped);
    }
}
