//! Models as clauses over Boolean variables: formulas in conjunctive normal form, and what adds up in them (`sums`).

mod sums;

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

use crate::error::ModelError;
use crate::representation::{Representation, Size};
use crate::single_loop::SingleLoop;

pub(crate) use sums::greatest;
pub use sums::{Levels, add_between, add_up, exactly};

/// Bytes that the clauses of a formula may take: a solver takes several times as many.
const MOST_BYTES: usize = 1 << 30;

/// A Boolean variable, which are numbered from 1, or its negation, as DIMACS files write it: `7` or `-7`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

/// A clause: at least one of its literals holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause<'a> {
    /// The rule it belongs to.
    pub family: &'static str,
    /// Its literals, each once, none beside its negation.
    pub literals: &'a [Lit],
}

/// A formula in conjunctive normal form.
///
/// Once built, a formula only ever grows: variables and clauses are appended, never changed, so that a backend that
/// keeps state between solves need only load what is new.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Lit>,
    /// Where each clause ends in `literals`: in four bytes, as there may be tens of millions.
    ends: Vec<u32>,
    /// Clauses of one family in a row: the family, and the number of clauses up to the last of them.
    families: Vec<(&'static str, usize)>,
    single_loop: Option<SingleLoop<Lit>>,
    legend: Vec<Legend>,
}

/// What some variables with successive numbers mean, in words for whoever reads a file of the formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legend {
    /// Their meaning; where there are several, in their order.
    pub meaning: String,
    /// Number of the first of them.
    pub first: usize,
    /// Number of the last of them.
    pub last: usize,
}

