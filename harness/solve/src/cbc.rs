//! CBC, through the `coin_cbc` crate and the system's libcbc.

use std::ffi::{c_char, c_int};
use std::process;

use coin_cbc::raw::{SecondaryStatus, Status};
use coin_cbc::{Sense, raw};
use model::ir::{Model, TOLERANCE};
use model::{Formulation, Start, StartBy};

use crate::backend::*;
use crate::linked;
use crate::options::{CBC_COMPLAINTS, CBC_OWN, is_own, refuse_dashed, unsupported};

const NAME: &str = linked::CBC.name;

/// Objective values of this size mean that there is no incumbent.
const NO_INCUMBENT: f64 = 1e49;

/// The part of its time after which a claim that there is no solution is not believed.
const LATE: f64 = 0.9;

/// How much earlier than its limit CBC stops, as it expects the next step to take longer than what is left; and the part of the
/// limit by which it is earlier on a busy machine. Both are less than what the runner grants a worker.
const EARLY: Duration = Duration::from_millis(100);
const EARLIER: f64 = 0.02;

pub(crate) struct Cbc;

impl Backend for Cbc {
    fn info(&self) -> BackendInfo {
        linked::CBC
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(raw::Model::version().to_owned())
    }

    fn suits(&self, formulation: &Formulation, _options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        match formulation.start() {
            // Seen of 2.10.8, with a file for its parameter mipStart: it finds the solution, and then its interface says ProvenInfeasible.
            Some(Start { by: StartBy::Hint, .. }) => Err(unsupported(
                NAME,
                "start = \"hint\": where it completes such values to a solution, it may call the model infeasible; start = \"fix\" is \
                 for every solver of kind mip",
            )),
            _ => Ok(()),
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        // The library is built for one thread.
        options.one_thread(NAME)?;
        options.refuse_own(NAME, CBC_OWN, true)?;
        refuse_dashed(NAME, &options.options)?;
        // Its interface would not say that a seed is out of range.
        options.seed_up_to(NAME, i32::MAX as u64)?;
        Ok(Opened::Mip(Box::new(CbcSession { options: options.clone() })))
    }

    fn options(&self, listen: Listen<'_>) -> Option<Vec<String>> {
        let printed = said(listen, "?", "").ok()?;
        // Names stand below what they are, with what may be left out in parentheses; actions are no options.
        let mut are_options = false;
        let mut names = Vec::new();
        for line in printed.lines() {
            match line.strip_prefix(' ') {
                None => are_options = line.ends_with(" parameters:") && !line.starts_with("Actions"),
                Some(listed) if are_options => {
                    names.extend(listed.split_whitespace().map(|name| name.replace(['(', ')'], "")))
                }
                Some(_) => {}
            }
        }
        names.retain(|name| !is_own(name, "", CBC_OWN, false));
        Some(names)
    }

    fn takes(&self, option: &str, listen: Listen<'_>) -> Option<Takes> {
        let printed = said(listen, option, &i32::MIN.to_string()).ok()?;
        let of = |line: &str| {
            if let Some((_, words)) =
                line.split_once("Possible options for ").and_then(|(_, rest)| rest.split_once(" are: "))
            {
                return Some(Takes::words(&words.trim_end_matches(';').split_whitespace().collect::<Vec<_>>()));
            }
            let (least, most) = line.split_once(" - valid range is ")?.1.split_once(" to ")?;
            Some(Takes::between("a number", least, most))
        };
        printed.lines().find_map(of)
    }

    fn rehearse(&self, options: &SessionOptions, listen: Listen<'_>) -> Result<(), SolveError> {
        // What follows does what it is asked.
        options.refuse_own(NAME, CBC_OWN, true)?;
        for (option, value) in &options.options {
            if said(listen, option, value)?
                .lines()
                .any(|line| CBC_COMPLAINTS.iter().any(|complaint| line.contains(complaint)))
            {
                return Err(refused(NAME, option, value));
            }
        }
        Ok(())
    }
}

/// What it prints where an option is set, and a model of one variable is solved.
fn said(listen: Listen<'_>, option: &str, value: &str) -> Result<String, SolveError> {
    let printed = listen(&mut || {
        let mut cbc = coin_cbc::Model::default();
        let only = cbc.add_binary();
        cbc.set_obj_coeff(only, 1.0);
        cbc.set_parameter(option, value);
        cbc.solve();
    });
    printed.map_err(|error| SolveError::call(NAME, "Cbc_setParameter", error))
}

struct CbcSession {
    options: SessionOptions,
}

impl Session for CbcSession {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        // A second solve on a finished model would return the cached result, so each solve starts anew.
        let (start, whole) = (Instant::now(), deadline.left());
        let mut cbc = translate(model)?;
        set(&mut cbc, &self.options);
        if let Some(limit) = deadline.left() {
            // CBC counts CPU time unless told otherwise.
            cbc.set_parameter("timeMode", "elapsed");
            let later = EARLY.saturating_add(limit.mul_f64(EARLIER));
            cbc.set_parameter("seconds", &limit.saturating_add(later).as_secs_f64().to_string());
        }
        let solved = cbc.solve();
        // It calls a model infeasible when a limit of microseconds strikes in its presolve, and says nothing of the limit.
        let late = whole.is_some_and(|limit| start.elapsed() >= limit.mul_f64(LATE));
        outcome(model, solved.raw(), late)
    }
}

