//! `tilebench count`: all solutions, on a board or on the open plane.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use anyhow::Context;
use indicatif::{HumanCount, ProgressBar};
use puzzle::tantrix::{count_natural, count_on_board};
use puzzle::{Instance, Known, Puzzle};
use runner::Interrupt;

use crate::args::Count;
use crate::failure::{Failed, INTERRUPTED};
use crate::output::{say, spinner};

/// Prints the number of solutions and what counts as one; exit code 1 if that contradicts what is known.
pub fn count(args: &Count) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let watch = Watch::new(args.limit)?;
    let (threads, progress) = (threads(args), &|found| watch.go_on(found));
    let (count, symmetry) = match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => {
            (count_on_board(&p.board, &p.tiles, p.colour, threads, progress), BOARD)
        }
        Puzzle::TantrixNatural(p) => (count_natural(&p.tiles, p.colour, threads, progress), PLANE),
        Puzzle::Soku(_) => anyhow::bail!("{}: there is no count for 3SoKu yet", args.instance.display()),
    };
    let count = count.map_err(|reason| anyhow::anyhow!("{}: {reason}", args.instance.display()))?.solutions;
    watch.bar.finish_and_clear();
    let stopped = watch.interrupt.is_set() || args.limit.is_some_and(|limit| count >= limit);
    let count = args.limit.map_or(count, |limit| count.min(limit));
    say!("{}{count} solutions of {}", if stopped { "at least " } else { "" }, instance.name);
    say!("{symmetry}");
    if let Some(obstacle) = instance.obstacle() {
        say!("There can be none on any board: {obstacle}.");
    }
    match instance.known {
        _ if watch.interrupt.is_set() => Ok(ExitCode::from(INTERRUPTED)),
        Known::Unsolvable if count > 0 => {
            Err(Failed(format!("{} is recorded as unsolvable, yet it has solutions", instance.name)).into())
        }
        Known::Solvable if count == 0 && !stopped => {
            Err(Failed(format!("{} is recorded as solvable, yet it has no solution", instance.name)).into())
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

const BOARD: &str = "Tiles of one sort are interchangeable; arrangements that the board's symmetries carry into each \
                     other count as different.";
const PLANE: &str = "Tiles of one sort are interchangeable; arrangements that a translation or rotation carries into \
                     each other count as one, as if a tile that is there once (tile 1, where all are distinct) were \
                     fixed in place and orientation.";

/// Stops the search, and tells how far it is.
struct Watch {
    interrupt: Interrupt,
    limit: Option<u64>,
    found: AtomicU64,
    bar: ProgressBar,
}

impl Watch {
    fn new(limit: Option<u64>) -> anyhow::Result<Self> {
        let interrupt = Interrupt::on_signals().context("cannot watch for Ctrl-C")?;
        Ok(Self { interrupt, limit, found: AtomicU64::new(0), bar: spinner(true) })
    }

    /// Whether to go on with so many found.
    fn go_on(&self, found: u64) -> bool {
        // The bar is told of thousands only: this is called millions of times.
        if found / 1000 > self.found.fetch_max(found, Relaxed) / 1000 {
            self.bar.set_message(format!("{} solutions", HumanCount(found)));
        }
        !self.interrupt.is_set() && self.limit.is_none_or(|limit| found < limit)
    }
}

fn threads(args: &Count) -> usize {
    args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from)
}
