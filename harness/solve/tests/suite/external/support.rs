//! Programs that stand in for solvers, and small models.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use combinatorics::tantrix::shapes::Shape;
use model::ir::Model;
use solve::{Backend, Deadline, SessionOptions, SolveError, Solved, backend};
use tempfile::TempDir;

use crate::common::{board, mip, problem, seeded, with};
use crate::subjects::may_be_missing;

/// Programs for linear models, and for clauses.
pub const MIP: [&str; 6] = ["gurobi", "cplex", "scip", "highs-exe", "cbc-exe", "glpk"];
pub const SAT: [&str; 4] = ["kissat", "cadical-exe", "cryptominisat5", "minisat"];

/// A backend, if its program is on this machine.
pub fn installed(name: &str) -> Option<&'static dyn Backend> {
    let found = backend(name).expect("a backend");
    // The tests are of the program that users' runs find, which the environment may have chosen.
    let variable = format!("TILEBENCH_{}", name.to_uppercase().replace('-', "_"));
    let chosen = std::env::var(&variable).map(|path| format!(", {variable}={path}")).unwrap_or_default();
    match found.version(&BTreeMap::new()) {
        Ok(version) => {
            println!("{name} {version}{chosen}");
            Some(found)
        }
        Err(e @ (SolveError::Missing { .. } | SolveError::Licence { .. })) => {
            may_be_missing(name, &e);
            println!("SKIPPED: {e}{chosen}");
            None
        }
        Err(e) => panic!("{name}: {e}"),
    }
}

/// A model with few solutions, one of them known.
pub fn small() -> Model {
    problem(&board(Shape::Blob, 4, 0), "C1 C2' C4c C5x").model().clone()
}

/// A program that stands in for a solver: it prints a text, leaves a solution file and ends with an exit code.
pub struct Fake {
    directory: TempDir,
}

impl Fake {
    /// Lines of a shell script; `$here` is a directory with the files that it may use.
    pub fn script(lines: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let text = format!("here={}\n{lines}\n", directory.path().display());
        fs::write(directory.path().join("script"), text).expect("written");
        Self { directory }
    }

    /// A program that prints and leaves these.
    pub fn that(prints: &str, leaves: Option<&str>, exit: i32) -> Self {
        let copy = if leaves.is_some() { "cp $here/leaves solution.sol" } else { ":" };
        let fake = Self::script(&format!("cat $here/prints; {copy}; exit {exit}"));
        fs::write(fake.path().join("prints"), prints).expect("written");
        fs::write(fake.path().join("leaves"), leaves.unwrap_or_default()).expect("written");
        fake
    }

    /// Its directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The script.
    pub fn file(&self) -> PathBuf {
        self.path().join("script")
    }

    /// The script as an executable of its own. Another process writes it, for no file can be run that this one, which forks, has
    /// open for writing.
    pub fn program(&self) -> String {
        let (text, program) = (self.path().join("text"), self.path().join("program"));
        fs::write(&text, format!("#!/bin/sh\nexec /bin/sh '{}' \"$@\"\n", self.file().display())).expect("written");
        let done = Command::new("install").args(["-m", "755"]).args([&text, &program]).status().expect("started");
        assert!(done.success());
        program.display().to_string()
    }

    /// The options that put it in the place of a named program.
    pub fn options(&self) -> SessionOptions {
        with(&[("program", "/bin/sh"), ("arguments", &format!("'{}'", self.file().display()))])
    }

    /// What a backend makes of it for a linear model.
    pub fn solve(&self, name: &str, model: &Model) -> Result<Solved, SolveError> {
        mip(backend(name).expect("a backend"), &self.options()).expect("options").solve(model, &Deadline::default())
    }
}

/// A solution of a model as the linked HiGHS finds it: names and values.
pub fn solution(model: &Model) -> Vec<(String, f64)> {
    let solved = mip(backend("highs").expect("there"), &seeded(1))
        .expect("opened")
        .solve(model, &Deadline::default())
        .expect("solved");
    let values = solved.values.expect("a solution");
    model.variables().iter().map(|v| v.name.clone()).zip(values.into_iter().map(f64::round)).collect()
}

/// The objective of such a solution.
pub fn objective(model: &Model, solution: &[(String, f64)]) -> f64 {
    model.objective().iter().map(|&(var, c)| c * solution[var.0].1).sum()
}
