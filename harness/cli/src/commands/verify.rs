//! `tilebench verify`: a solution against every rule; `count`: all solutions.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::Context;
use combinatorics::soku::{Counting, Figures, Progress};
use combinatorics::tantrix::{count_natural, count_on_board};
use indicatif::{HumanCount, ProgressBar};
use puzzle::soku::Soku;
use puzzle::{Instance, Known, Puzzle, Solution};
use runner::Interrupt;

use super::instance;
use crate::args::{Count, Verify};
use crate::output::{CHECK_FAILED, Failed, INTERRUPTED, json, note, say, spinner};

/// Prints every broken rule and where; exit code 1 if there is one, or if there should be.
pub fn verify(args: &Verify) -> anyhow::Result<ExitCode> {
    let instance = instance::load(&args.instance)?;
    let solution = Solution::load(&args.solution)?;
    let verdict = puzzle::verify(&instance, &solution);
    if args.json {
        let mut object = serde_json::to_value(&verdict)?;
        object["valid"] = verdict.is_valid().into();
        json(&object)?;
    } else if verdict.is_valid() {
        say!("valid: {} tiles, {}", solution.placements.len(), instance.puzzle.aim());
    } else {
        say!("invalid: {}", runner::count(verdict.violations.len(), "broken rule"));
        for violation in &verdict.violations {
            say!("  {violation}");
        }
    }
    if !args.json {
        for remark in &verdict.remarks {
            say!("{remark}");
        }
    }
    if verdict.is_valid() && instance.known == Known::Unsolvable {
        return Err(Failed(format!("{} is recorded as unsolvable, yet this solution is valid", instance.name)).into());
    }
    Ok(if verdict.is_valid() { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) })
}

/// Prints the number of solutions and what counts as one; exit code 1 if that contradicts what is known.
pub fn count(args: &Count) -> anyhow::Result<ExitCode> {
    let instance = instance::load(&args.instance)?;
    let (watch, threads) = (Watch::new(args)?, args.threads.number());
    let progress = &|found: u64| watch.go_on(found.into(), 0.0);
    let tantrix = |counted: Result<combinatorics::tantrix::Count, _>| match counted {
        Ok(count) => Ok((u128::from(count.solutions), true)),
        Err(reason) => Err(anyhow::anyhow!("{}: {reason}", args.instance.display())),
    };
    let ((found, is_whole), symmetry) = match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => {
            (tantrix(count_on_board(&p.board, &p.tiles, p.colour, threads, progress))?, BOARD)
        }
        Puzzle::TantrixNatural(p) => (tantrix(count_natural(&p.tiles, p.colour, threads, progress))?, PLANE),
        Puzzle::Soku(game) => {
            let counting = Counting { threads, memory: args.memory_limit, example: false };
            let progress = |Progress { solutions, cases }| watch.go_on(solutions, cases);
            let count = combinatorics::soku::count(game, counting, &progress);
            let count = count.with_context(|| args.instance.display().to_string())?;
            ((count.solutions, count.complete), FACES)
        }
    };
    let stopped = watch.ended(found) || !is_whole;
    let number = args.limit.map_or(found, |limit| found.min(limit.into()));
    match (stopped, number) {
        (true, 0) => say!("no solution of {} found before it stopped", instance.name),
        _ => {
            let at_least = if stopped { "at least " } else { "" };
            say!("{at_least}{} of {}", puzzle::count(number, "solution"), instance.name);
        }
    }
    say!("{symmetry}");
    if let Some(obstacle) = instance.obstacle() {
        let board = if instance.puzzle.has_loops() { " on any board" } else { "" };
        say!("There can be none{board}: {obstacle}.");
    }
    if let Puzzle::Soku(game) = &instance.puzzle
        && !stopped
        && number > 0
    {
        say_figures(game, number)?;
    }
    judged(&instance, number > 0, stopped, &watch)
}

