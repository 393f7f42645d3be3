//! Unsolvable instances are so for a reason that knows no model, and solvable ones do not contradict it.
//!
//! On a closed line the turns add up to 360 degrees. A straight tile turns by none, a sharp one by 120, a wide one
//! (two edges apart) by 60 to either side: an odd number of wide lines never closes, on any board.

use std::fs;
use std::path::{Path, PathBuf};

use puzzle::tantrix::{Colour, TileSet, exhaust};
use puzzle::{Instance, Known, Puzzle};

/// All instances of the repository.
fn instances() -> Vec<Instance> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix");
    let paths = ["fixed", "bounded", "natural"].into_iter().flat_map(|kind| {
        let folder = fs::read_dir(root.join(kind)).expect("the instances");
        folder.map(|entry| entry.expect("an entry").path()).collect::<Vec<PathBuf>>()
    });
    let paths = paths.filter(|p| p.extension().is_some_and(|e| e == "toml") && !p.ends_with("suite.toml"));
    paths.map(|path| Instance::load(&path).expect("an instance")).collect()
}

fn wide_lines(tiles: &TileSet, colour: Colour) -> usize {
    let wide = tiles.sorts.iter().filter(|s| s.tile.line(1, colour).expect("all tiles have it").angle() == 60);
    wide.map(|s| s.count).sum()
}

fn tiles(instance: &Instance) -> (&TileSet, Colour) {
    match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => (&p.tiles, p.colour),
        Puzzle::TantrixNatural(p) => (&p.tiles, p.colour),
    }
}

#[test]
fn solvable_instances_have_an_even_number_of_wide_lines() {
    let solvable: Vec<Instance> = instances().into_iter().filter(|i| i.known == Known::Solvable).collect();
    assert!(solvable.len() > 40, "{}", solvable.len());
    for instance in solvable {
        let (tiles, colour) = tiles(&instance);
        assert_eq!(wide_lines(tiles, colour) % 2, 0, "{}", instance.name);
    }
}

#[test]
fn unsolvable_instances_with_places_to_spare_have_a_proof() {
    let unsolvable = instances().into_iter().filter(|i| i.known == Known::Unsolvable);
    let mut searched = 0;
    for instance in unsolvable {
        let Puzzle::TantrixBounded(puzzle) = &instance.puzzle else { continue };
        if wide_lines(&puzzle.tiles, puzzle.colour).is_multiple_of(2) {
            exhaust(&instance.name, puzzle, &mut |s| panic!("{} has a solution: {s:?}", instance.name));
            searched += 1;
        }
    }
    assert!(searched > 0, "n10-m12 needs the search");
}
