//! A solution of every class of boards of IcoSoKu.
//!
//! The search solves some boards, spread evenly over the classes. From each of these solutions single moves (rotate a
//! tile, or let two tiles change places) and pairs of moves that touch nothing in common lead to solutions of further boards
//! for next to nothing ([`Moves`]). Where several solutions of a class are found so, that from the first board counts,
//! whichever thread came first, so that the outcome depends on the seed alone. The search solves what is left.
//!
//! A move keeps the tiles, so that all it can spoil is that the sums around the vertices are 1 to 12, each once. Every sum adds
//! five bits to a number that counts how often each sum occurs; what a corner adds to it under each weight is made up once for a board,
//! and two faces without a common vertex change places for the better if what they add cancels.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use combinatorics::in_threads;
use combinatorics::soku::classes::{CLASSES, Capacities, Classes, Images, RECORD, Records};
use puzzle::soku::{Soku, Sorts};

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
/// Errors: a class that has no solution.
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
        in_threads(self.threads, work);
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
        SolveError::Call { solver: crate::search::control::NAME, call: "solve_all", reason }
    })
}

/// Faces of the icosahedron.
const FACES: usize = 20;

/// No second face.
const NONE: u8 = u8::MAX;

/// A solution of a board: the option on each face, and the sums around the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Solved {
    options: [u8; FACES],
    sums: [u8; 12],
}

/// One face or two show something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Move {
    faces: [u8; 2],
    options: [u8; 2],
    /// What the sums change by, modulo 256.
    change: [u8; 12],
    /// The vertices whose sums change, as bits, and from bit 12 on the faces.
    touches: u32,
}

impl Move {
    /// Whether two moves have no face and no changed sum in common, so that both together are as good as each.
    #[inline(always)]
    fn is_apart(&self, other: &Self) -> bool {
        self.touches & other.touches == 0
    }

    #[inline(always)]
    fn apply(&self, to: &mut Solved) {
        for (&face, &option) in self.faces.iter().zip(&self.options) {
            if face != NONE {
                to.options[usize::from(face)] = option;
            }
        }
        to.sums = self.sums(&to.sums);
    }

    #[inline(always)]
    fn sums(&self, sums: &[u8; 12]) -> [u8; 12] {
        std::array::from_fn(|vertex| sums[vertex].wrapping_add(self.change[vertex]))
    }
}

/// Two faces, and which corners of theirs lie at common vertices.
struct Pair {
    faces: [usize; 2],
    /// Corner of the first and of the second face.
    common: Vec<[usize; 2]>,
    /// Corners of each face that lie elsewhere.
    own: [Vec<usize>; 2],
}

/// Knows the field and the tiles of IcoSoKu.
struct Moves {
    faces: Vec<[usize; 3]>,
    /// Sort and weights of each option.
    options: Vec<(usize, [u8; 3])>,
    /// The options of each sort.
    of_sort: Vec<Vec<u8>>,
    /// Those without a common vertex first.
    pairs: Vec<Pair>,
}

impl Moves {
    fn new(game: &Soku) -> Self {
        let faces = game.field.faces().to_vec();
        let sorts = Sorts::of(&game.tiles);
        let options: Vec<_> =
            sorts.options().map(|(sort, weights)| (sort, weights.map(|weight| weight as u8))).collect();
        let of_sort = |sort| -> Vec<u8> {
            (0..options.len()).filter(|&option| options[option].0 == sort).map(|option| option as u8).collect()
        };
        let pair = |first: usize, second: usize| {
            let corners = (0..3).flat_map(|a| (0..3).map(move |b| [a, b]));
            let common: Vec<[usize; 2]> = corners.filter(|&[a, b]| faces[first][a] == faces[second][b]).collect();
            let is_own = |which: usize, corner| common.iter().all(|pair| pair[which] != corner);
            let own = [0, 1].map(|which| (0..3).filter(|&corner| is_own(which, corner)).collect());
            Pair { faces: [first, second], common, own }
        };
        let mut pairs: Vec<Pair> = (0..faces.len())
            .flat_map(|second| (0..second).map(move |first| (first, second)))
            .map(|(a, b)| pair(a, b))
            .collect();
        pairs.sort_by_key(|pair| !pair.common.is_empty());
        Self { of_sort: (0..sorts.all().len()).map(of_sort).collect(), faces, options, pairs }
    }

