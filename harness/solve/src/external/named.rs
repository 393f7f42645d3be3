//! Programs that the harness knows by name: how each is called is in a file of its own.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use model::FormulationKind;

use super::command::{Call, words};
use super::find::{PATIENCE, Said, ask, fingerprint, locate};
use super::formats::Format;
use super::programs::{cbc, cplex, glpk, gurobi, highs, sat, scip};
use super::reader::Reader;
use super::rehearsal::rehearse;
use super::session::{Caller, ProgramSession};
use super::text::{line_with, tail};
use crate::backend::{Backend, BackendInfo, Opened, Reports, SessionOptions};
use crate::error::SolveError;
use crate::own::own_argument;

/// A program and how it is called.
pub(super) struct Program {
    pub name: &'static str,
    pub executable: &'static str,
    pub interface: &'static str,
    pub kinds: &'static [FormulationKind],
    pub reports: Reports,
    pub install: &'static str,
    /// The formats that it reads, the one it is given by default first.
    pub formats: &'static [Format],
    /// Arguments by which it says its version.
    pub version: &'static [&'static str],
    /// What stands before the version; `None` for a program that does not say it.
    pub version_after: Option<&'static str>,
    /// Options that are set from the run, or that cut off solutions.
    pub own: &'static [&'static str],
    /// Whether it takes abbreviations of its options.
    pub abbreviations: bool,
    /// The greatest seed that it takes, if it has any.
    pub most_seed: u64,
    pub arguments: fn(&Call<'_>) -> io::Result<Vec<OsString>>,
    pub reader: &'static Reader,
}

