//! Solutions on the open plane: known counts, the verifier, and a plain search written for this test alone.

use std::collections::{BTreeMap, BTreeSet};

use combinatorics::tantrix::shapes::Shape;
use combinatorics::tantrix::{
    Laid, MOST_COUNTED, count_natural, count_on_board, enumerate_natural, enumerate_on_board,
};
use proptest::prelude::*;
use puzzle::hex::{Axial, EDGES, holes, opposite};
use puzzle::tantrix::{Board, BoardTantrix, Colour, Sort, TileSet, TileSetKind, default_colour, tile, verify};
use puzzle::{Placement, Solution, Verdict};

const THREE: [Colour; 3] = [Colour::Red, Colour::Blue, Colour::Yellow];

fn repeated(n: usize) -> TileSet {
    TileSet::new(TileSetKind::Repeated, n).expect("a challenge")
}

/// So many copies of tiles 1, 2, ...
fn copies(counts: &[usize]) -> TileSet {
    let sorts = (1..).zip(counts).map(|(i, &count)| Sort { tile: tile(i).expect("known"), count }).collect();
    TileSet { kind: TileSetKind::Repeated, sorts }
}

fn size(tiles: &TileSet) -> usize {
    tiles.sorts.iter().map(|sort| sort.count).sum()
}

/// Laid tiles whatever their order.
type Arrangement = BTreeSet<Laid>;

/// The designated line grows tile by tile from one tile until it comes home.
struct Plain<'a> {
    tiles: &'a TileSet,
    colour: Colour,
    board: Option<&'a Board>,
    left: Vec<usize>,
    lying: BTreeMap<Axial, (usize, usize)>,
    found: BTreeSet<Arrangement>,
}

impl<'a> Plain<'a> {
    /// All arrangements with some tile of the first sort in use at one of the starts.
    fn search(
        tiles: &'a TileSet,
        colour: Colour,
        board: Option<&'a Board>,
        starts: &[(Axial, usize)],
    ) -> BTreeSet<Arrangement> {
        let left: Vec<usize> = tiles.sorts.iter().map(|sort| sort.count).collect();
        let first = left.iter().position(|&count| count > 0).expect("tiles");
        let mut plain = Self { tiles, colour, board, left, lying: BTreeMap::new(), found: BTreeSet::new() };
        for &(at, orientation) in starts {
            let (entry, exit) = tiles.sorts[first].tile.line(orientation, colour).expect("a line").edges;
            plain.left[first] -= 1;
            plain.lying.insert(at, (first, orientation));
            plain.grow(at.neighbour(exit), opposite(exit), (at, entry), size(tiles) - 1);
            plain.lying.remove(&at);
            plain.left[first] += 1;
        }
        plain.found
    }

    fn on_plane(tiles: &'a TileSet, colour: Colour) -> BTreeSet<Arrangement> {
        let all = Self::search(tiles, colour, None, &[(Axial { q: 0, r: 0 }, 1)]);
        all.iter().map(canonical).collect()
    }

    fn on_board(board: &'a Board, tiles: &'a TileSet, colour: Colour) -> BTreeSet<Arrangement> {
        let starts: Vec<_> = board.places().iter().flat_map(|&at| (1..=6).map(move |k| (at, k))).collect();
        Self::search(tiles, colour, Some(board), &starts)
    }

    fn grow(&mut self, at: Axial, entry: usize, home: (Axial, usize), left: usize) {
        if left == 0 {
            if (at, entry) == home && holes(&self.lying.keys().copied().collect()).is_empty() {
                let laid = |(&at, &(sort, orientation)): (&Axial, &(usize, usize))| Laid {
                    at,
                    tile: self.tiles.sorts[sort].tile.number,
                    orientation,
                };
                self.found.insert(self.lying.iter().map(laid).collect());
            }
            return;
        }
        if self.lying.contains_key(&at) || self.board.is_some_and(|board| !board.places().contains(&at)) {
            return;
        }
        for (sort, k) in (0..self.left.len()).flat_map(|sort| (1..=6).map(move |k| (sort, k))) {
            let tile = self.tiles.sorts[sort].tile;
            let line = tile.line(k, self.colour).expect("has the colour").edges;
            let exit = if line.0 == entry { line.1 } else { line.0 };
            let joins = line.0 == entry || line.1 == entry;
            let fits = |edge: usize| match self.lying.get(&at.neighbour(edge)) {
                Some(&(other, turned)) => {
                    self.tiles.sorts[other].tile.colour(turned, opposite(edge)) == tile.colour(k, edge)
                }
                None => true,
            };
            if self.left[sort] > 0 && joins && EDGES.into_iter().all(fits) {
                self.left[sort] -= 1;
                self.lying.insert(at, (sort, k));
                self.grow(at.neighbour(exit), opposite(exit), home, left - 1);
                self.lying.remove(&at);
                self.left[sort] += 1;
            }
        }
    }
}

