//! A mixed-integer linear program as plain data.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::error::ModelError;
use crate::representation::{Representation, Size};

/// How far values may break a row and still be a solution.
pub const TOLERANCE: f64 = 1e-5;

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// Index of a variable in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct VarId(pub usize);

/// A variable and its coefficient.
pub(crate) type Term = (VarId, f64);

/// Values that a variable may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Domain {
    /// 0 or 1.
    Binary,
    /// Whole numbers between the bounds.
    Integer,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variable {
    /// Unique name of letters, digits and underscores.
    pub name: String,
    /// What it may be.
    pub domain: Domain,
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
}

/// A linear row `lower <= terms <= upper`; equal bounds make an equation, infinite ones no bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The constraint family it belongs to.
    pub family: &'static str,
    /// Unique name of letters, digits and underscores.
    pub name: String,
    /// Coefficients; each variable stands here once, none is 0.
    pub terms: Vec<(VarId, f64)>,
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
}

/// A minimisation problem.
///
/// Once a solver has it, a model only ever grows: variables and rows are appended, never changed, so that a backend that keeps
/// state between solves need only load what is new.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Model {
    variables: Vec<Variable>,
    rows: Vec<Row>,
    objective: Vec<(VarId, f64)>,
    hint: Vec<VarId>,
}

impl Model {
    /// Variables, in the order of their ids.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Rows in the order in which they were added.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Objective coefficients, to be minimised; empty for a pure feasibility problem.
    pub fn objective(&self) -> &[(VarId, f64)] {
        &self.objective
    }

    /// Binary variables that a solver may begin with as 1, if it can; its solution need not have them.
    pub fn hint(&self) -> &[VarId] {
        &self.hint
    }

