//! A solution of every class of boards of IcoSoKu.
//!
//! The search solves some boards, spread evenly over the classes. From each of these solutions single moves (rotate a
//! tile, or let two tiles change places) and pairs of moves that touch nothing in common lead to solutions of further boards
//! for next to nothing ([`moves`]). Where several solutions of a class are found so, that from the first board counts,
//! whichever thread came first, so that the outcome depends on the seed alone. The search solves what is left.

mod moves;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::thread;

use combinatorics::soku::classes::{CLASSES, Capacities, Classes, Images, RECORD, Records};
use puzzle::soku::Soku;

use self::moves::{Move, Moves, Solved};
use super::SokuSolver;
use crate::error::SolveError;

/// Boards that the search solves first, for all classes. More would cost more than they spare it afterwards.
const SOURCES: u64 = 1 << 17;

/// From the class of one of these boards to that of the next; it has no factor in common with the number of classes.
const STEP: u64 = 2_466_983;

/// What a thread takes at a time.
const SOURCES_AT_A_TIME: usize = 128;
const CLASSES_AT_A_TIME: usize = 1 << 12;

/// Moves from one board, so that the number of one has its place in an origin.
const MOST_MOVES: usize = 63;

/// No second move.
const NO_MOVE: u32 = 63;

/// Nothing leads to the class: greater than every origin (board, first move, second move, from the highest bits on).
const NO_ORIGIN: u32 = u32::MAX;

/// How classes were solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AllSolved {
    /// Classes with a solution from the search.
    pub searched: u32,
    /// Classes with one that moves led to.
    pub moved: u32,
}

/// Solves the classes from 0 on, as many as there are records, and writes the records. `game` is IcoSoKu with whatever capacities.
/// Equal seeds give equal records, for any number of threads. `progress` is told how many more classes are solved, and
/// whether to go on; `None` if it ended the work.
///
/// # Errors
/// A class that has no solution.
pub fn solve_all(
    game: &Soku,
    records: &mut [[u8; RECORD]],
    threads: usize,
    seed: u64,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<Option<AllSolved>, SolveError> {
    let (classes, rules) = (Classes::new(), Records::new());
    let all = All {
        solver: SokuSolver::new(game, seed)?,
        moves: Moves::new(game),
        images: Images::new(&classes, &rules),
        classes,
        records: rules,
        threads: threads.max(1),
        seed,
        progress,
        is_ended: AtomicBool::new(false),
    };
    let sources = (records.len() as u64 * SOURCES / u64::from(CLASSES)) as usize;
    let origins: Vec<AtomicU32> = (0..records.len()).map(|_| AtomicU32::new(NO_ORIGIN)).collect();
    let sources = all.sources(sources, &origins)?;
    let solved = all.finish(records, &origins, &sources)?;
    Ok((!all.is_ended.into_inner()).then_some(solved))
}

/// A board that the search solved, and the moves from there.
struct Source {
    solved: Solved,
    moves: Vec<Move>,
}

struct All<'a> {
    solver: SokuSolver,
    moves: Moves,
    images: Images,
    classes: Classes,
    records: Records,
    threads: usize,
    seed: u64,
    progress: &'a (dyn Fn(usize) -> ControlFlow<()> + Sync),
    is_ended: AtomicBool,
}

