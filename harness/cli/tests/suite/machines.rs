//! Experiments on several machines: in jobs of batch systems, with what is installed here and not there.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use record::{ResultsDir, RunRow, SessionFacts, Status};

use crate::bench::{Bench, Ran, send, wait_for, words};

/// One board without a solution, for a solver that every machine has and one that few have.
const CONFIG: &str = r#"
experiment = "far"
title = "Far"
instances = ["row.toml"]

[limits]
time = "30s"

[[formulation]]
name = "clauses"
kind = "sat"

[[solver]]
name = "cadical"

[[solver]]
name = "kissat"
"#;

/// What Slurm says to the second attempt at a task of an array.
const SLURM: [(&str, &str); 7] = [
    ("SLURM_JOB_ID", "4714"),
    ("SLURM_ARRAY_JOB_ID", "4711"),
    ("SLURM_ARRAY_TASK_ID", "3"),
    ("SLURM_RESTART_COUNT", "1"),
    ("SLURM_CPUS_ON_NODE", "2"),
    ("SLURM_MEM_PER_NODE", "400"),
    ("SLURMD_NODENAME", "n1"),
];

const HYPERQUEUE: [(&str, &str); 4] =
    [("HQ_JOB_ID", "2"), ("HQ_TASK_ID", "3"), ("HQ_INSTANCE_ID", "0"), ("HQ_CPUS", "0")];

/// The command with these variables, and none of batch systems beside them.
fn start(program: &str, bench: &Bench, line: &str, variables: &[(&str, &str)]) -> Child {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| ["SLURM", "HQ_", "TILEBENCH_KISSAT"].iter().any(|of| name.starts_with(of)))
        {
            command.env_remove(name);
        }
    }
    command.args(words(line)).env("TILEBENCH_ANYWAY", "1").envs(variables.iter().copied());
    command.current_dir(bench.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("starts")
}

fn run(bench: &Bench, line: &str, variables: &[(&str, &str)]) -> Ran {
    Ran::of(start(env!("CARGO_BIN_EXE_tilebench"), bench, line, variables))
}

fn rows(bench: &Bench) -> Vec<RunRow> {
    ResultsDir::new(bench.path("out/far")).read_runs().expect("sound rows")
}

fn sessions(bench: &Bench) -> Vec<SessionFacts> {
    ResultsDir::new(bench.path("out/far")).read_manifest().expect("a manifest").sessions
}

#[test]
fn results_say_in_which_job_they_were_made() {
    let bench = Bench::new();
    bench.write(
        "far.toml",
        &format!("{CONFIG}\n[report]\ntables = [\"times\"]\n").replace("title", "seeds = [1, 2]\ntitle"),
    );
    for (flags, variables) in [("--filter seed=1", &SLURM[..]), ("--resume", &HYPERQUEUE[..])] {
        run(&bench, &format!("run far.toml --out out {flags} --filter solver=cadical"), variables).ok();
    }
    let [slurm, hyperqueue] = sessions(&bench).try_into().expect("two sessions");
    assert_eq!(rows(&bench).iter().map(|row| &row.session).collect::<Vec<_>>(), [&slurm.id, &hyperqueue.id]);
    assert_eq!(slurm.engine.in_words().as_deref(), Some("slurm job 4711_3 attempt 1"));
    assert_eq!((slurm.engine.cpus, slurm.engine.memory_b), (2, 400 << 20));
    assert_eq!(hyperqueue.engine.in_words().as_deref(), Some("hyperqueue job 2 task 3 attempt 0"));
    run(&bench, "report out -o plots --format md", &[]).ok();
    let page = bench.read("plots/far.md");
    for told in [
        ", slurm job 4711 with 2 CPUs and 400 MiB allocated, task 3\n",
        ", hyperqueue job 2 with 1 CPU allocated, task 3\n",
    ] {
        assert!(page.contains(told), "no {told} in {page}");
    }
    // What is no number of a job is no job.
    run(&bench, "run far.toml --out plain --filter solver=cadical", &[("SLURM_JOB_ID", "?"), ("HQ_JOB_ID", "")]).ok();
    let plain = ResultsDir::new(bench.path("plain/far")).read_manifest().expect("a manifest");
    assert_eq!(plain.sessions[0].engine, record::EngineFacts::default());
}

