//! What a program of its own costs beside a library, and how far the programs get.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use model::{Formulation, FormulationKind};
use puzzle::Instance;
use solve::{Limits, Step, Task, backend};

use super::support::{installed, small};
use crate::common::{mip, problem, seeded, to_the_end};

/// A solvable board of those that come with the project.
fn stored(tiles: usize) -> Instance {
    let file = format!("{}/../../instances/tantrix/fixed/n{tiles}-round.toml", env!("CARGO_MANIFEST_DIR"));
    Instance::parse(&fs::read_to_string(&file).expect("there"), Path::new(&file)).expect("an instance")
}

#[test]
#[ignore = "measures"]
fn one_call_of_a_program() {
    const CALLS: u32 = 50;
    let model = small();
    for name in ["cbc", "cbc-exe", "glpk", "highs", "highs-exe", "scip"] {
        let Some(backend) = installed(name) else { continue };
        let mut session = mip(backend, &seeded(1)).expect("opened");
        session.solve(&model, None).expect("solved");
        let start = Instant::now();
        for _ in 0..CALLS {
            session.solve(&model, None).expect("solved");
        }
        println!("{name}: {:.2} ms a solve", start.elapsed().as_secs_f64() * 1e3 / f64::from(CALLS));
    }
}

#[test]
#[ignore = "measures"]
fn boards_of_ten_and_twenty() {
    for tiles in [10, 20] {
        let instance = stored(tiles);
        for name in ["highs", "cbc", "cbc-exe", "glpk", "highs-exe", "scip"] {
            let Some(found) = installed(name).or(backend(name).ok()) else { continue };
            let mut session = mip(found, &seeded(1)).expect("opened");
            let mut problem = problem(&instance, "C1 C2' C4c C5x C6x C7 C8 C9");
            let start = Instant::now();
            let answer = to_the_end(problem.as_mut(), session.as_mut(), Some(Duration::from_secs(30)));
            let said = answer.map_or_else(|e| e.to_string(), |answer| format!("{:?}", answer.status));
            println!("{tiles} tiles, {name}: {said} after {:.2} s", start.elapsed().as_secs_f64());
        }
    }
}

#[test]
#[ignore = "measures"]
fn boards_as_clauses() {
    for tiles in [10, 20, 30] {
        let instance = stored(tiles);
        let formulation = Formulation::plain("f", FormulationKind::Sat);
        for name in ["kissat", "cadical-exe", "cryptominisat5", "minisat"] {
            let Some(found) = installed(name) else { continue };
            let task = Task::build(&formulation, &instance).expect("makes sense");
            let limits = Limits { time: Some(Duration::from_secs(30)) };
            let (start, mut solves) = (Instant::now(), 0);
            let answer = task
                .solve(found, &seeded(1), limits, &mut |step| solves += u32::from(matches!(step, Step::Solving(_))));
            let said = answer.map_or_else(|e| e.to_string(), |answer| format!("{:?}", answer.status));
            println!("{tiles} tiles, {name}: {said} after {:.2} s, {solves} solves", start.elapsed().as_secs_f64());
        }
    }
}
