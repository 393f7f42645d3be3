//! Folders of tasks without an engine: what is in them, what is refused, and what the states are.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;

use record::{ResultsDir, RunRow, Status, write_table};

use super::{Tasks, boards};
use crate::bench::{Bench, TRIANGLE, words};

/// Runs the lines of `commands.txt`, as GNU parallel does.
fn run_commands(tasks: &Tasks<'_>) {
    for line in fs::read_to_string(tasks.path("commands.txt")).expect("commands").lines() {
        let ran = Command::new("sh").args(["-c", line]).env("TILEBENCH_ANYWAY", "1").output().expect("a shell");
        assert!(ran.status.success(), "{line}: {ran:?}");
    }
}

#[test]
fn a_folder_needs_nothing_but_itself() {
    let bench = boards(2, 0.0);
    let (tasks, ran) = Tasks::submit(&bench, "--engine script --set limits.memory=1GiB");
    assert!(ran.out.contains("6 runs in 3 tasks of at most 30 min, each with 1 core and 1536 MiB"), "{ran:?}");
    assert_eq!(tasks.in_state("unsent"), "1-3");
    // What becomes of the originals does not matter.
    for name in ["tri.toml", "row.toml", "blue.toml", "tasks.toml"] {
        fs::remove_file(bench.path(name)).expect("a file");
    }
    run_commands(&tasks);
    assert!(tasks.status().contains("6 of 6 runs have their row; 3 attempts"), "{}", tasks.status());
    let plan = fs::metadata(tasks.path("plan.csv")).expect("a plan");
    assert_eq!(plan.nlink(), 4, "one file for the folder and its attempts");
    // A second copy of everything finds nothing to do, and adds nothing.
    run_commands(&tasks);
    assert!(tasks.status().contains("6 of 6 runs have their row; 6 attempts"), "{}", tasks.status());
    assert!(tasks.missing(&[]).ok().out.contains("nothing to send"));
    tasks.whole();
    let readme = fs::read_to_string(tasks.path("README.md")).expect("a README");
    for command in ["status", "submit --missing", "merge", "report", "parallel"] {
        assert!(readme.contains(command), "{command}: {readme}");
    }
}

#[test]
fn what_is_missing_is_sent_and_nothing_else() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    let script = tasks.path("job.sh");
    let run = |task| Command::new("sh").arg(&script).arg(task).env("TILEBENCH_ANYWAY", "1").output().expect("a shell");
    // As some write numbers.
    let ran = run("002");
    assert!(ran.status.success(), "{ran:?}");
    for wrong in ["0", "4", "008", "x"] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong}");
    }
    assert_eq!(fs::read_dir(tasks.path("parts")).expect("parts").count(), 1);
    tasks.missing(&[]).ok();
    let commands = fs::read_to_string(tasks.path("commands.txt")).expect("commands");
    let sent: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(sent, ["1", "3"]);
    run_commands(&tasks);
    tasks.whole();
}

#[test]
fn an_attempt_that_was_damaged_is_made_up_for_by_another() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    run_commands(&tasks);
    let attempt = tasks.attempts(1).pop().expect("an attempt").join("tasks");
    for damage in ["", "\0\0\0\0\0\0\n\0\0\n"] {
        fs::write(attempt.join("runs.csv"), damage).expect("a file");
        let status = tasks.status();
        assert_ne!(tasks.in_state("done"), "1-3", "{status}");
        assert!(status.contains("not counted: ") && status.contains("move ") && !status.contains("\\0\\0"), "{status}");
    }
    let script = tasks.path("job.sh");
    let ran = Command::new("sh").arg(&script).arg("1").env("TILEBENCH_ANYWAY", "1").output().expect("a shell");
    let told = [ran.stdout.clone(), ran.stderr.clone()].concat();
    assert!(ran.status.success() && String::from_utf8_lossy(&told).contains("passed over"), "{ran:?}");
    assert_eq!(tasks.in_state("done"), "1-3", "{}", tasks.status());
    bench.run(&words("merge folder/parts -o merged")).refused(&["runs.csv, line 1", "zero byte"]);
    fs::rename(&attempt, bench.path("away")).expect("it can be moved");
    tasks.whole();
}

#[test]
fn two_do_not_send_at_once() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    let file = fs::File::options().write(true).open(tasks.path(".lock")).expect("a lock");
    file.try_lock().expect("nobody has it");
    tasks.missing(&[]).refused(&["another tilebench submit", "tilebench status"]);
    drop(file);
    tasks.missing(&[]).ok();
}

