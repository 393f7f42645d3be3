//! Programs that the harness knows by name: how each is found, how it is called, and who reads what it leaves.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::files::{Format, Reader, line_with, tail};
use super::process::{PATIENCE, Said, ask, fingerprint, grace, locate};
use super::session::ProgramSession;
use crate::backend::*;
use crate::options::{own_argument, refuse_dashed};

/// The description of a program.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// The name used in configs.
    pub(super) name: &'static str,
    /// The name of its file.
    pub(super) executable: &'static str,
    /// How listings describe the way in which it is called.
    pub(super) interface: &'static str,
    pub(super) reports: Reports,
    pub(super) install: &'static str,
    /// The formats that it reads, the one it is given by default first.
    pub(super) formats: &'static [Format],
    /// Arguments by which it says its version.
    pub(super) version: &'static [&'static str],
    /// What stands before the version; `None` for a program that does not say it.
    pub(super) version_after: Option<&'static str>,
    /// Options that are set from the run, or that cut off solutions, with spaces between.
    pub(super) own: &'static str,
    /// Whether it takes abbreviations of its options.
    pub(super) abbreviations: bool,
    /// The greatest seed that it takes, 0 if it has none.
    pub(super) most_seed: u64,
    /// Whether it stops when it is interrupted (SIGINT) and tells what it has: for those whose own limit is no wall time.
    pub(super) heeds_interrupt: bool,
    /// The words of its command line.
    pub(super) arguments: &'static [Part],
    /// The lines of a file [`SETTINGS`] beside the model, for programs that take options from one.
    pub(super) settings: &'static [Part],
    pub(super) reader: &'static Reader,
}

/// A part of a command line or of a file of settings. In its texts the names in braces that [`Call::value`] knows are filled in.
pub(super) enum Part {
    Always(&'static [&'static str]),
    /// There if there is a time limit.
    Limit(&'static [&'static str]),
    /// There if the seed is not 0, for programs whose own 0 is something else.
    Seed(&'static [&'static str]),
    /// There for each option, with its `{name}` and `{value}`.
    Options(&'static [&'static str]),
    Made(fn(&Call<'_>) -> Vec<String>),
}

/// Name of the model's solution file: CPLEX and Gurobi go by its ending.
pub(super) const SOLUTION: &str = "solution.sol";

/// Name of the file for a log that a program does not print.
pub(super) const LOG: &str = "program.log";

pub(super) const SETTINGS: &str = "settings.txt";

#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    /// The directory of its files. Named programs run there, so that names of files need no path.
    pub directory: &'a Path,
    pub format: Format,
    pub time_limit: Option<Duration>,
    pub seed: u64,
    pub threads: u32,
    /// Options of the program by its own names.
    pub options: &'a BTreeMap<String, String>,
}

impl Call<'_> {
    /// What stands for a name in braces.
    pub fn value(&self, name: &str) -> Option<String> {
        Some(match name {
            "model" => self.format.file_name().to_owned(),
            "solution" => SOLUTION.to_owned(),
            "log" => LOG.to_owned(),
            "time" => seconds(self.time_limit?),
            // For programs that stop before their limit, as they expect the next step to take longer than what is left.
            "time+" => seconds(self.time_limit?.saturating_add(grace(self.time_limit?) / 2)),
            "seconds" => self.whole_seconds()?.to_string(),
            "seed" => self.seed.to_string(),
            "threads" => self.threads.to_string(),
            _ => return None,
        })
    }

    /// Time limit for programs that take whole seconds, the next one: whoever stops before its limit says nothing of the rest. Who
    /// goes on for too long after it is stopped.
    pub fn whole_seconds(&self) -> Option<u64> {
        self.time_limit.map(|limit| (limit.as_secs() + u64::from(limit.subsec_nanos() > 0)).max(1))
    }

    pub fn filled(&self, parts: &[Part]) -> Vec<String> {
        let all = |words: &[&str]| words.iter().map(|word| fill(word, |name| self.value(name))).collect::<Vec<_>>();
        let option = |words: &'static [&'static str], option: &str, value: &str| {
            let given = |name: &str| match name {
                "name" => Some(option.to_owned()),
                "value" => Some(value.to_owned()),
                _ => None,
            };
            words.iter().map(|word| fill(word, given)).collect::<Vec<_>>()
        };
        let part = |part: &Part| match part {
            Part::Always(words) => all(words),
            Part::Limit(words) => self.time_limit.map(|_| all(words)).unwrap_or_default(),
            Part::Seed(words) => Some(words).filter(|_| self.seed > 0).map(|words| all(words)).unwrap_or_default(),
            Part::Options(words) => self.options.iter().flat_map(|(name, value)| option(words, name, value)).collect(),
            Part::Made(make) => make(self),
        };
        parts.iter().flat_map(part).collect()
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64().max(0.001))
}

/// A word with the names in braces replaced by their values, in one pass: values may contain braces.
pub(super) fn fill(word: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let replaced = after.split_once('}').and_then(|(name, after)| Some((value(name)?, after)));
        let (text, after) = replaced.unwrap_or(("{".to_owned(), after));
        filled.push_str(&text);
        rest = after;
    }
    filled + rest
}

/// What the options say of where a program is and how it is called; what is left are options of the program.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub program: Option<String>,
    pub arguments: Vec<String>,
    pub options: BTreeMap<String, String>,
}

