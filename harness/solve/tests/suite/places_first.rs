//! The places first, then the tiles.

use std::collections::BTreeSet;
use std::path::Path;

use model::{FormulationKeys, FormulationKind, PRESETS};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Solution, verify};
use record::{Iteration, Lays, SOLVER_LIMIT, Status};
use solve::{Answer, Deadline, SolveError, Step, Task, backend};

use crate::common::{AMPLE, bounded, brute_force, natural, regular, run, seeded};
use crate::subjects::is_missing;

fn preset() -> FormulationKeys {
    PRESETS.iter().find(|preset| preset.name == "places-first").expect("a preset").written()
}

fn of(kind: FormulationKind, others: &[(&str, &str)]) -> FormulationKeys {
    FormulationKeys::new("f", kind, &[&[("places-first", "true")], others].concat())
}

fn answer(name: &str, formulation: FormulationKeys, instance: &Instance, seed: u64) -> (Answer, Vec<Iteration>) {
    let formulation = formulation.read().expect("good").seeded(seed);
    let (answer, solves) = run(backend(name).expect("it is there"), &formulation, instance, &seeded(seed), AMPLE);
    (answer.expect("an answer"), solves)
}

fn stored(name: &str) -> Instance {
    let file = format!("{}/../../instances/tantrix/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Instance::load(Path::new(&file)).expect("an instance")
}

#[test]
fn solvers_of_all_kinds_solve_boards_with_room_and_the_open_plane() {
    use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat};
    let colour = [("families", "C1 C2' C4c C5x C6x"), ("objective", "none")];
    for (name, written, instances) in [
        ("highs", preset(), ["bounded/n55-m75", "natural/distinct-n30"]),
        ("highs", of(Mip, &colour), ["bounded/n20-m27", "natural/n10"]),
        ("cadical", of(Mip, &colour), ["bounded/n30-m48", "natural/n10"]),
        ("cadical", of(Sat, &[("holes", "resolve")]), ["bounded/n30-m48", "natural/distinct-n20"]),
        ("cp-sat", of(Cp, &[]), ["bounded/n20-m37", "natural/n20"]),
        ("minizinc", of(Minizinc, &[("strategy", "first-fail")]), ["bounded/n10-m19", "natural/n8"]),
        ("clingo", of(Asp, &[]), ["bounded/n15-m27", "natural/n10"]),
    ] {
        if is_missing(backend(name).expect("it is there")) {
            continue;
        }
        for instance in instances.map(stored) {
            let (answer, solves) = answer(name, written.clone(), &instance, 1);
            let about = format!("{name}, {}", instance.name);
            assert_eq!(answer.status, Status::Optimal, "{about}");
            let solution = answer.solution.expect("a solution");
            assert_eq!(verify(&instance, &solution).violations, [], "{about}");
            assert_eq!(solves.last().expect("a solve").solution.as_ref(), Some(&solution), "{about}");
            // Solves are numbered and their times added up over all choices, which follow each other.
            let choices: Vec<u64> = solves.iter().map(|iteration| iteration.solve.choice.expect("one")).collect();
            assert!(choices[0] == 1 && choices.is_sorted_by(|a, b| a == b || *b == a + 1), "{about}: {choices:?}");
            assert!(solves.iter().map(|iteration| iteration.solve.iteration).eq(0..solves.len() as u64), "{about}");
            let mut seconds = 0.0;
            for Iteration { solve, .. } in &solves {
                seconds += solve.time_s;
                assert!((solve.cumulative_s - seconds).abs() < 1e-9, "{about}");
            }
            // What was cut off lies where the tiles lie.
            for Solution { placements, cuts, .. } in solves.iter().filter_map(|iteration| iteration.solution.as_ref()) {
                let lies = |place: usize| placements.iter().any(|placement| placement.place == place);
                assert!(cuts.iter().flatten().all(|(place, _)| lies(*place)), "{about}");
            }
            // With loop-first lines and tiles in turn, else neither.
            let lays: BTreeSet<bool> = solves.iter().filter_map(|i| Some(i.solve.lays? == Lays::Tiles)).collect();
            assert_eq!(lays.len(), if written.keys.contains_key("loop-first") { 2 } else { 0 }, "{about}");
        }
    }
}