/// All six rotations, moved so that the least coordinates are 0.
fn rotations(laid: &Arrangement) -> Vec<Arrangement> {
    let mut turned = laid.clone();
    let mut next = || -> Arrangement {
        let turn = |l: &Laid| Laid {
            at: Axial { q: -l.at.r, r: l.at.q + l.at.r },
            tile: l.tile,
            orientation: (l.orientation + 4) % 6 + 1,
        };
        turned = turned.iter().map(turn).collect();
        let q0 = turned.iter().map(|l| l.at.q).min().expect("tiles");
        let r0 = turned.iter().map(|l| l.at.r).min().expect("tiles");
        turned.iter().map(|l| Laid { at: Axial { q: l.at.q - q0, r: l.at.r - r0 }, ..*l }).collect()
    };
    (0..6).map(|_| next()).collect()
}

/// The same for all that translation and rotation carry into each other.
fn canonical(laid: &Arrangement) -> Arrangement {
    rotations(laid).into_iter().min().expect("six rotations")
}

/// What the verifier says of it, with its places as the board.
fn verdict(tiles: &TileSet, colour: Colour, laid: &[Laid]) -> Verdict {
    let places: Vec<Axial> = laid.iter().map(|l| l.at).collect();
    let board = Board::new(&places).expect("in one part, without holes");
    let puzzle = BoardTantrix { challenge: laid.len(), tiles: tiles.clone(), colour, board };
    let placements = (1..).zip(laid).map(|(place, l)| Placement { place, tile: l.tile, orientation: l.orientation });
    let solution = Solution::on_places("n", placements.collect());
    verify("n", &puzzle, &solution)
}

fn all(tiles: &TileSet, colour: Colour) -> Vec<Vec<Laid>> {
    let mut all = Vec::new();
    let mut keep = |laid: &[Laid]| {
        all.push(laid.to_vec());
        true
    };
    enumerate_natural(tiles, colour, &mut keep).expect("a good set");
    all
}

fn count(tiles: &TileSet, colour: Colour, threads: usize) -> u64 {
    let count = count_natural(tiles, colour, threads, &|_| true).expect("a good set");
    assert!(count.complete);
    count.solutions
}

fn on_board(board: &Board, tiles: &TileSet, colour: Colour) -> Vec<Arrangement> {
    let mut all = Vec::new();
    let mut keep = |placements: &[Placement]| {
        let laid = placements.iter().map(|p| Laid { at: board.at(p.place), tile: p.tile, orientation: p.orientation });
        all.push(laid.collect());
        true
    };
    enumerate_on_board(board, tiles, colour, &mut || true, &mut keep).expect("a good set");
    for threads in [1, 3] {
        let count = count_on_board(board, tiles, colour, threads, &|_| true).expect("a good set");
        assert_eq!((count.solutions, count.complete), (all.len() as u64, true), "{tiles:?} {colour}");
    }
    all
}

/// Nothing twice, nothing that breaks a rule, nothing missing, and counting says the same.
fn check(tiles: &TileSet, colour: Colour) {
    let all = all(tiles, colour);
    for laid in &all {
        assert!(verdict(tiles, colour, laid).is_valid(), "{laid:?}");
        assert!(laid.iter().any(|l| l.at == Axial { q: 0, r: 0 } && l.orientation == 1), "{laid:?}");
    }
    let classes: BTreeSet<Arrangement> = all.iter().map(|laid| canonical(&laid.iter().copied().collect())).collect();
    assert_eq!(classes.len(), all.len(), "{tiles:?} {colour}: two of one class");
    assert_eq!(classes, Plain::on_plane(tiles, colour), "{tiles:?} {colour}");
    assert_eq!(count(tiles, colour, 1), all.len() as u64, "{tiles:?} {colour}");
}

