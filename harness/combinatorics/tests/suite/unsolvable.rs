//! Unsolvable instances are so for a reason that knows no model, and solvable ones do not contradict it.
//!
//! Where the turns of the lines do not forbid every loop, the search over closed lines finds none on the board.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use combinatorics::tantrix::count_on_board;
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

#[test]
fn nothing_speaks_against_solvable_instances() {
    let solvable: Vec<Instance> = instances().into_iter().filter(|i| i.known == Known::Solvable).collect();
    assert!(solvable.len() > 40, "{}", solvable.len());
    for instance in solvable {
        assert_eq!(instance.obstacle(), None, "{}", instance.name);
    }
}

/// 25 tiles would take half a minute.
const MOST_SEARCHED: usize = 20;

#[test]
fn small_unsolvable_instances_have_a_proof() {
    let unsolvable = instances().into_iter().filter(|i| i.known == Known::Unsolvable && i.obstacle().is_none());
    let mut searched = BTreeSet::new();
    for instance in unsolvable {
        let (Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle)) = &instance.puzzle else {
            panic!("{} has no board", instance.name)
        };
        if puzzle.challenge > MOST_SEARCHED {
            continue;
        }
        let count = count_on_board(&puzzle.board, &puzzle.tiles, puzzle.colour, 2, &|_| true).expect("few tiles");
        assert!(count.complete && count.solutions == 0, "{} has solutions: {count:?}", instance.name);
        searched.insert(instance.name);
    }
    for name in ["n10-m12", "n15-unsolvable"] {
        assert!(searched.contains(name), "{name} needs the search, which made {searched:?}");
    }
}
