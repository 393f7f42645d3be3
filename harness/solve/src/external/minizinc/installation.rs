//! The solvers that a MiniZinc has, as `minizinc --solvers-json` lists them; and Gecode's own constraints for a MiniZinc that
//! does not find them.
//!
//! MiniZinc 2.6 and later look in a solver's library for `fzn_all_different_int.mzn` and the like; the Gecode of Debian 12 brings files
//! with the older names (`all_different_int.mzn`) only. An alldifferent is compiled to inequalities between all pairs then, a table to
//! elements, and Gecode takes far longer. A library beside it, which has these files and the rest of what Gecode needs, mends it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::backend::*;
use crate::external::files::tail;
use crate::external::process::ask;
use crate::external::program::version;

/// The backend.
pub(super) const NAME: &str = "minizinc";

/// How long it may take: each solver is asked for its version, and a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// A solver that reads FlatZinc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Configuration {
    /// As MiniZinc knows it: `org.gecode.gecode`.
    pub id: String,
    pub name: String,
    pub version: String,
    /// Its own program; solvers that MiniZinc has within have none.
    pub executable: Option<PathBuf>,
    /// Where its library is: a directory, or `-G` and the name of one beside MiniZinc's own.
    pub library: String,
    /// The options of FlatZinc solvers that it has, as `-s` and `-t`.
    pub flags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Installation {
    pub program: PathBuf,
    pub version: String,
    pub solvers: Vec<Configuration>,
    /// Where the libraries of solvers are.
    pub libraries: PathBuf,
}

impl Installation {
    /// What the MiniZinc of this path is.
    /// Errors: a program that is no MiniZinc.
    pub fn of(program: &Path) -> Result<Self, SolveError> {
        let called = program.display();
        let missing = |reason| SolveError::Missing { solver: NAME, reason, remedy: format!("see what {called} says") };
        let command = |argument: &str| {
            let mut command = call(program, &env::temp_dir());
            command.arg(argument);
            command
        };
        let version = version(NAME, command("--version"), Some("MiniZinc to FlatZinc converter, version"), &[])?;
        let parsed = |argument: &str| -> Result<Value, String> {
            let (exit, printed) = ask(command(argument), PATIENCE)?;
            if exit != 0 {
                return Err(format!("{called} {argument} ended with exit code {exit}; {}", tail(&printed)));
            }
            // Behind the first value there may be warnings.
            let first = serde_json::Deserializer::from_str(&printed).into_iter().next();
            let first = first.ok_or_else(|| format!("{called} {argument} tells nothing"))?;
            first.map_err(|e| format!("{called} {argument}: {e}; {}", tail(&printed)))
        };
        let listed = parsed("--solvers-json").map_err(missing)?;
        let solvers = listed.as_array().map(|all| all.iter().filter_map(Configuration::read).collect());
        let directories = parsed("--config-dirs").map_err(missing)?;
        let libraries = directories["mznStdlibDir"].as_str().map(PathBuf::from).unwrap_or_default();
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

    pub fn library(&self, installation: &Installation) -> PathBuf {
        match self.library.strip_prefix("-G") {
            Some(name) => installation.libraries.join(name),
            None => PathBuf::from(OsStr::new(&self.library)),
        }
    }
}

/// A call of MiniZinc in a directory: what MZN_SOLVER_PATH says of other solvers is said of the one where we are.
pub(super) fn call(program: &Path, directory: &Path) -> Command {
    const FOLDERS: &str = "MZN_SOLVER_PATH";
    let mut command = Command::new(program);
    command.current_dir(directory);
    let folders = env::var_os(FOLDERS).unwrap_or_default();
    let absolute = env::split_paths(&folders).filter_map(|folder| std::path::absolute(folder).ok());
    // No folder that was taken out of such a list has what it cannot hold.
    command.envs(env::join_paths(absolute).ok().filter(|_| !folders.is_empty()).map(|folders| (FOLDERS, folders)));
    command
}

const GECODE: &str = "org.gecode.gecode";

/// The constraints that programs of this project have and Gecode too: the name, and what Gecode calls it.
const OWN: [(&str, &str); 4] = [
    (
        "all_different_int",
        "predicate all_different_int(array[int] of var int: x);\n\
         predicate fzn_all_different_int(array[int] of var int: x) = all_different_int(x);\n",
    ),
    (
        "circuit",
        "predicate gecode_circuit(int: first, array[int] of var int: x);\n\
         predicate fzn_circuit(array[int] of var int: x) = gecode_circuit(min(index_set(x)), x);\n",
    ),
    (
        "global_cardinality",
        "predicate gecode_global_cardinality(array[int] of var int: x, array[int] of int: v, array[int] of var int: n);\n\
         predicate fzn_global_cardinality(array[int] of var int: x, array[int] of int: v, array[int] of var int: n) =\n\
         gecode_global_cardinality(x, v, n);\n",
    ),
    (
        "table_int",
        "predicate gecode_table_int(array[int] of var int: x, array[int] of int: t);\n\
         predicate fzn_table_int(array[int] of var int: x, array[int, int] of int: t) = gecode_table_int(x, array1d(t));\n",
    ),
];

/// Files of Gecode's library that say which other constraints it has.
const KEPT: [&str; 2] = ["redefinitions.mzn", "redefinitions-2.0.mzn"];

/// The constraints of a Gecode that are not found, each with its file.
pub(super) fn lacking(solver: &Configuration, installation: &Installation) -> Vec<(String, &'static str)> {
    let library = solver.library(installation);
    let own = OWN.into_iter().filter(|(name, _)| solver.id == GECODE && library.join(format!("{name}.mzn")).is_file());
    let own = own.map(|(name, text)| (format!("fzn_{name}.mzn"), text));
    own.filter(|(file, _)| !library.join(file).exists()).collect()
}

/// Writes a configuration of Gecode with these constraints, and its library, and returns its path.
pub(super) fn mended(
    solver: &Configuration,
    installation: &Installation,
    lacking: &[(String, &str)],
    directory: &Path,
) -> io::Result<PathBuf> {
    let (from, library) = (solver.library(installation), directory.join("gecode"));
    fs::create_dir(&library)?;
    for (file, text) in lacking {
        fs::write(library.join(file), text)?;
    }
    for name in KEPT.into_iter().filter(|name| from.join(name).is_file()) {
        fs::write(library.join(name), fs::read(from.join(name))?)?;
    }
    let configuration = json!({
        // With Gecode's own id MiniZinc would take the configuration that it has.
        "id": "tilebench.gecode",
        "name": solver.name,
        "version": solver.version,
        "mznlib": library,
        "executable": solver.executable,
        "stdFlags": solver.flags,
        "supportsMzn": false,
        "supportsFzn": true,
        "needsSolns2Out": true,
    });
    let path = directory.join("gecode.msc");
    fs::write(&path, configuration.to_string())?;
    Ok(path)
}
