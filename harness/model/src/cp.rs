//! Models as constraints over integer variables: tables, sums and clauses. Solvers outside of this program get them serialised.

use std::fmt;
use std::ops::Not;

use serde::Serialize;

use crate::representation::{Representation, Size};
use crate::single_loop::SingleLoop;

/// A number of places, tiles, colours or weights. `check_size` of the puzzles keeps them far below the limit.
pub(crate) fn number(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// A variable: its index, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Var(pub usize);

/// A table of a model: its index, from 0. Constraints of one meaning share their table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Table(pub usize);

/// A variable that takes whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// What it is called in files and messages.
    pub name: String,
    /// Least value.
    pub lower: i32,
    /// Greatest value.
    pub upper: i32,
}

/// That a variable has a value, or that it has any other. Serialised as a list of its three fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(into = "(usize, i32, bool)")]
pub struct Literal {
    /// The variable.
    pub var: Var,
    /// The value.
    pub value: i32,
    /// Whether the variable has the value; else it has another.
    pub is: bool,
}

/// What a constraint demands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Rule {
    /// The values of these variables, in this order, are a row of the table.
    Table {
        /// The variables, each once.
        variables: Vec<Var>,
        table: Table,
    },
    /// At least one of these holds.
    Clause(Vec<Literal>),
    /// The coefficients of those that hold add up to something between the bounds.
    Sum {
        /// Coefficients and what they belong to, each once.
        terms: Vec<(i32, Literal)>,
        lower: i32,
        /// Greatest sum; `i32::MAX` for any.
        upper: i32,
    },
    /// The values of these variables times their coefficients add up to something between the bounds.
    Linear {
        /// Coefficients and variables, each variable once.
        terms: Vec<(i32, Var)>,
        lower: i32,
        /// Greatest sum; `i32::MAX` for any.
        upper: i32,
    },
}

/// A constraint with the rule of the puzzle that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Constraint {
    /// The rule it belongs to.
    pub family: &'static str,
    /// What it demands.
    pub rule: Rule,
}

/// A constraint model.
///
/// Once built, a model only ever grows: variables, tables and constraints are appended, never changed, so that a backend
/// that keeps state between solves need only load what is new.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Model {
    variables: Vec<Variable>,
    tables: Vec<Vec<Vec<i32>>>,
    constraints: Vec<Constraint>,
    single_loop: Option<SingleLoop<Literal>>,
    objective: Vec<(i32, Var)>,
    hint: Vec<(Var, i32)>,
}

impl Var {
    /// Holds where the variable has the value.
    pub fn is(self, value: i32) -> Literal {
        Literal { var: self, value, is: true }
    }
}

impl Literal {
    /// Whether it holds under values of the variables; a missing value makes it false.
    pub fn holds(self, values: &[i32]) -> bool {
        values.get(self.var.0).is_some_and(|&value| (value == self.value) == self.is)
    }
}

impl From<Literal> for (usize, i32, bool) {
    fn from(literal: Literal) -> Self {
        (literal.var.0, literal.value, literal.is)
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self { is: !self.is, ..self }
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.var.0, if self.is { "=" } else { "!=" }, self.value)
    }
}

impl Model {
    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The rows of a table.
    pub fn table(&self, table: Table) -> &[Vec<i32>] {
        &self.tables[table.0]
    }

    /// All constraints, in the order in which they were added.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The rule that there is one loop, where the solver itself is to keep it while it searches; it is in no constraint.
    pub fn single_loop(&self) -> Option<&SingleLoop<Literal>> {
        self.single_loop.as_ref()
    }

    /// Leaves it to the solver that there is one loop.
    pub fn set_single_loop(&mut self, rule: SingleLoop<Literal>) {
        self.single_loop = Some(rule);
    }

    /// Coefficients and variables whose sum is to be least, for solvers that minimise; empty where any solution will do.
    pub fn objective(&self) -> &[(i32, Var)] {
        &self.objective
    }

    /// Sets the sum that is to be least.
    pub fn set_objective(&mut self, terms: Vec<(i32, Var)>) {
        self.objective = terms;
    }

    /// Sets values that a solver may begin with, if it can.
    pub fn set_hint(&mut self, values: Vec<(Var, i32)>) {
        self.hint = values;
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, name: String, lower: i32, upper: i32) -> Var {
        self.variables.push(Variable { name, lower, upper });
        Var(self.variables.len() - 1)
    }

    /// Adds a table for constraints to refer to.
    pub fn add_table(&mut self, rows: Vec<Vec<i32>>) -> Table {
        self.tables.push(rows);
        Table(self.tables.len() - 1)
    }

