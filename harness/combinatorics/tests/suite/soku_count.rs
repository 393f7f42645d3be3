//! Exact counts of 3SoKu, against plain enumeration and against what symmetries and sums demand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use combinatorics::soku::{Count, CountError, Counting, Figures, Progress, count, ending, first};
use proptest::prelude::*;
use puzzle::soku::{Soku, placements, rotated};
use puzzle::{Instance, Puzzle, Solution, verify};

const COUNTING: Counting = Counting { threads: 2, memory: 1 << 30, example: true };

fn instance(text: &str) -> Instance {
    Instance::parse(text, Path::new("game.toml")).expect("a good instance")
}

fn game(instance: &Instance) -> &Soku {
    let Puzzle::Soku(game) = &instance.puzzle else { panic!("no game") };
    game
}

/// A file. Faces name their vertices by letters.
fn file(
    faces: &[String],
    capacity: &BTreeMap<char, u32>,
    tiles: &[[u32; 3]],
    placed: &[(usize, usize, usize)],
) -> String {
    let faces: Vec<Vec<String>> = faces.iter().map(|face| face.chars().map(String::from).collect()).collect();
    let capacity: Vec<String> = capacity.iter().map(|(vertex, capacity)| format!("{vertex} = {capacity}")).collect();
    let placed: Vec<String> = placed
        .iter()
        .map(|(face, tile, rotation)| format!("{{ face = {face}, tile = {tile}, rotation = {rotation} }}"))
        .collect();
    format!(
        "kind = \"soku\"\nfaces = {faces:?}\ncapacity = {{ {} }}\ntiles = {tiles:?}\nplaced = [{}]\n",
        capacity.join(", "),
        placed.join(", ")
    )
}

fn of_words(faces: &str) -> Vec<String> {
    faces.split(' ').map(str::to_owned).collect()
}

/// P above and Q below a ring of n vertices.
fn bipyramid(n: usize) -> Vec<String> {
    let ring = |i: usize| char::from(b'a' + (i % n) as u8);
    (0..n).flat_map(|i| [format!("P{}{}", ring(i), ring(i + 1)), format!("Q{}{}", ring(i + 1), ring(i))]).collect()
}

fn tetrahedron() -> Vec<String> {
    of_words("ABC ACD ADB BDC")
}

fn octahedron() -> Vec<String> {
    of_words("ABC ACD ADE AEB CBF DCF EDF BEF")
}

/// The capacities that are met where these weights lie.
fn met(faces: &[String], shown: &[[u32; 3]]) -> BTreeMap<char, u32> {
    let mut sums = BTreeMap::new();
    for (face, weights) in faces.iter().zip(shown) {
        face.chars().zip(weights).for_each(|(vertex, weight)| *sums.entry(vertex).or_default() += weight);
    }
    sums
}

/// Every arrangement by definition: tile and rotation of each face.
fn arrangements(game: &Soku) -> Vec<Vec<(usize, usize)>> {
    fn go(game: &Soku, laid: &mut Vec<(usize, usize)>, found: &mut Vec<Vec<(usize, usize)>>) {
        let faces = game.field.faces();
        if laid.len() == faces.len() {
            let mut sums = vec![0; game.capacity.len()];
            for (face, &(tile, rotation)) in faces.iter().zip(laid.iter()) {
                face.iter().zip(rotated(game.tiles[tile], rotation)).for_each(|(&v, weight)| sums[v] += weight);
            }
            let as_placed = game.placed.iter().all(|placed| {
                let (tile, rotation) = laid[placed.place - 1];
                rotated(game.tiles[tile], rotation) == rotated(game.tiles[placed.tile - 1], placed.orientation)
            });
            if sums == game.capacity && as_placed {
                found.push(laid.clone());
            }
            return;
        }
        for tile in (0..game.tiles.len()).filter(|tile| !laid.iter().any(|(used, _)| used == tile)).collect::<Vec<_>>()
        {
            for rotation in 0..3 {
                laid.push((tile, rotation));
                go(game, laid, found);
                laid.pop();
            }
        }
    }
    let mut found = Vec::new();
    go(game, &mut Vec::new(), &mut found);
    found
}

/// What a tile is whatever its rotation.
fn least(tile: [u32; 3]) -> [u32; 3] {
    (0..3).map(|rotation| rotated(tile, rotation)).min().expect("three")
}