    /// Number of nonzero coefficients in the rows.
    pub fn nonzeros(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len()).sum()
    }

    pub(crate) fn add_variable(&mut self, name: String, domain: Domain, lower: f64, upper: f64) -> VarId {
        self.variables.push(Variable { name, domain, lower, upper });
        VarId(self.variables.len() - 1)
    }

    /// Adds a row. Terms that name one variable several times are added up: solvers refuse a repeated index.
    pub(crate) fn add_row(
        &mut self,
        family: &'static str,
        name: String,
        terms: impl IntoIterator<Item = Term>,
        lower: f64,
        upper: f64,
    ) {
        let mut terms: Vec<Term> = terms.into_iter().collect();
        terms.sort_unstable_by_key(|&(var, _)| var);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        terms.retain(|&(_, coefficient)| coefficient != 0.0);
        self.rows.push(Row { family, name, terms, lower, upper });
    }

    pub(crate) fn equal(&mut self, family: &'static str, name: String, terms: impl IntoIterator<Item = Term>, to: f64) {
        self.add_row(family, name, terms, to, to);
    }

    pub(crate) fn at_most(
        &mut self,
        family: &'static str,
        name: String,
        terms: impl IntoIterator<Item = Term>,
        most: f64,
    ) {
        self.add_row(family, name, terms, f64::NEG_INFINITY, most);
    }

    /// Adds the rows by which one of two equal tiles lies before the other. `places` has the terms of the first and of the next tile on
    /// each place, in the order of the places.
    ///
    /// With p\[f\] and p'\[f\] the sums of these terms on place f: sum over g <= f of p'\[g\] <= sum over g < f of p\[g\] for all f. Where
    /// the next tile lies on place f or before, the first lies before. This is the convex hull of the order of two tiles, while comparing
    /// the numbers of their places in one row has a weaker relaxation.
    pub(crate) fn add_order(&mut self, family: &'static str, stem: &str, places: &[[Vec<Term>; 2]]) {
        let mut terms = Vec::new();
        for (number, [first, next]) in (1..).zip(places) {
            terms.extend_from_slice(next);
            self.at_most(family, format!("{stem}_{number}"), terms.iter().copied(), 0.0);
            terms.extend(first.iter().map(|&(var, factor)| (var, -factor)));
        }
    }

    pub(crate) fn fix(&mut self, var: VarId, value: f64) {
        self.bound(var, value, value);
    }

    pub(crate) fn bound(&mut self, var: VarId, lower: f64, upper: f64) {
        let variable = &mut self.variables[var.0];
        (variable.lower, variable.upper) = (lower, upper);
    }

    pub(crate) fn set_hint(&mut self, ones: Vec<VarId>) {
        self.hint = ones;
    }

    pub(crate) fn set_objective(&mut self, terms: Vec<(VarId, f64)>) {
        self.objective = terms;
    }

    /// Makes the sum of the variables that there are so far the objective, each with a whole number from 0 to 9 that follows from a seed.
    pub(crate) fn set_random_objective(&mut self, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let terms = (0..self.variables.len()).map(|index| (VarId(index), f64::from(rng.random_range(0..10u8))));
        self.objective = terms.filter(|(_, weight)| *weight > 0.0).collect();
    }

    /// Whether a binary variable is 1 in a solver's values. Errors: it is neither 0 nor 1.
    pub(crate) fn is_one(&self, values: &[f64], var: VarId) -> Result<bool, ModelError> {
        let value = values[var.0];
        // NaN is not near to anything.
        if (value - value.round()).abs() <= INTEGRALITY {
            return Ok(value > 0.5);
        }
        Err(ModelError::Fractional { variable: self.variables[var.0].name.clone(), value })
    }

    /// Whether a row by itself says that at most one of its variables, which are 0 or more, is 1 and all others are 0.
    pub fn lets_one(&self, row: &Row) -> bool {
        let counts = |&(var, factor): &(VarId, f64)| factor == 1.0 && self.variables[var.0].lower >= 0.0;
        row.upper == 1.0 && row.terms.iter().all(counts)
    }

    /// The model of some of the variables, where all others keep their values. Its first variables are the free ones in their order. Rows
    /// without a free variable are left out, and what they break does not count. Of the others only those may be broken of which `soft`
    /// says so, by their index: by two more variables each, for what it lacks and what is above. Together they are broken by at most what
    /// the values break there, less `less`; by more than the values, if that is negative. At least `changed` of the free variables that
    /// are 1 become 0, or all. Nothing is minimised.
    #[must_use]
    pub fn window(
        &self,
        values: &[f64],
        free: &[VarId],
        soft: impl Fn(usize) -> bool,
        less: f64,
        changed: f64,
    ) -> Self {
        let mut window = Self::default();
        let mut number = vec![None; self.variables.len()];
        for &var in free {
            let Variable { name, domain, lower, upper } = self.variables[var.0].clone();
            number[var.0] = Some(window.add_variable(name, domain, lower, upper));
        }
        let is_free = |&(var, _): &Term| number[var.0].is_some();
        let rows = || self.rows.iter().enumerate().filter(|(_, row)| row.terms.iter().any(is_free));
        let broken = rows().filter(|(index, _)| soft(*index)).map(|(_, row)| Self::excess(row, values).abs());
        let most = broken.sum::<f64>() - less;
        let mut breaks = Vec::new();
        for (index, row) in rows() {
            let (free, kept): (Vec<Term>, Vec<Term>) = row.terms.iter().copied().partition(is_free);
            let kept: f64 = kept.iter().map(|&(var, factor)| factor * values[var.0]).sum();
            let mut terms: Vec<Term> =
                free.iter().filter_map(|&(var, factor)| Some((number[var.0]?, factor))).collect();
            for (way, factor, bound) in [("lacks", 1.0, row.lower), ("above", -1.0, row.upper)] {
                if soft(index) && bound.is_finite() {
                    let slack = window.add_variable(format!("{way}_{}", row.name), Domain::Integer, 0.0, most);
                    terms.push((slack, factor));
                    breaks.push((slack, 1.0));
                }
            }
            window.add_row(row.family, row.name.clone(), terms, row.lower - kept, row.upper - kept);
        }
        window.at_most("window", "breaks".to_owned(), breaks, most);
        if changed > 0.0 {
            let ones = free.iter().filter(|var| values[var.0] > 0.5);
            let ones: Vec<Term> = ones.filter_map(|var| Some((number[var.0]?, 1.0))).collect();
            let kept = (ones.len() as f64 - changed).max(0.0);
            window.at_most("window", "kept".to_owned(), ones, kept);
        }
        window
    }

    /// By how much a point breaks a row: what is above its greatest value, or, negative, below its least.
    #[must_use]
    pub fn excess(row: &Row, values: &[f64]) -> f64 {
        let sum: f64 = row.terms.iter().map(|&(var, factor)| factor * values[var.0]).sum();
        (sum - row.upper).max(0.0) + (sum - row.lower).min(0.0)
    }

    /// Rows and bounds that a point breaks by more than a tolerance, by name.
    pub fn broken(&self, values: &[f64], tolerance: f64) -> Vec<&str> {
        let value = |var: VarId| values.get(var.0).copied().unwrap_or(f64::NAN);
        // Negated comparisons, so that a missing value (NaN) counts as broken.
        let within = |v: f64, lower: f64, upper: f64| v >= lower - tolerance && v <= upper + tolerance;
        let rows = self.rows.iter().filter(|row| {
            let sum = row.terms.iter().map(|&(var, c)| c * value(var)).sum();
            !within(sum, row.lower, row.upper)
        });
        let variables = self.variables.iter().enumerate().filter(|(i, v)| !within(value(VarId(*i)), v.lower, v.upper));
        rows.map(|row| row.name.as_str()).chain(variables.map(|(_, v)| v.name.as_str())).collect()
    }
}

impl Representation for Model {
    type Value = f64;

    fn size(&self) -> Size {
        Size { variables: self.variables.len(), constraints: self.rows.len(), nonzeros: self.nonzeros() }
    }

    fn broken_by(&self, values: &[f64]) -> Vec<String> {
        // Rounded values decide: a solver's tolerances shall not.
        let rounded: Vec<f64> = values.iter().map(|v| v.round()).collect();
        self.broken(&rounded, TOLERANCE).into_iter().map(str::to_owned).collect()
    }

    fn objective_of(&self, values: &[f64]) -> Option<f64> {
        self.objective.iter().try_fold(0.0, |sum, &(var, weight)| Some(sum + weight * values.get(var.0)?.round()))
    }
}
