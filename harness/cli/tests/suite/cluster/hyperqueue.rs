//! HyperQueue itself, by the library of its wheel: a server and workers in a network namespace, workers that are killed and stopped.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::{Tasks, boards, parent, process_of};
use crate::bench::{Bench, leave_out, send, wait_for};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster/hyperqueue_cluster.py");

/// A server with its workers, which end with it.
struct Cluster {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Cluster {
    /// Starts a server without workers, where there is HyperQueue.
    fn start(bench: &Bench) -> Option<Self> {
        let quiet = |command: &mut Command| {
            command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        if !quiet(Command::new("python3").args(["-c", "import hyperqueue, tomllib"])) {
            leave_out("hyperqueue", "python3 -m pip install hyperqueue, Python 3.11");
            return None;
        }
        let folder = bench.path("hyperqueue");
        fs::create_dir_all(&folder).expect("a folder");
        // Its server has no keys and listens everywhere.
        let net = ["--map-root-user", "--net"];
        if !quiet(Command::new("unshare").args(net).arg("true")) {
            eprintln!("NOT TESTED HERE: hyperqueue, since there are no network namespaces (unshare)");
            return None;
        }
        let mut process = Command::new("unshare")
            .args(net)
            .args(["python3", SCRIPT])
            .arg(&folder)
            .env("TILEBENCH_ANYWAY", "1")
            // It leaves sockets there.
            .env("TMPDIR", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("unshare");
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        Some(Self { process, orders, answers })
    }

    /// Gives an order and returns the answer.
    fn ask(&mut self, order: &str) -> String {
        writeln!(self.orders.as_mut().expect("a pipe"), "{order}").expect("it listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("it answers");
        let answer = answer.trim().to_owned();
        assert!(!answer.is_empty(), "no answer to {order}");
        answer
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}

/// One worker is killed, the other stopped: both their tasks are begun again. Then the stopped one goes on beside the new copies. At last
/// everything is run again, as by a restarted server.
pub fn workers_that_are_killed_or_stopped_lose_nothing_and_each_run_counts_once() {
    let bench = boards(8, 3.0);
    let Some(mut cluster) = Cluster::start(&bench) else { return };
    let (tasks, ran) = Tasks::submit(&bench, "--engine hyperqueue");
    assert!(ran.out.contains("start: hq "), "{ran:?}");
    let workers: [u32; 2] = [(); 2].map(|()| cluster.ask("worker").parse().expect("a process"));
    let file = tasks.path("job.toml").display().to_string();
    let job = cluster.ask(&format!("submit {file}"));
    wait_for(60, || (1..=3).all(|task| !tasks.rows(task).is_empty()));
    let worker_of = |task: usize| parent(process_of(&tasks.attempts(task)[0]));
    let on: Vec<u32> = (1..=3).map(worker_of).collect();
    assert!(workers.iter().all(|worker| on.contains(worker)), "each has a task: {workers:?} {on:?}");

    cluster.ask("worker");
    send("KILL", workers[0]);
    send("STOP", workers[1]);
    wait_for(120, || (1..=3).all(|task| tasks.attempts(task).len() == 2));
    send("CONT", workers[1]);
    assert_eq!(cluster.ask(&format!("wait {job}")), "ended");
    wait_for(60, || tasks.in_state("done") == "1-3");
    tasks.whole();

    let rows = || (1..=3).map(|task| tasks.rows(task).len()).sum::<usize>();
    let before = rows();
    let again = cluster.ask(&format!("submit {file}"));
    assert_eq!(cluster.ask(&format!("wait {again}")), "ended");
    assert!((1..=3).all(|task| tasks.attempts(task).len() == 3), "each was begun once more");
    assert_eq!(rows(), before, "and found nothing to do");
}
