//! 3SoKu: every backend finds a solution where there is one, says so where there is none, and what it finds is valid.

use std::path::Path;

use model::{Cardinality, Formulation, FormulationKind};
use puzzle::soku::{Soku, rotated};
use puzzle::{Instance, Placement, Puzzle, Solution, verify};
use record::Status;
use solve::{BACKENDS, Backend};

use crate::common::{AMPLE, run, seeded, tetrahedron};
use crate::conformance::answer;
use crate::subjects::{is_missing, is_slow_to_start};

/// Formulations of a kind that differ in what the solver has to do, the fastest first; none for kinds that are not tested here.
fn formulations(kind: FormulationKind) -> Vec<Formulation> {
    let plain = Formulation::plain("f", kind);
    match kind {
        FormulationKind::Mip => {
            ["S1 S2' S3", "S1 S2 S3 S4 S5 S6 S7"].map(|families| Formulation::of("f", families).expect("good")).to_vec()
        }
        FormulationKind::Sat => [Cardinality::Totalizer, Cardinality::Adder]
            .map(|cardinality| plain.with("cardinality", cardinality).expect("good"))
            .to_vec(),
        FormulationKind::Cp => vec![plain],
        FormulationKind::Search | FormulationKind::Minizinc | FormulationKind::Asp => Vec::new(),
    }
}

/// Every backend that is here, with the formulations that it is tested with. `external` is whatever its options say.
fn backends() -> impl Iterator<Item = (&'static dyn Backend, Vec<Formulation>)> {
    let here = BACKENDS.iter().copied().filter(|backend| backend.info().name != "external" && !is_missing(*backend));
    here.map(|backend| (backend, backend.info().kinds.iter().flat_map(|kind| formulations(*kind)).collect()))
}

/// The tiles of Rizzo's figure 6.
const RIZZO: [[u32; 3]; 4] = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]];

/// A game on a field of this name.
pub fn game(field: &str, capacity: &[u32], tiles: &[[u32; 3]], placed: &[Placement]) -> Instance {
    let capacity: Vec<String> = ('A'..).zip(capacity).map(|(name, capacity)| format!("{name} = {capacity}")).collect();
    let placed: Vec<String> = placed
        .iter()
        .map(|p| format!("{{ face = {}, tile = {}, rotation = {} }}", p.place, p.tile, p.orientation))
        .collect();
    let text = format!(
        "kind = \"soku\"\nfield = \"{field}\"\ncapacity = {{ {} }}\ntiles = {tiles:?}\nplaced = [{}]\n",
        capacity.join(", "),
        placed.join(", ")
    );
    Instance::parse(&text, Path::new("t.toml")).expect("a good instance")
}

pub fn soku(instance: &Instance) -> &Soku {
    let Puzzle::Soku(game) = &instance.puzzle else { panic!("a game") };
    game
}

/// Lays tiles face by face by plain search; calls `found` with each solution that the judge accepts until that returns true.
fn lay(
    instance: &Instance,
    left: &mut [u32],
    lying: &mut Vec<Placement>,
    found: &mut dyn FnMut(Solution) -> bool,
) -> bool {
    let (game, face) = (soku(instance), lying.len());
    if face == game.tiles.len() {
        let solution = Solution::on_faces(&instance.name, lying.clone());
        return verify(instance, &solution).violations.is_empty() && found(solution);
    }
    for tile in 0..game.tiles.len() {
        if lying.iter().any(|placement| placement.tile == tile + 1) {
            continue;
        }
        for orientation in 0..3 {
            let weights = rotated(game.tiles[tile], orientation);
            let corners = game.field.faces()[face];
            if (0..3).any(|corner| weights[corner] > left[corners[corner]]) {
                continue;
            }
            (0..3).for_each(|corner| left[corners[corner]] -= weights[corner]);
            lying.push(Placement { place: face + 1, tile: tile + 1, orientation });
            if lay(instance, left, lying, found) {
                return true;
            }
            lying.pop();
            (0..3).for_each(|corner| left[corners[corner]] += weights[corner]);
        }
    }
    false
}

/// Some solution by plain search; what the judge says of it is all that counts.
pub fn brute_force(instance: &Instance) -> Option<Solution> {
    let mut first = None;
    let mut found = |solution| {
        first = Some(solution);
        true
    };
    lay(instance, &mut soku(instance).capacity.clone(), &mut Vec::new(), &mut found);
    first
}

/// All solutions by plain search.
pub fn all_by_brute_force(instance: &Instance) -> Vec<Solution> {
    let mut all = Vec::new();
    let mut found = |solution| {
        all.push(solution);
        false
    };
    lay(instance, &mut soku(instance).capacity.clone(), &mut Vec::new(), &mut found);
    all
}

fn parse(text: &str) -> Instance {
    Instance::parse(&format!("kind = \"soku\"\n{text}"), Path::new("t.toml")).expect("a good instance")
}