/// Solutions by laying weights face by face, as long as no vertex has too much.
fn enumerated(game: &Soku) -> u128 {
    fn go(game: &Soku, face: usize, lack: &mut [i64], left: &mut BTreeMap<[u32; 3], usize>) -> u128 {
        let Some(corners) = game.field.faces().get(face) else {
            return u128::from(lack.iter().all(|lack| *lack == 0));
        };
        let mut found = 0;
        for tile in left.keys().copied().collect::<Vec<_>>() {
            if left[&tile] == 0 {
                continue;
            }
            *left.get_mut(&tile).expect("there") -= 1;
            for weights in (0..3).map(|rotation| rotated(tile, rotation)).collect::<BTreeSet<_>>() {
                corners.iter().zip(weights).for_each(|(&v, weight)| lack[v] -= i64::from(weight));
                if corners.iter().all(|&v| lack[v] >= 0) {
                    found += go(game, face + 1, lack, left);
                }
                corners.iter().zip(weights).for_each(|(&v, weight)| lack[v] += i64::from(weight));
            }
            *left.get_mut(&tile).expect("there") += 1;
        }
        found
    }
    let mut left = BTreeMap::new();
    game.tiles.iter().for_each(|&tile| *left.entry(least(tile)).or_default() += 1);
    let mut lack: Vec<i64> = game.capacity.iter().map(|&capacity| capacity.into()).collect();
    go(game, 0, &mut lack, &mut left)
}

/// The count of an instance, whose example is a solution.
fn counted(instance: &Instance) -> u128 {
    let game = game(instance);
    let count = count(game, COUNTING, &|_| true).expect("small");
    assert!(count.complete);
    assert_eq!(count.example.is_some(), count.solutions > 0);
    if let Some(shown) = count.example {
        let laid = placements(game, &shown).expect("its tiles");
        let verdict = verify(instance, &Solution::on_faces(&instance.name, laid));
        assert!(verdict.is_valid(), "{:?}", verdict.violations);
    }
    count.solutions
}

/// Few different weights, so that tiles are equal and uniform often.
fn tiles(count: usize) -> impl Strategy<Value = Vec<[u32; 3]>> {
    let weight = || prop_oneof![3 => Just(0_u32), 3 => Just(1), 1 => Just(2), 1 => Just(40)];
    prop::collection::vec([weight(), weight(), weight()], count)
}

/// A field with tiles, laid somehow, and which of them are told beforehand.
fn laid(fields: Vec<Vec<String>>) -> impl Strategy<Value = (Vec<String>, Vec<[u32; 3]>, Vec<usize>, usize)> {
    prop::sample::select(fields).prop_flat_map(|faces| {
        let count = faces.len();
        (Just(faces), tiles(count), prop::collection::vec(0..3_usize, count), 0..3_usize)
    })
}

