//! The linear relaxation of a mixed-integer model: the same rows and bounds, integrality dropped. Its optimum bounds that of the
//! model from below (Wolsey 2020, *Integer Programming*, section 2.2) and shows what a formulation is worth before any
//! branching. It is a property of the model, so it is always solved by the built-in HiGHS in one thread, whatever solver the run has.

use std::time::Duration;

use highs::{HighsModelStatus, HighsSolutionStatus, RowProblem, Sense};
use model::ir::Model;
use record::Relaxed;

use crate::SolveError;
use crate::highs::{failed, set, translate};

/// Solves the linear relaxation of a model. A failure is no failure of the run: it is said in the record.
pub(crate) fn relax(model: &Model, time_limit: Option<Duration>) -> Relaxed {
    optimum(translate(model, false, &[]), time_limit).unwrap_or_else(|error| Relaxed::unknown(error.to_string()))
}

fn optimum(problem: RowProblem, time_limit: Option<Duration>) -> Result<Relaxed, SolveError> {
    let mut highs = problem.try_optimise(Sense::Minimise).map_err(failed("Highs_passModel"))?;
    for (option, value) in
        [("output_flag", "false"), ("log_to_console", "false"), ("threads", "1"), ("parallel", "off")]
    {
        if !set(&mut highs, option, value) {
            return Err(failed(option)("it is refused"));
        }
    }
    if let Some(limit) = time_limit {
        highs.try_set_option("time_limit", limit.as_secs_f64()).map_err(failed("time_limit"))?;
    }
    let solved = highs.try_solve().map_err(failed("Highs_run"));
    // HiGHS keeps its threads from solve to solve and refuses another number of them later on.
    // SAFETY: no solve of this thread is running; the call takes a number only.
    unsafe { highs_sys::Highs_resetGlobalScheduler(1) };
    let solved = solved?;
    let has_solution = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    match solved.status() {
        HighsModelStatus::Optimal if has_solution => Ok(Relaxed::optimal(solved.objective_value())),
        // Every variable is bounded, so "unbounded or infeasible" can only be the latter.
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => Ok(Relaxed::infeasible()),
        HighsModelStatus::ReachedTimeLimit => {
            Ok(Relaxed::unknown("the linear relaxation was not solved within the time limit"))
        }
        other => Err(failed("Highs_run")(format!("linear relaxation: status {other:?}, solution {has_solution}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(problem: RowProblem) -> f64 {
        optimum(problem, None).expect("solved").optimum().expect("an optimum")
    }

    #[test]
    fn the_optimum_of_small_programs() {
        // An odd cycle: min x+y+z, each edge covered. Halves cover it, so 3/2, where whole numbers need 2.
        let mut cover = RowProblem::default();
        let [x, y, z] = [(); 3].map(|()| cover.add_column(1.0, 0.0..=1.0));
        for (a, b) in [(x, y), (y, z), (z, x)] {
            cover.add_row(1.0.., [(a, 1.0), (b, 1.0)]);
        }
        assert!((value(cover) - 1.5).abs() < 1e-9);
        // A knapsack: max 5x+4y with 6x+4y <= 7: y whole, half of x.
        let mut knapsack = RowProblem::default();
        let [x, y] = [5.0, 4.0].map(|worth: f64| knapsack.add_column(-worth, 0.0..=1.0));
        knapsack.add_row(..=7.0, [(x, 6.0), (y, 4.0)]);
        assert!((value(knapsack) + 6.5).abs() < 1e-9);
        // Nothing to minimise.
        let mut idle = RowProblem::default();
        let x = idle.add_column(0.0, 0.0..=1.0);
        idle.add_row(1.0..=1.0, [(x, 2.0)]);
        assert!(value(idle).abs() < f64::EPSILON);
    }

    #[test]
    fn a_program_without_solution() {
        let mut problem = RowProblem::default();
        let [x, y] = [(); 2].map(|()| problem.add_column(1.0, 0.0..=1.0));
        problem.add_row(1.5.., [(x, 1.0), (y, 1.0)]);
        problem.add_row(..=1.0, [(x, 1.0), (y, 1.0)]);
        assert_eq!(value(problem), f64::INFINITY);
    }
}
