//! Slurm itself, on loopback: arrays, and the faults that were seen on clusters.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use record::Status;

use super::{Tasks, boards, parent, process_of, run};
use crate::bench::{Bench, leave_out, send, wait_for};

/// Scripts that start and stop a Slurm.
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster");

/// A Slurm with three nodes of two CPUs, which ends with it.
struct Slurm {
    folder: PathBuf,
    ports: String,
    /// The bound of indices of arrays.
    max_array: usize,
}

impl Slurm {
    /// Starts it for the commands of a bench, where it is installed.
    fn start(bench: &mut Bench, max_array: usize) -> Option<Self> {
        let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
        let is_there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        if !["slurmctld", "slurmd", "munged", "sbatch"].into_iter().all(is_there) {
            leave_out("slurmctld", "apt-get install munge slurmctld slurmd slurm-client");
            return None;
        }
        // All at once, so that they differ.
        let listeners: Vec<TcpListener> = (0..4).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let port = |listener: &TcpListener| listener.local_addr().expect("an address").port().to_string();
        let ports = listeners.iter().map(port).collect::<Vec<_>>().join(" ");
        drop(listeners);
        let slurm = Self { folder: bench.path("slurm"), ports, max_array };
        bench.set("SLURM_CONF", &slurm.folder.join("slurm.conf").display().to_string());
        slurm.up();
        Some(slurm)
    }

    fn script(&self, name: &str) -> bool {
        let mut command = Command::new(Path::new(SCRIPTS).join(name));
        command.env("DIR", &self.folder).env("PORTS", &self.ports).env("CPUS", "2");
        command.env("MAXARRAY", self.max_array.to_string()).status().is_ok_and(|status| status.success())
    }

    /// Starts the daemons that do not run.
    #[track_caller]
    fn up(&self) {
        assert!(self.script("slurm-up.sh"), "Slurm does not come up");
    }

    /// Ends a daemon at once.
    fn kill(&self, daemon: &str) {
        let pid = fs::read_to_string(self.folder.join(format!("run/{daemon}.pid"))).expect("a running daemon");
        send("KILL", pid.trim().parse().expect("a number"));
    }

    /// What Slurm lists: index, state and node of each job.
    fn jobs(&self) -> Vec<[String; 3]> {
        let output = Command::new("squeue")
            .args(["--noheader", "--array", "--format=%K|%T|%N"])
            .env("SLURM_CONF", self.folder.join("slurm.conf"))
            .output()
            .expect("squeue");
        let text = String::from_utf8(output.stdout).expect("text");
        let line =
            |line: &str| line.trim().split('|').map(str::to_owned).collect::<Vec<_>>().try_into().expect("three cells");
        text.lines().map(line).collect()
    }

    /// State and node of a job by its index; nothing if it is not listed.
    fn job(&self, index: usize) -> Option<(String, String)> {
        let [_, state, node] = self.jobs().into_iter().find(|job| job[0] == index.to_string())?;
        Some((state, node))
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.script("slurm-down.sh");
    }
}

pub fn an_array_is_run_to_its_end_and_merged_also_beyond_the_bound_of_indices() {
    let mut bench = boards(4, 0.1);
    // Indices 1 and 2: three tasks need two arrays.
    let Some(slurm) = Slurm::start(&mut bench, 3) else { return };
    let (tasks, ran) = Tasks::submit(&bench, "--engine slurm --throttle 2 --start");
    assert_eq!(tasks.jobs().len(), 2, "{ran:?}");
    wait_for(120, || tasks.in_state("done") == "1-3");
    assert!(tasks.missing(&["--start"]).ok().out.contains("nothing to send"));
    assert_eq!(tasks.jobs().len(), 2);
    tasks.whole();
    drop(slurm);
}