/// A board of IcoSoKu, capacities from A to L.
pub fn icosoku(capacities: [u32; 12]) -> Instance {
    let capacities: Vec<String> = ('A'..).zip(capacities).map(|(name, number)| format!("{name} = {number}")).collect();
    parse(&format!("field = \"icosahedron\"\ntiles = \"icosoku\"\ncapacity = {{ {} }}\n", capacities.join(", ")))
}

/// Tetrahedra with Rizzo's four tiles and capacities with the same total, some with a tile placed beforehand.
fn tetrahedra() -> Vec<Instance> {
    let mut all = Vec::new();
    for number in (0..216).step_by(5) {
        let [a, b, c] = [1, 6, 36].map(|place| number / place % 6);
        let Some(d) = 10_u32.checked_sub(a + b + c) else { continue };
        let orientation = number as usize % 3;
        let placed = Placement { place: 1 + number as usize % 4, tile: 4, orientation };
        all.push(game(
            "tetrahedron",
            &[a, b, c, d],
            &RIZZO,
            if orientation == 0 { &[] } else { std::slice::from_ref(&placed) },
        ));
    }
    all
}

/// The reduction of Partition (Rizzo, lemma 1) on a bipyramid: a tile for each size, as many empty ones, and half of the sizes
/// above.
fn partition(sizes: [u32; 3]) -> Instance {
    let half = sizes.iter().sum::<u32>() / 2;
    let [a, b, c] = sizes;
    parse(&format!(
        "faces = [[\"P\", \"X\", \"Y\"], [\"P\", \"Y\", \"Z\"], [\"P\", \"Z\", \"X\"], [\"Q\", \"Y\", \"X\"], [\"Q\", \"Z\", \"Y\"], \
         [\"Q\", \"X\", \"Z\"]]\ncapacity = {{ P = {half}, Q = {half}, X = 0, Y = 0, Z = 0 }}\n\
         tiles = [[{a}, 0, 0], [{b}, 0, 0], [{c}, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]\n"
    ))
}

#[test]
fn every_backend_agrees_with_brute_force_on_the_tetrahedron() {
    let games = tetrahedra();
    let expected: Vec<Status> = games
        .iter()
        .map(|game| if brute_force(game).is_some() { Status::Optimal } else { Status::Infeasible })
        .collect();
    for status in [Status::Optimal, Status::Infeasible] {
        assert!(expected.iter().filter(|expected| **expected == status).count() > 3, "{expected:?}");
    }
    for (backend, formulations) in backends() {
        let stride = if is_slow_to_start(backend) { 5 } else { 1 };
        for (game, expected) in games.iter().zip(&expected).step_by(stride) {
            for formulation in &formulations {
                let name = backend.info().name;
                assert_eq!(
                    answer(backend, formulation, game),
                    *expected,
                    "{name} {formulation:?} {}",
                    game.canonical()
                );
            }
        }
    }
}

#[test]
fn every_backend_solves_icosoku() {
    let boards = [[8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]].map(icosoku);
    for (backend, formulations) in backends() {
        let few = if is_slow_to_start(backend) { 1 } else { boards.len() };
        for formulation in formulations.iter().take(1) {
            for board in &boards[..few] {
                assert_eq!(answer(backend, formulation, board), Status::Optimal, "{}", backend.info().name);
            }
        }
    }
}

#[test]
fn every_backend_adds_large_weights_up() {
    let solvable = partition([30_000, 10_000, 20_000]);
    let unsolvable = partition([30_000, 10_001, 20_001]);
    for (backend, formulations) in backends() {
        for formulation in &formulations {
            let name = backend.info().name;
            assert_eq!(answer(backend, formulation, &solvable), Status::Optimal, "{name} {formulation:?}");
            assert_eq!(answer(backend, formulation, &unsolvable), Status::Infeasible, "{name} {formulation:?}");
        }
    }
}

/// Rows without any term: tiles of weight 0 alone say nothing of a capacity.
#[test]
fn capacities_to_which_no_tile_adds_are_met_or_not_by_every_backend() {
    for (capacity, status) in [(0, Status::Optimal), (2, Status::Infeasible)] {
        let empty = game("tetrahedron", &[0, 0, 0, capacity], &[[0, 0, 0]; 4], &[]);
        for (backend, formulations) in backends() {
            for formulation in &formulations {
                let name = backend.info().name;
                // Not by the check of figures: there may be none, so little is there to do.
                let answer = run(backend, formulation, &empty, &seeded(1), AMPLE).0.expect("an answer");
                assert_eq!(answer.status, status, "{name} {formulation:?}");
            }
        }
    }
}

#[test]
fn totals_that_differ_are_infeasible_for_every_backend() {
    let lowered = game("tetrahedron", &[1, 2, 3, 3], &RIZZO, &[]);
    assert!(matches!(&lowered.puzzle, Puzzle::Soku(game) if game.obstacle().is_some()));
    assert!(tetrahedron().obstacle().is_none());
    for (backend, formulations) in backends() {
        for formulation in &formulations {
            let name = backend.info().name;
            assert_eq!(answer(backend, formulation, &lowered), Status::Infeasible, "{name} {formulation:?}");
        }
    }
}