fn set(cbc: &mut coin_cbc::Model, options: &SessionOptions) {
    cbc.set_log_level(i32::from(options.verbose));
    // Its own 0 is the time of day, which is no seed: 0 leaves its default.
    if options.seed > 0 {
        let seed = options.seed.to_string();
        cbc.set_parameter("randomSeed", &seed);
        cbc.set_parameter("randomCbcSeed", &seed);
    }
    for (option, value) in &options.options {
        cbc.set_parameter(option, value);
    }
}

fn translate(model: &Model) -> Result<coin_cbc::Model, SolveError> {
    let mut cbc = coin_cbc::Model::default();
    cbc.set_obj_sense(Sense::Minimize);
    let columns: Vec<_> = model
        .variables()
        .iter()
        .map(|v| {
            let column = cbc.add_integer();
            cbc.set_col_lower(column, v.lower);
            cbc.set_col_upper(column, v.upper);
            column
        })
        .collect();
    for &(var, coefficient) in model.objective() {
        cbc.set_obj_coeff(columns[var.0], coefficient);
    }
    for row in model.rows() {
        let added = cbc.add_row();
        if row.lower.is_finite() {
            cbc.set_row_lower(added, row.lower);
        }
        if row.upper.is_finite() {
            cbc.set_row_upper(added, row.upper);
        }
        for &(var, coefficient) in &row.terms {
            cbc.set_weight(added, columns[var.0], coefficient);
        }
    }
    if (cbc.num_cols() as usize, cbc.num_rows() as usize) != (model.variables().len(), model.rows().len()) {
        return Err(failed("the model arrived with another number of columns or rows"));
    }
    Ok(cbc)
}

fn failed(reason: impl Into<String>) -> SolveError {
    SolveError::call(NAME, "Cbc_solve", reason.into())
}

fn outcome(model: &Model, cbc: &raw::Model, late: bool) -> Result<Solved, SolveError> {
    let (status, secondary) = (cbc.status(), cbc.secondary_status());
    // The flag is what counts; the two words say `Finished/HasSolution` of infeasible models too.
    let flag = if cbc.is_proven_infeasible() { "/ProvenInfeasible" } else { "" };
    let native = format!("{status:?}/{secondary:?}{flag}");
    let (finished, stopped) = (matches!(status, Status::Finished), matches!(status, Status::Stopped));
    let stopped_on_time = cbc.is_seconds_limit_reached() || matches!(secondary, SecondaryStatus::StoppedOnTime);
    let infeasible = cbc.is_proven_infeasible() || matches!(secondary, SecondaryStatus::LinearRelaxationInfeasible);
    let claim = if finished && infeasible && (stopped_on_time || late) {
        SolveStatus::Timeout
    } else if finished && infeasible {
        SolveStatus::Infeasible
    } else if finished && cbc.is_proven_optimal() {
        SolveStatus::Optimal
    } else if !finished && !stopped && !stopped_on_time {
        return Err(failed(format!("status {native}")));
    } else if cbc.obj_value().abs() < NO_INCUMBENT && model.broken(cbc.col_solution(), TOLERANCE).is_empty() {
        SolveStatus::Feasible
    } else if stopped_on_time {
        SolveStatus::Timeout
    } else if stopped {
        SolveStatus::Limit
    } else {
        return Err(failed(format!("status {native} without a solution")));
    };
    let mut outcome = Solve::of(claim, native);
    let mut values = None;
    if matches!(claim, SolveStatus::Optimal | SolveStatus::Feasible) {
        values = Some(cbc.col_solution().to_vec());
        outcome.objective_value = Some(cbc.obj_value());
    }
    let bound = cbc.best_possible_value();
    if !infeasible && bound.abs() < NO_INCUMBENT {
        outcome.bound = Some(bound);
    }
    outcome.simplex_iterations = u64::try_from(cbc.iteration_count()).ok();
    Ok(Solved { outcome, values })
}

/// LAPACK calls this when an argument of one of its functions is wrong, which is a fault of CBC. Its own is in Fortran, whose runtime
/// need not be there then.
#[unsafe(no_mangle)]
extern "C" fn xerbla_(_function: *const c_char, _argument: *const c_int, _length: usize) {
    eprintln!("CBC gave LAPACK a wrong argument");
    process::abort()
}
