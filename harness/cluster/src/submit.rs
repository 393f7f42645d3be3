//! Making a folder of tasks, with copies of all that its plan rests on, and handing its tasks to an engine.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use record::{make_folder, write_table, write_whole};
use runner::{Config, ExperimentPlan, GRACE, PlannedRun, RunnerError, UNLIMITED_S, WARMUP_S, refuse_inside};

use crate::engine::Call;
use crate::folder::{Engine, Folder, Needs, Sent, Submission, Task, hash_of, plain};
use crate::status::{State, Status};

/// What is asked of a folder of tasks, beside the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Who runs the tasks.
    pub engine: Engine,
    /// What `tilebench run` is told beside config, shard and number of runs at a time.
    pub options: Vec<String>,
    /// How long a task may last in seconds: by the limits of its runs.
    pub task_s: f64,
}

/// Memory of a task beside that of its runs: tilebench itself, and rows that wait for the disk.
const OWN_MEMORY_B: u64 = 512 << 20;

/// Time of a task beside that of its runs, in seconds: a signal before its end, which may come early, and starting on a slow disk.
const OWN_TIME_S: f64 = 300.0;

/// What else a run takes beyond its limit, in seconds: starting its worker, and waiting for the disk.
const BESIDE_S: f64 = 1.0;