#[test]
fn a_folder_that_was_moved_sends_nothing() {
    let bench = boards(2, 0.0);
    Tasks::submit(&bench, "--engine script");
    fs::rename(bench.path("folder"), bench.path("moved")).expect("it can be moved");
    let status = bench.run(&words("status moved")).ok();
    assert!(status.out.contains("this folder was made as ") && status.out.contains("1-3"), "{status:?}");
    bench.run(&words("submit --missing moved")).refused(&["this folder was made as ", "move it back"]);
    // Another path to the same folder is none.
    std::os::unix::fs::symlink(bench.path("moved"), bench.path("folder")).expect("a link");
    bench.run(&words("submit --missing moved")).ok();
    bench.run(&words("submit --missing folder")).ok();
}

#[test]
fn a_folder_with_other_files_sends_nothing() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    let program = tasks.path("tilebench");
    fs::rename(&program, bench.path("away")).expect("the program");
    tasks.missing(&[]).refused(&["folder/tilebench is not as it was copied"]);
    fs::rename(bench.path("away"), &program).expect("it can be moved");
    let config = tasks.path("frozen/tasks.toml");
    let text = fs::read_to_string(&config).expect("the copy");
    fs::write(&config, text.replace("1-2", "1-3")).expect("written");
    tasks.missing(&[]).refused(&["frozen/tasks.toml is not as it was copied: put it back, or submit anew"]);
    // Rows of such a plan do not count.
    run_commands(&tasks);
    let status = tasks.status();
    assert!(
        status.contains("0 of 6 runs have their row") && status.contains("manifest.json: is of another plan"),
        "{status}"
    );
    let inner = "submit tasks.toml --engine script --out folder/parts/inner";
    bench.run(&words(inner)).refused(&["folder/parts/inner is in ", "a folder of other tasks"]);
    let beside = bench.run(&words("submit tasks.toml --engine script --out folder/../beside")).ok();
    assert!(!beside.out.contains(".."), "{}", beside.out);
}

#[test]
fn rows_count_for_the_task_that_their_runs_are_of() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    let by_hand = "run folder/frozen/tasks.toml --shard 2/3 --anyway --out folder/parts/0001/hand";
    bench.run(&words(by_hand)).ok();
    let status = tasks.status();
    assert!(status.contains("0 of 6 runs have their row") && status.contains("2 rows in "), "{status}");
    assert_ne!(tasks.in_state("done"), "1", "{status}");
    run_commands(&tasks);
    assert_eq!(tasks.in_state("done"), "1-3", "{}", tasks.status());
    tasks.whole();
    // A new file may be found by a pattern of the config, and tasks have another plan then.
    fs::write(tasks.path("frozen/more.toml"), TRIANGLE).expect("written");
    fs::remove_dir_all(tasks.path("parts/0003")).expect("attempts");
    tasks.missing(&[]).refused(&["frozen/more.toml is not one of the copied files"]);
    fs::remove_file(tasks.path("plan.csv")).expect("the plan");
    assert!(tasks.status().contains("plan.csv"), "{}", tasks.status());
}

#[test]
fn what_a_task_says_is_shown_where_none_has_a_row() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    fs::create_dir_all(tasks.path("parts/0001/by-hand")).expect("an attempt");
    fs::write(tasks.path("logs/1.out"), "first\nerror: 2.0 of 2 cores are busy\n\n").expect("written");
    let status = tasks.status();
    assert!(status.contains("no row counts; a task printed last: error: 2.0 of 2 cores are busy\n"), "{status}");
    // Whoever runs the command lines goes on with the others.
    assert!(
        tasks.in_state("running") == "1" && !status.contains("--missing") && status.contains("# later"),
        "{status}"
    );
}

#[test]
fn the_latest_row_of_a_run_counts() {
    let bench = boards(2, 0.0);
    let (tasks, _) = Tasks::submit(&bench, "--engine script");
    run_commands(&tasks);
    let results = ResultsDir::new(tasks.attempts(1).pop().expect("an attempt").join("tasks"));
    let rows = results.read_runs().expect("rows");
    let again = RunRow { attempt: 2, status: Status::Interrupted, ..rows[0].clone() };
    write_table(&results.runs(), rows.into_iter().chain([again])).expect("written");
    assert_eq!(tasks.in_state("done"), "2-3", "{}", tasks.status());
}

#[test]
fn shipped_configs_can_be_frozen_with_all_that_they_read() {
    let bench = Bench::new();
    // Published figures; earlier results that tell which runs are short; suites; profiles with instances of their own, excludes.
    for (number, line) in [
        "table1.toml --profile hour",
        "bounded-limit.toml --profile hour",
        "claims/fixed.toml --profile quick",
        "icosoku.toml --profile quick",
        "ablation.toml",
    ]
    .into_iter()
    .enumerate()
    {
        let config = crate::bench::workspace().join("configs");
        bench.run(&words(&format!("submit {}/{line} --engine script --out folder{number}", config.display()))).ok();
    }
}

