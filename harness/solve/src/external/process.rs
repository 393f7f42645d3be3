//! Programs as processes: where one is, what it says when it is asked something, and how it runs. Its output goes to a file
//! and, as it comes, to standard output; it ends by itself or is killed, with whatever it has started.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;

use rustix::process::{Signal, getpid};
use system::{RawPid, Watch, descendants, kill_process};

use super::files::tail;
use crate::backend::*;

/// How long a program may go on after its time limit, to write what it has, and the part of the limit that is added to
/// it. It is less than what the runner grants a worker.
const GRACE: (Duration, f64) = (Duration::from_millis(200), 0.02);

/// How long a program may take to say its version.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// How often the output of a running program is passed on.
const ECHO: Duration = Duration::from_millis(100);

/// How often a program is looked at where the kernel does not tell when it ends.
const LOOK: Duration = Duration::from_millis(5);

/// The variable by whose value a program and all that it starts are known, as long as they keep their environment.
const MARK: &str = "TILEBENCH_PROGRAM";

/// How often what a program has left behind is looked for: a process may have started another just before it was killed.
const ROUNDS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    Killed,
}

/// The path of a program: as it is if it has a slash, else found in PATH.
pub(super) fn find(program: &str) -> Result<PathBuf, String> {
    let path = which::which(program).map_err(|_| match Path::new(program) {
        path if !program.contains('/') => format!("no executable {} in PATH", path.display()),
        path if path.exists() => format!("{program} is no executable file"),
        _ => format!("there is no {program}"),
    })?;
    // The program may run in another directory.
    std::path::absolute(&path).map_err(|e| format!("{program}: {e}"))
}

/// The executable of a backend: as the options say, else as the environment says, else found in PATH.
pub(super) fn locate(
    name: &'static str,
    executable: &str,
    install: &str,
    given: Option<&str>,
) -> Result<PathBuf, SolveError> {
    let variable = format!("TILEBENCH_{}", name.to_uppercase().replace('-', "_"));
    let set = env::var(&variable).ok().filter(|value| !value.is_empty());
    find(given.or(set.as_deref()).unwrap_or(executable)).map_err(|reason| SolveError::Missing {
        solver: name,
        reason,
        remedy: format!("install it ({install}), or say where it is by options.program or {variable}"),
    })
}

/// What tells a program that says no version from another one: the beginning of the hash of its files.
pub(super) fn fingerprint<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<String, String> {
    let mut hasher = blake3::Hasher::new();
    for path in files {
        hasher.update(&fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?);
    }
    Ok(format!("file {}", &hasher.finalize().to_hex()[..12]))
}

/// What programs said that were asked something: by command line their exit code and what they printed, or why they said nothing.
pub type Heard = BTreeMap<String, Result<(i32, String), String>>;

/// What was said to this process, or to the one that started it: nothing is asked twice.
static HEARD: Mutex<Heard> = Mutex::new(Heard::new());

/// What programs have said so far, for another process of the same build.
#[must_use]
pub fn heard() -> Heard {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Takes the word of another process for what programs say.
pub fn be_told(told: Heard) {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).extend(told);
}

/// The exit code of a command that ends soon, and what it prints; it is asked once.
/// Errors: a command that cannot be started, does not end or is killed.
pub(crate) fn ask(command: Command, patience: Duration) -> Result<(i32, String), String> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let line = shell_words::join(words.map(OsStr::to_string_lossy));
    if let Some(said) = HEARD.lock().unwrap_or_else(PoisonError::into_inner).get(&line) {
        return said.clone();
    }
    let said = listen(command, patience);
    HEARD.lock().unwrap_or_else(PoisonError::into_inner).insert(line, said.clone());
    said
}

