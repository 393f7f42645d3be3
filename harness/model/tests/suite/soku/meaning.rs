//! What models of every form demand, compared with the judge and with plain search on small games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use model::{Cardinality, Formulation, FormulationKind, Problem, Representation, build_cp, build_mip, build_sat};
use puzzle::soku::{arranged, placements, rotated};
use puzzle::{Instance, Placement, Solution, verify};

use super::{anyhow, game, random, shown_in_solutions};
use crate::clauses::each_model;
use crate::common::{Dice, breaks, problem};

/// Lists of families that say no more and no less than the rules.
const LISTS: [&str; 4] = ["S1 S2' S3", "S1 S2 S3", "S1 S2' S3 S6 S7", "S1 S2 S3 S6 S7"];

/// A formulation of another kind than mip.
fn plain(kind: FormulationKind, cardinality: Option<Cardinality>) -> Formulation {
    let plain = Formulation::plain("f", kind);
    cardinality.map(|cardinality| plain.with("cardinality", cardinality).expect("good")).unwrap_or(plain)
}

/// Every way to say what the rules say: whether it takes an arrangement, and what it makes of its own values for it.
fn verdicts(instance: &Instance, solution: &Solution) -> Vec<(String, bool, Solution)> {
    fn verdict<F: Representation>(problem: &dyn Problem<F>, solution: &Solution) -> (bool, Solution) {
        let values = problem.encode(solution);
        (problem.model().broken_by(&values).is_empty(), problem.decode(&values).expect("values of the model"))
    }
    let mut all = Vec::new();
    for list in LISTS {
        let (taken, back) = verdict(problem(instance, list).as_ref(), solution);
        all.push((list.to_owned(), taken, back));
    }
    for cardinality in Cardinality::ALL {
        let formulation = plain(FormulationKind::Sat, Some(cardinality));
        let (taken, back) = verdict(build_sat(&formulation, instance).expect("fits").as_ref(), solution);
        all.push((cardinality.to_string(), taken, back));
    }
    let cp = build_cp(&plain(FormulationKind::Cp, None), instance).expect("fits");
    let (taken, back) = verdict(cp.as_ref(), solution);
    all.push(("cp".to_owned(), taken, back));
    all
}

/// The arrangement, changed in one place.
fn disturb(mut solution: Solution, dice: &mut Dice) -> Solution {
    let faces = solution.placements.len();
    let [a, b] = [dice.roll(faces), dice.roll(faces)];
    match dice.roll(4) {
        0 => solution.placements[a].orientation = dice.roll(3),
        1 => solution.placements[a].tile = 1 + dice.roll(faces),
        2 => drop(solution.placements.remove(a)),
        _ => {
            let tile = solution.placements[a].tile;
            solution.placements[a].tile = solution.placements[b].tile;
            solution.placements[b].tile = tile;
        }
    }
    solution
}

#[test]
fn models_take_what_the_judge_takes_and_nothing_else() {
    let mut dice = Dice(1);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..60 {
        let (instance, made_of) = random(3, &mut dice);
        let game = game(&instance);
        let mut tried = vec![made_of.clone()];
        for _ in 0..4 {
            tried.push(disturb(made_of.clone(), &mut dice));
            tried.push(Solution::on_faces(&instance.name, anyhow(game.tiles.len(), &mut dice)));
        }
        for solution in tried {
            let verdict = verify(&instance, &solution);
            *(if verdict.is_valid() { &mut good } else { &mut bad }) += 1;
            for (name, taken, back) in verdicts(&instance, &solution) {
                // A model of sorts has no word for which of two equal tiles lies twice.
                let same = same_sorts(&instance, &solution) && shows_valid(&instance, &solution);
                let expected = if name.contains("S2 ") { verdict.is_valid() } else { same };
                assert_eq!(taken, expected, "{name}: {verdict:?} on {}", instance.canonical());
                if taken {
                    assert_eq!(verify(&instance, &back).violations, [], "{name}");
                    assert_eq!(arranged(game, &back.placements), arranged(game, &solution.placements), "{name}");
                }
            }
        }
    }
    assert!(good > 50 && bad > 50, "{good} and {bad}");
}