impl All<'_> {
    /// Does parts of a work by several threads; the first error ends it.
    fn divide<P: Send>(
        &self,
        parts: Vec<P>,
        work: impl Fn(&mut SokuSolver, P) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let (parts, failed) = (Mutex::new(parts.into_iter()), Mutex::new(None));
        let next = || parts.lock().ok().and_then(|mut parts| parts.next());
        let work = || {
            let mut solver = self.solver.clone();
            while let Some(part) = next().filter(|_| !self.is_ended.load(Relaxed)) {
                if let Err(error) = work(&mut solver, part) {
                    self.is_ended.store(true, Relaxed);
                    failed.lock().ok().and_then(|mut failed| failed.replace(error));
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                // A machine that gives no more threads has fewer.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        failed.into_inner().ok().flatten().map_or(Ok(()), Err)
    }

    fn tell(&self, solved: usize) {
        if (self.progress)(solved).is_break() {
            self.is_ended.store(true, Relaxed);
        }
    }

    /// Solves boards, and finds out where moves lead from there.
    fn sources(&self, count: usize, origins: &[AtomicU32]) -> Result<Vec<Source>, SolveError> {
        let mut sources: Vec<Option<Source>> = (0..count).map(|_| None).collect();
        let parts = sources.chunks_mut(SOURCES_AT_A_TIME).enumerate().collect();
        self.divide(parts, |solver, (part, sources): (usize, &mut [Option<Source>])| {
            let (mut moves, mut reached) = (Vec::new(), 0);
            for (source, number) in sources.iter_mut().zip(part * SOURCES_AT_A_TIME..) {
                let class = (number as u64 + self.seed).wrapping_mul(STEP) % u64::from(CLASSES);
                let board = self.classes.capacities(class as u32);
                let solved = Solved { options: search(solver, class as u32, &board)?, sums: board };
                self.moves.from(&solved, &mut moves, MOST_MOVES);
                reached += self.reach(number as u32, &solved, &moves, origins);
                *source = Some(Source { solved, moves: moves.clone() });
            }
            self.tell(reached);
            Ok(())
        })?;
        Ok(sources.into_iter().flatten().collect())
    }

    /// Notes for every class that moves lead to that they do, if nothing before did; how many are new.
    fn reach(&self, source: u32, solved: &Solved, moves: &[Move], origins: &[AtomicU32]) -> usize {
        let mut reached = 0;
        let mut note = |sums: &Capacities, first: u32, second: u32| {
            let class = self.classes.rank(&self.classes.canonical(sums).0);
            let origin = source << 12 | first << 6 | second;
            if let Some(noted) = origins.get(class as usize).filter(|noted| noted.load(Relaxed) > origin) {
                reached += usize::from(noted.fetch_min(origin, Relaxed) == NO_ORIGIN);
            }
        };
        note(&solved.sums, NO_MOVE, NO_MOVE);
        for (first, one) in (0..).zip(moves) {
            let sums = one.sums(&solved.sums);
            note(&sums, first, NO_MOVE);
            for (second, other) in (0..first).zip(moves) {
                if one.is_apart(other) {
                    note(&other.sums(&sums), first, second);
                }
            }
        }
        reached
    }

    /// Writes the record of every class.
    fn finish(
        &self,
        records: &mut [[u8; RECORD]],
        origins: &[AtomicU32],
        sources: &[Source],
    ) -> Result<AllSolved, SolveError> {
        let (searched, moved) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let parts = records.chunks_mut(CLASSES_AT_A_TIME).enumerate().collect();
        self.divide(parts, |solver, (part, records): (usize, &mut [[u8; RECORD]])| {
            let (mut by_search, mut by_moves) = (0, 0);
            for (record, class) in records.iter_mut().zip(part * CLASSES_AT_A_TIME..) {
                let origin = origins[class].load(Relaxed);
                let options = if let Some(source) = sources.get((origin >> 12) as usize) {
                    by_moves += 1;
                    self.follow(source, origin)
                } else {
                    by_search += 1;
                    search(solver, class as u32, &self.classes.capacities(class as u32))?
                };
                *record = self.records.record(&options);
            }
            searched.fetch_add(by_search, Relaxed);
            moved.fetch_add(by_moves, Relaxed);
            self.tell(by_search);
            Ok(())
        })?;
        Ok(AllSolved { searched: searched.into_inner() as u32, moved: moved.into_inner() as u32 })
    }

    /// The solution that an origin leads to, as one of the board that stands for its class.
    fn follow(&self, source: &Source, origin: u32) -> [u8; 20] {
        let mut solved = source.solved;
        for number in [origin >> 6 & 63, origin & 63] {
            if let Some(step) = source.moves.get(number as usize) {
                step.apply(&mut solved);
            }
        }
        let (_, symmetry) = self.classes.canonical(&solved.sums);
        self.images.image(symmetry, &solved.options)
    }
}

fn search(solver: &mut SokuSolver, class: u32, board: &Capacities) -> Result<[u8; 20], SolveError> {
    let shown = solver.solve(&board.map(u32::from)).and_then(|shown| <&[u16; 20]>::try_from(shown).ok());
    shown.map(|shown| shown.map(|option| option as u8)).ok_or_else(|| {
        let reason = format!("class {class} (capacities {board:?} at A to L) has no solution");
        SolveError::Call { solver: super::super::NAME, call: "solve_all", reason }
    })
}
