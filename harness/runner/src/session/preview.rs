//! What a session would do, for `--dry-run`.

use std::fmt;

use record::ResultsDir;

use super::RunOptions;
use super::earlier::Earlier;
use super::estimate::{Estimate, Forecast};
use crate::RunnerError;
use crate::plan::ExperimentPlan;
use crate::text::{count, duration};

/// A plan with what past rows say of it.
#[derive(Debug)]
pub struct Preview<'a> {
    plan: &'a ExperimentPlan,
    forecast: Forecast,
    /// Runs that are done already; `None` where it does not matter.
    done: Option<usize>,
    /// Why past rows say nothing.
    unread: Option<String>,
}

/// Says what a session would do, and how long that may take by the rows that are in its results directory. Nothing is started
/// or written.
///
/// # Errors
/// Where `options.resume` is set: results that cannot be read.
pub fn preview<'a>(plan: &'a ExperimentPlan, options: &RunOptions) -> Result<Preview<'a>, RunnerError> {
    let dir = ResultsDir::new(options.out.join(&plan.experiment));
    let mut estimate = Estimate::default();
    let read = match dir.runs().exists() {
        true => Earlier::peek(&dir, &mut |_, row| estimate.note(row)),
        false => Ok(Earlier::default()),
    };
    let (earlier, unread) = match read {
        Ok(earlier) => (earlier, None),
        Err(error) if options.resume => return Err(error),
        Err(error) => (Earlier::default(), Some(error.to_string())),
    };
    let is_left = |index: usize| !(options.resume && earlier.stays(plan.run_id(index), &options.retry));
    for index in (0..plan.len()).filter(|index| is_left(*index)) {
        estimate.add(plan.parts(index));
    }
    let forecast = estimate.forecast();
    Ok(Preview { plan, forecast, done: options.resume.then(|| plan.len() - forecast.runs), unread })
}

impl fmt::Display for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, forecast, done, unread } = self;
        write!(f, "{plan}")?;
        if plan.warmup > 0 {
            let warmups = count(plan.warmup.into(), "warm-up run");
            writeln!(f, "before them {warmups} of each solver in each of {} slots, not recorded", plan.jobs)?;
        }
        if let Some(unserved) = plan.without_solver() {
            writeln!(f, "note: {unserved}")?;
        }
        if let Some(error) = unread {
            writeln!(f, "past rows say nothing: {error}")?;
        }
        match done {
            Some(done) => write!(f, "{done} of {} done already, {} left", count_runs(plan.len()), forecast.runs)?,
            None => write!(f, "{}", count_runs(plan.len()))?,
        }
        if forecast.runs == 0 {
            return writeln!(f);
        }
        write!(f, ", {} at a time: ", plan.jobs)?;
        let slots = plan.jobs.clamp(1, forecast.runs) as f64;
        if forecast.known > 0 {
            let about = duration(forecast.known_s / slots);
            write!(f, "{} by past rows: about {about}; ", count_runs(forecast.known))?;
            if forecast.known < forecast.runs {
                write!(f, "{} without past rows; ", forecast.runs - forecast.known)?;
            }
        }
        match forecast.limit_s {
            Some(seconds) if forecast.known > 0 => writeln!(f, "all at most about {}", duration(seconds / slots)),
            Some(seconds) => writeln!(f, "at most about {}", duration(seconds / slots)),
            None => writeln!(f, "no time limit"),
        }
    }
}

fn count_runs(number: usize) -> String {
    count(number as u64, "run")
}
