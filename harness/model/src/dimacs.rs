//! DIMACS files of formulas, and the values that solvers print for them.

use std::io::{self, BufRead, Write};

use crate::sat::{Cnf, Lit};

/// Family of the clauses that were read from a file.
const READ: &str = "read";

/// What is wrong with a DIMACS file or the output of a solver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct DimacsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// Writes a formula in the DIMACS format. Comments come first: those given, one or more lines each, and one for each
/// group of variables with a meaning.
///
/// # Errors
/// What the writer says.
pub fn write(cnf: &Cnf, comments: &[&str], out: &mut dyn Write) -> io::Result<()> {
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        writeln!(out, "c {line}")?;
    }
    if cnf.single_loop().is_some() {
        writeln!(out, "c in no clause: that the designated edges form one loop")?;
    }
    for group in cnf.legend() {
        let (first, last) = (group.first.number(), group.last.number());
        if first == last {
            writeln!(out, "c {} = {first}", group.meaning)?;
        } else {
            writeln!(out, "c {} = {first} to {last}", group.meaning)?;
        }
    }
    writeln!(out, "p cnf {} {}", cnf.variables(), cnf.len())?;
    for clause in cnf.clauses() {
        for literal in clause.literals {
            write!(out, "{} ", literal.dimacs())?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}

/// Reads a formula. Clauses that always hold are left out, as everywhere.
///
/// # Errors
/// The first line that is no DIMACS: no or a second `p cnf` line, something that is no number, a variable beyond those
/// announced, a last clause without end, another number of clauses than announced, a line that cannot be read.
pub fn read(input: impl BufRead) -> Result<Cnf, DimacsError> {
    let mut cnf = Cnf::default();
    let (mut announced, mut found, mut clause, mut last) = (None, 0_usize, Vec::new(), 0);
    for (number, line) in (1..).zip(input.lines()) {
        last = number;
        let wrong = |reason: String| DimacsError { line: number, reason };
        let line = line.map_err(|error| wrong(error.to_string()))?;
        if line.starts_with('c') {
            continue;
        }
        if line.starts_with('p') {
            if announced.is_some() {
                return Err(wrong("a second line p".to_owned()));
            }
            let (variables, clauses) = header(&line).ok_or_else(|| wrong(format!("{line:?} is no line p cnf")))?;
            for _ in 0..variables {
                cnf.add_variable();
            }
            announced = Some(clauses);
            continue;
        }
        for word in line.split_whitespace() {
            if announced.is_none() {
                return Err(wrong("a clause before the line p cnf".to_owned()));
            }
            match literal(word, cnf.variables()).map_err(wrong)? {
                Some(literal) => clause.push(literal),
                None => {
                    cnf.add_clause(READ, clause.drain(..));
                    found += 1;
                }
            }
        }
    }
    let wrong = |reason: String| Err(DimacsError { line: last, reason });
    match announced {
        None => wrong("the end, and no line p cnf".to_owned()),
        Some(_) if !clause.is_empty() => wrong("the end within a clause".to_owned()),
        Some(clauses) if clauses != found => wrong(format!("the end after {found} clauses of {clauses}")),
        Some(_) => Ok(cnf),
    }
}

/// Numbers of variables and clauses; `None` if this is no line `p cnf`, or announces more variables than there can be.
fn header(line: &str) -> Option<(usize, usize)> {
    let ["p", "cnf", variables, clauses] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let variables: i32 = variables.parse().ok()?;
    Some((usize::try_from(variables).ok()?, clauses.parse().ok()?))
}

/// The values of all variables as a solver prints them: in lines `v 1 -2 3 0`, as at SAT competitions, or the same
/// without the `v`, as in result files of MiniSat. Other lines say other things. Variables that are not named are
/// false.
///
/// # Errors
/// The line with something that is no number, a variable beyond the last, two values for one variable or values after the
/// end; no end at all.
pub fn parse_values(input: impl BufRead, variables: usize) -> Result<Vec<bool>, DimacsError> {
    let mut values = vec![None; variables];
    let (mut ended, mut last) = (false, 0);
    for (number, line) in (1..).zip(input.lines()) {
        last = number;
        let wrong = |reason: String| DimacsError { line: number, reason };
        let line = line.map_err(|error| wrong(error.to_string()))?;
        let mut words = line.split_whitespace().peekable();
        let printed = |word: &&str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        if words.next_if_eq(&"v").is_none() && !words.peek().is_some_and(printed) {
            continue;
        }
        for word in words {
            if ended {
                return Err(wrong(format!("{word:?} after the 0 that ends the values")));
            }
            let Some(literal) = literal(word, variables).map_err(wrong)? else {
                ended = true;
                continue;
            };
            let value = &mut values[literal.var().number() - 1];
            if value.is_some_and(|value| value != literal.is_positive()) {
                return Err(wrong(format!("variable {} is true and false", literal.var().number())));
            }
            *value = Some(literal.is_positive());
        }
    }
    if !ended {
        return Err(DimacsError { line: last, reason: "the end, and no 0 after the values".to_owned() });
    }
    Ok(values.into_iter().map(|value| value == Some(true)).collect())
}

/// A literal over so many variables; `None` for 0.
fn literal(word: &str, variables: usize) -> Result<Option<Lit>, String> {
    let number: i32 = word.parse().map_err(|_| format!("{word:?} is no literal"))?;
    match Lit::from_dimacs(number) {
        None if number != 0 => Err(format!("{word:?} is no literal")),
        Some(literal) if literal.var().number() > variables => {
            Err(format!("variable {}, and there are {variables}", literal.var().number()))
        }
        literal => Ok(literal),
    }
}