    /// Every single move from a solution after which the sums are 1 to 12 again, as many as there is room for.
    fn from(&self, solved: &Solved, moves: &mut Vec<Move>, room: usize) {
        moves.clear();
        let shown: [(usize, [u8; 3]); FACES] = solved.options.map(|option| self.options[usize::from(option)]);
        // What a corner adds under each weight.
        let mut corners = [[[0_u64; 4]; 3]; FACES];
        for (face, vertices) in self.faces.iter().enumerate() {
            for (corner, &vertex) in vertices.iter().enumerate() {
                let sum = solved.sums[vertex];
                let without = sum - shown[face].1[corner];
                corners[face][corner] = [0, 1, 2, 3].map(|weight| count(without + weight).wrapping_sub(count(sum)));
            }
        }
        let gain = |face: usize, of: &[usize], weights: [u8; 3]| {
            let of_corner = |total: u64, &corner: &usize| {
                total.wrapping_add(corners[face][corner][usize::from(weights[corner] & 3)])
            };
            of.iter().fold(0, of_corner)
        };
        for (face, &(sort, _)) in shown.iter().enumerate() {
            for &option in &self.of_sort[sort] {
                let weights = self.options[usize::from(option)].1;
                if option != solved.options[face] && gain(face, &[0, 1, 2], weights) == 0 {
                    self.add(solved, [face as u8, NONE], [option, NONE], moves, room);
                }
            }
        }
        for Pair { faces: [first, second], common, own } in &self.pairs {
            let ((for_second, old_first), (for_first, old_second)) = (shown[*first], shown[*second]);
            if for_first == for_second {
                continue;
            }
            for &a in &self.of_sort[for_first] {
                let new_first = self.options[usize::from(a)].1;
                let of_first = gain(*first, &own[0], new_first);
                for &b in &self.of_sort[for_second] {
                    let new_second = self.options[usize::from(b)].1;
                    let mut total = of_first.wrapping_add(gain(*second, &own[1], new_second));
                    for &[x, y] in common {
                        let sum = solved.sums[self.faces[*first][x]];
                        let new = sum + new_first[x] + new_second[y] - old_first[x] - old_second[y];
                        total = total.wrapping_add(count(new)).wrapping_sub(count(sum));
                    }
                    if total == 0 {
                        self.add(solved, [*first as u8, *second as u8], [a, b], moves, room);
                    }
                }
            }
        }
    }

    fn add(&self, solved: &Solved, faces: [u8; 2], options: [u8; 2], moves: &mut Vec<Move>, room: usize) {
        if moves.len() == room {
            return;
        }
        let (mut change, mut touches) = ([0_u8; 12], 0);
        for (face, option) in faces.into_iter().zip(options).filter(|(face, _)| *face != NONE) {
            let face = usize::from(face);
            let (new, old) = (self.options[usize::from(option)].1, self.options[usize::from(solved.options[face])].1);
            for (corner, &vertex) in self.faces[face].iter().enumerate() {
                change[vertex] = change[vertex].wrapping_add(new[corner]).wrapping_sub(old[corner]);
            }
            touches |= 1 << (12 + face);
        }
        for (vertex, _) in change.iter().enumerate().filter(|(_, change)| **change != 0) {
            touches |= 1 << vertex;
        }
        moves.push(Move { faces, options, change, touches });
    }
}

/// What a sum adds to the counts: one in the five bits of that sum. Sums that no board has count together in the highest
/// bits, which hold as many as there are vertices.
#[inline(always)]
fn count(sum: u8) -> u64 {
    const COUNTS: [u64; 32] = {
        let mut counts = [1 << 60; 32];
        let mut sum = 1;
        while sum <= 12 {
            counts[sum] = 1 << (5 * (sum - 1));
            sum += 1;
        }
        counts
    };
    COUNTS[usize::from(sum & 31)]
}
