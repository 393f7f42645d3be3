//! CP-SAT, the constraint solver of OR-tools, where a Python with the package `ortools` is installed.

use model::cp::Model;

use crate::backend::*;
use crate::linear;
use crate::python::{Package, Process};

static ORTOOLS: Package = Package {
    solver: "cp-sat",
    name: "ortools",
    install: "pip install ortools, for the python3 on the path or the one that the option python or TILEBENCH_PYTHON names",
    version: "ortools.__version__",
    script: include_str!("cpsat/session.py"),
};

/// Our option for the number of workers, each a search of its own kind, where that is not the number of threads: its portfolio needs
/// eight, whatever the cores.
const WORKERS: &str = "workers";

const MOST_WORKERS: u32 = 1024;

/// Parameters that are set from the run, or that would change what an answer means.
const OWN: &str = "num_workers num_search_workers random_seed max_time_in_seconds max_deterministic_time \
                   log_search_progress log_to_stdout log_to_response enumerate_all_solutions fix_variables_to_their_hinted_value";

pub(crate) struct CpSat;

impl Backend for CpSat {
    fn info(&self) -> BackendInfo {
        let reports = Reports { threads: true, single_loop: true, bound: true, hint: true, ..Reports::SAT };
        let kinds = &[FormulationKind::Cp, FormulationKind::Mip];
        let info = BackendInfo::of(ORTOOLS.solver, kinds, "Python package ortools", reports);
        BackendInfo { install: Some(ORTOOLS.install), ..info }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        ORTOOLS.version(options)
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(ORTOOLS.solver, OWN, false)?;
        let workers = options.options.get(WORKERS).map(|value| {
            let number = value.parse().ok().filter(|number| (1..=MOST_WORKERS).contains(number));
            number.ok_or_else(|| refused(ORTOOLS.solver, WORKERS, value))
        });
        let workers = workers.transpose()?.unwrap_or(options.threads.max(1));
        let session = Box::new(CpSatSession(ORTOOLS.start(options, &[WORKERS], &[("workers", workers)])?));
        Ok(if kind == FormulationKind::Mip { linear::by_minimising(session) } else { Opened::Cp(session) })
    }
}

/// How much earlier than its limit CP-SAT may stop because of it.
const EARLY: Duration = Duration::from_millis(50);

struct CpSatSession(Process);

impl Session<Model> for CpSatSession {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved<i32>, SolveError> {
        if let Some(outcome) = self.0.give(model, deadline, "")? {
            return Ok(Solved::without_values(outcome));
        }
        let answer = self.0.answer()?;
        let ["solved", native, counts @ ..] = &answer.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(ORTOOLS.failed("solve", format!("answered {answer:?}")));
        };
        let status = match *native {
            "OPTIMAL" => SolveStatus::Optimal,
            "FEASIBLE" => SolveStatus::Feasible,
            "INFEASIBLE" => SolveStatus::Infeasible,
            "UNKNOWN" if deadline.left().is_some_and(|left| left <= EARLY) => SolveStatus::Timeout,
            "UNKNOWN" => SolveStatus::Limit,
            other => return Err(ORTOOLS.failed("solve", format!("status {other}"))),
        };
        let mut outcome = Solve::of(status, *native);
        let count = |index: usize| counts.get(index).and_then(|count| count.parse().ok());
        (outcome.nodes, outcome.conflicts, outcome.propagations) = (count(0), count(1), count(2));
        outcome.bound = counts.get(3).and_then(|bound| bound.parse().ok());
        let has_solution = matches!(status, SolveStatus::Optimal | SolveStatus::Feasible);
        let values = if has_solution { Some(self.0.values()?) } else { None };
        Ok(Solved { outcome, values })
    }
}