/// What it finds is a solution, and where there is one it mostly finds one; a board without room it decides.
#[test]
fn small_boards_against_exhaustive_search() {
    let (mut found, mut missed, mut refuted, mut most) = (0, 0, 0, 0);
    for (kind, places) in [(BoardType::A, 7), (BoardType::B, 12)] {
        for (challenge, colour) in (3..=7).flat_map(|n| Colour::ALL[..3].iter().map(move |&colour| (n, colour))) {
            let instance = bounded(&regular(kind, places), challenge, colour);
            let is_solvable = brute_force(&instance).is_some();
            let (answer, solves) = answer("cadical", of(FormulationKind::Sat, &[]), &instance, 1);
            most = most.max(solves.last().and_then(|last| last.solve.choice).unwrap_or_default());
            let broken = answer.solution.as_ref().map(|solution| verify(&instance, solution).violations);
            assert_eq!(broken.unwrap_or_default(), [], "{}", instance.name);
            let about = format!("{challenge} {colour} in {places}: {answer:?}");
            match answer.status {
                Status::Optimal => found += 1,
                Status::Infeasible => {
                    assert!(!is_solvable, "{about}");
                    refuted += 1;
                }
                // No other places are left to choose.
                Status::Timeout => {
                    assert_eq!(answer.reason, SOLVER_LIMIT, "{about}");
                    missed += usize::from(is_solvable);
                }
                _ => panic!("{about}"),
            }
            if challenge == places {
                assert_eq!(answer.status == Status::Optimal, is_solvable, "{about}");
                assert!(solves.iter().all(|iteration| iteration.solve.choice == Some(1)), "{about}");
            }
        }
    }
    assert!(found > 8 && refuted > 0 && missed <= 1 && most > 3, "{found} {refuted} {missed} {most}");
}

#[test]
fn a_seed_decides_which_places_are_chosen() {
    let instance = natural(8);
    let places = |seed| {
        let (answer, _) = answer("cadical", of(FormulationKind::Sat, &[]), &instance, seed);
        let solution = answer.solution.expect("a solution");
        solution.placements.iter().map(|placement| placement.place).collect::<Vec<_>>()
    };
    let found: BTreeSet<Vec<usize>> = (1..=5).map(places).collect();
    assert!(found.len() > 1 && places(3) == places(3), "{found:?}");
}

/// The model that was built first is the one that rows tell the size of, also where choices follow; a program is sized when it is compiled.
#[test]
fn the_first_model_is_told_of() {
    for (name, kind) in [("cadical", FormulationKind::Sat), ("clingo", FormulationKind::Asp)] {
        let backend = backend(name).expect("it is there");
        if is_missing(backend) {
            continue;
        }
        let (formulation, instance) = (of(kind, &[]).read().expect("good").seeded(1), stored("natural/n10"));
        let task = Task::build(&formulation, &instance, &Deadline::default()).expect("fits");
        let (mut sized, mut choices) = (usize::from(task.size().is_some()), 0);
        let deadline = Deadline::of(Some(AMPLE));
        let answer = task.solve(backend, &seeded(1), &deadline, &mut |step| match step {
            Step::Built(_) => sized += 1,
            Step::Solved(iteration) => choices = iteration.solve.choice.expect("one"),
            Step::Solving(_) => {}
        });
        assert_eq!((answer.expect("an answer").status, sized), (Status::Optimal, 1), "{name}");
        assert!(choices > 1, "{name}");
    }
}

/// Chosen places are not all: that they have no solution proves nothing of the puzzle.
#[test]
fn proofs_are_refused() {
    let formulation = of(FormulationKind::Sat, &[]).read().expect("good");
    let options = solve::SessionOptions { proof: Some("never.drat".into()), ..seeded(1) };
    let (answer, solves) =
        run(backend("cadical").expect("built in"), &formulation, &stored("bounded/n10-m19"), &options, AMPLE);
    assert!(matches!(answer, Err(SolveError::Unsupported { .. })) && solves.is_empty(), "{answer:?}");
}
