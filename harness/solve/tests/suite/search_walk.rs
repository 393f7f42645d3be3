//! The walk of King's blog against a plain one written down once more, and against what the post says.

use std::collections::{HashMap, HashSet};

use model::{Holes, Strategy};
use puzzle::hex::{Axial, EDGES, opposite};
use puzzle::tantrix::{Colour, tile};
use puzzle::{Placement, verify};
use solve::search::Settings;

use crate::search::{PLAIN, first, natural};

/// The walk of the blog as the post's pseudocode has it, on distinct tiles.
struct Plain {
    colour: Colour,
    lying: HashMap<Axial, (usize, usize)>,
    remaining: Vec<usize>,
    tried: u64,
}

impl Plain {
    fn shown(&self, at: Axial, edge: usize) -> Option<Colour> {
        let (number, orientation) = self.lying.get(&at)?;
        Some(tile(*number).expect("known").colour(*orientation, edge))
    }

    fn solve(&mut self, at: Axial, exit: usize) -> bool {
        let next = at.neighbour(exit);
        if self.remaining.is_empty() {
            return self.lying.contains_key(&next);
        }
        if self.lying.contains_key(&next) {
            return false;
        }
        for index in 0..self.remaining.len() {
            let number = self.remaining[index];
            let piece = tile(number).expect("known");
            let ends = piece.line(1, self.colour).expect("a line").edges;
            for (joined, other) in [(ends.0, ends.1), (ends.1, ends.0)] {
                let shows = |orientation: &usize| {
                    (joined + 6 - orientation) % 6 == opposite(exit) - 1 // edge `joined` of orientation 1 comes here
                };
                let orientation = (1..=6).find(shows).expect("one of them");
                self.tried += 1;
                let fits = EDGES.into_iter().all(|edge| {
                    let there = self.shown(next.neighbour(edge), opposite(edge));
                    there.is_none_or(|colour| colour == piece.colour(orientation, edge))
                });
                if !fits {
                    continue;
                }
                self.lying.insert(next, (number, orientation));
                self.remaining.remove(index);
                if self.solve(next, (other + 6 - orientation) % 6 + 1) {
                    return true;
                }
                self.remaining.insert(index, number);
                self.lying.remove(&next);
            }
        }
        false
    }
}

#[test]
fn the_walk_goes_the_way_of_the_post() {
    let mut nodes = Vec::new();
    for n in 3..=8 {
        let instance = natural(n, "distinct", "");
        let (explored, solution) = first(&instance, Strategy::Walk, Holes::Report, PLAIN);
        let home = Axial { q: 0, r: 0 };
        let colour = puzzle::tantrix::default_colour(n);
        let exit = tile(1).and_then(|t| t.line(1, colour)).expect("a line").edges.0;
        let mut plain =
            Plain { colour, lying: HashMap::from([(home, (1, 1))]), remaining: (2..=n).collect(), tried: 1 };
        assert!(plain.solve(home, exit));
        let mut lying: Vec<Placement> = plain
            .lying
            .iter()
            .map(|(at, &(tile, orientation))| Placement { place: at.ring_number(), tile, orientation })
            .collect();
        lying.sort_by_key(|p| p.place);
        assert_eq!(solution.expect("solvable").placements, lying, "n = {n}");
        assert_eq!(explored.nodes, plain.tried, "n = {n}");
        nodes.push(explored.nodes);
    }
    assert_eq!(nodes, PINNED);
}

#[test]
fn a_shuffled_walk_goes_another_way_with_each_seed_to_the_same_loops() {
    let instance = natural(8, "distinct", "");
    let of = |strategy, seed| first(&instance, strategy, Holes::Report, Settings { seed, ..PLAIN });
    let nodes: Vec<u64> = (1..=20).map(|seed| of(Strategy::ShuffledWalk, seed).0.nodes).collect();
    let different: HashSet<u64> = nodes.iter().copied().collect();
    assert!(different.len() > 10, "{nodes:?}");
    for seed in 1..=20 {
        let [one, two] = [(); 2].map(|()| of(Strategy::ShuffledWalk, seed));
        assert_eq!(one, two, "seed {seed}");
        // The tile where the line begins lies in the middle.
        let solution = one.1.expect("solvable");
        let broken = verify(&instance, &solution).violations;
        assert!(broken.iter().all(|violation| violation.rule == puzzle::Rule::NoHole), "{broken:?}");
    }
    let middle = |seed| {
        let solution = of(Strategy::ShuffledWalk, seed).1.expect("solvable");
        solution.placements.iter().find(|p| p.place == 1).expect("the first").tile
    };
    let begins: HashSet<usize> = (1..=20).map(middle).collect();
    assert!(begins.len() > 3, "{begins:?}");
    // The walk of the post has no use for a seed.
    assert_eq!(of(Strategy::Walk, 1), of(Strategy::Walk, 2));
}

/// Placements tried until the first loop of 3 to 8 tiles.
const PINNED: [u64; 6] = [6, 18, 64, 64, 206, 765];

#[test]
fn the_walk_confirms_what_the_post_says_of_sixteen_tiles() {
    let instance = natural(16, "distinct", "colour = \"red\"");
    let (explored, solution) = first(&instance, Strategy::Walk, Holes::Report, PLAIN);
    let solution = solution.expect("solvable");
    let verdict = verify(&instance, &solution);
    assert_eq!((verdict.loops.len(), verdict.holes), (1, 1), "one loop, and its internal hole");
    let tile_at = |place| solution.placements.iter().find(|p| p.place == place).expect("a tile").tile;
    let mut line: Vec<usize> = verdict.loops[0].iter().map(|&place| tile_at(place)).collect();
    let one = line.iter().position(|&tile| tile == 1).expect("tile 1");
    line.rotate_left(one);
    if line[1] != 2 {
        line[1..].reverse();
    }
    assert_eq!(line[..7], [1, 2, 3, 4, 5, 6, 7]);
    // Tiles 10 and 4 in each other's place, in some orientation, are a solution too.
    let swapped = (0..36).any(|turns| {
        let mut other = solution.clone();
        for p in &mut other.placements {
            match p.tile {
                4 => (p.tile, p.orientation) = (10, turns % 6 + 1),
                10 => (p.tile, p.orientation) = (4, turns / 6 + 1),
                _ => {}
            }
        }
        let broken = verify(&instance, &other).violations;
        broken.iter().all(|violation| violation.rule == puzzle::Rule::NoHole)
    });
    assert!(swapped);
    assert_eq!(explored.nodes, 3_472_994);
}
