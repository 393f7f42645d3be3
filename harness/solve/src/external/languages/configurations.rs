//! The solvers that a MiniZinc has, as `minizinc --solvers-json` lists them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::external::find::{Said, ask};
use crate::external::text::tail;

/// How long it may take: each solver is asked for its version, and a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// A solver that reads FlatZinc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Configuration {
    /// As MiniZinc knows it: `org.gecode.gecode`.
    pub id: String,
    /// Its name: `Gecode`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its own program; solvers that MiniZinc has within have none.
    pub executable: Option<PathBuf>,
    /// Where its library is: a directory, or `-G` and the name of one beside MiniZinc's own.
    pub library: String,
    /// The options of FlatZinc solvers that it has, as `-s` and `-t`.
    pub flags: Vec<String>,
}

/// What a MiniZinc is and has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Installation {
    /// Its program.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
    /// Its solvers.
    pub solvers: Vec<Configuration>,
    /// Where the libraries of solvers are.
    pub libraries: PathBuf,
}

impl Installation {
    /// What the MiniZinc of this path is, asked once in a process.
    ///
    /// # Errors
    /// A program that is no MiniZinc.
    pub fn of(program: &Path) -> Result<Arc<Self>, String> {
        static KNOWN: Mutex<Vec<Arc<Installation>>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|known| known.program == program) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(Self::ask(program)?);
        known.push(Arc::clone(&found));
        Ok(found)
    }

    fn ask(program: &Path) -> Result<Self, String> {
        let says = |argument: &str| {
            let mut command = Command::new(program);
            command.arg(argument).current_dir(std::env::temp_dir());
            let Said { printed, exit } = ask(command, PATIENCE)?;
            let failed = || format!("{} {argument} ended with exit code {exit}; {}", program.display(), tail(&printed));
            if exit == 0 { Ok(printed) } else { Err(failed()) }
        };
        let printed = says("--version")?;
        let version = printed.split_once("version ").and_then(|(_, rest)| rest.split([',', ' ', '\n']).next());
        let is_one = |version: &&str| printed.contains("MiniZinc") && version.starts_with(|c: char| c.is_ascii_digit());
        let version = version.filter(is_one);
        let no_version = || format!("{} tells no version; {}", program.display(), tail(&printed));
        let version = version.ok_or_else(no_version)?.to_owned();
        let parsed = |argument: &str| -> Result<Value, String> {
            let text = says(argument)?;
            serde_json::from_str(&text).map_err(|e| format!("{} {argument}: {e}; {}", program.display(), tail(&text)))
        };
        let listed = parsed("--solvers-json")?;
        let solvers = listed.as_array().map(|all| all.iter().filter_map(Configuration::read).collect());
        let libraries = parsed("--config-dirs")?["mznStdlibDir"].as_str().map(PathBuf::from).unwrap_or_default();
        Ok(Self { program: program.to_owned(), version, solvers: solvers.unwrap_or_default(), libraries })
    }

    /// The solver of a name: `gecode`, `Gecode`, `org.gecode.gecode`.
    pub fn solver(&self, name: &str) -> Option<&Configuration> {
        let is = |solver: &&Configuration| solver.id == name || solver.short().eq_ignore_ascii_case(name);
        self.solvers.iter().find(is).or_else(|| self.solvers.iter().find(|s| s.name.eq_ignore_ascii_case(name)))
    }
}

impl Configuration {
    fn read(value: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let executable = text(&value["extraInfo"]["executable"]).or_else(|| text(&value["executable"]));
        let flags = value["stdFlags"].as_array().map_or(&[][..], Vec::as_slice);
        Some(Self {
            id: text(&value["id"])?,
            name: text(&value["name"])?,
            version: text(&value["version"])?,
            executable: executable.map(PathBuf::from).filter(|_| value["supportsFzn"] == Value::Bool(true)),
            library: text(&value["extraInfo"]["mznlib"]).or_else(|| text(&value["mznlib"])).unwrap_or_default(),
            flags: flags.iter().filter_map(&text).collect(),
        })
    }

    /// The last part of its id.
    pub fn short(&self) -> &str {
        self.id.rsplit('.').next().unwrap_or(&self.id)
    }

    /// Whether it has an option of FlatZinc solvers.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|known| known == flag)
    }

    /// The directory of its library.
    pub fn library(&self, installation: &Installation) -> PathBuf {
        match self.library.strip_prefix("-G") {
            Some(name) => installation.libraries.join(name),
            None => PathBuf::from(OsStr::new(&self.library)),
        }
    }
}
