//! The proof that a formula has no solution, as a DRAT file in text form, and beside it the formula that it refutes.
//!
//! The file grows while the solver runs; it and the formula get their names only when there is an answer `infeasible`,
//! and without one neither is there. All that it adds follows by unit propagation, so that clauses may join the formula later (RUP survives more
//! clauses, RAT does not): the formula that is written at the end is that of the last call.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cadical_sys::ProofTracer;
use model::sat::Cnf;

pub(super) struct Proof {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// Clauses that the solver sets aside and may take back without another proof: never deleted here.
    aside: HashSet<i64>,
    refuted: bool,
    /// What could not be written.
    pub(super) failure: Option<io::Error>,
}

impl Proof {
    /// Begins a file. What stands in its place, a proof and its formula, is removed.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        if formula_beside(path) == path {
            return Err(io::Error::other("the formula beside the proof has this name: give the proof another ending"));
        }
        // A proof of another run, or of a smaller board, must not stand here as if it were this one's.
        Self::remove(path)?;
        let file = Some(BufWriter::new(File::create(unfinished(path))?));
        Ok(Self { path: path.to_owned(), file, aside: HashSet::new(), refuted: false, failure: None })
    }

    /// Removes a proof and its formula, if they are there.
    pub(super) fn remove(path: &Path) -> io::Result<()> {
        let absent = |e: io::Error| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) };
        fs::remove_file(path).or_else(absent)?;
        fs::remove_file(formula_beside(path)).or_else(absent)
    }

    /// Ends the file, writes the formula (the model's clauses, then those given by the rule of the single loop) and gives
    /// both their names.
    pub(super) fn finish(&mut self, cnf: &Cnf, given: &[Vec<i32>]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if !self.refuted {
            writeln!(file, "0")?;
        }
        file.flush()?;
        let beside = formula_beside(&self.path);
        let mut formula = BufWriter::new(File::create(unfinished(&beside))?);
        writeln!(formula, "c {} clauses of the model, then {} by the rule of the single loop", cnf.len(), given.len())?;
        writeln!(formula, "p cnf {} {}", cnf.variables(), cnf.len() + given.len())?;
        for clause in cnf.clauses() {
            write_clause(&mut formula, "", clause.literals.iter().map(|lit| lit.dimacs()))?;
        }
        for clause in given {
            write_clause(&mut formula, "", clause.iter().copied())?;
        }
        formula.flush()?;
        // The proof last: where it stands, its formula does too.
        fs::rename(unfinished(&beside), beside)?;
        fs::rename(unfinished(&self.path), &self.path)?;
        self.file = None;
        Ok(())
    }

    fn write(&mut self, prefix: &str, clause: &[i32]) {
        if let (Some(file), None) = (&mut self.file, &self.failure) {
            self.failure = write_clause(file, prefix, clause.iter().copied()).err();
        }
    }
}

impl Drop for Proof {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Nothing was proven; that something cannot be removed changes nothing of that.
            let beside = formula_beside(&self.path);
            for file in [unfinished(&self.path), unfinished(&beside), beside] {
                let _ = fs::remove_file(file);
            }
        }
    }
}

impl ProofTracer for Proof {
    // The model and the propagator know these; what comes back was never deleted.
    fn add_original_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32], _restored: bool) {}

    fn add_derived_clause(&mut self, _id: i64, _redundant: bool, witness: i32, clause: &[i32], _antecedents: &[i64]) {
        if witness != 0 {
            self.failure.get_or_insert_with(|| io::Error::other("the solver added a clause that does not follow"));
        }
        self.refuted |= clause.is_empty();
        self.write("", clause);
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, clause: &[i32]) {
        // Checkers differ on whether the deletion of a unit clause counts.
        if clause.len() > 1 && !self.aside.contains(&id) {
            self.write("d ", clause);
        }
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.aside.insert(id);
    }

    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _id: i64, _clause: &[i32], _antecedents: &[i64]) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

fn formula_beside(proof: &Path) -> PathBuf {
    proof.with_extension("cnf")
}

fn unfinished(proof: &Path) -> PathBuf {
    let mut name = proof.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn write_clause(file: &mut impl Write, prefix: &str, literals: impl Iterator<Item = i32>) -> io::Result<()> {
    file.write_all(prefix.as_bytes())?;
    for literal in literals {
        write!(file, "{literal} ")?;
    }
    file.write_all(b"0\n")
}