/// The game of which this is a solution: tile i on face i in these rotations, the last few told beforehand.
fn solvable(faces: &[String], tiles: &[[u32; 3]], rotations: &[usize], placed: usize) -> Instance {
    let shown: Vec<[u32; 3]> = tiles.iter().zip(rotations).map(|(&tile, &rotation)| rotated(tile, rotation)).collect();
    let placed: Vec<_> = (faces.len() - placed..faces.len()).map(|i| (i + 1, i + 1, rotations[i])).collect();
    instance(&file(faces, &met(faces, &shown), tiles, &placed))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_figure_counts_what_it_says((faces, tiles, rotations, placed) in laid(vec![tetrahedron(), of_words("ABC"), of_words("ABC BAD CDE")])) {
        let instance = solvable(&faces, &tiles, &rotations, placed.min(faces.len()));
        let game = game(&instance);
        let all = arrangements(game);
        let solutions = counted(&instance);
        let shown = |(tile, rotation): (usize, usize)| rotated(tiles[tile], rotation);
        let is_uniform = |tile: usize| tiles[tile].iter().all(|weight| *weight == tiles[tile][0]);
        let maps: BTreeSet<Vec<_>> = all.iter().map(|laid| laid.iter().map(|&l| shown(l)).collect()).collect();
        prop_assert_eq!(solutions, maps.len() as u128);
        let turned: BTreeSet<Vec<_>> = all.iter().map(|laid| {
            laid.iter().map(|&l| (shown(l), if is_uniform(l.0) { l.1 } else { 0 })).collect()
        }).collect();
        let apart: BTreeSet<Vec<_>> = all.iter().map(|laid| laid.iter().map(|&l| (shown(l), l.0)).collect()).collect();
        // Tiles that were placed lie where they were, as they were, and have no part in any order.
        let lies = |tile: usize| game.placed.iter().any(|placed| placed.tile == tile + 1);
        let in_order = all.iter().filter(|laid| {
            let free = laid.iter().filter(|(tile, _)| !lies(*tile)).collect::<Vec<_>>();
            let pairs = (0..free.len()).flat_map(|a| (0..a).map(move |b| (b, a))).map(|(b, a)| (free[b].0, free[a].0));
            game.placed.iter().all(|placed| laid[placed.place - 1] == (placed.tile - 1, placed.orientation))
                && free.iter().all(|&&(tile, rotation)| rotation == 0 || !is_uniform(tile))
                && pairs.into_iter().all(|(first, then)| tiles[first] != tiles[then] || first < then)
        });
        let figures = Figures::of(game);
        prop_assert_eq!(figures.with_rotations(solutions), turned.len().to_string());
        prop_assert_eq!(figures.told_apart(solutions), apart.len().to_string());
        prop_assert_eq!(figures.arrangements(solutions), all.len().to_string());
        prop_assert_eq!(figures.with_symmetry_breaking(solutions), in_order.count().to_string());
    }

    #[test]
    fn larger_fields_agree_with_plain_enumeration((faces, tiles, rotations, _) in laid(vec![bipyramid(3), octahedron(), bipyramid(4)])) {
        let instance = solvable(&faces, &tiles, &rotations, 0);
        let solutions = counted(&instance);
        prop_assert!(solutions > 0);
        prop_assert_eq!(solutions, enumerated(game(&instance)));
    }

    #[test]
    fn counts_within_a_bound_agree_with_plain_enumeration(
        (faces, tiles, rotations, _) in laid(vec![bipyramid(3), octahedron(), bipyramid(4)]),
        bits in 9..26_u32,
    ) {
        let instance = solvable(&faces, &tiles, &rotations, 0);
        match count(game(&instance), Counting { memory: 1 << bits, ..COUNTING }, &|_| true) {
            Ok(count) => prop_assert_eq!(count.solutions, enumerated(game(&instance))),
            Err(error) => prop_assert!(bits < 24 && matches!(error, CountError::Memory(_)), "{bits} bits: {error}"),
        }
    }

    #[test]
    fn sums_decide_what_plain_enumeration_does(
        (faces, tiles, rotations, placed) in laid(vec![bipyramid(3), octahedron(), bipyramid(4)]),
        (from, to, shift) in (0..5_usize, 0..5_usize, 0..3_u32),
        bits in 12..20_u32,
    ) {
        // Some with a capacity too great and one too small, so that there may be no solution.
        let Puzzle::Soku(mut game) = solvable(&faces, &tiles, &rotations, placed).puzzle else { panic!("no game") };
        let shift = shift.min(game.capacity[from]);
        game.capacity[from] -= shift;
        game.capacity[to] += shift;
        let left = game.tiles.len() - game.placed.len();
        let last = ending(&game);
        prop_assert!(last.len() == left || last.is_empty());
        match first(&game, 1 << bits, &|| true) {
            Ok(found) => {
                let as_placed = Soku { placed: Vec::new(), ..game.clone() };
                prop_assert!(placed > 0 || found.example.is_some() == (enumerated(&as_placed) > 0));
                prop_assert_eq!(found.complete, found.example.is_none());
                if let Some(shown) = found.example {
                    let laid = placements(&game, &shown).expect("its tiles");
                    let instance = Instance { puzzle: Puzzle::Soku(game), ..instance(&file(&faces, &met(&faces, &shown), &tiles, &[])) };
                    prop_assert!(verify(&instance, &Solution::on_faces(&instance.name, laid)).is_valid());
                } else if placed > 0 {
                    // With tiles told beforehand: all that has no solution at all has none.
                    prop_assert!(shift > 0);
                }
            }
            Err(error) => prop_assert!(matches!(error, CountError::Memory(_)), "{error}"),
        }
    }
}

/// Counts in cases, with one thread, and sees that it tells how far it is, one case after the other.
fn watched(game: &Soku, counting: Counting) -> Count {
    let told = Mutex::new(vec![Progress::default()]);
    let watch = |progress: Progress| {
        let mut told = told.lock().expect("nobody panics");
        if told.last() != Some(&progress) {
            told.push(progress);
        }
        true
    };
    let counted = count(game, Counting { threads: 1, ..counting }, &watch).expect("in cases");
    let told = told.into_inner().expect("nobody panics");
    assert!(told.is_sorted_by_key(|progress| (progress.cases, progress.solutions)), "{told:?}");
    assert!(told.last().is_some_and(|last| (0.5..1.0).contains(&last.cases)), "{told:?}");
    assert!(told.iter().all(|progress| progress.solutions <= counted.solutions), "{told:?}");
    counted
}

