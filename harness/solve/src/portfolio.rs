//! The search of the formulation, CaDiCaL and searches with other seeds side by side: the first answer counts, the others are stopped.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use model::{Formulation, FormulationKeys, Holes, Strategy, build_sat};
use puzzle::{Instance, Solution};

use crate::backend::*;
use crate::linked::linked;
use crate::resolve::resolve;
use crate::search::Search;

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
        Ok(format!("search {}, cadical {}", Search.version(options)?, cadical().version(options)?))
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn suits(&self, formulation: &Formulation, _options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        match formulation.strategy()? {
            Strategy::Propagate | Strategy::Parts => Ok(()),
            other => Err(unsupported(NAME, format!("strategy = \"{other}\"; it runs propagate and parts"))),
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        if let Some((option, value)) = options.options.first_key_value() {
            return Err(refused(NAME, option, value));
        }
        // What CaDiCaL refuses is said before any time is spent.
        cadical().open(FormulationKind::Sat, &SessionOptions { threads: 1, ..options.clone() })?;
        Ok(Opened::Search(Box::new(Members { options: options.clone(), head_start: HEAD_START })))
    }
}

struct Members {
    options: SessionOptions,
    head_start: Duration,
}

/// The name of the member, and its answer.
type Found = (String, Result<(Solve, Option<Solution>), SolveError>);

impl Searcher for Members {
    fn search(
        &mut self,
        instance: &Instance,
        formulation: &Formulation,
        deadline: &Deadline,
        _reached: &mut dyn FnMut(Solve, Solution),
    ) -> Result<(Solve, Option<Solution>), SolveError> {
        let deadline = &deadline.apart();
        let options = |seed| SessionOptions { seed, threads: 1, verbose: false, ..self.options.clone() };
        let by_search = |seed, tell: Sender<Found>| {
            let solver = Search.open(FormulationKind::Search, &options(seed));
            let answer = solver.and_then(|opened| match opened {
                Opened::Search(mut search) => search.search(instance, formulation, deadline, &mut |_, _| ()),
                _ => Err(SolveError::call(NAME, "open", "no search")),
            });
            // Nobody listens once there is an answer.
            let _ = tell.send((format!("search (seed {seed})"), answer));
        };
        let by_clauses = |tell: Sender<Found>| {
            let answer = clauses(instance, formulation).and_then(|clauses| {
                let mut problem = build_sat(&clauses, instance)?;
                let Opened::Sat(mut session) = cadical().open(FormulationKind::Sat, &options(self.options.seed))?
                else {
                    return Err(SolveError::call(NAME, "open", "no clauses"));
                };
                let answer = resolve(problem.as_mut(), session.as_mut(), deadline, &mut |_| ())?;
                Ok((answer.last.unwrap_or_else(|| Solve::of(SolveStatus::Timeout, "no time left")), answer.solution))
            });
            let _ = tell.send(("cadical".to_owned(), answer));
        };
        thread::scope(|scope| {
            let (tell, told) = channel();
            let seed = self.options.seed;
            let first = tell.clone();
            scope.spawn(move || by_search(seed, first));
            let early = told.recv_timeout(self.head_start).ok();
            if early.as_ref().is_none_or(|found| !settles(found)) && !deadline.is_over() {
                let mut members = 1;
                if places(instance) <= MOST_PLACES {
                    let tell = tell.clone();
                    scope.spawn(move || by_clauses(tell));
                    members += 1;
                }
                // A core for each, of those that the run has.
                for more in members..u64::from(self.options.threads) {
                    let tell = tell.clone();
                    scope.spawn(move || by_search(seed.wrapping_add(more), tell));
                }
            }
            drop(tell);
            let mut last = None;
            for found in early.into_iter().chain(told.iter()) {
                let is_settled = settles(&found);
                last = Some(found);
                if is_settled {
                    break;
                }
            }
            deadline.stop();
            let (member, answer) = last.ok_or_else(|| SolveError::call(NAME, "search", "nobody answered"))?;
            let (solve, solution) = answer?;
            let word = solve.native_status.unwrap_or_default();
            Ok((Solve::of(solve.status, format!("{member}: {word}")), solution))
        })
    }
}

/// Whether nobody else need go on: an answer, or a failure, which no answer of another shall hide.
fn settles((_, answer): &Found) -> bool {
    let is_answer = |status| matches!(status, SolveStatus::Optimal | SolveStatus::Infeasible);
    answer.as_ref().map_or(true, |(solve, _)| is_answer(solve.status))
}

/// Places of the board; of the first one on the open plane, which has a fifth more than there are tiles.
fn places(instance: &Instance) -> u64 {
    let facts = instance.facts();
    facts.places.or(facts.challenge.map(|tiles| (6 * tiles).div_ceil(5))).unwrap_or(0)
}

/// Of a build without it there is no portfolio.
fn cadical() -> &'static dyn Backend {
    linked!("cadical", crate::cadical::Cadical, crate::linked::CADICAL)
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn answer(name: &str, threads: u32, holes: Holes) -> (SolveStatus, String) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix").join(name);
        let instance = Instance::load(&file).expect("a good instance");
        let keys = FormulationKeys::new("f", FormulationKind::Search, &[]).with("holes", holes);
        let options = SessionOptions { seed: 1, threads, ..SessionOptions::default() };
        // Clauses from the start, so that CaDiCaL has its part in it.
        let mut members = Members { options, head_start: Duration::ZERO };
        let formulation = keys.read().expect("good");
        let (solve, solution) =
            members.search(&instance, &formulation, &Deadline::default(), &mut |_, _| ()).expect("an answer");
        assert_eq!(solution.is_some(), solve.status == SolveStatus::Optimal);
        if let Some(solution) = solution {
            assert!(puzzle::verify(&instance, &solution).violations.is_empty());
        }
        (solve.status, solve.native_status.expect("who answered"))
    }

    #[test]
    fn whoever_answers_first_is_right_and_the_others_end() {
        for (name, holes, expected) in [
            ("fixed/n40-round.toml", Holes::Report, SolveStatus::Optimal),
            ("fixed/n25-unsolvable.toml", Holes::Report, SolveStatus::Infeasible),
            ("bounded/n30-m37.toml", Holes::Resolve, SolveStatus::Optimal),
        ] {
            for threads in [1, 2, 4] {
                let (status, who) = answer(name, threads, holes);
                assert_eq!(status, expected, "{name}: {who}");
                assert!(who.starts_with("search (seed ") || who.starts_with("cadical: "), "{who}");
            }
        }
    }

    #[test]
    fn a_limit_settles_nothing_and_a_failure_is_not_hidden() {
        let of = |status| ("m".to_owned(), Ok((Solve::of(status, "word"), None)));
        assert!(!settles(&of(SolveStatus::Timeout)) && settles(&of(SolveStatus::Infeasible)));
        assert!(settles(&("m".to_owned(), Err(SolveError::call(NAME, "search", "failed")))));
    }
}