#[test]
fn counts_are_those_of_the_independent_enumeration() {
    let expected =
        [(3, Colour::Yellow, 2), (4, Colour::Red, 2), (5, Colour::Red, 4), (6, Colour::Blue, 8), (8, Colour::Blue, 84)];
    for (n, colour, solutions) in expected.into_iter().chain([(10, Colour::Yellow, 388), (10, Colour::Red, 1280)]) {
        for threads in [1, 2, 5] {
            assert_eq!(count(&repeated(n), colour, threads), solutions, "{n} {colour}");
        }
    }
    assert_eq!(default_colour(10), Colour::Red);
    // Not from there: the figure of the README.
    assert_eq!(count(&repeated(15), Colour::Red, 2), 396_042);
    // Said once by a plain search over distinct tiles, which takes minutes for them.
    for (n, colour, solutions) in
        [(11, Colour::Red, 8808), (12, Colour::Yellow, 21272), (12, Colour::Red, 40580), (12, Colour::Blue, 40580)]
    {
        let tiles = TileSet::new(TileSetKind::Distinct, n).expect("a challenge");
        assert_eq!(count(&tiles, colour, 2), solutions, "{n} {colour}");
    }
}

#[test]
fn small_challenges_agree_with_a_plain_search() {
    for (n, colour) in (3..=9).flat_map(|n| THREE.map(|colour| (n, colour))) {
        check(&repeated(n), colour);
    }
    check(&repeated(10), Colour::Yellow);
}

#[test]
fn tile_1_lies_at_the_origin_where_it_is_single() {
    for laid in all(&repeated(10), Colour::Blue) {
        assert!(laid.contains(&Laid { at: Axial { q: 0, r: 0 }, tile: 1, orientation: 1 }));
    }
}

#[test]
fn solutions_that_rotations_carry_into_themselves_are_found_once() {
    // Which tiles, how often each, how many solutions, and how many of these have a symmetry.
    let cases: [(&[usize], usize, Colour, usize, usize); 6] = [
        (&[1], 3, Colour::Yellow, 1, 1),
        (&[2, 3], 3, Colour::Blue, 2, 2),
        (&[2, 6, 7], 3, Colour::Red, 1, 1),
        (&[1, 2, 3, 4], 2, Colour::Blue, 8, 4),
        (&[1, 3, 6, 7], 2, Colour::Yellow, 6, 2),
        (&[2, 5, 8, 9], 2, Colour::Red, 8, 4),
    ];
    for (numbers, times, colour, solutions, symmetric) in cases {
        let tiles = copies(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(|i| if numbers.contains(&i) { times } else { 0 }));
        check(&tiles, colour);
        let all = all(&tiles, colour);
        let turned = |laid: &Vec<Laid>| rotations(&laid.iter().copied().collect());
        let has_symmetry = |all: &Vec<Arrangement>| all[..5].contains(&all[5]);
        assert_eq!(all.len(), solutions, "{numbers:?}");
        assert_eq!(all.iter().map(turned).filter(has_symmetry).count(), symmetric, "{numbers:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_small_set_agrees_with_a_plain_search(
        tiles in prop::collection::vec(0usize..10, 3..=8), times in 1usize..=3, colour in 0usize..3
    ) {
        let mut counts = [0; 10];
        for sort in tiles.iter().take(if times == 1 { 8 } else { 8 / times }) {
            counts[*sort] += times;
        }
        prop_assume!(counts.iter().sum::<usize>() >= 3);
        check(&copies(&counts), THREE[colour]);
    }

    #[test]
    fn a_full_board_agrees_with_a_plain_search(n in 5usize..=8, seed in 0u64..50, colour in 0usize..3) {
        let board = Board::new(&Shape::Blob.places(n, seed)).expect("a board");
        let found: BTreeSet<Arrangement> = on_board(&board, &repeated(n), THREE[colour]).into_iter().collect();
        prop_assert_eq!(found, Plain::on_board(&board, &repeated(n), THREE[colour]));
    }
}

/// The places within a distance of a point (given three times over, as are the places).
fn around(centre: (i32, i32), distance: i32) -> Board {
    let within = |&at: &Axial| {
        let (q, r) = (3 * at.q - centre.0, 3 * at.r - centre.1);
        q.abs().max(r.abs()).max((q + r).abs()) <= distance
    };
    let places: Vec<Axial> = (-4..=4).flat_map(|q| (-4..=4).map(move |r| Axial { q, r })).filter(within).collect();
    Board::new(&places).expect("a board")
}

#[test]
fn boards_with_more_places_than_tiles_agree_with_a_plain_search() {
    let boards = [around((0, 0), 3), around((0, 0), 6), around((1, 1), 5)];
    assert_eq!(boards.each_ref().map(Board::len), [7, 19, 12]);
    let mut total = 0;
    for board in &boards {
        for (n, colour) in (3..=6).flat_map(|n| THREE.map(|colour| (n, colour))) {
            let found = on_board(board, &repeated(n), colour);
            total += found.len();
            let different: BTreeSet<Arrangement> = found.iter().cloned().collect();
            assert_eq!(different.len(), found.len(), "{n} {colour}: one twice");
            assert_eq!(different, Plain::on_board(board, &repeated(n), colour), "{n} {colour}");
        }
    }
    assert_eq!(total, 1146);
    // Solutions with and without a symmetry.
    let (tiles, board) = (copies(&[2, 2, 2, 2]), &boards[1]);
    let found = on_board(board, &tiles, Colour::Blue);
    assert!(!found.is_empty());
    assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>().len(), found.len());
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), Plain::on_board(board, &tiles, Colour::Blue));
}

