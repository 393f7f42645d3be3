//! Programs that the harness knows by name: how each is found, how it is called, and who reads what it leaves.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::call::{Call, Part, SETTINGS};
use super::files::{Format, Reader, line_with, tail};
use super::process::{PATIENCE, ask, fingerprint, locate};
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
    let (exit, printed) = ask(command, PATIENCE).map_err(missing)?;
    if let Some(line) = licence.iter().find_map(|part| line_with(&printed, part)) {
        return Err(SolveError::Licence { solver, reason: line.to_owned() });
    }
    // What a shell or the loader says of a program that does not start may look like a version.
    if exit != 0 {
        return Err(missing(format!("{program} ended with exit code {exit}; {}", tail(&printed))));
    }
    let Some(after) = after else { return fingerprint([Path::new(&program)]).map_err(missing) };
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
    pub(super) const COMMON: Self = Self {
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
        reader: &Reader::COMMON,
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

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        Ok(self.session(options)?.opened())
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
