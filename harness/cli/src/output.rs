//! Standard output. Unlike `println!`, a reader that closed the pipe (`| head`) is no panic but an error,
//! which `failure` takes for the end it is.

use std::fmt::Arguments;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    writeln!(io::stdout(), "{}", puzzle::printable(&text.to_string()))
}

/// Prints a value as JSON.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string_pretty(value)?)?)
}

/// Prints a line on standard error in the same way.
pub fn remark(text: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", puzzle::printable(&text.to_string()));
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
