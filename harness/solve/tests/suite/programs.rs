//! 3SoKu by the solvers of programs: they find a solution where plain search finds one, and only there.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use model::{Fact, Formulation, FormulationKind, Program, Size, build_program};
use puzzle::soku::rotated;
use puzzle::{Instance, Placement, Solution, verify};
use record::Status;
use solve::{
    Answer, BACKENDS, Backend, BackendInfo, Deadline, Opened, Prepared, ProgramSolver, Reports, SessionOptions, Solve,
    SolveError, SolveStatus, Solved, Step, Task,
};

use crate::common::{AMPLE, seeded, tetrahedron};
use crate::soku::{all_by_brute_force, brute_force, game, icosoku, soku};
use crate::subjects::is_missing;

/// The capacities that Rizzo's section 3.3 and listing 10 have, in the order A to L.
const RIZZO: [u32; 12] = [8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12];

/// Backends of programs that are on this machine.
fn backends() -> impl Iterator<Item = &'static dyn Backend> {
    let of_programs = |backend: &&dyn Backend| {
        backend.info().kinds.iter().all(|kind| [FormulationKind::Minizinc, FormulationKind::Asp].contains(kind))
    };
    BACKENDS.iter().copied().filter(of_programs).filter(|backend| !is_missing(*backend))
}

/// With and without symmetry breaking, in other words where there are any, and with a search of its own.
fn formulations(backend: &dyn Backend) -> Vec<Formulation> {
    let plain = Formulation::plain("f", backend.info().kinds[0]);
    let free = plain.with("symmetry-breaking", false).expect("good");
    let others = [("one-variable", "true"), ("redundant-sums", "true"), ("strategy", "random-restarts")];
    let others: Vec<_> = others.iter().filter_map(|(key, value)| plain.with(key, value).ok()).collect();
    [plain, free].into_iter().chain(others).collect()
}

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// Games with solutions, games near them without, and games with tiles placed, which leave one or not.
fn games() -> Vec<Instance> {
    let mut games = vec![tetrahedron()];
    for (field, faces, vertices, seeds) in [("tetrahedron", 4, 4, 10), ("octahedron", 8, 6, 4)] {
        for seed in 0..seeds {
            let mut numbers = Numbers(seed);
            let mut tiles: Vec<[u32; 3]> = (0..faces).map(|_| [0; 3].map(|_| numbers.below(4))).collect();
            // Equal tiles and uniform ones, since it is they that symmetry breaking is about.
            tiles[1] = tiles[0];
            tiles[2] = [numbers.below(3); 3];
            let zero = game(field, &vec![0; vertices], &tiles, &[]);
            let mut capacity = vec![0; vertices];
            let laid: Vec<Placement> = (0..faces)
                .map(|face| Placement {
                    place: face + 1,
                    tile: (face + 1) % faces + 1,
                    orientation: numbers.below(3) as usize,
                })
                .collect();
            for placement in &laid {
                let weights = rotated(tiles[placement.tile - 1], placement.orientation);
                for (corner, vertex) in soku(&zero).field.faces()[placement.place - 1].into_iter().enumerate() {
                    capacity[vertex] += weights[corner];
                }
            }
            let moved = (0..seed % 4).fold(capacity, |mut capacity, _| {
                let (from, to) = (numbers.below(vertices as u32) as usize, numbers.below(vertices as u32) as usize);
                if capacity[from] > 0 {
                    capacity[from] -= 1;
                    capacity[to] += 1;
                }
                capacity
            });
            // Equal tiles in the wrong order, and the uniform one rotated.
            let uniform = laid.iter().find(|p| p.tile == 3).copied().expect("it lies");
            let placed = [laid[0], Placement { orientation: 1, ..uniform }];
            games.push(game(field, &moved, &tiles, if seed % 2 == 0 { &[] } else { &placed }));
        }
    }
    games
}

fn solve(
    backend: &dyn Backend,
    formulation: &Formulation,
    instance: &Instance,
    options: &SessionOptions,
    time: Duration,
) -> Result<(Answer, Vec<&'static str>), SolveError> {
    let task = Task::build(formulation, instance, &Deadline::default()).expect("a formulation that fits");
    let mut steps = Vec::new();
    let answer = task.solve(backend, options, &Deadline::of(Some(time)), &mut |step| {
        steps.push(match step {
            Step::Built(size) => {
                assert!(size.constraints > 0, "{size:?}");
                "built"
            }
            Step::Solving(0) => "solving",
            Step::Solved(iteration) => {
                assert!(iteration.solve.variables.is_some() && iteration.solve.loops.is_none(), "{iteration:?}");
                "solved"
            }
            Step::Solving(index) => panic!("solve {index}"),
        });
    })?;
    Ok((answer, steps))
}