/// Prints how many solutions of a game there are if more counts as different.
fn say_figures(game: &Soku, number: u128) -> anyhow::Result<()> {
    let figures = Figures::of(game);
    let uniform = figures.uniform();
    say!("Where more counts as different:");
    say!("  {} with the rotations of uniform tiles ({uniform})", figures.with_rotations(number));
    say!("  {} with equal tiles told apart", figures.told_apart(number));
    say!("  {} with both", figures.arrangements(number));
    let broken = figures.with_symmetry_breaking(number);
    say!(
        "  {broken} for models that break symmetries as Rizzo's: uniform tiles not rotated, tiles with one triple in order"
    );
    Ok(())
}

/// The exit code: whether this contradicts what is known.
fn judged(instance: &Instance, has_solutions: bool, stopped: bool, watch: &Watch) -> anyhow::Result<ExitCode> {
    match instance.known {
        _ if watch.interrupt.is_set() => {
            note!("interrupted");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Known::Unsolvable if has_solutions => {
            Err(Failed(format!("{} is recorded as unsolvable, yet it has solutions", instance.name)).into())
        }
        Known::Solvable if !has_solutions && !stopped => {
            Err(Failed(format!("{} is recorded as solvable, yet it has no solution", instance.name)).into())
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

const FACES: &str = "Equal tiles (also those that are equal after a rotation) are interchangeable, and rotations of a tile with three \
                     equal weights are one; solutions that symmetries of the field carry into each other count as different.";
const BOARD: &str = "Tiles of one sort are interchangeable; arrangements that the board's symmetries carry into each \
                     other count as different.";
const PLANE: &str = "Tiles of one sort are interchangeable; arrangements that a translation or rotation carries into \
                     each other count as one, as if a tile that is there once (tile 1, where all are distinct) were \
                     fixed in place and orientation.";

/// Stops the search, and tells how far it is.
struct Watch {
    interrupt: Interrupt,
    limit: Option<u64>,
    time_limit_s: Option<f64>,
    /// The limit of time ended the search.
    is_late: AtomicBool,
    begun: Instant,
    /// The tenth of a second in which the bar was told last.
    told: AtomicU64,
    bar: ProgressBar,
}

impl Watch {
    fn new(args: &Count) -> anyhow::Result<Self> {
        Ok(Self {
            interrupt: Interrupt::on_signals().context("cannot watch for Ctrl-C")?,
            limit: args.limit,
            time_limit_s: args.time_limit,
            is_late: AtomicBool::new(false),
            begun: Instant::now(),
            told: AtomicU64::new(0),
            bar: spinner(true),
        })
    }

    /// Takes the progress away, and says whether the count ended before all were found.
    fn ended(&self, found: u128) -> bool {
        self.bar.finish_and_clear();
        if self.is_late.load(Relaxed) {
            note!("stopped at the time limit");
        }
        self.interrupt.is_set()
            || self.is_late.load(Relaxed)
            || self.limit.is_some_and(|limit| found >= u128::from(limit))
    }

    /// Whether to go on, with so many solutions found and, where a game is counted in cases, this share of them done.
    fn go_on(&self, found: u128, cases: f64) -> bool {
        // This is called millions of times.
        let elapsed = self.begun.elapsed();
        let now = elapsed.as_millis() as u64 / 100;
        if self.told.fetch_max(now, Relaxed) < now {
            let done = if cases > 0.0 { format!("{:.1} % of the cases, ", cases * 100.0) } else { String::new() };
            let found =
                u64::try_from(found).map_or_else(|_| format!("{found:.3e}"), |found| HumanCount(found).to_string());
            self.bar.set_message(format!("{done}{found} solutions"));
        }
        if self.time_limit_s.is_some_and(|limit| elapsed.as_secs_f64() >= limit) {
            self.is_late.store(true, Relaxed);
            return false;
        }
        !self.interrupt.is_set() && self.limit.is_none_or(|limit| found < u128::from(limit))
    }
}
