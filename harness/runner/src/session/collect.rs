//! Collecting what the slots report: rows to disk, counts to the summary, news to the user.

use std::collections::BTreeSet;
use std::mem;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::attempt::Outcome;
use super::progress::{REDRAW, Reporter};
use super::store::Store;
use super::summary::{Claims, Summary};
use crate::{Interrupt, RunnerError};

/// Runs that are written together at most, and that may wait for it.
pub(super) const BATCH: usize = 64;

/// How often to look whether the results directories are as they were left.
const CHECK: Duration = Duration::from_secs(2);

/// What a slot has to tell.
#[derive(Debug)]
pub(super) enum Notice {
    /// A warm-up run failed, which harms nobody.
    WarmupFailed { solver: String, reason: String },
    /// The run ended.
    Done { experiment: usize, outcome: Box<Outcome> },
    /// The worker could not be started or is of another build; the slot gives up.
    NotStarted { experiment: usize, reason: String },
}

pub(super) struct Experiment {
    pub store: Store,
    pub planned: usize,
    /// Those of them that have a final row on disk.
    pub kept: usize,
}

/// Writes the rows of all experiments and sums them up.
pub(super) struct Collector<'a> {
    pub experiments: Vec<Experiment>,
    pub summary: Summary,
    pub claims: Claims,
    pub interrupt: &'a Interrupt,
    failed_warmups: BTreeSet<String>,
    /// Runs that have ended and are not written yet, with the indices of their experiments.
    ended: Vec<(usize, Box<Outcome>)>,
    /// The first thing that went wrong with the session itself, and the experiment that it went wrong with.
    failure: Option<(usize, String)>,
}

impl<'a> Collector<'a> {
    pub fn new(interrupt: &'a Interrupt) -> Self {
        Self {
            experiments: Vec::new(),
            summary: Summary::default(),
            claims: Claims::default(),
            interrupt,
            failed_warmups: BTreeSet::new(),
            ended: Vec::new(),
            failure: None,
        }
    }

    /// Takes what the slots report until the last of them is done. The first failure stops the session;
    /// what had ended by then is still written if that is possible. Takes the receiver, so that no slot waits for it after a
    /// panic here.
    pub fn collect(&mut self, receiver: Receiver<Notice>, reporter: &mut Reporter<'_>) -> Result<(), RunnerError> {
        // Dropped in the opposite order: first the runs are told to stop, then whoever wants to send is let go.
        let (receiver, _stop) = (receiver, StopOnPanic(self.interrupt));
        let mut checked = Instant::now();
        loop {
            match receiver.recv_timeout(REDRAW) {
                Ok(notice) => self.take(notice, reporter),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // Whatever ended while the last rows were written waits here.
            while self.ended.len() < BATCH
                && let Ok(notice) = receiver.try_recv()
            {
                self.take(notice, reporter);
            }
            self.write(reporter);
            if checked.elapsed() >= CHECK {
                checked = Instant::now();
                self.check();
            }
            reporter.tick();
        }
        self.check();
        match self.failure.take() {
            None => Ok(()),
            Some((experiment, cause)) => {
                let Experiment { store, planned, kept } = &self.experiments[experiment];
                let dir = store.dir().root().to_owned();
                Err(RunnerError::Stopped { cause, kept: *kept, planned: *planned, dir })
            }
        }
    }

    /// Ends the session if somebody else deletes or changes what it has written.
    fn check(&mut self) {
        for index in 0..self.experiments.len() {
            if let Err(error) = self.experiments[index].store.check() {
                self.stop(index, error.to_string());
            }
        }
    }

    fn take(&mut self, notice: Notice, reporter: &Reporter<'_>) {
        match notice {
            Notice::Done { experiment, outcome } => self.ended.push((experiment, outcome)),
            Notice::NotStarted { experiment, reason } => {
                // A log that cannot be opened may be all there is to see of a directory that is gone.
                let cause = self.experiments[experiment].store.check().err().map_or(reason, |e| e.to_string());
                self.stop(experiment, cause);
            }
            Notice::WarmupFailed { solver, reason } => {
                let warning = format!("the warm-up of {solver} failed: {reason}");
                if self.failed_warmups.insert(solver) {
                    reporter.remark(&warning);
                    self.summary.warnings.push(warning);
                }
            }
        }
    }

    /// Writes runs that have ended; with their rows on disk they count.
    fn write(&mut self, reporter: &mut Reporter<'_>) {
        let mut ended = mem::take(&mut self.ended);
        // In the order of the experiments; those of one experiment stay in the order of their ends.
        ended.sort_by_key(|(experiment, _)| *experiment);
        for batch in ended.chunk_by(|(a, _), (b, _)| a == b) {
            let experiment = batch[0].0;
            let runs: Vec<&Outcome> = batch.iter().map(|(_, outcome)| outcome.as_ref()).collect();
            let target = &mut self.experiments[experiment];
            let (runs, error) = target.store.write(&runs);
            for Outcome { row, .. } in runs {
                target.kept += usize::from(row.status.is_final());
                self.summary.add(row, target.store.dir());
                reporter.done(row);
                if let Some(contradiction) = self.claims.note(row) {
                    reporter.alarm(&contradiction);
                }
            }
            if let Some(error) = error {
                self.stop(experiment, format!("a result could not be kept: {error}"));
            }
        }
    }

    /// Ends the session; the first cause is the one that is told.
    fn stop(&mut self, experiment: usize, cause: String) {
        self.failure.get_or_insert((experiment, cause));
        self.interrupt.trigger();
    }
}

/// Stops the session if this thread panics: nobody would write what the runs leave behind.
struct StopOnPanic<'a>(&'a Interrupt);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.trigger();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{channel, sync_channel};

    use super::super::progress::Activity;
    use super::*;
    use crate::RunOptions;

    #[test]
    fn a_panic_ends_the_session_rather_than_hang_it() {
        let options = RunOptions { quiet: true, ..RunOptions::default() };
        let interrupt = options.interrupt.clone();
        let (ended, end) = channel();
        thread::spawn(move || {
            let activity = Activity::new(2);
            let mut reporter = Reporter::new(&options, 2, 100, &activity);
            let mut collector = Collector::new(&options.interrupt);
            let (sender, receiver) = sync_channel(1);
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                thread::scope(|scope| {
                    for _ in 0..2 {
                        let sender = sender.clone();
                        // There is no experiment of that number.
                        let notice = || Notice::NotStarted { experiment: 7, reason: String::new() };
                        scope.spawn(move || while sender.send(notice()).is_ok() {});
                    }
                    collector.collect(receiver, &mut reporter)
                })
            }));
            ended.send(panicked.is_err()).expect("the test waits");
        });
        assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(true), "the slots wait for ever");
        assert!(interrupt.is_set());
    }
}
