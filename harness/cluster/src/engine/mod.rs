//! Who runs tasks: how an engine is given them, and what it says of them.

mod call;
mod hyperqueue;
mod slurm;

use std::io;

use record::write_whole;
use runner::{RunnerError, argument};

pub(crate) use call::{Answer, Call, Sight};

use crate::folder::{Engine, Folder, Submission};
use call::{Silence, output};

impl Engine {
    /// The command that goes on with what nobody has in a folder, by the folder's own program.
    pub(crate) fn go_on(&self, folder: &Folder) -> String {
        // Nobody but the user starts the tasks of a script.
        let start = if *self == Self::Script { "" } else { " --start" };
        format!("{} submit --missing {}{start}", folder.program().display(), folder.root().display())
    }

    /// The script of a task.
    pub(crate) fn script(&self, folder: &Folder, submission: &Submission) -> String {
        let (directives, task, attempt) = match self {
            Self::Slurm(slurm) => (slurm.directives(folder, submission), slurm::TASK, slurm::ATTEMPT),
            Self::Hyperqueue => (String::new(), hyperqueue::TASK, hyperqueue::ATTEMPT),
            Self::Script => (String::new(), "${1:?the number of a task}", "by-hand-$(date +%s)"),
        };
        let Submission { experiment, tasks, options, .. } = submission;
        let (root, config, number) = (folder.root().display(), argument(&submission.config), tasks.len());
        let directory = argument(&submission.directory);
        let options: String = options.iter().map(|word| format!(" {}", argument(word))).collect();
        format!(
            "#!/bin/sh\n\
             # A task of the experiment {experiment}: one shard of {number}. README.md says how to start it.\n\
             {directives}\
             dir={root}\n\
             task={task}\n\
             # A number such as 010, which printf would take for 8.\n\
             while [ \"${{task#0}}\" != \"$task\" ]; do task=${{task#0}}; done\n\
             if ! [ \"$task\" -ge 1 ] || ! [ \"$task\" -le {number} ]; then\n    \
             echo \"tasks have the numbers 1 to {number}\" >&2\n    \
             exit 2\n\
             fi\n\
             # Results of this attempt alone: another one, even at the same time, writes elsewhere.\n\
             attempt={attempt}-$(uname -n)-$$\n\
             part=$dir/parts/$(printf %04d \"$task\")\n\
             mkdir -p \"$part/$attempt/{experiment}\"\n\
             # One file of the whole plan for all attempts, where there are hard links: else each writes its own.\n\
             ln \"$dir/plan.csv\" \"$part/$attempt/{experiment}\" 2>/dev/null\n\
             cd {directory} || cd \"$dir\"\n\
             # By exec, so that a signal to this script reaches tilebench.\n\
             exec \"$dir\"/tilebench run \"$dir\"/{config} --shard \"$task/{number}\" --done \"$part\" --out \"$part/$attempt\" \
             --quiet{options}\n"
        )
    }

    /// The commands that hand over some tasks; what they read is written.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn calls(
        &self,
        folder: &Folder,
        submission: &Submission,
        tasks: &[usize],
    ) -> Result<Vec<Call>, RunnerError> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let one = |words| vec![Call { words, tasks: tasks.to_vec() }];
        Ok(match self {
            Self::Slurm(slurm) => slurm.calls(folder, submission, tasks),
            Self::Hyperqueue => {
                write_whole(&folder.job_file(), hyperqueue::job_file(folder, submission, tasks).as_bytes())?;
                one(words(&["hq", "--output-mode=quiet", "job", "submit-file", &folder.job_file().to_string_lossy()]))
            }
            Self::Script => {
                let (script, logs) = (folder.script(), folder.logs());
                let line =
                    |task: &usize| format!("sh {} {task} >> {}/{task}.out 2>&1\n", script.display(), logs.display());
                write_whole(&folder.commands(), tasks.iter().map(line).collect::<String>().as_bytes())?;
                one(words(&["parallel", "--jobs", "1", "--arg-file", &folder.commands().to_string_lossy()]))
            }
        })
    }

    /// Hands over tasks by a command; returns what the engine calls the job.
    ///
    /// # Errors
    /// An engine that is not on this machine, or that refuses.
    pub(crate) fn start(&self, folder: &Folder, call: &Call) -> Result<String, RunnerError> {
        let ready = format!("{} is ready", folder.root().display());
        let install = match self {
            Self::Slurm(_) => "is not on this machine (Debian: slurm-client)",
            Self::Hyperqueue => "is not on this machine (see https://it4innovations.github.io/hyperqueue)",
            Self::Script => {
                let commands = argument(folder.commands());
                return Err(RunnerError::Usage(format!(
                    "--start: engine script has nobody to start its tasks; {ready}: run the lines of {commands}, for example by {call}"
                )));
            }
        };
        match output(&call.words) {
            // Slurm names its cluster too if there are several.
            Ok(printed) => Ok(printed.trim().split(';').next().unwrap_or_default().to_owned()),
            Err(Silence::Missing) => Err(RunnerError::Usage(format!(
                "--start: {} {install}; {ready}: where there is one, start it by {call}",
                call.words[0]
            ))),
            Err(Silence::Failed(reason)) => {
                let remedy = match self {
                    Self::Slurm(_) => format!(
                        "; what is asked for may be changed in {}, then {}",
                        folder.script().display(),
                        self.go_on(folder)
                    ),
                    _ => String::new(),
                };
                let source = io::Error::other(format!("{reason} (the command was {call}{remedy})"));
                Err(RunnerError::Io { path: call.words[0].clone().into(), source })
            }
        }
    }

    /// What the engine says of the tasks.
    pub(crate) fn ask(&self, submission: &Submission) -> Answer {
        match self {
            Self::Slurm(_) => slurm::ask(submission),
            Self::Hyperqueue => hyperqueue::ask(submission),
            Self::Script => Err("engine script cannot be asked".to_owned()),
        }
    }
}