#[test]
fn games_of_forty_faces_are_counted_in_cases() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/soku/counted/f40-s05-3.toml");
    let instance = Instance::load(&file).expect("an instance");
    let all = count(game(&instance), COUNTING, &|_| true).expect("within its memory");
    let bounded = watched(game(&instance), Counting { memory: 8 << 20, ..COUNTING });
    assert_eq!(bounded.solutions, all.solutions);
    assert!(bounded.states > all.states);
}

#[test]
fn games_with_large_weights_are_decided_by_their_sums() {
    // 12 faces, weights up to 100: hardly two fillings have the same sums.
    let faces = bipyramid(6);
    let tiles: Vec<[u32; 3]> = (0..12).map(|i| [i * 37 % 101, i * 59 % 101, i * 83 % 101]).collect();
    let rotations: Vec<usize> = (0..12).map(|i| i * i % 3).collect();
    let instance = solvable(&faces, &tiles, &rotations, 0);
    let all = counted(&instance);
    assert!(all > 0);
    assert_eq!(ending(game(&instance)).len(), 12);
    assert!(first(game(&instance), 1 << 26, &|| true).expect("small").example.is_some());
    // Less memory than the fillings of a side take.
    let bounded = Counting { memory: 1 << 18, ..COUNTING };
    let bounded = watched(game(&instance), bounded);
    assert_eq!((bounded.solutions, bounded.complete), (all, true));
    let mut shifted = game(&instance).clone();
    shifted.capacity[0] += 1;
    shifted.capacity[1] -= 1;
    let none = count(&shifted, COUNTING, &|_| true).expect("small").solutions == 0;
    let decided = first(&shifted, 1 << 26, &|| true).expect("small");
    assert_eq!((decided.complete, decided.example.is_none()), (none, none));
    let stopped = first(game(&instance), 1 << 26, &|| false).expect("no error");
    assert!(!stopped.complete && stopped.example.is_none());
}

#[test]
fn over_all_capacities_every_map_counts_once() {
    let faces = octahedron();
    let tiles = [[0, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 1]];
    // 8! / (2! 4!) ways to lay the sorts, three of which can be turned in 3 ways each.
    let maps = 40_320 / 2 / 24 * 27;
    let mut sum = 0;
    let total = tiles.iter().flatten().sum::<u32>();
    let mut visit = |capacity: &[u32]| {
        let capacity = "ABCDEF".chars().zip(capacity.iter().copied()).collect();
        sum += counted(&instance(&file(&faces, &capacity, &tiles, &[])));
    };
    fn go(left: u32, capacity: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
        if capacity.len() == 5 {
            capacity.push(left);
            visit(capacity);
            capacity.pop();
            return;
        }
        for here in 0..=left.min(4) {
            capacity.push(here);
            go(left - here, capacity, visit);
            capacity.pop();
        }
    }
    go(total, &mut Vec::new(), &mut visit);
    assert_eq!(sum, maps);
}

const ICOSAHEDRON: &str = "ABC ACD ADE AEF AFB BFK BKG BGC CGH CHD DIE DHI EIJ EJF FJK GKL GLH HLI ILJ JLK";

/// Where the vertices go if face ABC goes to this one; mirrored, all faces turn the other way round.
fn symmetry(onto: [char; 3], mirrored: bool) -> BTreeMap<char, char> {
    let faces: Vec<Vec<char>> = of_words(ICOSAHEDRON).iter().map(|face| face.chars().collect()).collect();
    let third = |a: char, b: char, reversed: bool| {
        let (a, b) = if reversed { (b, a) } else { (a, b) };
        let at = |face: &&Vec<char>| (0..3).any(|i| face[i] == a && face[(i + 1) % 3] == b);
        *faces.iter().find(at).expect("an edge").iter().find(|v| **v != a && **v != b).expect("a third vertex")
    };
    let mut to: BTreeMap<char, char> = "ABC".chars().zip(onto).collect();
    while to.len() < 12 {
        for face in &faces {
            for i in 0..3 {
                let (a, b, c) = (face[i], face[(i + 1) % 3], face[(i + 2) % 3]);
                if let (Some(&ta), Some(&tb)) = (to.get(&a), to.get(&b)) {
                    to.insert(c, third(ta, tb, mirrored));
                }
            }
        }
    }
    to
}

