//! Standard output and standard error, errors on their way to the user, exit codes, and what files may be written.
//!
//! Texts are in colour where a terminal shows it (`--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE).
//! Unlike with `println!`, a reader that closed the pipe (`| head`) is no panic: it has what it wanted, and the command goes on to its
//! exit code.

use std::borrow::Cow;
use std::ffi::{c_int, c_void};
use std::fmt::{self, Arguments};
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::ptr;
use std::time::Duration;

use anstyle::AnsiColor;
use indicatif::{ProgressBar, ProgressStyle};
use record::in_the_way;
use rustix::stdio::dup2_stdout;
use serde::Serialize;

/// Prints a line or returns the error to the caller, who returns it too; a reader that is gone is none.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*))? };
}

pub(crate) use say;

/// Prints a line on standard error. Where that cannot be written, nobody reads it, and the work goes on.
macro_rules! note {
    ($($text:tt)*) => { $crate::output::remark(format_args!($($text)*)) };
}

pub(crate) use note;

/// Prints a line, with nothing in it that a terminal would obey: names and values of files are in it.
pub fn line(text: Arguments<'_>) -> io::Result<()> {
    print(&(painted(&puzzle::escaped(&text.to_string())) + "\n"))
}

/// Prints a text as it is, but for colours where nobody sees them.
pub fn print(text: &str) -> io::Result<()> {
    if_read(anstream::stdout().write_all(text.as_bytes()))
}

/// Prints columns side by side.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> anyhow::Result<()> {
    let mut text = String::new();
    runner::table(&mut text, head, rows)?;
    Ok(line(format_args!("{}", text.trim_end()))?)
}

/// Prints a value as JSON.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(if_read(writeln!(io::stdout(), "{}", serde_json::to_string_pretty(value)?))?)
}

/// What came of printing, if somebody still reads.
pub fn if_read(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(io::Error::new(error.kind(), format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Prints a line on standard error in the same way.
pub fn remark(text: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{}", painted(&puzzle::printable(&text.to_string())));
}

/// How something ended, or what a line is about: words that are in colour at the beginning of a line, or behind its first word.
const ENDINGS: [(&str, AnsiColor); 22] = [
    ("WRONG", AnsiColor::Red),
    ("CONTRADICTIONS", AnsiColor::Red),
    ("FAILED", AnsiColor::Red),
    ("error", AnsiColor::Red),
    ("crash", AnsiColor::Red),
    ("invalid", AnsiColor::Red),
    ("lost", AnsiColor::Red),
    ("warning", AnsiColor::Yellow),
    ("timeout", AnsiColor::Yellow),
    ("memout", AnsiColor::Yellow),
    ("interrupted", AnsiColor::Yellow),
    ("unsupported", AnsiColor::Yellow),
    ("not solved", AnsiColor::Yellow),
    ("note", AnsiColor::Cyan),
    ("next", AnsiColor::Cyan),
    ("solved and verified", AnsiColor::Green),
    ("optimal", AnsiColor::Green),
    ("feasible", AnsiColor::Green),
    ("infeasible", AnsiColor::Green),
    ("valid", AnsiColor::Green),
    // The headings of comparisons.
    ("### tilebench: no regression", AnsiColor::Green),
    ("### tilebench:", AnsiColor::Red),
];

/// A text with the codes of these colours, which the streams leave out where nobody sees them.
pub fn painted(text: &str) -> String {
    text.split_inclusive('\n').map(painted_line).collect()
}

fn painted_line(line: &str) -> Cow<'_, str> {
    let first = line.len() - line.trim_start().len();
    let second = line[first..].find("  ").map(|end| line.len() - line[first + end..].trim_start().len());
    for start in [Some(first), second].into_iter().flatten() {
        let rest = &line[start..];
        // Not the name of a file, such as error.toml.
        let ends = |next: char| next.is_whitespace() || ":,;".contains(next);
        let is_whole = |word: &str| rest[word.len()..].chars().next().is_none_or(ends);
        let found = ENDINGS.into_iter().find(|(word, _)| rest.starts_with(word) && is_whole(word));
        if let Some((word, colour)) = found {
            let style = colour.on_default().bold();
            return format!("{}{style}{word}{style:#}{}", &line[..start], &rest[word.len()..]).into();
        }
    }
    line.into()
}

/// Refuses outputs in folders that do not exist, that are a file that is read, or that are one file, of which the second would replace
/// the first (devices and pipes take both). To be called before the work is done.
pub fn check_outputs(read: &[&Path], outputs: &[&Path]) -> anyhow::Result<()> {
    let identity = |path: &Path| fs::metadata(path).ok().map(|there| (there.dev(), there.ino()));
    // An instance may be one of a suite: of a path that is not there what is of it.
    let file = |path: &Path| path.ancestors().find_map(identity);
    for (index, &output) in outputs.iter().enumerate() {
        let path = output.display();
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        anyhow::ensure!(folder.is_dir(), "{path}: there is no folder {}", folder.display());
        let is_read = identity(output).is_some_and(|there| read.iter().any(|input| file(input) == Some(there)));
        anyhow::ensure!(!is_read, "{path} is the file that is read: choose another name");
        let is_same = |other: &Path| located(other) == located(output) && (output.is_file() || !output.exists());
        anyhow::ensure!(
            !outputs[..index].iter().any(|other| is_same(other)),
            "{path} is the name of two outputs: choose another for one of them"
        );
    }
    Ok(())
}

/// Refuses a file where a folder is to be, or one above it.
pub fn check_folder(folder: &Path) -> anyhow::Result<()> {
    in_the_way(folder)
        .map_or(Ok(()), |there| anyhow::bail!("{} exists and is not a folder: choose another name", there.display()))
}

/// Refuses a folder for new files that holds some.
pub fn check_empty(folder: &Path) -> anyhow::Result<()> {
    check_folder(folder)?;
    anyhow::ensure!(
        fs::read_dir(folder).map_or(!folder.exists(), |mut entries| entries.next().is_none()),
        "{} exists and is not an empty folder: choose another name",
        folder.display()
    );
    Ok(())
}

/// Where a path leads, whether there is something or not yet.
pub fn located(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|part| Some((fs::canonicalize(part).ok()?, part)));
    let rest = existing.and_then(|(real, part)| Some(real.join(path.strip_prefix(part).ok()?)));
    // What is joined to an empty rest ends in a separator, which comparisons of paths do not see.
    rest.unwrap_or(path)
}

/// A spinner with a message on standard error; hidden where `show` is false or nobody watches.
pub fn spinner(show: bool) -> ProgressBar {
    let bar = if show && io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(100));
    styled(bar, "{spinner} {msg} {elapsed}")
}