/// Whether each sort lies as often as there are copies of it.
fn same_sorts(instance: &Instance, solution: &Solution) -> bool {
    let game = game(instance);
    let lying = |tiles: &[usize]| solution.placements.iter().filter(|p| tiles.contains(&p.tile)).count();
    game.sorts().all().iter().all(|sort| lying(&sort.tiles) == sort.tiles.len())
}

/// Whether what the faces show is valid, whichever tiles show it.
fn shows_valid(instance: &Instance, solution: &Solution) -> bool {
    let game = game(instance);
    let shown: Option<Vec<[u32; 3]>> = arranged(game, &solution.placements).into_iter().collect();
    let numbered = shown.and_then(|shown| placements(game, &shown));
    numbered.is_some_and(|placed| verify(instance, &Solution::on_faces(&instance.name, placed)).is_valid())
}

#[test]
fn every_solution_that_plain_search_finds_satisfies_every_model() {
    let mut dice = Dice(2);
    let mut found = 0;
    for _ in 0..40 {
        let (instance, _) = random(3, &mut dice);
        for shown in shown_in_solutions(game(&instance)).into_iter().take(20) {
            found += 1;
            let placed = placements(game(&instance), &shown).expect("tiles of the game");
            let solution = Solution::on_faces(&instance.name, placed);
            for (name, taken, back) in verdicts(&instance, &solution) {
                assert!(taken, "{name} on {}", instance.canonical());
                assert_eq!(back, solution, "{name}");
            }
            assert!(!breaks(problem(&instance, "S1 S2 S3 S4 S5 S6 S7").as_ref(), &solution, ""));
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_formula_has_as_many_models_as_plain_search_finds_solutions() {
    let mut dice = Dice(3);
    let mut none = 0;
    for round in 0..60 {
        // Sums in units, and beyond what is counted so.
        let (instance, _) = random(if round % 2 == 0 { 3 } else { 60 }, &mut dice);
        let expected = shown_in_solutions(game(&instance)).len();
        if expected > 300 {
            continue;
        }
        none += usize::from(expected == 0);
        for cardinality in Cardinality::ALL {
            let formulation = plain(FormulationKind::Sat, Some(cardinality));
            let problem = build_sat(&formulation, &instance).expect("fits");
            let x = game(&instance).tiles.len() * game(&instance).sorts().options().count();
            let mut models = 0;
            each_model(problem.model(), x, &mut |values| {
                models += 1;
                assert!(verify(&instance, &problem.decode(values).expect("values of the model")).is_valid());
                ControlFlow::Continue(())
            });
            assert_eq!(models, expected, "{cardinality} on {}", instance.canonical());
        }
    }
    assert!(none > 2, "{none}");
}

/// Every arrangement of four tiles: 24 orders, 81 rotations.
fn arrangements() -> Vec<Vec<Placement>> {
    let mut all = Vec::new();
    for number in 0..4_usize.pow(4) * 81 {
        let tiles = [0, 1, 2, 3].map(|at| number / 81 / 4_usize.pow(at) % 4);
        if (0..4).all(|tile| tiles.contains(&tile)) {
            let lying = |(at, tile): (usize, usize)| Placement {
                place: at + 1,
                tile: tile + 1,
                orientation: number / 3_usize.pow(at as u32) % 3,
            };
            all.push(tiles.into_iter().enumerate().map(lying).collect());
        }
    }
    all
}

#[test]
fn with_symmetries_broken_one_arrangement_is_left_of_those_that_show_the_same() {
    let mut dice = Dice(4);
    let mut several = 0;
    for _ in 0..40 {
        let (instance, _) = random(2, &mut dice);
        let game = game(&instance);
        if game.tiles.len() != 4 {
            continue;
        }
        let (broken, free) = (problem(&instance, "S1 S2 S3 S4 S5"), problem(&instance, "S1 S2 S3"));
        let mut taken: BTreeMap<Vec<Option<[u32; 3]>>, (usize, usize)> = BTreeMap::new();
        for placements in arrangements() {
            let solution = Solution::on_faces(&instance.name, placements);
            let count = taken.entry(arranged(game, &solution.placements)).or_default();
            count.0 += usize::from(!breaks(free.as_ref(), &solution, ""));
            count.1 += usize::from(!breaks(broken.as_ref(), &solution, ""));
        }
        assert_eq!(taken.values().filter(|(all, _)| *all > 0).count(), shown_in_solutions(game).len());
        for (all, left) in taken.into_values() {
            assert_eq!(left, usize::from(all > 0), "of {all}: {}", instance.canonical());
            several += usize::from(all > 1);
        }
    }
    assert!(several > 10, "{several}");
}

#[test]
fn a_row_of_a_family_is_broken_by_what_the_family_forbids() {
    let mut dice = Dice(5);
    let mut seen: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for _ in 0..80 {
        let (instance, made_of) = random(4, &mut dice);
        let game = game(&instance);
        let problem = problem(&instance, "S1 S2 S3 S4 S5 S6 S7");
        for solution in [made_of.clone(), disturb(made_of, &mut dice)] {
            let on = |face: usize| solution.placements.iter().filter(|p| p.place == face).count();
            let uses = |tile: usize| solution.placements.iter().filter(|p| p.tile == tile).count();
            let weights = |vertex: usize| -> Vec<u32> {
                let shown = arranged(game, &solution.placements);
                let around = game.field.around(vertex).iter();
                around.filter_map(|&(face, corner)| Some(shown[face]?[corner])).collect()
            };
            let vertices = 0..game.capacity.len();
            let rules = [
                ("S1", game.tiles.iter().enumerate().any(|(face, _)| on(face + 1) != 1)),
                ("S2", game.tiles.iter().enumerate().any(|(tile, _)| uses(tile + 1) != 1)),
                ("S3", vertices.clone().any(|v| weights(v).iter().sum::<u32>() != game.capacity[v])),
                ("S4", solution.placements.iter().any(|p| is_turned(&instance, p))),
                (
                    "S6",
                    vertices.clone().any(|v| weights(v).iter().any(|&weight| !can_be_completed(&instance, v, weight))),
                ),
            ];
            for (family, expected) in rules {
                assert_eq!(breaks(problem.as_ref(), &solution, family), expected, "{family} {}", instance.canonical());
                seen.entry(family).or_default()[usize::from(expected)] += 1;
            }
            // S7 says nothing of what meets the capacities.
            let cut = breaks(problem.as_ref(), &solution, "S7");
            assert!(!cut || rules[0].1 || rules[2].1);
            seen.entry("S7").or_default()[usize::from(cut)] += 1;
        }
    }
    assert!(seen.values().all(|counts| counts.iter().all(|&count| count > 3)), "{seen:?}");
}

/// Whether a uniform tile lies in another rotation than 0, or than that in which it was placed.
fn is_turned(instance: &Instance, p: &Placement) -> bool {
    let game = game(instance);
    let tile = game.tiles[p.tile - 1];
    let due = game.placed.iter().find(|placed| placed.tile == p.tile).map_or(0, |placed| placed.orientation);
    rotated(tile, 1) == tile && p.orientation != due
}

/// Whether as many other tiles as there are faces around a vertex can have the rest of its capacity there, by their greatest and
/// least weights.
fn can_be_completed(instance: &Instance, vertex: usize, weight: u32) -> bool {
    let game = game(instance);
    let others = game.field.around(vertex).len() - 1;
    let mut greatest: Vec<u32> = game.tiles.iter().map(|tile| *tile.iter().max().expect("three")).collect();
    let mut least: Vec<u32> = game.tiles.iter().map(|tile| *tile.iter().min().expect("three")).collect();
    greatest.sort_unstable();
    least.sort_unstable();
    let most: u32 = greatest.iter().rev().take(others).sum();
    let fewest: u32 = least.iter().take(others).sum();
    (fewest + weight..=most + weight).contains(&game.capacity[vertex])
}

#[test]
fn values_of_another_number_are_refused_and_nothing_is_no_solution() {
    let instance = crate::common::tetrahedron();
    let mip = build_mip(&Formulation::of("f", LISTS[0]).expect("good"), &instance).expect("fits");
    let sat = build_sat(&plain(FormulationKind::Sat, None), &instance).expect("fits");
    let cp = build_cp(&plain(FormulationKind::Cp, None), &instance).expect("fits");
    assert!(mip.decode(&[]).is_err() && sat.decode(&[]).is_err() && cp.decode(&[]).is_err());
    let half = vec![0.5; mip.model().variables().len()];
    assert!(mip.decode(&half).is_err());
    let nothing = Solution::on_faces("t", Vec::new());
    for (name, taken, back) in verdicts(&instance, &nothing) {
        assert!(!taken && back.placements.is_empty(), "{name}");
    }
}
