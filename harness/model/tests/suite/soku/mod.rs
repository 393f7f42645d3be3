//! 3SoKu: games for tests, and their models of every form.

mod counts;
mod meaning;
mod refused;
mod sums;

use std::path::Path;

use puzzle::soku::{Soku, rotated};
use puzzle::{Instance, Placement, Puzzle, Solution};

use crate::common::Dice;

/// The capacities of the board that Rizzo solves in his listing 2, from A to L.
const CAPACITIES: [u32; 12] = [8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12];

/// An instance from the text of its file.
pub fn parse(text: &str) -> Instance {
    Instance::parse(&format!("kind = \"soku\"\n{text}"), Path::new("t.toml")).expect("a good instance")
}

/// The game inside.
pub fn game(instance: &Instance) -> &Soku {
    match &instance.puzzle {
        Puzzle::Soku(game) => game,
        _ => panic!("no 3SoKu"),
    }
}

/// Rizzo's board of IcoSoKu.
pub fn icosoku() -> Instance {
    let capacities: Vec<String> = ('A'..).zip(CAPACITIES).map(|(name, number)| format!("{name} = {number}")).collect();
    parse(&format!("field = \"icosahedron\"\ntiles = \"icosoku\"\ncapacity = {{ {} }}\n", capacities.join(", ")))
}

/// The faces of a bipyramid: P above, Q below, n vertices around.
pub fn bipyramid(n: usize) -> Vec<[String; 3]> {
    let rim = |at: usize| format!("Z{}", at % n + 1);
    let above = (0..n).map(|at| ["P".to_owned(), rim(at), rim(at + 1)]);
    above.chain((0..n).map(|at| ["Q".to_owned(), rim(at + 1), rim(at)])).collect()
}

/// A game on these faces, its capacities in the order of the vertices' names.
pub fn on(faces: &[[String; 3]], tiles: &[[u32; 3]], capacities: &[u32], placed: &[Placement]) -> Instance {
    let mut names: Vec<&String> = faces.iter().flatten().collect();
    names.sort_unstable_by_key(|name| (name.len(), name.as_str()));
    names.dedup();
    let capacities: Vec<String> = names.iter().zip(capacities).map(|(name, c)| format!("{name:?} = {c}")).collect();
    let placed: Vec<String> = placed
        .iter()
        .map(|p| format!("{{ face = {}, tile = {}, rotation = {} }}", p.place, p.tile, p.orientation))
        .collect();
    parse(&format!(
        "faces = {faces:?}\ntiles = {tiles:?}\ncapacity = {{ {} }}\nplaced = [{}]\n",
        capacities.join(", "),
        placed.join(", ")
    ))
}

/// Every tile on a face of its own, at random.
pub fn anyhow(tiles: usize, dice: &mut Dice) -> Vec<Placement> {
    let mut numbers: Vec<usize> = (1..=tiles).collect();
    let mut next = || numbers.swap_remove(dice.roll(numbers.len()));
    let order: Vec<usize> = (0..tiles).map(|_| next()).collect();
    (1..).zip(order).map(|(place, tile)| Placement { place, tile, orientation: dice.roll(3) }).collect()
}

/// What the weights around each vertex add up to.
pub fn sums(field: &puzzle::soku::Field, tiles: &[[u32; 3]], placements: &[Placement]) -> Vec<u32> {
    let mut sums = vec![0; field.vertices().len()];
    for p in placements {
        let shown = rotated(tiles[p.tile - 1], p.orientation);
        (0..3).for_each(|corner| sums[field.faces()[p.place - 1][corner]] += shown[corner]);
    }
    sums
}

/// A small game with a solution, or, after a change of two capacities, perhaps none; some with a tile placed beforehand. Weights
/// are below `weights`, and some tiles equal or uniform. And the arrangement that it was made of.
pub fn random(weights: usize, dice: &mut Dice) -> (Instance, Solution) {
    let faces = match dice.roll(3) {
        0 => corners("ABC ACD ADB BDC"),
        1 => bipyramid(3),
        _ => corners("ABC ACD ADE AEB CBF DCF EDF BEF"),
    };
    let mut tiles: Vec<[u32; 3]> = Vec::new();
    for _ in 0..faces.len() {
        let one = |dice: &mut Dice| dice.roll(weights) as u32;
        tiles.push(match dice.roll(4) {
            0 => [one(dice); 3],
            1 if !tiles.is_empty() => rotated(dice.pick(&tiles), dice.roll(3)),
            _ => std::array::from_fn(|_| one(dice)),
        });
    }
    let placements = anyhow(tiles.len(), dice);
    let plain = on(&faces, &tiles, &vec![0; faces.len()], &[]);
    let mut capacities = sums(&game(&plain).field, &tiles, &placements);
    if dice.roll(3) == 0 {
        let (from, to) = (dice.roll(capacities.len()), dice.roll(capacities.len()));
        if capacities[from] > 0 {
            capacities[from] -= 1;
            capacities[to] += 1;
        }
    }
    let placed = if dice.roll(2) == 0 { vec![dice.pick(&placements)] } else { Vec::new() };
    let instance = on(&faces, &tiles, &capacities, &placed);
    let solution = Solution::on_faces(&instance.name, placements);
    (instance, solution)
}

fn corners(faces: &str) -> Vec<[String; 3]> {
    faces.split(' ').map(|face| std::array::from_fn(|at| face[at..=at].to_owned())).collect()
}

/// All that faces can show in a solution, by plain search.
pub fn shown_in_solutions(game: &Soku) -> Vec<Vec<[u32; 3]>> {
    fn go(game: &Soku, left: &mut Vec<usize>, shown: &mut Vec<[u32; 3]>, found: &mut Vec<Vec<[u32; 3]>>) {
        let sum = |vertex: usize| {
            let around = game.field.around(vertex).iter();
            around.filter_map(|&(face, corner)| Some(shown.get(face)?[corner])).sum::<u32>()
        };
        if (0..game.capacity.len()).any(|vertex| sum(vertex) > game.capacity[vertex]) {
            return;
        }
        if shown.len() == game.tiles.len() {
            if (0..game.capacity.len()).all(|vertex| sum(vertex) == game.capacity[vertex]) {
                found.push(shown.clone());
            }
            return;
        }
        let placed = game.placed.iter().find(|placed| placed.place == shown.len() + 1);
        let due = placed.map(|placed| rotated(game.tiles[placed.tile - 1], placed.orientation));
        let mut tried = Vec::new();
        for index in 0..left.len() {
            let number = left.remove(index);
            for rotation in 0..3 {
                let weights = rotated(game.tiles[number], rotation);
                if !tried.contains(&weights) && due.is_none_or(|due| due == weights) {
                    tried.push(weights);
                    shown.push(weights);
                    go(game, left, shown, found);
                    shown.pop();
                }
            }
            left.insert(index, number);
        }
    }
    let mut found = Vec::new();
    go(game, &mut (0..game.tiles.len()).collect(), &mut Vec::new(), &mut found);
    found
}
