//! Running a program: its output goes to a file and, as it comes, to standard output; it ends by itself or is killed, with
//! whatever it has started.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::sys;

/// How often the output of a running program is passed on.
const ECHO: Duration = Duration::from_millis(100);

/// How often a program is looked at where the kernel does not tell when it ends.
const LOOK: Duration = Duration::from_millis(5);

/// The variable by whose value a program and all that it starts are known, as long as they keep their environment.
const MARK: &str = "TILEBENCH_PROGRAM";

/// How often what a program has left behind is looked for: who is killed may just have started another.
const ROUNDS: usize = 20;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It was killed, its time was over.
    Killed,
}

/// Runs a program until it ends, or until a time when it is killed. All that it prints goes to a file, with `echo` also to
/// standard output.
///
/// It stays in the process group of this process and dies with it. What it has started ends with it, however it ends.
pub(super) fn run(mut command: Command, log: &Path, until: Option<Instant>, echo: bool) -> io::Result<End> {
    let out = File::create(log)?;
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out).env("LC_ALL", "C");
    let mark = mark();
    command.env(MARK, &mark);
    sys::adopt_orphans();
    sys::die_with_parent(&mut command);
    let mut running = Running { child: command.spawn()?, mark };
    let mut passed_on = echo.then(|| File::open(log)).transpose()?;
    let pidfd = sys::pidfd(running.child.id());
    let end = loop {
        if let Some(status) = running.child.try_wait()? {
            break status.signal().map_or_else(|| End::Exit(status.code().unwrap_or(-1)), End::Signal);
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            running.kill();
            break End::Killed;
        }
        pass_on(passed_on.as_mut())?;
        let most = left.unwrap_or(Duration::MAX).min(if echo { ECHO } else { Duration::MAX });
        match &pidfd {
            Some(pidfd) => sys::wait_readable(pidfd, most),
            None => sleep(most.min(LOOK)),
        }
    };
    pass_on(passed_on.as_mut())?;
    Ok(end)
}

/// Copies what is new in a log to standard output.
fn pass_on(log: Option<&mut File>) -> io::Result<()> {
    let Some(log) = log else { return Ok(()) };
    let mut new = Vec::new();
    log.read_to_end(&mut new)?;
    if !new.is_empty() {
        let mut out = io::stdout().lock();
        out.write_all(&new)?;
        out.flush()?;
    }
    Ok(())
}

/// A mark that no other program of this or another process has.
fn mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A program that does not outlive this value, nor does what it has started.
struct Running {
    child: Child,
    mark: String,
}

impl Running {
    /// Kills it and what it has started: a script may have the solver as its child.
    fn kill(&mut self) {
        let below = descendants(self.child.id());
        // An error means that it has ended.
        let _ = self.child.kill();
        below.into_iter().for_each(sys::kill);
        let _ = self.child.wait();
    }

    /// Kills what has its mark. When it has ended, whoever it had started is a child of this process.
    fn sweep(&self) {
        for _ in 0..ROUNDS {
            let mut left: Vec<u32> = descendants(std::process::id());
            left.retain(|&pid| has_mark(pid, &self.mark));
            if left.is_empty() {
                return;
            }
            left.iter().copied().for_each(sys::kill);
            sleep(LOOK);
            left.into_iter().for_each(sys::reap);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill();
        }
        self.sweep();
    }
}

/// Whether a process was started with this mark. The dead have none.
fn has_mark(process: u32, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let entry = format!("{MARK}={mark}");
    environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
}

/// Children of a process, their children and so on.
fn descendants(process: u32) -> Vec<u32> {
    let mut found = vec![process];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        next += 1;
        let Ok(tasks) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
        }
    }
    found.split_off(1)
}
