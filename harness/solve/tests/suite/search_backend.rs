//! The searches of our own as a backend: options, statuses, and what a task makes of their solutions.

use std::collections::BTreeMap;
use std::time::Duration;

use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::hex::Axial;
use puzzle::{Instance, Solution};
use record::Status;
use solve::{
    Backend, BackendInfo, Deadline, Opened, Reports, Searcher, SessionOptions, Solve, SolveError, SolveStatus, Task,
    backend,
};

use crate::common::instance;
use crate::search::{PLAIN, first, formulation, natural};

/// The formulation and what the backend says under these options.
fn opened(threads: u32, options: &[(&str, &str)]) -> Result<Opened, SolveError> {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let session = SessionOptions { seed: 1, threads, options, ..SessionOptions::default() };
    backend("search").expect("it is there").open(FormulationKind::Search, &session)
}

#[test]
fn the_backend_refuses_what_it_does_not_have() {
    for options in [&[("restarts", "on")][..], &[("restarts", "off")], &[]] {
        assert!(opened(1, options).is_ok(), "{options:?}");
    }
    for options in [("restarts", "never"), ("Restarts", "on"), ("", "")] {
        assert!(matches!(opened(1, &[options]), Err(SolveError::Option { .. })), "{options:?}");
    }
    assert!(matches!(opened(2, &[]), Err(SolveError::Unsupported { .. })));
}

#[test]
fn a_task_of_kind_search_ends_with_its_status() {
    let row = instance(&[(0, 0), (1, 0), (2, 0)].map(Axial::from), "repeated", "");
    let cases = [
        (natural(5, "distinct", ""), None, Status::Optimal),
        (row, None, Status::Infeasible),
        (natural(5, "distinct", ""), Some(Duration::ZERO), Status::Timeout),
    ];
    for (instance, time, status) in &cases {
        for strategy in [Strategy::Walk, Strategy::Propagate] {
            let formulation = formulation(strategy, Holes::Report);
            let task = Task::build(&formulation, instance, &Deadline::default()).expect("makes sense");
            assert!(task.size().is_none(), "there is no model");
            let options = SessionOptions { seed: 1, threads: 1, ..SessionOptions::default() };
            let search = backend("search").expect("it is there");
            let answer = task.solve(search, &options, &Deadline::of(*time), &mut |_| {}).expect("an answer");
            assert_eq!(answer.status, *status, "{strategy}");
            assert_eq!(answer.solution.is_some(), *status == Status::Optimal);
            let last = answer.last.expect("a solve");
            assert!(last.nodes.is_some() && last.conflicts.is_some());
        }
    }
}

#[test]
fn the_walk_never_begins_anew() {
    let (instance, limit) = (natural(5, "distinct", ""), Deadline::default());
    for value in ["on", "off"] {
        let of = |strategy| formulation(strategy, Holes::Report);
        let options = BTreeMap::from([("restarts".to_owned(), value.to_owned())]);
        let fits = |strategy| solve::fits(backend("search").expect("there"), &of(strategy), &options);
        let walk = fits(Strategy::Walk);
        assert!(matches!(walk, Err(SolveError::Unsupported { .. })), "{value}: {walk:?}");
        fits(Strategy::Propagate).expect("its option");
        let Ok(Opened::Search(mut search)) = opened(1, &[("restarts", value)]) else { panic!("a search") };
        let solved = search.search(&instance, &of(Strategy::Propagate), &limit, &mut |_, _| ());
        let (outcome, _) = solved.expect("an answer");
        assert_eq!(outcome.status, SolveStatus::Optimal);
    }
}

/// A search that finds what it was given.
struct Fake(Solution);

impl Backend for Fake {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            name: "fake",
            kinds: &[FormulationKind::Search],
            interface: "none",
            reports: Reports::default(),
            install: None,
            runs: &[],
        }
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok("1".to_owned())
    }

    fn open(&self, _kind: FormulationKind, _options: &SessionOptions) -> Result<Opened, SolveError> {
        Ok(Opened::Search(Box::new(Self(self.0.clone()))))
    }
}

impl Searcher for Fake {
    fn search(
        &mut self,
        _instance: &Instance,
        _formulation: &Formulation,
        _deadline: &Deadline,
        _reached: &mut dyn FnMut(Solve, Solution),
    ) -> Result<(Solve, Option<Solution>), SolveError> {
        Ok((Solve::of(SolveStatus::Optimal, "found"), Some(self.0.clone())))
    }
}

#[test]
fn what_a_search_finds_is_checked() {
    let solved = |instance: &Instance, holes, solution: &Solution| {
        let formulation = formulation(Strategy::Walk, holes);
        let task = Task::build(&formulation, instance, &Deadline::default()).expect("makes sense");
        let options = SessionOptions { seed: 1, threads: 1, ..SessionOptions::default() };
        task.solve(&Fake(solution.clone()), &options, &Deadline::default(), &mut |_| {})
    };
    // The walk's first loop of 16 tiles has a hole.
    let instance = natural(16, "distinct", "colour = \"red\"");
    let good = first(&instance, Strategy::Walk, Holes::Report, PLAIN).1.expect("solvable");
    assert!(solved(&instance, Holes::Report, &good).is_ok());
    let with_hole = solved(&instance, Holes::Resolve, &good).expect_err("a hole is not wanted");
    assert!(
        matches!(&with_hole, SolveError::Broken { count: 1, first } if first.starts_with("no-hole")),
        "{with_hole}"
    );
    let mut bad = good;
    bad.placements[3].orientation = bad.placements[3].orientation % 6 + 1;
    let turned = solved(&instance, Holes::Report, &bad).expect_err("a turned tile does not match");
    assert!(matches!(turned, SolveError::Broken { .. }), "{turned}");
}