fn listen(command: Command, patience: Duration) -> Result<(i32, String), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |e: io::Error| format!("{name}: {e}");
    // Where there are such files in memory: on a disk that is full or forbidden the program would pass for one that is missing.
    let file = || system::memory_file("said", b"").map_err(failed);
    let (out, err) = (file()?, file()?);
    let end = run(command, [&out, &err], None, None, Instant::now().checked_add(patience)).map_err(failed)?;
    // Warnings come last: what was asked for may be a document.
    let mut printed = Vec::new();
    for mut file in [out, err] {
        if printed.last().is_some_and(|last| *last != b'\n') {
            printed.push(b'\n');
        }
        file.rewind().and_then(|()| file.read_to_end(&mut printed)).map_err(failed)?;
    }
    let printed = text(printed);
    match end {
        End::Exit(exit) => Ok((exit, printed)),
        End::Signal(signal) => Err(format!("{name} was killed by signal {signal}; {}", tail(&printed))),
        End::Killed => Err(format!("{name} did not say its version within {} s", patience.as_secs())),
    }
}

/// How long after its time limit a program is killed.
pub(super) fn grace(time_limit: Duration) -> Duration {
    GRACE.0.saturating_add(time_limit.mul_f64(GRACE.1))
}

/// What a program wrote, as text.
pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Runs a program until it ends, or until a time when it is killed; before that it may be interrupted (SIGINT). What it prints goes to
/// a file, what it complains of to another or the same; what comes of `echo`, another handle of the first, is also passed on to
/// standard output.
///
/// It stays in the process group of this process and dies with it. What it has started ends with it, however it ends.
pub(super) fn run(
    mut command: Command,
    [out, err]: [&File; 2],
    mut echo: Option<File>,
    mut interrupt: Option<Instant>,
    until: Option<Instant>,
) -> io::Result<End> {
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?).env("LC_ALL", "C");
    let mark = mark();
    command.env(MARK, &mark);
    // What programs leave behind becomes a child of this process, so that it can be found. Where the kernel refuses, it is not.
    system::adopt_orphans(true);
    system::die_with_parent(&mut command);
    let mut running = Running { child: command.spawn()?, mark };
    let watch = Watch::on(running.pid());
    let end = loop {
        if let Some(status) = running.child.try_wait()? {
            break status.signal().map_or_else(|| End::Exit(status.code().unwrap_or(-1)), End::Signal);
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            running.kill();
            break End::Killed;
        }
        if let Some(pid) = system::process(running.pid()).filter(|_| interrupt.is_some_and(|at| Instant::now() >= at)) {
            interrupt = None;
            // Not waited for yet, so the number is its own.
            let _ = rustix::process::kill_process(pid, Signal::INT);
        }
        pass_on(echo.as_mut())?;
        let until_interrupt = interrupt.map(|at| at.saturating_duration_since(Instant::now()));
        let most = [left, until_interrupt, echo.is_some().then_some(ECHO)]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(Duration::MAX);
        watch.wait(most, LOOK);
    };
    pass_on(echo.as_mut())?;
    Ok(end)
}

/// When a process was started, in clock ticks since the machine was; with its number that names it for good.
fn start_of(process: RawPid) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Field 22; the name, in parentheses, may hold anything.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
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
    fn pid(&self) -> RawPid {
        RawPid::try_from(self.child.id()).unwrap_or(0)
    }

    /// Kills it and what it has started: a script may have the solver as its child.
    fn kill(&mut self) {
        let below = descendants(self.pid()).into_iter().filter_map(|pid| Some((pid, start_of(pid)?)));
        let below: Vec<(RawPid, u64)> = below.collect();
        // An error means that it has ended.
        let _ = self.child.kill();
        for (pid, start) in below {
            kill_process(pid, || start_of(pid) == Some(start));
        }
        let _ = self.child.wait();
    }

    /// Kills processes with its mark. What it had started is a child of this process once it has ended.
    fn sweep(&self) {
        for _ in 0..ROUNDS {
            let mut left = descendants(getpid().as_raw_pid());
            left.retain(|&pid| has_mark(pid, &self.mark));
            if left.is_empty() {
                return;
            }
            for &pid in &left {
                kill_process(pid, || has_mark(pid, &self.mark));
            }
            sleep(LOOK);
            // Only children of this process can be reaped, and only dead ones are.
            left.into_iter().for_each(system::forget_dead);
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
fn has_mark(process: RawPid, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let entry = format!("{MARK}={mark}");
    environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
}
