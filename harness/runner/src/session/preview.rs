//! What a session would do, for `--dry-run`.

use record::ResultsDir;

use super::RunOptions;
use super::earlier::Earlier;
use crate::RunnerError;
use crate::plan::ExperimentPlan;
use crate::text::{count, duration};

/// Says in words what a session would do: the runs, how many are done already, and the longest that the rest may take by its
/// limits. Nothing is started or written.
///
/// # Errors
/// Where `options.resume` is set: results that cannot be read.
pub fn preview(plan: &ExperimentPlan, options: &RunOptions) -> Result<String, RunnerError> {
    let mut text = plan.to_string();
    if plan.warmup > 0 {
        let warmups = count(plan.warmup.into(), "warm-up run");
        text += &format!("before them {warmups} of each solver in each of {} slots, not recorded\n", plan.jobs);
    }
    if let Some(unserved) = plan.without_solver() {
        text += &format!("note: {unserved}\n");
    }
    let dir = ResultsDir::new(options.out.join(&plan.experiment));
    let earlier = match options.resume && dir.runs().exists() {
        true => Earlier::peek(&dir, &mut |_, _| {})?,
        false => Earlier::default(),
    };
    let left: Vec<Option<f64>> =
        plan.runs().filter(|run| !earlier.stays(run.run_id, &options.retry)).map(|run| run.limits.time_s).collect();
    let runs = count(plan.len() as u64, "run");
    text += &match options.resume {
        true => format!("{} of {runs} done already, {} left", plan.len() - left.len(), left.len()),
        false => runs,
    };
    if !left.is_empty() {
        text += &format!(", {} at a time: ", plan.jobs);
        let slots = plan.jobs.clamp(1, left.len()) as f64;
        text += &match left.iter().copied().sum::<Option<f64>>() {
            Some(seconds) => format!("at most about {}", duration(seconds / slots)),
            None => "no time limit".to_owned(),
        };
    }
    Ok(text + "\n")
}
