//! HiGHS, through the `highs` crate; version and node count come from its C API.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::time::Duration;

use highs::{Col, HighsModelStatus, HighsSolutionStatus, RowProblem, Sense, SolvedModel};
use model::FormulationKind;
use model::ir::Model;

use crate::backend::{Backend, BackendInfo, Opened, Reports, Session, SessionOptions, Solve, SolveStatus, Solved};
use crate::error::SolveError;
use crate::options::refused;

const NAME: &str = "highs";

/// Options that are set from the run, or that cut off solutions.
const OWN: [&str; 9] = [
    "random_seed",
    "threads",
    "parallel",
    "time_limit",
    "output_flag",
    "log_to_console",
    "log_file",
    "objective_bound",
    "objective_target",
];

pub(crate) struct Highs;

impl Backend for Highs {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            name: NAME,
            kinds: &[FormulationKind::Mip],
            interface: "highs crate, bundled",
            reports: Reports {
                nodes: true,
                simplex_iterations: true,
                bound: true,
                seed: true,
                threads: true,
                ..Reports::default()
            },
            install: None,
        }
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(version())
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, &OWN, false)?;
        let session = HighsSession { options: options.clone() };
        // An unknown option shall be said before any time is spent.
        session
            .configure(&mut RowProblem::default().try_optimise(Sense::Minimise).map_err(failed("Highs_passMip"))?)?;
        Ok(Opened::Mip(Box::new(session)))
    }
}

fn version() -> String {
    // SAFETY: the function takes nothing and returns a string constant of the library.
    unsafe { CStr::from_ptr(highs_sys::Highs_version()) }.to_string_lossy().into_owned()
}

pub(crate) fn failed<E: std::fmt::Debug>(call: &'static str) -> impl Fn(E) -> SolveError {
    move |e| SolveError::Call { solver: NAME, call, reason: format!("{e:?}") }
}

struct HighsSession {
    options: SessionOptions,
}

impl HighsSession {
    fn configure(&self, highs: &mut highs::Model) -> Result<(), SolveError> {
        let refused = |option: &str, value: &str| refused(NAME, option, value);
        let options = &self.options;
        // The highs crate makes every model quiet by both of these.
        for option in ["output_flag", "log_to_console"] {
            highs.try_set_option(option, options.verbose).map_err(|_| refused(option, ""))?;
        }
        let seed = i32::try_from(options.seed).map_err(|_| refused("random_seed", &options.seed.to_string()))?;
        highs.try_set_option("random_seed", seed).map_err(|_| refused("random_seed", &seed.to_string()))?;
        let threads = i32::try_from(options.threads.max(1)).unwrap_or(i32::MAX);
        highs.try_set_option("threads", threads).map_err(|_| refused("threads", &threads.to_string()))?;
        let parallel = if threads > 1 { "on" } else { "off" };
        highs.try_set_option("parallel", parallel).map_err(|_| refused("parallel", parallel))?;
        for (option, value) in &options.options {
            // HiGHS wants the type that the option has, and a config has text: the first type that fits.
            let name = option.as_str();
            let whole = value.parse::<i32>().is_ok_and(|v| highs.try_set_option(name, v).is_ok());
            let set = whole
                || value.parse::<f64>().is_ok_and(|v| highs.try_set_option(name, v).is_ok())
                || value.parse::<bool>().is_ok_and(|v| highs.try_set_option(name, v).is_ok())
                || highs.try_set_option(name, value.as_str()).is_ok();
            if !set {
                return Err(refused(option, value));
            }
        }
        Ok(())
    }
}

impl Session for HighsSession {
    fn solve(&mut self, model: &Model, time_limit: Option<Duration>) -> Result<Solved, SolveError> {
        let mut highs = translate(model, true).try_optimise(Sense::Minimise).map_err(failed("Highs_passMip"))?;
        if (highs.num_cols(), highs.num_rows()) != (model.variables().len(), model.rows().len()) {
            return Err(failed("Highs_passMip")("the model arrived with another number of columns or rows"));
        }
        self.configure(&mut highs)?;
        if let Some(limit) = time_limit {
            highs.try_set_option("time_limit", limit.as_secs_f64()).map_err(failed("time_limit"))?;
        }
        let solved = highs.try_solve().map_err(failed("Highs_run"))?;
        outcome(&solved)
    }

    // Every solve loads its model anew.
    fn restart(&mut self) {}
}

/// The model as HiGHS takes it, or its linear relaxation.
pub(crate) fn translate(model: &Model, integral: bool) -> RowProblem {
    let mut cost = vec![0.0; model.variables().len()];
    for &(var, coefficient) in model.objective() {
        cost[var.0] += coefficient;
    }
    let mut problem = RowProblem::default();
    let columns: Vec<Col> = model
        .variables()
        .iter()
        .zip(cost)
        .map(|(v, cost)| problem.add_column_with_integrality(cost, v.lower..=v.upper, integral))
        .collect();
    for row in model.rows() {
        problem.add_row(row.lower..=row.upper, row.terms.iter().map(|&(var, c)| (columns[var.0], c)));
    }
    problem
}

fn outcome(solved: &SolvedModel) -> Result<Solved, SolveError> {
    let native = solved.status();
    let has_solution = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    let status = match native {
        HighsModelStatus::Optimal if has_solution => SolveStatus::Optimal,
        // Every variable is bounded, so "unbounded or infeasible" can only be the latter.
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => SolveStatus::Infeasible,
        HighsModelStatus::ReachedTimeLimit
        | HighsModelStatus::ReachedIterationLimit
        | HighsModelStatus::ReachedSolutionLimit
        | HighsModelStatus::ReachedMemoryLimit
        | HighsModelStatus::ReachedInterrupt
            if has_solution =>
        {
            SolveStatus::Feasible
        }
        HighsModelStatus::ReachedTimeLimit => SolveStatus::Timeout,
        HighsModelStatus::ReachedMemoryLimit => SolveStatus::Memout,
        HighsModelStatus::ReachedIterationLimit | HighsModelStatus::ReachedSolutionLimit => SolveStatus::Limit,
        other => {
            return Err(failed("Highs_run")(format!("model status {other:?}, solution {has_solution}")));
        }
    };
    let finite = |value: f64| value.is_finite().then_some(value);
    let info = |name| solved.double_info_value(name).map_err(failed("Highs_getDoubleInfoValue"));
    let mut outcome = Solve::of(status, format!("{native:?}"));
    let mut values = None;
    if has_solution && status != SolveStatus::Infeasible {
        values = Some(solved.get_solution().columns().to_vec());
        outcome.objective_value = finite(solved.objective_value());
    }
    if status != SolveStatus::Infeasible {
        outcome.bound = finite(info(c"mip_dual_bound")?);
        outcome.gap = finite(info(c"mip_gap")?);
    }
    outcome.nodes = u64::try_from(node_count(solved)?).ok();
    outcome.simplex_iterations = u64::try_from(solved.simplex_iteration_count()).ok();
    Ok(Solved { outcome, values })
}

fn node_count(solved: &SolvedModel) -> Result<i64, SolveError> {
    let mut nodes = -1;
    // SAFETY: the pointer belongs to a live HiGHS object, the name is NUL-terminated, `nodes` is writable.
    let status =
        unsafe { highs_sys::Highs_getInt64InfoValue(solved.as_ptr(), c"mip_node_count".as_ptr(), &raw mut nodes) };
    if status == highs_sys::STATUS_OK { Ok(nodes) } else { Err(failed("Highs_getInt64InfoValue")(status)) }
}