    /// Demands that variables take values of a row of a table.
    /// Panics: a variable or table that was never added, or rows of another length.
    pub fn add_table_constraint(&mut self, family: &'static str, variables: Vec<Var>, table: Table) {
        assert!(self.table(table).iter().all(|row| row.len() == variables.len()), "a value for each variable");
        self.add(family, Rule::Table { variables, table });
    }

    /// Demands that one of some literals holds.
    pub fn add_clause(&mut self, family: &'static str, literals: Vec<Literal>) {
        self.add(family, Rule::Clause(literals));
    }

    /// Demands that the coefficients of the literals that hold add up to something between two bounds.
    pub fn add_sum(&mut self, family: &'static str, terms: Vec<(i32, Literal)>, lower: i32, upper: i32) {
        self.add(family, Rule::Sum { terms, lower, upper });
    }

    /// Demands that the values of variables times their coefficients add up to something between two bounds.
    pub fn add_linear(&mut self, family: &'static str, terms: Vec<(i32, Var)>, lower: i32, upper: i32) {
        self.add(family, Rule::Linear { terms, lower, upper });
    }

    fn add(&mut self, family: &'static str, rule: Rule) {
        let known = |var: Var| var.0 < self.variables.len();
        let all_known = match &rule {
            Rule::Table { variables, .. } => variables.iter().all(|var| known(*var)),
            Rule::Clause(literals) => literals.iter().all(|literal| known(literal.var)),
            Rule::Sum { terms, .. } => terms.iter().all(|(_, literal)| known(literal.var)),
            Rule::Linear { terms, .. } => terms.iter().all(|(_, var)| known(*var)),
        };
        assert!(all_known, "a variable that was never added");
        self.constraints.push(Constraint { family, rule });
    }

    /// Whether values satisfy a constraint; missing values do not.
    pub fn satisfied(&self, constraint: &Constraint, values: &[i32]) -> bool {
        match &constraint.rule {
            Rule::Table { variables, table } => {
                let tuple: Option<Vec<i32>> = variables.iter().map(|var| values.get(var.0).copied()).collect();
                tuple.is_some_and(|tuple| self.table(*table).contains(&tuple))
            }
            Rule::Clause(literals) => literals.iter().any(|literal| literal.holds(values)),
            Rule::Sum { terms, lower, upper } => {
                let sum: i32 =
                    terms.iter().filter(|(_, literal)| literal.holds(values)).map(|(factor, _)| factor).sum();
                (*lower..=*upper).contains(&sum) && terms.iter().all(|(_, literal)| literal.var.0 < values.len())
            }
            Rule::Linear { terms, lower, upper } => {
                let value = |var: &Var| values.get(var.0).map(|&value| i64::from(value));
                let sum: Option<i64> = terms.iter().map(|(factor, var)| Some(i64::from(*factor) * value(var)?)).sum();
                let upper = if *upper == i32::MAX { i64::MAX } else { i64::from(*upper) };
                sum.is_some_and(|sum| (i64::from(*lower)..=upper).contains(&sum))
            }
        }
    }
}

impl Rule {
    /// How many variables it names, each as often as it does.
    pub fn arity(&self) -> usize {
        match self {
            Self::Table { variables, .. } => variables.len(),
            Self::Clause(literals) => literals.len(),
            Self::Sum { terms, .. } => terms.len(),
            Self::Linear { terms, .. } => terms.len(),
        }
    }
}

impl Representation for Model {
    type Value = i32;

    fn size(&self) -> Size {
        Size {
            variables: self.variables.len(),
            constraints: self.constraints.len(),
            nonzeros: self.constraints.iter().map(|constraint| constraint.rule.arity()).sum(),
        }
    }

    fn broken_by(&self, values: &[i32]) -> Vec<String> {
        let within = |index: usize, variable: &Variable| {
            values.get(index).is_some_and(|value| (variable.lower..=variable.upper).contains(value))
        };
        let bounds = self.variables.iter().enumerate().filter(|(index, variable)| !within(*index, variable));
        let bounds = bounds.map(|(_, variable)| format!("the bounds of {}", variable.name));
        let broken = self.constraints.iter().enumerate().filter(|(_, constraint)| !self.satisfied(constraint, values));
        let broken = broken.map(|(index, constraint)| format!("constraint {} ({})", index + 1, constraint.family));
        let subloops = self.single_loop.iter().flat_map(|rule| rule.subloops(|literal| literal.holds(values)));
        let subloops = subloops.map(|cycle| format!("the single loop, by a cycle of {}", cycle.len()));
        bounds.chain(broken).chain(subloops).collect()
    }
}