#[test]
fn they_agree_with_plain_search() {
    let games = games();
    let solvable: Vec<bool> = games.iter().map(|game| brute_force(game).is_some()).collect();
    let count = solvable.iter().filter(|solvable| **solvable).count();
    assert!(count > 4 && count + 4 < games.len(), "a fair mix: {solvable:?}");
    for backend in backends() {
        let formulations = formulations(backend);
        for (index, (game, &solvable)) in games.iter().zip(&solvable).enumerate() {
            // All of them on the first ones, one after the other on the rest.
            let chosen = if index < 5 { &formulations[..] } else { &formulations[index % formulations.len()..][..1] };
            for formulation in chosen {
                // A new beginning after every hundred nodes, which may not do for a proof.
                if formulation.written().keys.contains_key("strategy") && !solvable {
                    continue;
                }
                let (answer, steps) = solve(backend, formulation, game, &seeded(1), AMPLE).expect("an answer");
                let expected = if solvable { Status::Optimal } else { Status::Infeasible };
                assert_eq!(answer.status, expected, "{formulation:?} on {}", game.canonical());
                assert_eq!(answer.solution.is_some(), solvable);
                assert_eq!(steps, ["built", "solving", "solved"]);
                if let Some(solution) = &answer.solution {
                    assert_eq!(verify(game, solution).violations, []);
                    let (reports, last) = (backend.info().reports, answer.last.as_ref().expect("a solve"));
                    assert_eq!((last.nodes.is_some(), last.conflicts.is_some()), (reports.nodes, reports.conflicts));
                    assert_eq!(last.propagations.is_some(), reports.propagations);
                }
            }
        }
    }
}

/// Every way to say the game in MiniZinc has all solutions and no others.
#[test]
fn models_in_minizinc_have_the_solutions_of_plain_search() {
    let minizinc = solve::backend("minizinc").expect("it is there");
    if is_missing(minizinc) {
        return;
    }
    let plain = Formulation::plain("f", FormulationKind::Minizinc).with("symmetry-breaking", false).expect("good");
    let [one, redundant] = ["one-variable", "redundant-sums"].map(|key| plain.with(key, true).expect("good"));
    let both = one.with("redundant-sums", true).expect("good");
    let variants = [plain, redundant, one, both];
    let games: Vec<Instance> = games().into_iter().filter(|game| soku(game).tiles.len() == 4).step_by(3).collect();
    let expected: Vec<BTreeSet<Vec<(usize, usize)>>> =
        games.iter().map(|game| all_by_brute_force(game).iter().map(lying).collect()).collect();
    assert!(expected.iter().any(BTreeSet::is_empty) && expected.iter().any(|all| all.len() > 1), "{expected:?}");
    for formulation in &variants {
        for (game, expected) in games.iter().zip(&expected) {
            let program = build_program(formulation, game).expect("a program");
            assert_eq!(&all_by_minizinc(&program), expected, "{formulation:?} on {}", game.canonical());
        }
    }
}

/// Of solutions that differ by equal tiles alone, and by rotations of tiles with equal weights, symmetry breaking keeps one.
#[test]
fn symmetry_breaking_keeps_one_of_each_class() {
    let minizinc = solve::backend("minizinc").expect("it is there");
    if is_missing(minizinc) {
        return;
    }
    // Tile 1 is turned in three ways, and the other three stand in for each other: each solution is one of 18.
    let instance = game("tetrahedron", &[3, 3, 3, 3], &[[1, 1, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2]], &[]);
    let all = all_by_brute_force(&instance).len();
    assert!(all > 0 && all.is_multiple_of(18), "{all}");
    for key in ["symmetry-breaking", "one-variable"] {
        let formulation = Formulation::plain("f", FormulationKind::Minizinc).with(key, true).expect("good");
        let program = build_program(&formulation, &instance).expect("a program");
        assert_eq!(all_by_minizinc(&program).len(), all / 18, "{key}");
    }
}

/// Tile and rotation by face.
fn lying(solution: &Solution) -> Vec<(usize, usize)> {
    solution.placements.iter().map(|placement| (placement.tile, placement.orientation)).collect()
}

/// All solutions that MiniZinc prints of a program.
fn all_by_minizinc(program: &Program) -> BTreeSet<Vec<(usize, usize)>> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("all.mzn");
    std::fs::write(&path, program.text()).expect("written");
    let output = Command::new("minizinc").args(["--solver", "gecode", "-a"]).arg(&path).output().expect("it runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let of_one = |text: &str| {
        let facts: Vec<Fact> = text.lines().flat_map(facts).collect();
        lying(&program.decode(&facts).expect("a solution"))
    };
    let mut solutions: Vec<&str> = printed.split("----------\n").collect();
    solutions.pop();
    let all: BTreeSet<_> = solutions.iter().map(|text| of_one(text)).collect();
    assert_eq!(all.len(), solutions.len(), "each of them once");
    all
}

/// The entries of `name = [...];`.
fn facts(line: &str) -> Vec<Fact> {
    let Some((name, list)) = line.split_once(" = ") else { return Vec::new() };
    let (_, list) = list.split_once('[').expect("a list");
    let numbers = list.trim_end_matches([']', ')', ';']).split(", ").map(|number| number.parse().expect("a number"));
    (1..).zip(numbers).map(|(index, number)| Fact { name: name.to_owned(), arguments: vec![index, number] }).collect()
}