/// The tasks sleep for 80 s. The daemon that watches over one of them is killed, and that of the node of another: Slurm begins both
/// again after up to 50 s, while the old copies live on. The script of the third is killed, which Slurm calls a failure.
pub fn what_is_killed_is_run_again_beside_its_old_copy_and_each_run_counts_once() {
    let mut bench = boards(8, 10.0);
    let Some(slurm) = Slurm::start(&mut bench, 1001) else { return };
    let (tasks, _) = Tasks::submit(&bench, "--engine slurm --start");
    wait_for(60, || (1..=3).all(|task| !tasks.attempts(task).is_empty()));
    let node = |task: usize| slurm.job(task).expect("a running job").1;
    // Two are on one node, one is alone.
    let alone =
        (1..=3).find(|task| (1..=3).filter(|other| node(*other) == node(*task)).count() == 1).expect("one alone");
    let mut others = (1..=3).filter(|task| *task != alone);
    let (failed, unwatched) = (others.next().expect("a task"), others.next().expect("a task"));
    let process = |task: usize| process_of(&tasks.attempts(task)[0]);
    send("KILL", parent(process(unwatched)));
    slurm.kill(&format!("slurmd-{}", node(alone)));
    wait_for(60, || !tasks.rows(failed).is_empty());
    send("KILL", process(failed));

    wait_for(60, || slurm.job(failed).is_none());
    assert_eq!(tasks.in_state("unclear"), failed.to_string(), "its files are young: {}", tasks.status());
    tasks.age(failed);
    assert_eq!(tasks.in_state("lost"), failed.to_string(), "{}", tasks.status());
    let sent = tasks.missing(&["--start"]).ok();
    assert!(sent.out.contains(&format!("started: tasks {failed} as slurm job")), "{sent:?}");

    let mut waiting = vec![alone, unwatched];
    wait_for(120, || {
        waiting.retain(|task| {
            let attempts = tasks.attempts(*task);
            let Some(first) = attempts.iter().find(|attempt| attempt.to_string_lossy().contains("-r0-")) else {
                return true;
            };
            if attempts.len() == 2 {
                assert!(
                    Path::new(&format!("/proc/{}", process_of(first))).exists(),
                    "the old copy of task {task} lives on"
                );
            }
            attempts.len() < 2
        });
        waiting.is_empty()
    });
    // Back again, the node ends the copy that Slurm has given up.
    slurm.up();
    wait_for(240, || tasks.in_state("done") == "1-3");
    tasks.whole();
}

pub fn a_job_that_comes_to_its_walltime_ends_in_order() {
    let mut bench = boards(1, 300.0);
    let Some(slurm) = Slurm::start(&mut bench, 1001) else { return };
    let (tasks, ran) = Tasks::submit(&bench, "--engine slurm");
    // A minute is the shortest walltime there is.
    let script = fs::read_to_string(tasks.path("job.sh")).expect("a script");
    let time = script.lines().find(|line| line.starts_with("#SBATCH --time=")).expect("a walltime");
    let script = script.replace(time, "#SBATCH --time=1").replace("TERM@120", "TERM@45");
    fs::write(tasks.path("job.sh"), script).expect("a script");
    let call = ran.out.lines().find_map(|line| line.strip_prefix("start: ")).expect("a command");
    let conf = slurm.folder.join("slurm.conf");
    let sent = Command::new("sh")
        .args(["-c", call])
        .env("SLURM_CONF", conf)
        .env("TILEBENCH_ANYWAY", "1")
        .output()
        .expect("a shell");
    assert!(sent.status.success(), "{call}: {sent:?}");
    // Started by hand, it is known by its name.
    wait_for(30, || tasks.in_state("running") == "1-3");
    wait_for(90, || (1..=3).all(|task| !tasks.rows(task).is_empty()));
    for task in 1..=3 {
        let statuses: Vec<Status> = tasks.rows(task).iter().map(|row| row.status).collect();
        assert_eq!(statuses, [Status::Interrupted], "task {task}");
    }
    assert_eq!(bench.survivors(), [""; 0]);
    assert!(tasks.status().contains("0 of 3 runs have their row"), "{}", tasks.status());
}

/// A controller that dies within a second of taking a job does not know it any more, and gives its number to the next one.
pub fn a_job_that_vanished_is_lost_and_sent_again_under_the_same_number() {
    let mut bench = boards(2, 0.0);
    let Some(slurm) = Slurm::start(&mut bench, 1001) else { return };
    let state = |name: &str| slurm.folder.join(name).display().to_string();
    run("cp", &["-a", &state("state"), &state("before")]);
    // Tasks that wait leave no trace.
    let (tasks, _) = Tasks::submit(&bench, "--engine slurm --sbatch=--begin=now+1hour --start");
    assert_eq!(tasks.in_state("waiting"), "1-3", "{}", tasks.status());
    slurm.kill("slurmctld");
    fs::remove_dir_all(state("state")).expect("a folder");
    run("mv", &[&state("before"), &state("state")]);
    assert!(tasks.status().contains("note: squeue: "), "the controller is gone: {}", tasks.status());
    assert_eq!(tasks.in_state("waiting"), "1-3", "so nobody knows");
    slurm.up();
    assert_eq!(tasks.in_state("unclear"), "1-3");
    tasks.age(1);
    assert_eq!(tasks.in_state("lost"), "1-3");
    let script = fs::read_to_string(tasks.path("job.sh")).expect("a script").replace("#SBATCH --begin=now+1hour\n", "");
    fs::write(tasks.path("job.sh"), script).expect("a script");
    tasks.missing(&["--start"]).ok();
    let jobs = tasks.jobs();
    assert_eq!(jobs[0], jobs[1], "the number is given again");
    wait_for(120, || tasks.in_state("done") == "1-3");
    tasks.whole();
}