/// A bar with a message on standard error, to be given a length; hidden where nobody watches.
pub fn bar() -> ProgressBar {
    let bar = if io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    styled(bar, "[{elapsed}] {bar:40} {human_pos} of {human_len} {msg}")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A check that failed or work that could not be done, as opposed to bad input.
#[derive(Debug)]
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// Exit code of a failed check.
pub const CHECK_FAILED: u8 = 1;

/// Exit code of bad usage, config or input.
pub const BAD_INPUT: u8 = 2;

/// Exit code where the machine refused: a full disk, a place that is forbidden or read-only, workers that cannot be started.
pub const MACHINE_REFUSED: u8 = 3;

/// Exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Prints an error and chooses the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    note!("error: {}", in_full(error));
    ExitCode::from(match error.downcast_ref::<Failed>() {
        Some(_) => CHECK_FAILED,
        None if is_refusal(error) => MACHINE_REFUSED,
        None => BAD_INPUT,
    })
}

/// Whether the machine is at fault rather than what it was asked to do.
fn is_refusal(error: &anyhow::Error) -> bool {
    if let Some(error) = error.downcast_ref::<runner::RunnerError>() {
        return !error.is_usage();
    }
    // A file that may not be read is not the one to be read.
    let reads = error.chain().any(|cause| cause.is::<puzzle::InputError>());
    let refuses = |error: &io::Error| {
        use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem | PermissionDenied)
    };
    !reads && error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(refuses)
}

/// An error with its causes, but for those that it names itself.
pub fn in_full(error: &anyhow::Error) -> String {
    error
        .chain()
        .skip(1)
        .map(ToString::to_string)
        .fold(error.to_string(), |text, cause| if text.ends_with(&cause) { text } else { format!("{text}: {cause}") })
}

/// Takes standard output for the protocol and lets everything that is printed there later go to the log, or
/// to nowhere.
pub fn claim_stdout(log: Option<&Path>) -> io::Result<File> {
    let chatter = match log {
        Some(path) => OpenOptions::new().create(true).append(true).open(path)?,
        None => OpenOptions::new().write(true).open("/dev/null")?,
    };
    redirected(&chatter).map(File::from)
}

/// Does something and gives back what was printed to standard output meanwhile, by libraries too. What other threads print goes
/// there as well.
pub fn printed(act: &mut dyn FnMut()) -> io::Result<String> {
    let mut shown = system::memory_file("printed", b"")?;
    let own = redirected(&shown)?;
    act();
    redirected(&own)?;
    let mut bytes = Vec::new();
    shown.rewind()?;
    shown.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Makes something standard output; gives back what it was, to which everything goes that was printed so far.
fn redirected(to: impl AsFd) -> io::Result<OwnedFd> {
    unsafe extern "C" {
        /// Writes what is buffered of a stream of C, of all with a null pointer.
        fn fflush(stream: *mut c_void) -> c_int;
    }
    io::stdout().flush()?;
    // SAFETY: with a null pointer it takes nothing of ours.
    unsafe { fflush(ptr::null_mut()) };
    let before = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdout(to)?;
    Ok(before)
}