/// Writes a folder of tasks for a plan. `replan` plans a config in the same way.
///
/// # Errors
/// A folder that is there already, runs without a limit where the engine needs one, files that cannot be frozen, a disk that is full.
pub fn create(
    folder: &Folder,
    order: &Order,
    plan: &ExperimentPlan,
    replan: &dyn Fn(&Path) -> Result<ExperimentPlan, RunnerError>,
) -> Result<Submission, RunnerError> {
    refuse_used(folder)?;
    refuse_within(folder)?;
    refuse_unlimited(order, plan)?;
    let parent = folder.root().parent().unwrap_or(folder.root());
    make_folder(parent)?;
    // Beside its place, so that nobody finds half a folder.
    let draft = tempfile::Builder::new().prefix(".submit").tempdir_in(parent).map_err(RunnerError::io(parent))?;
    let root = draft.path().join("folder");
    let made = Folder::new(&root)?;
    let frozen = freeze(&plan.config, &made.frozen())?;
    let again = replan(&frozen)?;
    let inputs = again.config.inputs().iter().map(|path| plain(path)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = inputs.iter().find(|path| !path.starts_with(made.frozen())) {
        return Err(RunnerError::Usage(format!(
            "{}: names {} by an absolute path, so that tasks would read what it is by then; name it relative to the config",
            plan.config.path.display(),
            path.display()
        )));
    }
    if again.hash() != plan.hash() {
        return Err(RunnerError::Usage(format!(
            "{}: the plan of the copied files is another ({} runs instead of {}); were files changed just now? try again",
            plan.config.path.display(),
            again.asked().len(),
            plan.asked().len()
        )));
    }
    let config = frozen.strip_prefix(&root).unwrap_or(&frozen).to_owned();
    let program = system::running_program().map_err(RunnerError::io(Path::new("the running program")))?;
    fs::copy(&program, made.program()).map_err(RunnerError::io(&program))?;
    let hashed = |path: PathBuf| {
        let hash = hash_of(&path).map_err(RunnerError::io(&path))?;
        Ok((path.strip_prefix(made.root()).unwrap_or(&path).to_owned(), hash))
    };
    let copies = inputs.into_iter().chain([made.program()]).map(hashed).collect::<Result<_, RunnerError>>()?;
    let submission = Submission { config, copies, ..submission(folder, order, plan)? };
    for inner in [made.parts(), made.logs()] {
        make_folder(&inner)?;
    }
    write_table(&made.plan(), plan.asked().iter().map(PlannedRun::row))?;
    made.write(&submission)?;
    write_whole(&made.script(), order.engine.script(folder, &submission).as_bytes())?;
    fs::rename(&root, folder.root()).map_err(|error| match error.kind() {
        // Another submit was quicker.
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => used(folder),
        _ => RunnerError::io(folder.root())(error),
    })?;
    let calls = order.engine.calls(folder, &submission, &submission.numbers())?;
    write_whole(&folder.readme(), readme(folder, &submission, &calls).as_bytes())?;
    Ok(submission)
}

fn refuse_used(folder: &Folder) -> Result<(), RunnerError> {
    let is_free = match fs::read_dir(folder.root()) {
        Ok(mut entries) => entries.next().is_none() && !folder.root().is_symlink(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_free { Ok(()) } else { Err(used(folder)) }
}

fn used(folder: &Folder) -> RunnerError {
    let root = folder.root().display();
    let missing = match folder.read() {
        Ok(_) => format!(", or tilebench submit --missing {root} for what has no row in it"),
        Err(_) => String::new(),
    };
    RunnerError::Usage(format!("{root} is there already; choose another folder{missing}"))
}

/// Slurm ends what takes longer than it was told.
fn refuse_unlimited(order: &Order, plan: &ExperimentPlan) -> Result<(), RunnerError> {
    let unlimited =
        plan.config.blocks.iter().find(|block| block.limits.time_s.is_none() && !block.instances.is_empty());
    match (&order.engine, unlimited) {
        (Engine::Slurm(_), Some(block)) => Err(plan.config.error(
            block.line,
            "these runs have no time limit, and Slurm has to know how long a task may take: set `time` under [limits], or \
             --set limits.time=10min",
        )),
        _ => Ok(()),
    }
}

/// What a folder for the plan knows of itself.
fn submission(folder: &Folder, order: &Order, plan: &ExperimentPlan) -> Result<Submission, RunnerError> {
    let jobs = plan.jobs as f64;
    let (most, longest) =
        (plan.groups().max(1), |tasks| plan.shard_loads(tasks).iter().map(|load| load.1).fold(0.0, f64::max) / jobs);
    let wanted = (longest(1) / order.task_s).ceil() as usize;
    // As few as fit into the time of a task, or into that of the longest instance, or a fiftieth more.
    let fitting = order.task_s.max(longest(most));
    let numbers = iter::successors(Some(wanted.clamp(1, most)), |tasks| Some(tasks + (tasks / 50).max(1)));
    let number = numbers.take_while(|tasks| *tasks < most).find(|tasks| longest(*tasks) <= fitting).unwrap_or(most);
    let task = |((runs, seconds), instances)| Task { runs, seconds: seconds / jobs, instances };
    let tasks: Vec<Task> = plan.shard_loads(number).into_iter().zip(plan.shard_instances(number)).map(task).collect();
    let limits = || plan.asked().iter().map(|run| run.limits.time_s.unwrap_or(UNLIMITED_S));
    let longest = limits().fold(0.0, f64::max);
    let warm_ups = f64::from(plan.config.warmup) * plan.solvers.len() as f64 * longest.min(WARMUP_S);
    // Of several at a time the last one may begin when all others have ended.
    let last = if plan.jobs > 1 { longest } else { 0.0 };
    let time_s = |task: &Task| (task.seconds + last + warm_ups) * (1.0 + GRACE) + task.runs as f64 / jobs * BESIDE_S;
    let threads = plan.asked().iter().map(|run| run.solver.threads).max().unwrap_or(1);
    // What a run without a limit takes is not known.
    let memory: Option<Vec<u64>> = plan.asked().iter().map(|run| run.limits.memory_b).collect();
    let memory = memory.and_then(|limits| limits.into_iter().max());
    // No other folder has the same, though it was made in the same second on another machine.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let directory = env::current_dir().map_err(RunnerError::io(Path::new(".")))?;
    let hash = plan.hash();
    Ok(Submission {
        experiment: plan.config.experiment.clone(),
        name: format!("tilebench-{}-{}-{now:x}", plan.config.experiment, hash.get(..6).unwrap_or_default()),
        plan: hash,
        root: folder.root().to_owned(),
        config: plan.config.path.clone(),
        copies: BTreeMap::new(),
        directory,
        options: [vec!["--jobs".to_owned(), plan.jobs.to_string()], order.options.clone()].concat(),
        engine: order.engine.clone(),
        needs: Needs {
            cores: u64::from(threads) * plan.jobs as u64,
            memory_b: memory.map(|bytes| bytes * plan.jobs as u64 + OWN_MEMORY_B),
            time_s: tasks.iter().map(time_s).fold(0.0, f64::max) + OWN_TIME_S,
        },
        silence_s: plan
            .asked()
            .iter()
            .all(|run| run.limits.time_s.is_some())
            .then_some((longest + warm_ups) * (1.0 + GRACE) + BESIDE_S),
        tasks,
        sent: Vec::new(),
    })
}

/// The tasks that nobody has: those that were never sent, and those that are lost.
#[must_use]
pub fn missing(status: &Status) -> Vec<usize> {
    let of = |state| status.tasks(state);
    let mut tasks = [of(State::Unsent), of(State::Lost)].concat();
    tasks.sort_unstable();
    tasks
}

/// The commands that hand tasks to the engine, as a shell takes them; what they read is written.
///
/// # Errors
/// A folder that was moved or changed, a file that cannot be written.
pub fn commands(folder: &Folder, submission: &Submission, tasks: &[usize]) -> Result<Vec<String>, RunnerError> {
    refuse_changed(folder, submission)?;
    Ok(submission.engine.calls(folder, submission, tasks)?.iter().map(Call::to_string).collect())
}

/// Hands tasks to the engine and takes note of it. Returns what the engine calls the jobs.
///
/// # Errors
/// A folder that was moved or changed, an engine that is not on this machine or refuses. What it took before stays noted.
pub fn start(folder: &Folder, submission: &mut Submission, tasks: &[usize]) -> Result<Vec<String>, RunnerError> {
    refuse_changed(folder, submission)?;
    let mut jobs = Vec::new();
    for call in submission.engine.calls(folder, submission, tasks)? {
        let job = submission.engine.start(folder, &call)?;
        submission.sent.push(Sent { at: Timestamp::now(), job: job.clone(), tasks: call.tasks });
        folder.write(submission)?;
        jobs.push(job);
    }
    Ok(jobs)
}

/// Refuses a folder whose tasks would not do what was asked for: one that was moved, or that has another program or other files.
fn refuse_changed(folder: &Folder, submission: &Submission) -> Result<(), RunnerError> {
    let copies = || submission.copies.iter().map(|(path, hash)| (folder.root().join(path), hash));
    let other = copies().find(|(path, hash)| hash_of(path).ok().as_ref() != Some(hash));
    let other =
        other.map(|(path, _)| format!("{} is not as it was copied: put it back, or submit anew", path.display()));
    let is_new =
        |file: &PathBuf| file.strip_prefix(folder.root()).is_ok_and(|path| !submission.copies.contains_key(path));
    // A pattern of the config may find it.
    let new = files(&folder.frozen()).into_iter().find(is_new);
    let new = new.map(|path| format!("{} is not one of the copied files: remove it, or submit anew", path.display()));
    submission.moved_to(folder).or(other).or(new).map_or(Ok(()), |reason| Err(RunnerError::Usage(reason)))
}

/// The files in a folder and in those below it, as far as they can be listed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, mut all): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    all.extend(folders.iter().flat_map(|folder| files(folder)));
    all
}

/// Refuses a folder within results or another folder of tasks.
fn refuse_within(folder: &Folder) -> Result<(), RunnerError> {
    refuse_inside(folder.root())?;
    let is_one = |above: &&Path| above.join("submit.json").is_file();
    match folder.root().ancestors().skip(1).find(is_one) {
        None => Ok(()),
        Some(other) => Err(RunnerError::Usage(format!(
            "{} is in {}, a folder of other tasks: choose another --out",
            folder.root().display(),
            other.display()
        ))),
    }
}

/// Copies the files of a config into a folder, at their paths below the folder that all of them are in. Returns where the config is.
fn freeze(config: &Config, into: &Path) -> Result<PathBuf, RunnerError> {
    let files: BTreeMap<PathBuf, PathBuf> =
        config.inputs().into_iter().map(|path| Ok((plain(&path)?, path))).collect::<Result<_, RunnerError>>()?;
    let mut above = files.keys().next().into_iter().flat_map(|path| path.ancestors().skip(1));
    let common = above.find(|folder| files.keys().all(|path| path.starts_with(folder)));
    let common = common.unwrap_or(Path::new(""));
    let place = |path: &Path| into.join(path.strip_prefix(common).unwrap_or(path));
    for (path, source) in &files {
        let target = place(path);
        if let Some(folder) = target.parent() {
            make_folder(folder)?;
        }
        // Read and written by hand: an error of a copy does not tell of which file it is.
        let text = fs::read(source).map_err(RunnerError::io(source))?;
        fs::write(&target, text).map_err(RunnerError::io(&target))?;
    }
    Ok(place(&plain(&config.path)?))
}

/// The README of a folder: how to start its tasks, look at them, go on and merge, as commands to be typed.
fn readme(folder: &Folder, submission: &Submission, calls: &[Call]) -> String {
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
         Go on with tasks that lack rows and that no engine has:\n\n    {go_on}\n\n\
         Stop:\n\n{stop}\n\
         Merge and report, also before all is done:\n\n    \
         {program} merge {root}/parts -o {root}/merged\n    \
         {program} report {root}/merged -o {root}/report\n\n\
         Files: {files}; `parts/TASK/ATTEMPT`: the rows of an attempt; `logs/`: what tasks print; `plan.csv`: all runs; `submit.json`: what \
         was asked for and sent.\n"
    )
}
