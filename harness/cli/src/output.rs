//! Standard output and standard error, in colour where a terminal shows it (`--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE).
//! Unlike `println!`, a reader that closed the pipe (`| head`) is no panic but an error, which `failure` takes for the end it is.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::AnsiColor;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Prints a line or returns the error to the caller, who returns it too.
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
    writeln!(anstream::stdout(), "{}", painted(&puzzle::printable(&text.to_string())))
}

/// Prints a value as JSON.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string_pretty(value)?)?)
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

/// Refuses to write over the file that is read.
pub fn check_distinct<'a>(input: &Path, outputs: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let identity = |path: &Path| fs::metadata(path).map(|there| (there.dev(), there.ino()));
    let Ok(read) = identity(input) else { return Ok(()) };
    for output in outputs {
        anyhow::ensure!(
            identity(output).is_ok_and(|written| written != read) || !output.exists(),
            "{} is the file that is read: choose another name",
            output.display()
        );
    }
    Ok(())
}

/// Refuses two outputs that are one file, of which the second would replace the first. Devices and pipes take both.
pub fn check_apart(outputs: &[&PathBuf]) -> anyhow::Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let is_same = |other: &&&PathBuf| located(other) == located(output) && (output.is_file() || !output.exists());
        anyhow::ensure!(
            !outputs[..index].iter().any(|other| is_same(&other)),
            "{} is the name of two outputs: choose another for one of them",
            output.display()
        );
    }
    Ok(())
}

/// Refuses a folder for new files that holds some.
pub fn check_empty(folder: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        fs::read_dir(folder).map_or(!folder.exists(), |mut entries| entries.next().is_none()),
        "{} is there and is no empty folder: choose another name",
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
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A bar with a message on standard error, to be given a length; hidden where nobody watches.
pub fn bar() -> ProgressBar {
    let bar = if io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("[{elapsed}] {bar:40} {human_pos} of {human_len} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
