//! microlp, a branch-and-bound solver in pure Rust, through `good_lp`.

use good_lp::{
    Expression, ResolutionError, Solution, SolutionStatus, SolverModel, Variable, WithTimeLimit, constraint, microlp,
    variable, variables,
};
use model::ir::{Model, Row};

use crate::backend::*;

const NAME: &str = "microlp";

/// What `good_lp` says when the time is over and no solution was found; it has no error kind of its own.
const NO_SOLUTION_IN_TIME: &str = "Time limit reached before finding a feasible solution";

pub(crate) struct Microlp;

impl Backend for Microlp {
    fn info(&self) -> BackendInfo {
        let reports = Reports { seed: false, ..Reports::MIP };
        BackendInfo::of(NAME, &[FormulationKind::Mip], "good_lp crate, pure Rust", reports)
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(format!("{} (good_lp {})", env!("MICROLP_VERSION"), env!("GOOD_LP_VERSION")))
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        if let Some((option, value)) = options.options.iter().next() {
            return Err(refused(NAME, option, value));
        }
        options.one_thread(NAME)?;
        Ok(Opened::Mip(Box::new(MicrolpSession)))
    }
}

struct MicrolpSession;

impl Session for MicrolpSession {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        let mut unknowns = variables!();
        let columns: Vec<Variable> =
            model.variables().iter().map(|v| unknowns.add(variable().integer().bounds(v.lower..=v.upper))).collect();
        let objective: Expression = model.objective().iter().map(|&(var, c)| c * columns[var.0]).sum();
        let mut problem = unknowns.minimise(objective).using(microlp);
        for row in model.rows() {
            add(&mut problem, row, &columns);
        }
        if let Some(limit) = deadline.left() {
            problem = problem.with_time_limit(limit.as_secs_f64());
        }
        match problem.solve() {
            Ok(solution) => {
                let (status, native) = match solution.status() {
                    SolutionStatus::Optimal => (SolveStatus::Optimal, "Optimal"),
                    SolutionStatus::TimeLimit => (SolveStatus::Feasible, "TimeLimit"),
                    SolutionStatus::GapLimit => (SolveStatus::Feasible, "GapLimit"),
                };
                let mut outcome = Solve::of(status, native);
                let values = Some(columns.iter().map(|&column| solution.value(column)).collect());
                let inner = solution.into_inner();
                let stats = inner.stats();
                outcome.objective_value = Some(inner.objective());
                outcome.bound = stats.best_bound;
                outcome.nodes = Some(stats.nodes_solved);
                outcome.simplex_iterations = Some(stats.lp_iterations);
                Ok(Solved { outcome, values })
            }
            Err(ResolutionError::Infeasible) => {
                Ok(Solved::without_values(Solve::of(SolveStatus::Infeasible, "Infeasible")))
            }
            Err(ResolutionError::Other(text)) if text == NO_SOLUTION_IN_TIME => {
                Ok(Solved::without_values(Solve::of(SolveStatus::Timeout, text)))
            }
            Err(error) => Err(SolveError::call(NAME, "solve", error)),
        }
    }
}

fn add(problem: &mut impl SolverModel, row: &Row, columns: &[Variable]) {
    let sum = || -> Expression { row.terms.iter().map(|&(var, c)| c * columns[var.0]).sum() };
    if row.lower == row.upper {
        problem.add_constraint(constraint::eq(sum(), row.upper));
        return;
    }
    if row.lower.is_finite() {
        problem.add_constraint(constraint::geq(sum(), row.lower));
    }
    if row.upper.is_finite() {
        problem.add_constraint(constraint::leq(sum(), row.upper));
    }
}
