//! Calls of engines' commands, and what they answer.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::process::{Command, Stdio};

use runner::argument;

/// What an engine says of a task that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sight {
    Running,
    /// With the reason, if it gives one.
    Waiting(String),
}

/// What an engine says of all tasks that it has, by their numbers; or why it cannot be asked.
pub(crate) type Answer = Result<BTreeMap<usize, Sight>, String>;

/// A command that hands tasks to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub words: Vec<String>,
    pub tasks: Vec<usize>,
}

/// The command as a shell takes it.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(argument).collect();
        f.write_str(&words.join(" "))
    }
}

/// Why a command gave no answer.
#[derive(Debug)]
pub(super) enum Silence {
    /// There is no such program.
    Missing,
    /// It failed, with what it said.
    Failed(String),
}

/// What a command prints.
pub(super) fn output<S: AsRef<str>>(words: &[S]) -> Result<String, Silence> {
    let mut words = words.iter().map(AsRef::as_ref);
    let mut command = Command::new(words.next().unwrap_or_default());
    let output = command.args(words).stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Silence::Missing,
        _ => Silence::Failed(error.to_string()),
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let said = [text(&output.stderr), text(&output.stdout)].into_iter().find(|said| !said.is_empty());
    let said = said.unwrap_or_else(|| output.status.to_string());
    // HyperQueue says as JSON what is wrong, where it is to speak JSON.
    let json: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
    let said = json["error"].as_str().unwrap_or(&said);
    Err(Silence::Failed(said.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// The same where the answer is only asked for: why there is none, in words.
pub(super) fn answer<S: AsRef<str>>(words: &[S]) -> Result<String, String> {
    output(words).map_err(|silence| {
        let program = words.first().map_or("", AsRef::as_ref);
        match silence {
            Silence::Missing => format!("{program} is not on this machine"),
            Silence::Failed(reason) => format!("{program}: {reason}"),
        }
    })
}
