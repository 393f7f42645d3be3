//! Small boards; the tests of `solve` share this file.

use std::path::Path;

use combinatorics::tantrix::enumerate_on_board;
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardTantrix, BoardType, Colour, Numbering};
use puzzle::{Instance, Placement, Puzzle, Solution};

fn parse(text: &str) -> Instance {
    Instance::parse(text, Path::new("t.toml")).expect("a good instance")
}

/// A challenge on these places, with further lines of its file.
pub fn on_board(kind: &str, challenge: usize, places: &[Axial], extra: &str) -> Instance {
    let list: Vec<String> = places.iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    parse(&format!("kind = \"{kind}\"\nchallenge = {challenge}\n{extra}\nplaces = [{}]\n", list.join(", ")))
}

/// A challenge of the repeated set on these places, of which some may stay empty.
pub fn bounded(places: &[Axial], challenge: usize, colour: Colour) -> Instance {
    on_board("tantrix-bounded", challenge, places, &format!("tiles = \"repeated\"\ncolour = \"{colour}\""))
}

/// A challenge of the repeated set on the open plane.
pub fn natural(challenge: usize) -> Instance {
    parse(&format!("kind = \"tantrix-natural\"\nchallenge = {challenge}\ntiles = \"repeated\"\n"))
}

/// The places of a board of type A or B.
pub fn regular(kind: BoardType, size: usize) -> Vec<Axial> {
    kind.places(size, Numbering::Rings).expect("a size that there is")
}

/// The Tantrix inside an instance with a board.
pub fn tantrix(instance: &Instance) -> &BoardTantrix {
    match &instance.puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => puzzle,
        _ => panic!("no board"),
    }
}

/// The game of Rizzo's figure 6: 3SoKu on a tetrahedron.
pub fn tetrahedron() -> Instance {
    parse(
        "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 1, B = 2, C = 3, D = 4 }\n\
         tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n",
    )
}

/// Calls `found` with every solution of a board, which returns whether to go on.
pub fn exhaust(name: &str, puzzle: &BoardTantrix, found: &mut dyn FnMut(&Solution) -> bool) {
    let mut found = |placements: &[Placement]| {
        let mut placements = placements.to_vec();
        placements.sort_unstable_by_key(|p| p.place);
        found(&Solution::on_places(name, placements))
    };
    enumerate_on_board(&puzzle.board, &puzzle.tiles, puzzle.colour, &mut || true, &mut found).expect("few tiles");
}