impl Lit {
    /// The literal that a DIMACS file writes so; `None` for 0, which ends a clause there, and for `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        NonZeroI32::new(number).filter(|number| *number != NonZeroI32::MIN).map(Self)
    }

    /// As DIMACS files write it.
    pub fn dimacs(self) -> i32 {
        self.0.get()
    }

    /// The number of its variable, from 1.
    pub fn variable(self) -> usize {
        self.0.get().unsigned_abs() as usize
    }

    /// Whether it is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.is_positive()
    }

    /// Whether it holds under values of the variables (of variable v at index v - 1); a missing value makes it false.
    pub fn holds(self, values: &[bool]) -> bool {
        values.get(self.variable() - 1).is_some_and(|&value| value == self.is_positive())
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Cnf {
    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of literals in all clauses.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Whether the formula is still small enough for a solver. Errors: it is not, for what it is made of.
    pub(crate) fn check_size(&self, made_of: impl FnOnce() -> String) -> Result<(), ModelError> {
        if size_of_val(&self.literals[..]) + size_of_val(&self.ends[..]) <= MOST_BYTES {
            return Ok(());
        }
        Err(ModelError::Impossible(format!(
            "{} make clauses of more than {} MiB, which is the most there may be here; cardinality = \"adder\" makes fewest",
            made_of(),
            MOST_BYTES >> 20
        )))
    }

    /// The clauses from one of them on, in the order in which they were added.
    pub fn clauses_from(&self, first: usize) -> impl ExactSizeIterator<Item = Clause<'_>> {
        let first = first.min(self.len());
        let mut run = self.families.partition_point(|&(_, end)| end <= first);
        (first..self.len()).map(move |index| {
            run += usize::from(self.families[run].1 <= index);
            let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
            Clause { family: self.families[run].0, literals: &self.literals[start..self.ends[index] as usize] }
        })
    }

    /// All clauses.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause<'_>> {
        self.clauses_from(0)
    }

    /// The rule that there is one loop, where the solver itself is to keep it while it searches; it is in no clause.
    pub fn single_loop(&self) -> Option<&SingleLoop<Lit>> {
        self.single_loop.as_ref()
    }

    /// Leaves it to the solver that there is one loop.
    pub fn set_single_loop(&mut self, rule: SingleLoop<Lit>) {
        self.single_loop = Some(rule);
    }

    /// What the variables mean, in the order of their numbers.
    pub fn legend(&self) -> &[Legend] {
        &self.legend
    }

    /// Adds variables that have a meaning together.
    pub fn add_named(&mut self, count: usize, meaning: String) -> Vec<Lit> {
        let before = self.variables;
        let variables = (0..count).map(|_| self.add_variable()).collect();
        self.name_from(before, meaning);
        variables
    }

    /// Gives a meaning to all variables but the first so many.
    pub fn name_from(&mut self, before: usize, meaning: String) {
        if before < self.variables {
            self.legend.push(Legend { meaning, first: before + 1, last: self.variables });
        }
    }

    /// Values of all variables that follow from those of the first ones: each variable takes the value that the first
    /// clause demands in which all else is false, or is false.
    ///
    /// Where clauses define variables by earlier ones, and stand before those that only demand something of them, these
    /// are the values that the definitions give.
    pub fn complete(&self, first: &[bool]) -> Vec<bool> {
        let mut values: Vec<Option<bool>> = first.iter().copied().map(Some).collect();
        values.resize(self.variables, None);
        for clause in self.clauses() {
            let value = |lit: &Lit| values[lit.variable() - 1].map(|value| value == lit.is_positive());
            let mut open = clause.literals.iter().filter(|lit| value(lit) != Some(false));
            if let (Some(&lit), None) = (open.next(), open.next())
                && value(&lit).is_none()
            {
                values[lit.variable() - 1] = Some(lit.is_positive());
            }
        }
        values.into_iter().map(|value| value == Some(true)).collect()
    }

    /// Adds a variable.
    /// Panics: beyond 2,147,483,647 variables, which no formula that fits into memory has.
    pub fn add_variable(&mut self) -> Lit {
        self.variables += 1;
        let number = i32::try_from(self.variables).ok().and_then(NonZeroI32::new);
        Lit(number.expect("fewer variables than solvers can number"))
    }

    /// Adds clauses by which a literal holds if and only if one of some others does.
    pub(crate) fn define_any(&mut self, family: &'static str, defined: Lit, by: &[Lit]) {
        for &lit in by {
            self.add_clause(family, [!lit, defined]);
        }
        self.add_clause(family, by.iter().copied().chain([!defined]));
    }

    /// Adds a clause for each pair: not both hold.
    pub(crate) fn at_most_one(&mut self, family: &'static str, literals: &[Lit]) {
        for (index, &a) in literals.iter().enumerate() {
            for &b in &literals[index + 1..] {
                self.add_clause(family, [!a, !b]);
            }
        }
    }

    /// Adds a clause. A literal that stands in it twice is kept once; a clause that always holds is left out.
    /// Panics: a literal of a variable that was never added; beyond 4,294,967,295 literals.
    pub fn add_clause(&mut self, family: &'static str, literals: impl IntoIterator<Item = Lit>) {
        let start = self.literals.len();
        self.literals.extend(literals);
        let clause = &mut self.literals[start..];
        clause.sort_unstable_by_key(|lit| (lit.variable(), lit.is_positive()));
        assert!(clause.last().is_none_or(|lit| lit.variable() <= self.variables), "a literal without a variable");
        if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            self.literals.truncate(start);
            return;
        }
        let mut kept = start;
        for index in start..self.literals.len() {
            if kept == start || self.literals[kept - 1] != self.literals[index] {
                self.literals[kept] = self.literals[index];
                kept += 1;
            }
        }
        self.literals.truncate(kept);
        self.ends.push(u32::try_from(kept).expect("fewer literals than solvers can hold"));
        match self.families.last_mut() {
            Some((last, end)) if *last == family => *end = self.ends.len(),
            _ => self.families.push((family, self.ends.len())),
        }
    }
}

impl Representation for Cnf {
    type Value = bool;

    fn size(&self) -> Size {
        Size { variables: self.variables, constraints: self.len(), nonzeros: self.literals.len() }
    }

    fn broken_by(&self, values: &[bool]) -> Vec<String> {
        let broken =
            self.clauses().enumerate().filter(|(_, clause)| !clause.literals.iter().any(|lit| lit.holds(values)));
        let broken = broken.map(|(index, clause)| format!("clause {} ({})", index + 1, clause.family));
        let subloops = self.single_loop.iter().flat_map(|rule| rule.subloops(|lit| lit.holds(values)));
        broken.chain(subloops.map(|cycle| format!("the single loop, by a cycle of {}", cycle.len()))).collect()
    }
}