#[test]
fn they_solve_an_icosoku() {
    let instance = icosoku(RIZZO);
    for backend in backends() {
        // Without random restarts Gecode may search for minutes.
        let formulation = formulations(backend).pop().expect("there are some");
        let formulation = formulation.with("symmetry-breaking", true).expect("good");
        for (seed, threads) in [(1, 1), (2, 2)] {
            let options = SessionOptions { threads, ..seeded(seed) };
            let (answer, _) = solve(backend, &formulation, &instance, &options, AMPLE).expect("an answer");
            assert_eq!((answer.status, answer.reason.as_str()), (Status::Optimal, "solved"));
            assert_eq!(verify(&instance, &answer.solution.expect("solved")).violations, []);
        }
    }
}

/// Twenty faces and the sum that a partition would need, which it does not have: nobody proves that fast.
fn endless() -> Instance {
    let tiles: Vec<[u32; 3]> = (0..20).map(|index| [101 + 2 * index, 7, 150 + 17 * index % 90]).collect();
    let total: u32 = tiles.iter().flatten().sum();
    let mut capacity = vec![total / 12; 12];
    capacity[0] += total % 12;
    game("icosahedron", &capacity, &tiles, &[])
}

#[test]
fn they_stop_when_the_time_is_over() {
    let instance = endless();
    for backend in backends() {
        let plain = &formulations(backend)[0];
        for limit in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(300)] {
            let start = Instant::now();
            let (answer, _) = solve(backend, plain, &instance, &seeded(1), limit).expect("a limit is no error");
            assert!(start.elapsed() < limit + Duration::from_secs(4), "{:?} instead of {limit:?}", start.elapsed());
            assert_eq!((answer.status, answer.reason.as_str()), (Status::Timeout, "soft-limit"), "{answer:?}");
        }
    }
}

/// A compiler that takes its time, all of it and more.
struct Slow;

/// How long it takes.
const SLOW: Duration = Duration::from_millis(20);

impl Backend for Slow {
    fn info(&self) -> BackendInfo {
        let kinds = &[FormulationKind::Minizinc];
        BackendInfo { name: "slow", kinds, interface: "a test", reports: Reports::default(), install: None, runs: &[] }
    }

    fn version(&self, _: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok("1".to_owned())
    }

    fn open(&self, _: FormulationKind, _: &SessionOptions) -> Result<Opened, SolveError> {
        Ok(Opened::Program(Box::new(Self)))
    }
}

impl ProgramSolver for Slow {
    fn prepare(&mut self, _: &Program, _: &Deadline) -> Result<Prepared, SolveError> {
        thread::sleep(SLOW);
        Ok(Prepared::Ready(Size { variables: 1, constraints: 1, nonzeros: 1 }))
    }

    fn solve(&mut self, deadline: &Deadline) -> Result<Solved<Fact>, SolveError> {
        assert!(deadline.left().is_some_and(|left| left > Duration::ZERO), "{deadline:?}");
        Ok(Solved::without_values(Solve::of(SolveStatus::Infeasible, "none")))
    }
}

#[test]
fn no_solve_is_begun_after_compiling_took_all_the_time() {
    let plain = Formulation::plain("f", FormulationKind::Minizinc);
    let solve = |limit| solve(&Slow, &plain, &endless(), &seeded(1), limit).expect("an answer");
    let (answer, steps) = solve(SLOW / 2);
    assert_eq!((answer.status, answer.reason.as_str(), steps), (Status::Timeout, "soft-limit", vec!["built"]));
    let (answer, steps) = solve(AMPLE);
    assert_eq!((answer.status, steps), (Status::Infeasible, vec!["built", "solving", "solved"]));
}

#[test]
fn a_session_solves_one_program_after_another() {
    for backend in backends() {
        let kind = backend.info().kinds[0];
        let Opened::Program(mut solver) = backend.open(kind, &seeded(1)).expect("opened") else { panic!("a program") };
        assert!(solver.solve(&Deadline::default()).is_err(), "nothing was prepared");
        let impossible = game("tetrahedron", &[1, 2, 3, 5], &soku(&tetrahedron()).tiles, &[]);
        for (instance, status) in [
            (tetrahedron(), SolveStatus::Optimal),
            (impossible, SolveStatus::Infeasible),
            (tetrahedron(), SolveStatus::Optimal),
        ] {
            let program = build_program(&Formulation::plain("f", kind), &instance).expect("a program");
            let prepared = solver.prepare(&program, &Deadline::default()).expect("prepared");
            assert!(matches!(prepared, Prepared::Ready(_)), "{prepared:?}");
            // The same again, with and without a limit.
            for limit in [None, Some(AMPLE)] {
                assert_eq!(solver.solve(&Deadline::of(limit)).expect("an answer").outcome.status, status);
            }
        }
    }
}