#[test]
fn folders_that_cannot_be_are_refused_with_the_remedy() {
    let bench = boards(2, 0.0);
    let (_, ran) = Tasks::submit(&bench, "--engine hyperqueue");
    assert!(ran.out.contains("start: hq "), "{ran:?}");
    let refused = |line: &str, expected: &[&str]| bench.run(&words(line)).refused(expected);
    refused("submit tasks.toml --engine script --out folder", &["folder is there already", "--missing"]);
    let other = bench.run(&words("submit tasks.toml --engine script --out tasks.toml"));
    assert!(other.code == 2 && !other.err.contains("--missing"), "{other:?}");
    std::os::unix::fs::symlink(bench.path("empty"), bench.path("link")).expect("a link");
    fs::create_dir(bench.path("empty")).expect("a folder");
    refused("submit tasks.toml --engine script --out link", &["link is there already"]);
    refused("submit tasks.toml --engine script --out odd%folder", &["odd%folder", "letters, digits"]);
    refused("submit tasks.toml --engine script --throttle 3 --out new", &["--throttle", "slurm", "script"]);
    refused("submit tasks.toml --engine script --start --out new", &["nobody to start", "commands.txt"]);
    refused("status merged", &["merged", "submit.json"]);
    refused("submit --missing tasks.toml", &["submit.json"]);
    let config = bench.read("tasks.toml");
    bench.write("tasks.toml", &config.replace("time = \"900s\"", ""));
    refused("submit tasks.toml --engine slurm --out other", &["tasks.toml, line ", "no time limit", "[limits]"]);
    bench.run(&words("submit tasks.toml --engine hyperqueue --out other")).ok();
    let absolute = bench.path("tri.toml").display().to_string();
    bench.write("tasks.toml", &config.replace("\"tri.toml\"", &format!("\"{absolute}\"")));
    refused("submit tasks.toml --engine script --out third", &["tasks.toml", "tri.toml", "relative"]);
    assert!(!bench.path("third").exists(), "nothing is left of it");
}