/// The backend that a program is.
pub(crate) struct Named(&'static Program);

pub(crate) static GUROBI: Named = Named(&gurobi::PROGRAM);
pub(crate) static CPLEX: Named = Named(&cplex::PROGRAM);
pub(crate) static SCIP: Named = Named(&scip::PROGRAM);
pub(crate) static GLPK: Named = Named(&glpk::PROGRAM);
pub(crate) static CBC: Named = Named(&cbc::PROGRAM);
pub(crate) static HIGHS: Named = Named(&highs::PROGRAM);
pub(crate) static KISSAT: Named = Named(&sat::KISSAT);
pub(crate) static CADICAL: Named = Named(&sat::CADICAL);
pub(crate) static CRYPTOMINISAT: Named = Named(&sat::CRYPTOMINISAT);
pub(crate) static MINISAT: Named = Named(&sat::MINISAT_PROGRAM);

impl Program {
    fn path(&self, given: Option<&str>) -> Result<PathBuf, SolveError> {
        locate(self.name, self.executable, self.install, given)
    }
}

impl Named {
    /// A session from options of which none needs the program to be there to be refused.
    fn session(&self, options: &SessionOptions) -> Result<ProgramSession<ProgramCall>, SolveError> {
        let program = self.0;
        let unsupported = |reason| Err(SolveError::Unsupported { solver: program.name, reason });
        if options.threads > 1 && !program.reports.threads {
            return unsupported(format!("{} threads: it runs in one", options.threads));
        }
        if program.most_seed > 0 && options.seed > program.most_seed {
            return unsupported(format!("a seed of {}, above {}", options.seed, program.most_seed));
        }
        options.refuse_own(program.name, program.own, program.abbreviations)?;
        let mut own = options.clone();
        let refused =
            |option: &str, value: String| SolveError::Option { solver: program.name, option: option.to_owned(), value };
        let given = own.options.remove("program");
        let arguments = own.options.remove("arguments").unwrap_or_default();
        let arguments = words(&arguments).map_err(|_| refused("arguments", arguments))?;
        if let Some(word) = own_argument(&arguments, program.own, program.abbreviations) {
            return Err(SolveError::OwnOption { solver: program.name, option: format!("arguments {word}") });
        }
        let format = match own.options.remove("format") {
            None => program.formats[0],
            Some(name) => {
                let format = program.formats.iter().find(|format| format.name() == name);
                *format.ok_or_else(|| refused("format", name))?
            }
        };
        // Such a value would be the next option.
        let dashed = |value: &String| value.starts_with('-') && value.parse::<f64>().is_err();
        if let Some((option, value)) = own.options.iter().find(|(_, value)| dashed(value)) {
            return Err(refused(option, value.clone()));
        }
        let caller = ProgramCall { program, given, arguments };
        let reader = program.reader;
        Ok(ProgramSession { name: program.name, caller, reader, format, named: true, options: own })
    }
}

impl Backend for Named {
    fn info(&self) -> BackendInfo {
        let program = self.0;
        BackendInfo {
            name: program.name,
            kinds: program.kinds,
            interface: program.interface,
            reports: program.reports,
            install: Some(program.install),
        }
    }

    fn version(&self, options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        let program = self.0;
        let path = program.path(options.get("program").map(String::as_str))?;
        let mut command = Command::new(&path);
        command.args(program.version).current_dir(env::temp_dir());
        let missing = |reason| SolveError::Missing {
            solver: program.name,
            reason,
            remedy: format!("see what {} says", path.display()),
        };
        let Said { printed, exit } = ask(command, PATIENCE).map_err(missing)?;
        if let Some(line) = program.reader.licence.iter().find_map(|part| line_with(&printed, part)) {
            return Err(SolveError::Licence { solver: program.name, reason: line.to_owned() });
        }
        // What a shell or the loader says of a program that does not start may look like a version.
        if exit != 0 {
            return Err(missing(format!("{} ended with exit code {exit}; {}", path.display(), tail(&printed))));
        }
        let Some(after) = program.version_after else { return fingerprint(&path).map_err(missing) };
        let rest = printed.split_once(after).map(|(_, rest)| rest.trim_start_matches([' ', ':', ',', '\t', 'v']));
        let version = rest.and_then(|rest| rest.split_whitespace().next());
        let version = version.map(|word| word.trim_end_matches([',', ';', ')'])).filter(|word| is_version(word));
        let no_version = || missing(format!("{} tells no version; {}", path.display(), tail(&printed)));
        version.map(str::to_owned).ok_or_else(no_version)
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        let (program, session) = (self.0, self.session(options)?);
        match kind {
            FormulationKind::Mip if program.kinds.contains(&kind) => Ok(Opened::Mip(Box::new(session))),
            FormulationKind::Sat if program.kinds.contains(&kind) => Ok(Opened::Sat(Box::new(session))),
            _ => {
                let kinds: Vec<&str> = program.kinds.iter().map(|kind| kind.name()).collect();
                Err(SolveError::Kind { solver: program.name, kinds: kinds.join(" and "), kind, others: String::new() })
            }
        }
    }

    fn rehearse(&self, options: &SessionOptions) -> Result<(), SolveError> {
        let options = SessionOptions { verbose: false, ..options.clone() };
        let arguments = words(options.options.get("arguments").map_or("", String::as_str)).unwrap_or_default();
        let is_ours = |name: &String| ["program", "arguments", "format"].contains(&name.as_str());
        if options.options.keys().all(is_ours) && !arguments.iter().any(|word| word.starts_with('-')) {
            return Ok(());
        }
        rehearse(self.session(&options)?)
    }
}

/// A call of a named program.
struct ProgramCall {
    program: &'static Program,
    given: Option<String>,
    arguments: Vec<String>,
}

impl Caller for ProgramCall {
    fn command(&self, call: &Call<'_>) -> Result<Command, SolveError> {
        let name = self.program.name;
        let mut command = Command::new(self.program.path(self.given.as_deref())?);
        let arguments = (self.program.arguments)(call).map_err(|e| SolveError::Call {
            solver: name,
            call: "write its options",
            reason: e.to_string(),
        })?;
        // Where the last one wins, it shall be ours.
        command.args(&self.arguments).args(arguments).current_dir(call.directory);
        Ok(command)
    }

    fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

/// Whether a word looks like a version, as 4.0.1 and sc2021 do, and not like the beginning of a message.
fn is_version(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    rest.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(['/', ':'])
}
