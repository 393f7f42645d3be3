//! Slurm: arrays of jobs, each task one job.

use std::collections::BTreeMap;

use super::call::{Answer, Call, Sight, answer};
use crate::folder::{Folder, Slurm, Submission, ranges};

/// The number of the task: that of the job in its array, and the offset that the name of the array ends in.
pub(super) const TASK: &str = "$((${SLURM_JOB_NAME##*.} + ${SLURM_ARRAY_TASK_ID:?start it as an array}))";

/// What tells attempts apart. Slurm may give an id again, so that host and process follow.
pub(super) const ATTEMPT: &str = "slurm-${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID-r${SLURM_RESTART_COUNT:-0}";

/// Slurm's own bound of indices where it cannot be asked: they are below it.
const MAX_ARRAY_SIZE: usize = 1001;

/// Seconds before the end of a job at which it is told to end. Slurm may be a minute early, and waits half a minute before it kills.
const SIGNAL_S: u32 = 120;

impl Slurm {
    /// Lines of a job script that say what a task needs.
    pub(super) fn directives(&self, folder: &Folder, submission: &Submission) -> String {
        let needs = &submission.needs;
        let minutes = (needs.time_s / 60.0).ceil();
        let mut options = vec![
            // For users who send it by hand; the number of a task is worked out from it.
            format!("--job-name={}", array_name(submission, 0)),
            format!("--output={}/%A_%a.out", folder.logs().display()),
            "--open-mode=append".to_owned(),
            "--requeue".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", needs.cores),
            "--hint=nomultithread".to_owned(),
            format!("--time={minutes}"),
            format!("--signal=B:TERM@{SIGNAL_S}"),
        ];
        options.extend(needs.memory_b.map(|bytes| format!("--mem={}M", bytes.div_ceil(1 << 20))));
        options.extend(self.exclusive.then(|| "--exclusive".to_owned()));
        options.extend(self.constraint.iter().map(|features| format!("--constraint=\"{features}\"")));
        options.extend(self.lines.iter().cloned());
        options.into_iter().map(|option| format!("#SBATCH {option}\n")).collect()
    }

    /// An array for the tasks, or several if their numbers are beyond the indices that Slurm takes.
    pub(super) fn calls(&self, folder: &Folder, submission: &Submission, tasks: &[usize]) -> Vec<Call> {
        let mut arrays: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let most = most_index();
        for &task in tasks {
            arrays.entry(offset(task, most)).or_default().push(task);
        }
        let throttle = self.throttle.map(|most| format!("%{most}")).unwrap_or_default();
        let call = |(offset, tasks): (usize, Vec<usize>)| {
            let indices: Vec<usize> = tasks.iter().map(|task| task - offset).collect();
            let words = vec![
                "sbatch".to_owned(),
                "--parsable".to_owned(),
                format!("--job-name={}", array_name(submission, offset)),
                format!("--array={}{throttle}", ranges(&indices)),
                folder.script().display().to_string(),
            ];
            Call { words, tasks }
        };
        arrays.into_iter().map(call).collect()
    }
}

/// The greatest index that a job of an array may have.
fn most_index() -> usize {
    let config = answer(&["scontrol", "show", "config"]).unwrap_or_default();
    let value = |line: &str| line.strip_prefix("MaxArraySize")?.trim_start().strip_prefix('=')?.trim().parse().ok();
    // Of 0 and 1 there are no arrays, which sbatch says.
    config.lines().find_map(value).unwrap_or(MAX_ARRAY_SIZE).max(2) - 1
}

/// What is added to the indices of the array that a task is in.
fn offset(task: usize, most_index: usize) -> usize {
    (task - 1) / most_index * most_index
}

fn array_name(submission: &Submission, offset: usize) -> String {
    format!("{}.{offset}", submission.name)
}

/// What Slurm says of the tasks. It is asked by name: ids are given again after a controller has lost its jobs.
pub(super) fn ask(submission: &Submission) -> Answer {
    let most = most_index();
    let offsets = (0..submission.tasks.len()).step_by(most);
    let names: Vec<String> = offsets.map(|offset| array_name(submission, offset)).collect();
    let names = format!("--name={}", names.join(","));
    // In hidden partitions too.
    let listed = answer(&["squeue", "--all", "--noheader", "--array", &names, "--format=%j|%K|%T|%r"])?;
    Ok(listed.lines().filter_map(|line| sight(submission, line)).collect())
}

/// A line of `squeue`: name, index, state, reason.
fn sight(submission: &Submission, line: &str) -> Option<(usize, Sight)> {
    let mut cells = line.splitn(4, '|').map(str::trim);
    let offset: usize = cells.next()?.strip_prefix(&submission.name)?.strip_prefix('.')?.parse().ok()?;
    let index: usize = cells.next()?.parse().ok()?;
    let waits = ["PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD", "SPECIAL_EXIT"];
    let sight = match cells.next()? {
        // Slurm has not yet said why.
        state if waits.contains(&state) => Sight::Waiting(cells.next().unwrap_or_default().replace("None", "")),
        _ => Sight::Running,
    };
    Some((offset + index, sight))
}
