//! HiGHS, through the `highs` crate; version and node count come from its C API. It also solves linear relaxations.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use highs::{Col, HighsModelStatus, HighsSolutionStatus, RowProblem, Sense, SolvedModel};
use highs_sys::HighsInt;
use model::ir::{Model, VarId};
use record::Relaxed;

use crate::backend::*;
use crate::linear::added;
use crate::linked;
use crate::options::HIGHS_OWN;

const NAME: &str = linked::HIGHS.name;

/// Nodes in which values to start from are to be completed: as many as HiGHS would take by itself.
const MOST_NODES: i32 = 500;

/// The types of options, as its C API numbers them.
const TRUTH: HighsInt = 0;
const INTEGER: HighsInt = 1;
const REAL: HighsInt = 2;
const TEXT: HighsInt = 3;

/// Words that are values of some options. HiGHS lists them for none: of an option it is asked which of these it takes.
const WORDS: &str =
    "off choose on simplex ipm ipx hipo pdlp hipdlp qpasm augmented normaleq tree node both metis amd rcm";

pub(crate) struct Highs;

impl Backend for Highs {
    fn info(&self) -> BackendInfo {
        linked::HIGHS
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        // SAFETY: the function takes nothing and returns a string constant of the library.
        Ok(unsafe { CStr::from_ptr(highs_sys::Highs_version()) }.to_string_lossy().into_owned())
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        unsafe extern "C" {
            /// Gives back what the C library allocated.
            fn free(text: *mut c_char);
        }
        let mut names = Vec::new();
        let highs = RowProblem::default().try_optimise(Sense::Minimise).ok()?;
        let solver = highs.as_ptr();
        // SAFETY: the solver is alive; every index is below the number of options; a name is a string that HiGHS allocates for the caller.
        unsafe {
            for index in 0..highs_sys::Highs_getNumOptions(solver) {
                let mut name: *mut c_char = ptr::null_mut();
                if highs_sys::Highs_getOptionName(solver, index, &raw mut name) == highs_sys::STATUS_OK
                    && !name.is_null()
                {
                    names.push(CStr::from_ptr(name).to_string_lossy().into_owned());
                    free(name);
                }
            }
        }
        names.retain(|name| !HIGHS_OWN.split_whitespace().any(|own| own == name));
        Some(names)
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        let name = CString::new(option).ok()?;
        let (mut number, mut least, mut most) = (0, 0, 0);
        let (mut real, mut low, mut high) = (0.0, 0.0, 0.0);
        let mut highs = RowProblem::default().try_optimise(Sense::Minimise).ok()?;
        let (kind, solver) = (kind(&highs, &name), highs.as_ptr());
        // SAFETY: the solver is alive; the name is NUL-terminated; all that is written to is there.
        unsafe {
            match kind {
                INTEGER => {
                    let (current, default) = (&raw mut number, ptr::null_mut());
                    let (least, most) = (&raw mut least, &raw mut most);
                    highs_sys::Highs_getIntOptionValues(solver, name.as_ptr(), current, least, most, default);
                }
                REAL => {
                    let (current, default) = (&raw mut real, ptr::null_mut());
                    let (low, high) = (&raw mut low, &raw mut high);
                    highs_sys::Highs_getDoubleOptionValues(solver, name.as_ptr(), current, low, high, default);
                }
                _ => {}
            }
        }
        match kind {
            TRUTH => Some(Takes::words(&["false", "true"])),
            INTEGER => Some(Takes::between("a whole number", least, most)),
            REAL => Some(Takes::between("a number", low, high)),
            TEXT => {
                let taken = WORDS.split_whitespace().filter(|word| highs.try_set_option(option, *word).is_ok());
                Some(Takes::Words(taken.map(str::to_owned).collect()))
            }
            _ => None,
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, HIGHS_OWN, false)?;
        // An unknown option shall be said before any time is spent.
        loaded(RowProblem::default(), options)?;
        Ok(Opened::Mip(Box::new(HighsSession { options: options.clone() })))
    }
}

/// The type of an option; -1 if there is no such option.
fn kind(highs: &highs::Model, name: &CStr) -> c_int {
    let mut kind = -1;
    // SAFETY: the solver is alive; the name is NUL-terminated; what is written to is there.
    let status = unsafe { highs_sys::Highs_getOptionType(highs.as_ptr(), name.as_ptr(), &raw mut kind) };
    if status == highs_sys::STATUS_OK { kind } else { -1 }
}

fn failed<E: std::fmt::Debug>(call: &'static str) -> impl Fn(E) -> SolveError {
    move |e| SolveError::call(NAME, call, format!("{e:?}"))
}

