//! HyperQueue: one job, an array of tasks.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::call::{Answer, Sight, answer};
use crate::folder::{Folder, Submission, ranges};

/// The number of the task.
pub(super) const TASK: &str = "${HQ_TASK_ID:?start it by HyperQueue}";

/// What tells attempts apart. A restarted server counts jobs and attempts anew, so that host and process follow.
pub(super) const ATTEMPT: &str = "hq-$HQ_JOB_ID-$HQ_TASK_ID-i$HQ_INSTANCE_ID";

/// The job file for some tasks.
pub(super) fn job_file(folder: &Folder, submission: &Submission, tasks: &[usize]) -> String {
    let Submission { name, needs, .. } = submission;
    let log = format!("{}/%{{JOB_ID}}-%{{TASK_ID}}-%{{INSTANCE_ID}}", folder.logs().display());
    // In mebibytes, as workers detect it.
    let memory = needs.memory_b.map(|bytes| format!(", mem = {}", bytes.div_ceil(1 << 20))).unwrap_or_default();
    format!(
        "name = \"{name}\"\n\n\
         [array]\n\
         ids = \"{}\"\n\
         command = [\"/bin/sh\", \"{}\"]\n\
         stdout = \"{log}.out\"\n\
         stderr = \"{log}.err\"\n\n\
         [[array.request]]\n\
         resources = {{ cpus = {}{memory} }}\n\
         time_request = \"{}s\"\n",
        ranges(tasks),
        folder.script().display(),
        needs.cores,
        needs.time_s.ceil()
    )
}

#[derive(Debug, Deserialize)]
struct Job {
    id: u64,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Detail {
    tasks: Vec<TaskState>,
}

#[derive(Debug, Deserialize)]
struct TaskState {
    id: usize,
    state: String,
}

/// What HyperQueue says of the tasks, in whichever of its jobs they are. It is asked by name: a restarted server counts anew.
pub(super) fn ask(submission: &Submission) -> Answer {
    let wrong = |error: serde_json::Error| format!("hq says what is not understood: {error}");
    let jobs = answer(&["hq", "--output-mode=json", "job", "list", "--all"])?;
    let jobs: Vec<Job> = serde_json::from_str(&jobs).map_err(wrong)?;
    let mut found = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.name == submission.name) {
        let details = answer(&["hq", "--output-mode=json", "job", "info", &job.id.to_string()])?;
        let details: Vec<Detail> = serde_json::from_str(&details).map_err(wrong)?;
        for task in details.into_iter().flat_map(|detail| detail.tasks) {
            match task.state.as_str() {
                "running" => drop(found.insert(task.id, Sight::Running)),
                "waiting" => drop(found.entry(task.id).or_insert(Sight::Waiting(String::new()))),
                _ => {}
            }
        }
    }
    Ok(found)
}
