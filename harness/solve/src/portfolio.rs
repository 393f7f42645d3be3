//! The search of the formulation, CaDiCaL and searches with other seeds side by side: the first answer counts, the others are stopped.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use model::{Formulation, FormulationKeys, Holes, Strategy};
use puzzle::{Instance, Solution};

use crate::backend::*;
use crate::search::Search;
use crate::{Limits, Task};

const NAME: &str = "portfolio";

/// How long the search has for itself: what it solves meanwhile needs no clauses.
const HEAD_START: Duration = Duration::from_millis(10);

/// Most places of boards that are made into clauses: building them cannot be stopped.
const MOST_PLACES: u64 = 400;

pub(crate) struct Portfolio;

impl Backend for Portfolio {
    fn info(&self) -> BackendInfo {
        let reports = Reports { nodes: false, conflicts: false, propagations: false, threads: true, ..Reports::SAT };
        BackendInfo::of(NAME, &[FormulationKind::Search], "tilebench's own, with cadical", reports)
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(format!("search {}, cadical {}", Search.version(options)?, cadical()?.version(options)?))
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        of_kind(NAME, FormulationKind::Search, kind)?;
        if let Some((option, value)) = options.options.first_key_value() {
            return Err(refused(NAME, option, value));
        }
        Ok(Opened::Search(Box::new(Members { options: options.clone() })))
    }
}

struct Members {
    options: SessionOptions,
}

type Found = (&'static str, Result<(Solve, Option<Solution>), SolveError>);

impl Searcher for Members {
    fn search(
        &mut self,
        instance: &Instance,
        formulation: &Formulation,
        time_limit: Option<Duration>,
    ) -> Result<(Solve, Option<Solution>), SolveError> {
        let strategy = formulation.search()?.strategy;
        if !matches!(strategy, Strategy::Propagate | Strategy::Parts) {
            return Err(unsupported(
                NAME,
                format!("strategy = \"{strategy}\": it has no seed, or is measured as it is"),
            ));
        }
        let begun = Instant::now();
        let left = || time_limit.map(|limit| limit.saturating_sub(begun.elapsed()));
        let stop = Stop::default();
        let options =
            |seed| SessionOptions { seed, threads: 1, verbose: false, stop: stop.clone(), ..self.options.clone() };
        let by_search = |seed, tell: Sender<Found>| {
            let solver = Search.open(FormulationKind::Search, &options(seed));
            let answer = solver.and_then(|opened| match opened {
                Opened::Search(mut search) => search.search(instance, formulation, left()),
                _ => Err(SolveError::call(NAME, "open", "no search")),
            });
            // Nobody listens once there is an answer.
            let _ = tell.send(("search", answer));
        };
        let by_clauses = |tell: Sender<Found>| {
            let answer = clauses(instance, formulation).and_then(|clauses| {
                let task = Task::build(&clauses, instance)?;
                let answer =
                    task.solve(cadical()?, &options(self.options.seed), Limits { time: left() }, &mut |_| ())?;
                Ok((answer.last.unwrap_or_else(|| Solve::of(SolveStatus::Timeout, "no time left")), answer.solution))
            });
            let _ = tell.send(("cadical", answer));
        };
        thread::scope(|scope| {
            let (tell, told) = channel();
            let seed = self.options.seed;
            let mut running = 1;
            let first = tell.clone();
            scope.spawn(move || by_search(seed, first));
            let mut early = told.recv_timeout(HEAD_START).ok();
            if early.as_ref().is_none_or(|found| !is_answer(found)) {
                if instance.facts().places.is_none_or(|places| places <= MOST_PLACES) {
                    let tell = tell.clone();
                    scope.spawn(move || by_clauses(tell));
                    running += 1;
                }
                // A core for each, of those that the run has.
                for more in 2..u64::from(self.options.threads) {
                    let tell = tell.clone();
                    scope.spawn(move || by_search(seed.wrapping_add(more), tell));
                    running += 1;
                }
            }
            drop(tell);
            let mut last: Option<Found> = None;
            while running > 0 {
                let Some(found) = early.take().or_else(|| told.recv().ok()) else { break };
                running -= 1;
                let is_answer = is_answer(&found);
                // A limit says more than a member that failed.
                if is_answer || last.as_ref().is_none_or(|(_, answer)| answer.is_err()) {
                    last = Some(found);
                }
                if is_answer {
                    break;
                }
            }
            stop.now();
            let (member, answer) = last.ok_or_else(|| SolveError::call(NAME, "search", "nobody answered"))?;
            let (solve, solution) = answer?;
            let word = solve.native_status.unwrap_or_default();
            Ok((Solve::of(solve.status, format!("{member}: {word}")), solution))
        })
    }
}

fn is_answer((_, answer): &Found) -> bool {
    answer.as_ref().is_ok_and(|(solve, _)| matches!(solve.status, SolveStatus::Optimal | SolveStatus::Infeasible))
}

/// Which a build may leave out.
fn cadical() -> Result<&'static dyn Backend, SolveError> {
    crate::backend("cadical")
}

/// The same puzzle as clauses, with subloops cut off while they are solved.
fn clauses(instance: &Instance, search: &Formulation) -> Result<Formulation, SolveError> {
    let plain = FormulationKeys::new(NAME, FormulationKind::Sat, &[]);
    let keys = match (instance.puzzle.has_loops(), search.holes()) {
        (false, _) => plain,
        (true, Holes::Report) => plain.with("subloops", "propagate"),
        (true, Holes::Resolve) => {
            plain.with("subloops", "propagate").with("holes", Holes::Resolve).with("around-empty", 5)
        }
    };
    Ok(keys.read()?)
}