#[test]
fn symmetries_of_the_icosahedron_leave_counts_as_they_are() {
    // Rizzo's board, of which his Chuffed found more than 60 million before memory ran out.
    let capacity: BTreeMap<char, u32> = ('A'..='L').zip([8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12]).collect();
    let board = |capacity: &BTreeMap<char, u32>| {
        let of_vertices: Vec<String> = capacity.iter().map(|(v, capacity)| format!("{v} = {capacity}")).collect();
        instance(&format!(
            "kind = \"soku\"\nfield = \"icosahedron\"\ntiles = \"icosoku\"\ncapacity = {{ {} }}\n",
            of_vertices.join(", ")
        ))
    };
    for symmetry in
        [symmetry(['A', 'B', 'C'], false), symmetry(['G', 'K', 'L'], false), symmetry(['I', 'H', 'D'], true)]
    {
        assert_eq!(symmetry.values().collect::<BTreeSet<_>>().len(), 12);
        let image: BTreeMap<char, u32> = capacity.iter().map(|(v, &capacity)| (symmetry[v], capacity)).collect();
        assert_eq!(counted(&board(&image)), 4_276_380_495);
    }
}

#[test]
fn partitions_are_counted() {
    // 1 + 4 + 6 = 2 + 9, 1 + 2 + ... = 11: which numbers make half of the total, laid above in every order, empty tiles below.
    let sizes = [1_u32, 2, 4, 6, 9];
    let faces = bipyramid(sizes.len());
    let half = sizes.iter().sum::<u32>() / 2;
    let capacity: BTreeMap<char, u32> =
        faces.iter().flat_map(|face| face.chars()).map(|v| (v, if v.is_uppercase() { half } else { 0 })).collect();
    let mut tiles: Vec<[u32; 3]> = sizes.iter().map(|&size| [size, 0, 0]).collect();
    tiles.extend([[0; 3]; 5]);
    let falling = |k: u32| (0..k).map(|i| 5 - u128::from(i)).product::<u128>();
    let of_subset = |subset: u32| {
        let sum: u32 = sizes.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, size)| size).sum();
        if sum == half { falling(subset.count_ones()) * falling(5 - subset.count_ones()) } else { 0 }
    };
    let expected: u128 = (0..32).map(of_subset).sum();
    assert!(expected > 0);
    assert_eq!(counted(&instance(&file(&faces, &capacity, &tiles, &[]))), expected);
}

#[test]
fn totals_that_differ_leave_nothing_to_count() {
    let mut capacity: BTreeMap<char, u32> = ('A'..='D').zip([1, 2, 3, 4]).collect();
    let tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]];
    assert!(counted(&instance(&file(&tetrahedron(), &capacity, &tiles, &[]))) > 0);
    capacity.insert('A', 2);
    assert_eq!(counted(&instance(&file(&tetrahedron(), &capacity, &tiles, &[]))), 0);
}

#[test]
fn a_game_that_is_too_large_is_refused_with_an_estimate() {
    // 24 faces, all tiles different.
    let faces = bipyramid(12);
    let tiles: Vec<[u32; 3]> = (0..24).map(|i| [i, i / 2, 3]).collect();
    let board = |copies: &[[u32; 3]]| {
        let instance = solvable(&faces, copies, &[1; 24], 0);
        count(game(&instance), Counting { memory: 1 << 20, ..COUNTING }, &|_| true)
    };
    let error = board(&tiles).expect_err("too large").to_string();
    assert!(error.contains("2.7e6 multisets of 12 of the tiles, with the sums at the vertices up to"), "{error}");
    // As many faces with two sorts are no trouble.
    let equal: Vec<[u32; 3]> = (0..24).map(|i| if i % 2 == 0 { [0, 1, 1] } else { [1, 0, 0] }).collect();
    assert!(board(&equal).expect("a count").solutions > 0);
}

#[test]
fn whoever_asked_can_stop_it() {
    let instance = solvable(&octahedron(), &[[0, 1, 2]; 8], &[0, 1, 2, 0, 1, 2, 0, 1], 0);
    let all = counted(&instance);
    let at_once = count(game(&instance), COUNTING, &|_| false).expect("no error");
    assert!(!at_once.complete && at_once.solutions <= all && at_once.example.is_none());
}