#[test]
fn no_solution_encloses_an_empty_place() {
    // Two sharp, ten wide and three straight red turns, of which some line bends round to touch itself.
    let tiles = copies(&[2, 1, 1, 2, 2, 2, 2, 1, 1, 1]);
    let mut seen = 0;
    let mut look = |laid: &[Laid]| {
        seen += 1;
        assert!(holes(&laid.iter().map(|l| l.at).collect()).is_empty(), "{laid:?}");
        true
    };
    enumerate_natural(&tiles, Colour::Red, &mut look).expect("a good set");
    assert_eq!(count(&tiles, Colour::Red, 2), seen);
    assert!(seen > 0);
}

#[test]
fn searches_stop_when_told_to() {
    let mut seen = 0;
    let mut third = |_: &[Laid]| {
        seen += 1;
        seen < 3
    };
    enumerate_natural(&repeated(10), Colour::Red, &mut third).expect("a good set");
    assert_eq!(seen, 3);
    let part = count_natural(&repeated(10), Colour::Red, 1, &|so_far| so_far < 100).expect("a good set");
    assert!(!part.complete && (100..1280).contains(&part.solutions), "{part:?}");
    let board = around((0, 0), 6);
    let count = |progress: &(dyn Fn(u64) -> bool + Sync)| {
        count_on_board(&board, &repeated(8), Colour::Blue, 2, progress).expect("a good set")
    };
    let (all, part) = (count(&|_| true), count(&|so_far| so_far < 10));
    assert!(all.complete && !part.complete, "{all:?} {part:?}");
    assert!((10..all.solutions).contains(&part.solutions), "{all:?} {part:?}");
    assert!(!count(&|_| false).complete, "told before anything is found");
}

#[test]
fn sets_without_solutions_to_look_for_are_refused() {
    let distinct = TileSet::new(TileSetKind::Distinct, 15).expect("a challenge");
    let error = count_natural(&distinct, Colour::Blue, 1, &|_| true).expect_err("tile 15 has no blue line");
    assert!(error.contains("tile 15 has no blue line"), "{error}");
    for (tiles, what) in
        [(repeated(MOST_COUNTED + 1), "31 tiles"), (copies(&[1, 1]), "2 tiles"), (copies(&[]), "0 tiles")]
    {
        let board = around((0, 0), 6);
        let errors = [
            enumerate_natural(&tiles, Colour::Red, &mut |_| true).expect_err(what),
            count_natural(&tiles, Colour::Red, 1, &|_| true).expect_err(what),
            count_on_board(&board, &tiles, Colour::Red, 1, &|_| true).expect_err(what),
            enumerate_on_board(&board, &tiles, Colour::Red, &mut || true, &mut |_| true).expect_err(what),
        ];
        for error in errors {
            assert!(error.contains(what), "{error}");
        }
    }
}

#[test]
fn where_there_is_an_obstacle_nothing_is_counted() {
    for n in 3..=13 {
        let tiles = TileSet::new(TileSetKind::Repeated, n).expect("tiles");
        for colour in Colour::ALL.into_iter().filter(|&c| tiles.lacking(c).is_none()) {
            let count = count_natural(&tiles, colour, 1, &|_| true).expect("few tiles").solutions;
            assert!(count == 0 || tiles.obstacle(colour).is_none(), "{n} {colour}");
            assert!(count > 0 || colour != default_colour(n), "{n} {colour}");
        }
    }
}