#[test]
fn who_finds_results_taken_is_told_machine_and_job() {
    let bench = Bench::mock();
    let mock = "[[solver]]\nname = \"mock\"\noptions = { fault = \"silence\" }\n";
    bench.write("far.toml", &format!("{}{mock}", CONFIG.split("[[solver]]").next().unwrap_or_default()));
    let program = env!("CARGO_BIN_EXE_tilebench-mock");
    let line = "run far.toml --out out";
    let first = start(program, &bench, line, &SLURM);
    let lock = bench.path("out/far/.lock");
    wait_for(30, || fs::read_to_string(&lock).is_ok_and(|text| text.ends_with('\n')));
    let second = Ran::of(start(program, &bench, line, &[]));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
    let holder = format!("(process {} on {}, slurm job 4711_3 attempt 1) is writing here", first.id(), host.trim());
    send("INT", first.id());
    assert_eq!(Ran::of(first).code, 130);
    second.refused(&["another tilebench run", &holder]);
}

/// Puts a program into a folder of its own: of every formula it says that it has no solution.
fn install(bench: &Bench, folder: &str) {
    let program = bench.path(folder).join("kissat");
    fs::create_dir(bench.path(folder)).expect("a folder");
    fs::write(&program, "#!/bin/sh\ncase $1 in --version) echo 4.0.1;; *) echo s UNSATISFIABLE; exit 20;; esac\n")
        .expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
}

#[test]
fn what_path_holds_changes_no_run() {
    let bench = Bench::new();
    bench.write("far.toml", CONFIG);
    install(&bench, "bin");
    let [with, without] = ["bin", "nowhere"].map(|folder| bench.path(folder).display().to_string());
    let plan = |path: &str| run(&bench, "run far.toml --dry-run", &[("PATH", path)]).ok().out;
    let (here, there) = (plan(&without), plan(&with));
    assert!(here.contains("kissat: kissat is not available: ") && here.matches("not available").count() == 1, "{here}");
    assert!(!there.contains("not available"), "{there}");
    let ids = |plan: &str| plan.lines().filter(|line| line.contains("row")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((ids(&here), ids(&here).len()), (ids(&there), 2));

    let line = "run far.toml --out out --resume --retry unsupported";
    let first = run(&bench, line, &[("PATH", without.as_str())]).ok();
    assert!(first.out.contains("1 unsupported"), "{first:?}");
    let second = run(&bench, line, &[("PATH", with.as_str())]).ok();
    assert!(!(second.out.clone() + &second.err).contains("not of this plan"), "{second:?}");
    let rows = rows(&bench);
    let of_kissat: Vec<_> = rows.iter().filter(|row| row.solver == "kissat").collect();
    assert_eq!(
        of_kissat.iter().map(|row| (row.attempt, row.status)).collect::<Vec<_>>(),
        [(1, Status::Unsupported), (2, Status::Infeasible)]
    );
    let ids: BTreeSet<_> = rows.iter().map(|row| row.run_id.as_str()).collect();
    let plan = ResultsDir::new(bench.path("out/far")).read_plan().expect("a plan");
    assert_eq!(ids, plan.iter().map(|row| row.run_id.as_str()).collect());
    assert_eq!(sessions(&bench).iter().map(|session| session.runs).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_cpu_model_that_is_asked_for_is_insisted_on() {
    let bench = Bench::new();
    bench.write("far.toml", &format!("{CONFIG}\n[require]\ncpu_model = \"Abacus 9000\"\n"));
    run(&bench, "run far.toml --out out", &[])
        .refused(&["far.toml, line ", "[require] cpu_model asks for \"Abacus 9000\""]);
    assert!(!Path::new(&bench.path("out")).exists(), "nothing is written");
    let planned = run(&bench, "run far.toml --dry-run", &[]).ok();
    assert!(planned.out.contains("note: far.toml, line "), "{planned:?}");
}
