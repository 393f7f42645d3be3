//! SCIP, where a Python with the package `pyscipopt` is installed, which brings it: also with cuts added while it runs. The backend
//! `scip` is its program.

use model::Subloops;
use model::ir::Model;

use crate::backend::*;
use crate::options::SCIP_OWN;
use crate::python::{Package, Process};

static PYSCIPOPT: Package = Package {
    solver: "pyscipopt",
    name: "pyscipopt",
    install: "pip install pyscipopt, for the python3 on the path or the one that the option python or TILEBENCH_PYTHON names",
    version: "'%d.%d.%d' % (lambda m: (m.getMajorVersion(), m.getMinorVersion(), m.getTechVersion()))(pyscipopt.Model()), \
              f'(pyscipopt {pyscipopt.__version__})'",
    script: include_str!("pyscipopt/session.py"),
};

/// Those that are set where rows come later: what SCIP concludes by these from the rows that it has may be wrong then.
const OWN_IF_LAZY: &str = "misc/allowstrongdualreds misc/allowweakdualreds misc/usesymmetry";

pub(crate) struct PyScipOpt;

impl Backend for PyScipOpt {
    fn info(&self) -> BackendInfo {
        let reports = Reports { lazy_cuts: true, ..Reports::MIP };
        let info = BackendInfo::of(PYSCIPOPT.solver, &[FormulationKind::Mip], "Python package pyscipopt", reports);
        BackendInfo { install: Some(PYSCIPOPT.install), ..info }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        PYSCIPOPT.version(options)
    }

    fn suits(&self, formulation: &Formulation, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        let is_lazy = matches!(formulation.subloops(), Subloops::Lazy(_));
        match options.keys().find(|option| is_lazy && OWN_IF_LAZY.split_whitespace().any(|own| own == *option)) {
            Some(option) => Err(unsupported(
                PYSCIPOPT.solver,
                format!("{option} with subloops = \"lazy\", which sets it: rows that come later must not be ruled out"),
            )),
            None => Ok(()),
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(PYSCIPOPT.solver, SCIP_OWN, false)?;
        options.one_thread(PYSCIPOPT.solver)?;
        Ok(Opened::Mip(Box::new(ScipSession(PYSCIPOPT.start(options, &[], &[])?))))
    }
}

struct ScipSession(Process);

/// A model to which nothing comes while it is solved.
struct Whole<'a>(&'a Model);

impl Growing for Whole<'_> {
    fn model(&self) -> &Model {
        self.0
    }

    fn cut_off(&mut self, _: Solved) -> Result<bool, SolveError> {
        Ok(false)
    }
}

impl Session for ScipSession {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        self.run(&mut Whole(model), deadline, "")
    }

    fn solve_lazily(&mut self, growing: &mut dyn Growing, deadline: &Deadline) -> Result<Solved, SolveError> {
        self.run(growing, deadline, " lazy")
    }
}

impl ScipSession {
    fn run(&mut self, growing: &mut dyn Growing, deadline: &Deadline, how: &str) -> Result<Solved, SolveError> {
        if let Some(outcome) = self.0.give(growing.model(), deadline, how)? {
            return Ok(Solved::without_values(outcome));
        }
        // Nodes and iterations that were told of before.
        let mut told = [0, 0];
        loop {
            let answer = self.0.answer()?;
            let words: Vec<&str> = answer.split_whitespace().collect();
            let number = |index: usize| words.get(index).and_then(|word| word.parse::<f64>().ok());
            let count = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
            let since = |index: usize, before: u64| count(index).map(|now| now.saturating_sub(before));
            match words[..] {
                ["candidate", ..] => {
                    let mut outcome = Solve::of(SolveStatus::Feasible, "candidate");
                    (outcome.nodes, outcome.simplex_iterations) = (since(1, told[0]), since(2, told[1]));
                    let values = self.0.values::<f64>()?;
                    let rows = growing.model().rows().len();
                    if growing.cut_off(Solved { outcome, values: Some(values) })? {
                        told = [count(1).unwrap_or(told[0]), count(2).unwrap_or(told[1])];
                    }
                    let text = self.0.json(&growing.model().rows()[rows..])?;
                    self.0.say(&text)?;
                }
                ["solved", native, ..] => {
                    let objective = number(5);
                    let mut outcome = Solve::of(status(native, objective.is_some())?, native);
                    (outcome.nodes, outcome.simplex_iterations) = (since(2, told[0]), since(3, told[1]));
                    let values = if objective.is_some() { Some(self.0.values()?) } else { None };
                    (outcome.bound, outcome.objective_value) = (number(4), objective);
                    return Ok(Solved { outcome, values });
                }
                _ => return Err(PYSCIPOPT.failed("solve", format!("answered {answer:?}"))),
            }
        }
    }
}

fn status(native: &str, has_solution: bool) -> Result<SolveStatus, SolveError> {
    Ok(match native {
        // Other solvers call it optimal too that they end within the gap that their options allow.
        "optimal" | "gaplimit" => SolveStatus::Optimal,
        // Every variable is bounded.
        "infeasible" | "inforunbd" => SolveStatus::Infeasible,
        "userinterrupt" | "terminate" if has_solution => SolveStatus::Feasible,
        _ if native.ends_with("limit") && has_solution => SolveStatus::Feasible,
        "timelimit" => SolveStatus::Timeout,
        "memlimit" => SolveStatus::Memout,
        "userinterrupt" | "terminate" => SolveStatus::Limit,
        _ if native.ends_with("limit") => SolveStatus::Limit,
        other => return Err(PYSCIPOPT.failed("solve", format!("status {other}"))),
    })
}