/// Puts a program of a cluster into the folder `bin`.
fn program(bench: &Bench, name: &str, script: &str) {
    fs::create_dir_all(bench.path("bin")).expect("a folder");
    let path = bench.path("bin").join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// Boards, and a folder `bin` that comes first on the path.
fn boards_and_programs() -> Bench {
    let mut bench = boards(2, 0.0);
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    bench.set("PATH", &path);
    program(&bench, "scontrol", "echo 'MaxArraySize            = 3'");
    bench
}

#[test]
fn slurm_is_told_what_a_task_needs_and_indices_stay_below_its_bound() {
    let bench = boards_and_programs();
    let options = "--engine slurm --jobs 2 --set limits.memory=1GiB --throttle 7 --exclusive --constraint a&b \
                   --sbatch=--partition=long";
    let (tasks, ran) = Tasks::submit(&bench, options);
    // By two runs at a time each board takes 15 minutes.
    assert!(ran.out.contains("6 runs in 2 tasks") && ran.out.contains(".0 --array=1-2%7 "), "{ran:?}");
    let script = fs::read_to_string(tasks.path("job.sh")).expect("a script");
    for line in ["cpus-per-task=2", "mem=2560M", "exclusive", "constraint=\"a&b\"", "partition=long", "requeue"] {
        assert!(script.contains(&format!("#SBATCH --{line}\n")), "{line}: {script}");
    }
    let value = |key: &str| {
        let line = script.lines().find_map(|line| line.strip_prefix(&format!("#SBATCH --{key}=")));
        line.unwrap_or_else(|| panic!("{key}: {script}")).to_owned()
    };
    // Limits of a task: 900 s, and 900 s more for the run that may begin last.
    assert!(value("time").parse::<u64>().expect("minutes") > 30, "{script}");
    let early: u64 = value("signal").strip_prefix("B:TERM@").expect("a signal").parse().expect("seconds");
    assert!(early + 60 < 300, "time is left to the limits although Slurm may be a minute early");
}

#[test]
fn states_come_from_rows_then_from_the_engine_and_what_nobody_knows_is_lost_after_a_while() {
    let bench = boards_and_programs();
    program(&bench, "sbatch", "echo 11");
    // The lines of the file, with the name of the first array that is asked for.
    let name = "for word; do case $word in --name=*) name=${word#--name=};; esac; done";
    program(&bench, "squeue", &format!("{name}\nsed \"s/NAME/${{name%%.*}}/\" {}", bench.path("queue").display()));
    bench.write("queue", "");
    let (tasks, ran) = Tasks::submit(&bench, "--engine slurm --start");
    // Two arrays, since indices are at most 2.
    assert!(ran.out.contains("started: tasks 1-3 as slurm job 11, 11"), "{ran:?}");
    assert_eq!(tasks.in_state("unclear"), "1-3", "sent just now");
    assert!(tasks.missing(&["--start"]).ok().out.contains("nothing to send"));
    bench.write(
        "queue",
        "NAME.0|1|RUNNING|None\nNAME.0|2|PENDING|Priority\nNAME.2|1|PENDING|BeginTime\nother.0|1|RUNNING|None\n",
    );
    tasks.age(1);
    assert_eq!([tasks.in_state("running"), tasks.in_state("waiting")], ["1", "2-3"]);
    assert!(tasks.status().contains("Priority (1 task)"), "{}", tasks.status());
    // Task 2 is done, whatever the engine says; it forgets the others.
    let done = Command::new("sh")
        .arg(tasks.path("job.sh"))
        .envs([
            ("SLURM_JOB_NAME", "x.0"),
            ("SLURM_ARRAY_JOB_ID", "11"),
            ("SLURM_ARRAY_TASK_ID", "2"),
            ("TILEBENCH_ANYWAY", "1"),
        ])
        .output()
        .expect("a shell");
    assert!(done.status.success(), "{done:?}");
    assert_eq!(tasks.in_state("done"), "2");
    bench.write("queue", "NAME.0|1|RUNNING|None\n");
    assert_eq!([tasks.in_state("running"), tasks.in_state("lost")], ["1", "3"]);
    let sent = tasks.missing(&["--start"]).ok();
    assert!(sent.out.contains("started: tasks 3 as slurm job 11"), "{sent:?}");
    assert_eq!(tasks.in_state("unclear"), "3", "sent again");
    // An engine that cannot be asked: what has begun goes on for as long as its limits.
    program(&bench, "squeue", "echo 'Unable to contact slurm controller' >&2; exit 1");
    assert!(tasks.status().contains("Unable to contact slurm controller"), "{}", tasks.status());
    assert_eq!(tasks.in_state("waiting"), "1,3");
}

/// What `hq` 0.26 printed of three tasks: one failed, one on its only worker, one waiting; after `hq job cancel`; and after `hq server stop`.
#[test]
fn states_come_from_what_hyperqueue_says() {
    let bench = boards_and_programs();
    let printed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster/hq");
    let [name, now] = ["name", "now"].map(|file| bench.path(file).display().to_string());
    let hq = format!(
        "for last; do :; done\n\
         case $* in *submit-file*) sed -n 's/^name = \"\\(.*\\)\"$/\\1/p' \"$last\" > {name}; echo 1; exit;; esac\n\
         read -r now < {now}\n\
         case $*,$now in *list*,gone) cat {printed}/gone.json; exit 1;; *list*) now=list;; esac\n\
         sed \"s/NAME/$(cat {name})/\" {printed}/$now.json"
    );
    program(&bench, "hq", &hq);
    let (tasks, ran) = Tasks::submit(&bench, "--engine hyperqueue --start");
    assert!(ran.out.contains("started: tasks 1-3 as hyperqueue job 1"), "{ran:?}");
    bench.write("now", "running\n");
    assert_eq!(["running", "waiting", "unclear"].map(|state| tasks.in_state(state)), ["2", "3", "1"], "sent just now");
    tasks.age(1);
    assert_eq!(["running", "waiting", "lost"].map(|state| tasks.in_state(state)), ["2", "3", "1"]);
    bench.write("now", "canceled\n");
    assert_eq!(tasks.in_state("lost"), "1-3");
    bench.write("now", "gone\n");
    assert!(
        tasks.status().contains("note: hq: No running instance of HQ found at \"/home/u/.hq-server\". Try to start"),
        "{}",
        tasks.status()
    );
    assert_eq!(tasks.in_state("waiting"), "1-3", "so nobody knows");
}

#[test]
fn instances_of_suites_and_of_other_profiles_are_frozen_too() {
    let bench = boards(2, 0.0);
    fs::create_dir_all(bench.path("deep/configs")).expect("a folder");
    fs::create_dir_all(bench.path("deep/boards")).expect("a folder");
    bench.write("deep/boards/one.toml", TRIANGLE);
    bench.write("deep/boards/two.toml", &crate::bench::row());
    let config = bench.read("tasks.toml").replace("\"tri.toml\", \"row.toml\", \"blue.toml\"", "\"../boards/*.toml\"");
    let rest = "[[exclude]]\ninstance = \"two\"\nseed = 2\n\n[profile.one]\ninstances = [\"../boards/one.toml\"]\n";
    bench.write("deep/configs/tasks.toml", &format!("{config}\n{rest}"));
    bench.run(&words("submit deep/configs/tasks.toml --profile one --engine script --out folder")).ok();
    assert!(bench.path("folder/frozen/boards/two.toml").exists(), "the exclude names it");
    let plan = bench.read("folder/plan.csv");
    assert_eq!(plan.lines().count(), 3, "{plan}");
}
