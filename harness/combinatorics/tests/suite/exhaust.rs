//! Exhaustive search against trying everything, and on boards that are known to have no solution.

use std::collections::BTreeSet;
use std::path::Path;

use combinatorics::tantrix::exhaust;
use puzzle::tantrix::{BoardTantrix, BoardType, Numbering};
use puzzle::{Instance, Known, Placement, Puzzle, Solution, verify};

#[test]
fn three_tiles_on_seven_places_are_found_once_wherever_they_lie() {
    let places = BoardType::A.places(7, Numbering::Rings).expect("a board");
    let places: Vec<String> = places.iter().map(|at| format!("[{}, {}]", at.q, at.r)).collect();
    let text =
        format!("kind = \"tantrix-bounded\"\nchallenge = 3\ntiles = \"repeated\"\nplaces = [{}]\n", places.join(", "));
    let instance = Instance::parse(&text, Path::new("t.toml")).expect("an instance");
    let Puzzle::TantrixBounded(puzzle) = &instance.puzzle else { panic!("no bounded board") };
    let (mut searched, mut found) = (Vec::new(), BTreeSet::new());
    exhaust("t", puzzle, &mut |s| {
        searched.push(s.placements.iter().map(|p| (p.place, p.tile, p.orientation)).collect::<BTreeSet<_>>());
        true
    });
    for code in 0..(7 * 6_usize).pow(3) {
        let laid = [1, 2, 3].map(|tile| {
            let digit = code / 42_usize.pow(tile as u32 - 1) % 42;
            (digit / 6 + 1, tile, digit % 6 + 1)
        });
        let placement = |(place, tile, orientation)| Placement { place, tile, orientation };
        if verify(&instance, &Solution::on_places("t", laid.map(placement).to_vec())).is_valid() {
            found.insert(BTreeSet::from(laid));
        }
    }
    assert_eq!(searched.len(), 36, "none twice");
    assert_eq!(searched.into_iter().collect::<BTreeSet<_>>(), found);
    let small = BoardTantrix { challenge: 8, ..puzzle.clone() };
    exhaust("t", &small, &mut |s| panic!("eight tiles on seven places: {s:?}"));
}

/// What the solvers say of the small unsolvable boards, said by a search that knows no model.
#[test]
fn the_small_unsolvable_boards_have_no_solution() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix/fixed");
    for name in ["n3-row", "n7-disc", "n10-disc"] {
        let instance = Instance::load(&folder.join(format!("{name}.toml"))).expect("an instance");
        assert_eq!(instance.known, Known::Unsolvable);
        let Puzzle::TantrixFixed(puzzle) = &instance.puzzle else { panic!("no fixed board") };
        exhaust(name, puzzle, &mut |solution| panic!("{name} has a solution: {solution:?}"));
    }
}
