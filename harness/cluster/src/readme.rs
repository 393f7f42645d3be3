//! What stands in a folder of tasks for people.

use crate::engine::Call;
use crate::folder::Folder;
use crate::submission::{Engine, Submission};

/// The README of a folder: how to start its tasks, look at them, go on and merge, as commands to be typed.
pub(crate) fn readme(folder: &Folder, submission: &Submission, calls: &[Call]) -> String {
    let (root, program) = (folder.root().display(), folder.program());
    let program = program.display();
    let go_on = submission.engine.go_on(folder);
    let start: String = calls.iter().map(|call| format!("    {call}\n")).collect();
    let name = &submission.name;
    let (stop, files) = match submission.engine {
        Engine::Slurm(_) => {
            let names: Vec<&str> =
                calls.iter().flat_map(|call| &call.words).filter_map(|word| word.strip_prefix("--job-name=")).collect();
            let stop: Vec<String> = names.iter().map(|name| format!("    scancel --name={name}\n")).collect();
            (stop.concat(), "`job.sh`: the script of a task, with what Slurm is asked for")
        }
        Engine::Hyperqueue => (
            format!("    hq job cancel ID        # of the job {name}: hq job list\n"),
            "`job.toml`: the job; `job.sh`: the script of a task",
        ),
        Engine::Script => (
            "    kill the processes by hand; each row that is there stays\n".to_owned(),
            "`commands.txt`: a command line for each task; `job.sh`: the script of a task",
        ),
    };
    format!(
        "# {submission}\n\n\
         Each task runs one shard of the plan. The config and all that it reads are copies in `frozen/`, the program is a copy too: what \
         changes elsewhere changes nothing here.\n\n\
         Start:\n\n{start}\n\
         Look:\n\n    {program} status {root}\n\n\
         Go on with what has no row and is with nobody:\n\n    {go_on}\n\n\
         Stop:\n\n{stop}\n\
         Merge and report, also before all is done:\n\n    \
         {program} merge {root}/parts -o {root}/merged\n    \
         {program} report {root}/merged -o {root}/report\n\n\
         Files: {files}; `parts/TASK/ATTEMPT`: the rows of an attempt; `logs/`: what tasks print; `plan.csv`: all runs; `submit.json`: what \
         was asked for and sent.\n"
    )
}
