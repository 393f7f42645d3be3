//! `tilebench soku`: all boards of IcoSoKu.

mod check;
mod verify_all;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use combinatorics::soku::classes::CLASSES;
use indicatif::{HumanCount, ProgressBar};
use runner::Interrupt;

use crate::args::Soku;
use crate::output::bar;

/// Solves and checks all boards.
pub fn soku(args: &Soku) -> anyhow::Result<ExitCode> {
    match args {
        Soku::VerifyAll(args) => verify_all::verify_all(args),
        Soku::Check(args) => check::check(args),
    }
}

/// Shows how far a work is, and stops it when asked to.
struct Watch {
    interrupt: Interrupt,
    bar: ProgressBar,
}

impl Watch {
    fn new() -> anyhow::Result<Self> {
        let interrupt = Interrupt::on_signals().context("cannot watch for Ctrl-C")?;
        Ok(Self { interrupt, bar: bar() })
    }

    /// So many classes more.
    fn add(&self, classes: usize) -> ControlFlow<()> {
        self.bar.inc(classes as u64);
        if self.interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Another work begins.
    fn begin(&self, what: &'static str, classes: u64) {
        self.bar.reset();
        self.bar.set_length(classes);
        self.bar.set_message(what);
    }
}

fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from)
}

/// How many classes, in words.
fn classes(count: u32) -> String {
    let (count, all) = (HumanCount(u64::from(count)), HumanCount(u64::from(CLASSES)));
    if count.0 == all.0 {
        format!("all {all} classes of boards")
    } else {
        format!("the first {count} of {all} classes of boards")
    }
}