/// A problem as it is solved with these options, and no limit of time.
/// Errors: options that HiGHS refuses.
fn loaded(problem: RowProblem, options: &SessionOptions) -> Result<highs::Model, SolveError> {
    let mut highs = problem.try_optimise(Sense::Minimise).map_err(failed("Highs_passMip"))?;
    // What is beyond an i32 it would read as another number.
    if i32::try_from(options.seed).is_err() {
        return Err(refused(NAME, "random_seed", &options.seed.to_string()));
    }
    let (threads, verbose) = (options.threads.max(1), options.verbose.to_string());
    let own = [
        // The highs crate makes every model quiet by both of these.
        ("output_flag", verbose.clone()),
        ("log_to_console", verbose),
        ("random_seed", options.seed.to_string()),
        ("threads", threads.to_string()),
        ("parallel", if threads > 1 { "on" } else { "off" }.to_owned()),
    ];
    let own = own.iter().map(|(option, value)| (*option, value));
    for (option, value) in own.chain(options.options.iter().map(|(option, value)| (option.as_str(), value))) {
        // HiGHS reads the text by the type that the option has; of a number beyond an i32 it takes some bits.
        let is_number = CString::new(option).is_ok_and(|name| kind(&highs, &name) == INTEGER);
        let fits = !is_number || value.parse::<i32>().is_ok();
        if !fits || highs.try_set_option(option, value.as_str()).is_err() {
            return Err(refused(NAME, option, value));
        }
    }
    Ok(highs)
}

fn limit(highs: &mut highs::Model, deadline: &Deadline) -> Result<(), SolveError> {
    let seconds = deadline.left().map(|limit| limit.as_secs_f64());
    seconds.map_or(Ok(()), |seconds| highs.try_set_option("time_limit", seconds).map_err(failed("time_limit")))
}

struct HighsSession {
    options: SessionOptions,
}

impl Session for HighsSession {
    /// Values to start from are completed to a solution before, if that is found. HiGHS would do so too, and take the limit of time twice.
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        let first = match model.hint() {
            [] => None,
            ones => Some(self.run(model, ones, None, deadline)?),
        };
        let (before, begin) = first.map_or((None, None), |first| (Some(first.outcome), first.values));
        let solved = self.run(model, &[], begin.as_deref(), deadline)?;
        let native_status = solved.outcome.native_status.clone();
        Ok(Solved { outcome: Solve { native_status, ..added(before, solved.outcome) }, ..solved })
    }
}

impl HighsSession {
    /// Solves the model from a solution, if there is one. Where variables are to be 1, not for long: it looks for one solution.
    fn run(
        &self,
        model: &Model,
        ones: &[VarId],
        begin: Option<&[f64]>,
        deadline: &Deadline,
    ) -> Result<Solved, SolveError> {
        let mut highs = loaded(translate(model, true, ones), &self.options)?;
        if (highs.num_cols(), highs.num_rows()) != (model.variables().len(), model.rows().len()) {
            return Err(failed("Highs_passMip")("the model arrived with another number of columns or rows"));
        }
        if !ones.is_empty() {
            for (option, value) in [("mip_max_nodes", MOST_NODES), ("mip_max_improving_sols", 1)] {
                highs.try_set_option(option, value).map_err(failed(option))?;
            }
        }
        if begin.is_some() {
            highs.try_set_solution(begin, None, None, None).map_err(failed("Highs_setSolution"))?;
        }
        limit(&mut highs, deadline)?;
        let solved = highs.try_solve().map_err(failed("Highs_run"))?;
        outcome(&solved)
    }
}

/// The model as HiGHS takes it, or its linear relaxation, with some variables that are 1 at least.
fn translate(model: &Model, integral: bool, ones: &[VarId]) -> RowProblem {
    let mut lower: Vec<f64> = model.variables().iter().map(|v| v.lower).collect();
    ones.iter().for_each(|var| lower[var.0] = 1.0);
    let mut cost = vec![0.0; model.variables().len()];
    for &(var, coefficient) in model.objective() {
        cost[var.0] += coefficient;
    }
    let mut problem = RowProblem::default();
    let columns: Vec<Col> = model
        .variables()
        .iter()
        .zip(lower)
        .zip(cost)
        .map(|((v, lower), cost)| problem.add_column_with_integrality(cost, lower..=v.upper, integral))
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

/// Solves the linear relaxation of a model: the same rows and bounds, integrality dropped. Its optimum bounds that of the model from below
/// (Wolsey 2020, *Integer Programming*, section 2.2) and shows what a formulation is worth before any branching. It is a property of the
/// model, so it is always solved in one thread and without options, whatever solver the run has. A failure is no failure of the run: it is
/// said in the record.
pub(crate) fn relax(model: &Model, deadline: &Deadline) -> Relaxed {
    optimum(translate(model, false, &[]), deadline).unwrap_or_else(|error| Relaxed::unknown(error.to_string()))
}

fn optimum(problem: RowProblem, deadline: &Deadline) -> Result<Relaxed, SolveError> {
    let mut highs = loaded(problem, &SessionOptions::default())?;
    limit(&mut highs, deadline)?;
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
        optimum(problem, &Deadline::default()).expect("solved").optimum().expect("an optimum")
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
