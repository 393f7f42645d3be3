//! The formulations under which the conformance suite tests a backend.

use std::collections::BTreeMap;

use model::{Cardinality, Formulation, FormulationKind, Holes};
use puzzle::Instance;
use puzzle::tantrix::FIXED;
use solve::{Backend, SolveError};

/// On fixed boards: the fastest and the slowest way to say the same, and the slowest with equal tiles in order.
const FULL: [&str; 3] = ["C1 C2' C4c C5x C6x", "C1 C2 C3 C4 C5", "C1 C2 C2o C3 C4 C5"];

/// On boards with room.
const SPARSE: [&str; 1] = ["B1 B3 B45c C5x"];

/// Formulations whose answers are solutions of the puzzle, for every kind that a backend takes: those that differ in
/// what the solver has to do.
pub fn formulations(backend: &dyn Backend, instance: &Instance) -> Vec<Formulation> {
    let full = instance.puzzle.kind() == FIXED;
    let families: &[&str] = if full { &FULL } else { &SPARSE };
    let info = backend.info();
    let of_kind = |kind: &FormulationKind| match kind {
        FormulationKind::Mip => {
            let again: Vec<_> = families.iter().map(|families| Formulation::of("f", families).expect("good")).collect();
            let lazy =
                again.iter().filter(|_| info.reports.lazy_cuts).map(|f| f.with("subloops", "lazy").expect("good"));
            again.iter().cloned().chain(lazy).collect()
        }
        FormulationKind::Sat => {
            let plain = Formulation::plain("f", FormulationKind::Sat);
            let counting = [Cardinality::Totalizer, Cardinality::Sequential].map(|cardinality| {
                plain.with("cardinality", cardinality).expect("good").with("short-loops", 0).expect("good")
            });
            with_propagation(counting.to_vec(), info.reports.single_loop)
        }
        FormulationKind::Cp => {
            let plain = Formulation::plain("f", FormulationKind::Cp).with("short-loops", 0).expect("good");
            with_propagation(vec![plain], info.reports.single_loop)
        }
        kind => vec![Formulation::plain("f", *kind)],
    };
    let clean = |formulation: Formulation| match full {
        true => formulation,
        false => formulation.with("holes", Holes::Resolve).expect("good"),
    };
    info.kinds.iter().flat_map(of_kind).map(clean).collect()
}

fn with_propagation(mut formulations: Vec<Formulation>, able: bool) -> Vec<Formulation> {
    if able {
        let propagating = formulations[0].with("subloops", "propagate").expect("good");
        formulations.push(propagating);
    }
    formulations
}

/// Formulations on fixed boards that leave subloops as they are; searches have none.
pub fn reporting(backend: &dyn Backend) -> Vec<Formulation> {
    let of_kind = |kind: &FormulationKind| match kind {
        FormulationKind::Mip => Some(Formulation::of("f", "C1 C2' C4c").expect("good")),
        FormulationKind::Search => None,
        kind => {
            let report = Formulation::plain("f", *kind).with("subloops", "report").expect("good");
            let has_short_loops = matches!(kind, FormulationKind::Sat | FormulationKind::Cp);
            Some(if has_short_loops { report.with("short-loops", 0).expect("good") } else { report })
        }
    };
    backend.info().kinds.iter().filter_map(of_kind).collect()
}

/// Lists backends that must not be skipped, separated by spaces.
const NEEDED: &str = "TILEBENCH_TEST_PROGRAMS";

/// Fails where a backend that is missing must not be.
pub fn may_be_missing(name: &str, error: &SolveError) {
    let needed = std::env::var(NEEDED).unwrap_or_default();
    assert!(!needed.split_whitespace().any(|needed| needed == name), "{NEEDED} names {name}: {error}");
}

/// Whether a backend is not on this machine, which is said.
pub fn is_missing(backend: &dyn Backend) -> bool {
    match backend.version(&BTreeMap::new()) {
        Err(error @ (SolveError::Missing { .. } | SolveError::Licence { .. })) => {
            may_be_missing(backend.info().name, &error);
            eprintln!("not tested here: {error}");
            true
        }
        _ => false,
    }
}

/// Whether each solve starts a program, so that there should not be thousands of them.
pub fn is_slow_to_start(backend: &dyn Backend) -> bool {
    backend.info().install.is_some()
}