impl Given {
    /// Takes the options apart. None of those in `own` may be among them, nor among the arguments.
    pub fn of(
        solver: &'static str,
        options: &SessionOptions,
        own: &str,
        abbreviations: bool,
    ) -> Result<Self, SolveError> {
        options.refuse_own(solver, own, abbreviations)?;
        let mut options = options.options.clone();
        let program = options.remove("program");
        let line = options.remove("arguments").unwrap_or_default();
        let arguments = shell_words::split(&line).map_err(|_| refused(solver, "arguments", &line))?;
        match own_argument(&arguments, own, abbreviations) {
            Some(word) => Err(SolveError::OwnOption { solver, option: format!("arguments {word}") }),
            None => Ok(Self { program, arguments, options }),
        }
    }
}

/// The version that a command prints behind a text. Where there is no such text, what tells the program from others.
/// Errors: a command that fails, has no licence or prints no version.
pub(super) fn version(
    solver: &'static str,
    mut command: Command,
    after: Option<&str>,
    licence: &[&str],
) -> Result<String, SolveError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let missing = |reason| SolveError::Missing { solver, reason, remedy: format!("see what {program} says") };
    command.current_dir(env::temp_dir());
    let Said { printed, exit } = ask(command, PATIENCE).map_err(missing)?;
    if let Some(line) = licence.iter().find_map(|part| line_with(&printed, part)) {
        return Err(SolveError::Licence { solver, reason: line.to_owned() });
    }
    // What a shell or the loader says of a program that does not start may look like a version.
    if exit != 0 {
        return Err(missing(format!("{program} ended with exit code {exit}; {}", tail(&printed))));
    }
    let Some(after) = after else { return fingerprint(Path::new(&program)).map_err(missing) };
    let rest = printed.split_once(after).map(|(_, rest)| rest.trim_start_matches([' ', ':', ',', '\t', 'v']));
    let version = rest.and_then(|rest| rest.split_whitespace().next());
    let version = version.map(|word| word.trim_end_matches([',', ';', ')'])).filter(|word| is_version(word));
    version.map(str::to_owned).ok_or_else(|| missing(format!("{program} tells no version; {}", tail(&printed))))
}

/// Whether a word looks like a version, as 4.0.1 and sc2021 do, and not like the beginning of a message.
fn is_version(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    rest.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(['/', ':'])
}

impl Program {
    /// What most solvers of linear models have in common.
    pub(super) const MIP: Self = Self {
        name: "",
        executable: "",
        interface: "",
        reports: Reports::MIP,
        install: "",
        formats: &[Format::Lp, Format::Mps],
        version: &["--version"],
        version_after: None,
        own: "",
        abbreviations: false,
        most_seed: i32::MAX as u64,
        heeds_interrupt: false,
        arguments: &[],
        settings: &[],
        reader: &Reader::MIP,
    };

    fn path(&self, given: Option<&str>) -> Result<PathBuf, SolveError> {
        locate(self.name, self.executable, self.install, given)
    }

    /// A session from options of which none needs the program to be there to be refused.
    fn session(&self, options: &SessionOptions) -> Result<ProgramSession, SolveError> {
        if !self.reports.threads {
            options.one_thread(self.name)?;
        }
        if self.most_seed > 0 {
            options.seed_up_to(self.name, self.most_seed)?;
        }
        let Given { program, arguments, options: mut own } =
            Given::of(self.name, options, self.own, self.abbreviations)?;
        let format = match own.remove("format") {
            None => self.formats[0],
            Some(name) => {
                let format = self.formats.iter().find(|format| format.name() == name);
                *format.ok_or_else(|| refused(self.name, "format", &name))?
            }
        };
        refuse_dashed(self.name, &own)?;
        let (described, given) = (*self, arguments.clone());
        let command = move |call: &Call<'_>| {
            let mut command = Command::new(described.path(program.as_deref())?);
            if !described.settings.is_empty() {
                let lines = call.filled(described.settings).join("\n") + "\n";
                let failed = |e: std::io::Error| SolveError::call(described.name, "write its options", e);
                fs::write(call.directory.join(SETTINGS), lines).map_err(failed)?;
            }
            // Where the last one wins, it shall be ours.
            command.args(&given).args(call.filled(described.arguments)).current_dir(call.directory);
            Ok(command)
        };
        Ok(ProgramSession {
            name: self.name,
            command: Box::new(command),
            arguments,
            reader: self.reader,
            format,
            named: true,
            interrupt: self.heeds_interrupt,
            options: SessionOptions { options: own, ..options.clone() },
        })
    }
}

impl Backend for Program {
    fn info(&self) -> BackendInfo {
        let info = BackendInfo::of(self.name, self.formats[0].kinds(), self.interface, self.reports);
        BackendInfo { install: Some(self.install), ..info }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let mut command = Command::new(self.path(options.get("program").map(String::as_str))?);
        command.args(self.version);
        version(self.name, command, self.version_after, self.reader.licence)
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        let session = self.session(options)?;
        of_kind(self.name, session.format.kind(), kind)?;
        Ok(session.opened())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        let names = || self.formats.iter().map(|format| format.name()).collect::<Vec<_>>();
        (option == "format").then(|| Takes::words(&names()))
    }

    fn rehearse(&self, options: &SessionOptions, _listen: Listen<'_>) -> Result<(), SolveError> {
        let session = self.session(&SessionOptions { verbose: false, ..options.clone() })?;
        if session.options.options.is_empty() && !session.arguments.iter().any(|word| word.starts_with('-')) {
            return Ok(());
        }
        session.rehearse()
    }
}
