//! `external`: any program whose command line a config gives.

use std::iter;
use std::path::Path;
use std::process::Command;

use super::call::{Call, fill};
use super::files::{Format, Reader, line_with, tail};
use super::process::{PATIENCE, ask, find, fingerprint};
use super::readers;
use super::session::ProgramSession;
use crate::backend::*;

const NAME: &str = "external";

/// What stands in a command for the time limit where there is none: 30 years.
const FOREVER: u64 = 1_000_000_000;

/// The names in braces that a call fills in.
const FILLED: [&str; 7] = ["model", "solution", "log", "time", "seconds", "seed", "threads"];

/// Characters of a version that are kept.
const VERSION: usize = 80;

pub(crate) struct External;

impl Backend for External {
    fn info(&self) -> BackendInfo {
        let kinds = &[FormulationKind::Mip, FormulationKind::Sat];
        let reports = Reports { conflicts: true, propagations: true, threads: true, ..Reports::MIP };
        let info = BackendInfo::of(NAME, kinds, "any command line, over a model file", reports);
        BackendInfo { install: Some("options.command says what to run: see docs/guide/solvers.md"), ..info }
    }

    fn kinds(&self, options: &BTreeMap<String, String>) -> Result<&'static [FormulationKind], SolveError> {
        Ok(Custom::parse(options)?.format.kinds())
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let custom = Custom::parse(options)?;
        let program = find(&custom.command[0]).map_err(missing)?;
        let Some(line) = &custom.version else {
            // Of `python3 FILE` the file too; a word with something to fill in is none.
            let words = custom.command[1..].iter().map(Path::new).filter(|word| word.is_file());
            return fingerprint(iter::once(program.as_path()).chain(words)).map_err(missing);
        };
        let path = find(&line[0]).map_err(missing)?;
        let mut command = Command::new(path);
        command.args(&line[1..]);
        // Its exit code does not count: the command is one of the user's.
        let (_, printed) = ask(command, PATIENCE).map_err(missing)?;
        if let Some(reason) = custom.reader.licence.iter().find_map(|part| line_with(&printed, part)) {
            return Err(SolveError::Licence { solver: NAME, reason: reason.to_owned() });
        }
        let line = printed.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()));
        let line = line.ok_or_else(|| missing(format!("version-command tells no version; {}", tail(&printed))))?;
        Ok(line.trim().chars().take(VERSION).collect())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        match option {
            "format" => Some(Takes::words(Format::WORDS)),
            "read" => Some(Takes::words(&readers().iter().map(|reader| reader.name).collect::<Vec<_>>())),
            _ => None,
        }
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        let custom = Custom::parse(&options.options)?;
        if options.threads > 1 && !custom.has("threads") {
            return Err(unsupported(NAME, format!("{} threads: its command has no {{threads}}", options.threads)));
        }
        let session = ProgramSession {
            name: NAME,
            arguments: Vec::new(),
            reader: custom.reader,
            format: custom.format,
            named: false,
            interrupt: false,
            options: SessionOptions { options: BTreeMap::new(), ..options.clone() },
            command: Box::new(move |call| custom.command(call)),
        };
        Ok(session.opened())
    }
}

fn missing(reason: String) -> SolveError {
    let remedy = "see options.command and options.version-command".to_owned();
    SolveError::Missing { solver: NAME, reason, remedy }
}

struct Custom {
    command: Vec<String>,
    version: Option<Vec<String>>,
    format: Format,
    reader: &'static Reader,
    /// Further options, each of which stands in the command.
    further: BTreeMap<String, String>,
}

impl Custom {
    fn parse(options: &BTreeMap<String, String>) -> Result<Self, SolveError> {
        // Such a byte fits into no command.
        if let Some((option, value)) = options.iter().find(|(_, value)| value.contains('\0')) {
            return Err(refused(NAME, option, value));
        }
        let mut options = options.clone();
        let mut split = |name: &str| -> Result<Option<Vec<String>>, SolveError> {
            let Some(line) = options.remove(name) else { return Ok(None) };
            let words = shell_words::split(&line);
            let words = words.map_err(|reason| unsupported(NAME, format!("options.{name} = {line:?}: {reason}")))?;
            Ok(Some(words).filter(|words| !words.is_empty()))
        };
        let (command, version) = (split("command")?, split("version-command")?);
        let command = command.ok_or_else(|| {
            unsupported(NAME, "without options.command, such as \"myscip -f {model} -o {solution} -t {time}\"")
        })?;
        let mut take = |name| options.remove(name).unwrap_or_default();
        let (format, read) = (take("format"), take("read"));
        let format = Format::of_word(&format).ok_or_else(|| refused(NAME, "format", &format))?;
        let reader = readers().into_iter().find(|reader| reader.name == read);
        let reader = reader.ok_or_else(|| refused(NAME, "read", &read))?;
        if reader.kind != format.kind() {
            let (read, format) = (reader.name, format.name());
            return Err(unsupported(NAME, format!("read = {read:?} does not go with format = {format:?}")));
        }
        let custom = Self { command, version, format, reader, further: options };
        let known = |name: &str| FILLED.contains(&name) || custom.further.contains_key(name);
        if let Some(name) = custom.command.iter().flat_map(|word| placeholders(word)).find(|name| !known(name)) {
            let reason = format!("a command with {{{name}}}; there are {}, and further options", FILLED.join(", "));
            return Err(unsupported(NAME, reason));
        }
        let wanted = if reader.wants_file { &["model", "solution"][..] } else { &["model"] };
        if let Some(name) = wanted.iter().find(|name| !custom.has(name)) {
            return Err(unsupported(NAME, format!("a command without {{{name}}}")));
        }
        if let Some(name) = custom.further.keys().find(|name| FILLED.contains(&name.as_str()) || !custom.has(name)) {
            let reason = format!("options.{name}: no such option, and the command has no {{{name}}}");
            return Err(unsupported(NAME, reason));
        }
        let as_it_is = custom.version.iter().flatten().chain(custom.command.first());
        if let Some(name) = as_it_is.flat_map(|word| placeholders(word)).next() {
            let reason = format!("{{{name}}} in the program or its version-command: they stand as they are");
            return Err(unsupported(NAME, reason));
        }
        Ok(custom)
    }

    fn has(&self, name: &str) -> bool {
        self.command.iter().flat_map(|word| placeholders(word)).any(|found| found == name)
    }

    fn command(&self, call: &Call<'_>) -> Result<Command, SolveError> {
        let value = |name: &str| match name {
            // It runs where this process does, so that its arguments may be paths from there.
            "model" | "solution" | "log" => Some(call.directory.join(call.value(name)?).to_string_lossy().into_owned()),
            "time" | "seconds" => Some(call.value(name).unwrap_or_else(|| FOREVER.to_string())),
            name => call.value(name).or_else(|| self.further.get(name).cloned()),
        };
        let mut command = Command::new(find(&self.command[0]).map_err(missing)?);
        command.args(self.command[1..].iter().map(|word| fill(word, value)));
        Ok(command)
    }
}

/// The names in braces that stand in a word.
fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    word.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(is_name)
}
