//! Linear models for solvers of clauses.
//!
//! A row over binary variables is a sum of numbers: variables of which at most one is 1, as another row says, make one number
//! together (the colour of an edge, of which the tiles that can lie at a place show one each), so that a row has as many numbers as
//! it has such groups. Numbers are in the order encoding ([`Levels`]); variables that take more than two values are so too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Translation, Whole, bounds};
use crate::error::ModelError;
use crate::formulation::Cardinality;
use crate::ir::{Model, VarId};
use crate::sat::{Cnf, Levels, Lit, add_between, greatest};

/// Most values of a variable.
const MOST_VALUES: i64 = 1000;

const ENCODING: Cardinality = Cardinality::Totalizer;

/// A linear model as clauses.
#[derive(Debug, Default)]
pub struct ToClauses {
    form: Cnf,
    variables: Vec<Variable>,
    rows: usize,
    /// Rows that let at most one of their variables be 1.
    groups: usize,
    /// Literals that hold if and only if one of some others does.
    any: HashMap<Vec<Lit>, Lit>,
}

#[derive(Debug)]
struct Variable {
    lower: i64,
    upper: i64,
    /// The literals of `value >= lower + 1`, `>= lower + 2` and so on.
    above: Vec<Lit>,
    groups: Vec<usize>,
}

impl Variable {
    fn is_binary(&self) -> bool {
        (self.lower, self.upper) == (0, 1)
    }
}

impl Translation for ToClauses {
    type Form = Cnf;

    fn extend(&mut self, model: &Model) -> Result<(), ModelError> {
        for index in self.variables.len()..model.variables().len() {
            let (lower, upper) = bounds(model, index)?;
            let name = &model.variables()[index].name;
            if upper - lower > MOST_VALUES {
                let reason = format!(
                    "variable {name} takes {} values, and clauses up to {}",
                    upper - lower + 1,
                    MOST_VALUES + 1
                );
                return Err(ModelError::Impossible(reason));
            }
            let above: Vec<Lit> = (lower..upper).map(|_| self.form.add_variable()).collect();
            for pair in above.windows(2) {
                self.form.add_clause("bounds", [!pair[1], pair[0]]);
            }
            if lower > upper {
                self.form.add_clause("bounds", []);
            }
            self.variables.push(Variable { lower, upper, above, groups: Vec::new() });
        }
        for row in &model.rows()[self.rows..] {
            self.add(row.family, &Whole::of(row)?);
            if row.terms.len() > 1 && model.lets_one(row) {
                row.terms.iter().for_each(|(var, _)| self.variables[var.0].groups.push(self.groups));
                self.groups += 1;
            }
            self.rows += 1;
        }
        Ok(())
    }

    fn form(&self) -> &Cnf {
        &self.form
    }

    fn at_most(&mut self, terms: &[(VarId, i64)], most: i64) -> Result<(), ModelError> {
        let terms = terms.iter().map(|&(var, factor)| (factor, var)).collect();
        self.add("objective", &Whole { terms, lower: None, upper: Some(most) });
        Ok(())
    }

    fn read(&self, values: &[bool]) -> Vec<f64> {
        let value = |variable: &Variable| {
            let above = variable.above.iter().filter(|lit| lit.holds(values)).count();
            variable.lower as f64 + above as f64
        };
        self.variables.iter().map(value).collect()
    }
}

impl ToClauses {
    fn add(&mut self, family: &'static str, row: &Whole) {
        let mut numbers = Vec::new();
        // What the row is beside the numbers, which are 0 or more.
        let mut constant = 0;
        let (binary, others): (Vec<_>, Vec<_>) =
            row.terms.iter().copied().partition(|&(_, var)| self.variables[var.0].is_binary());
        for part in self.parts(binary) {
            let (least, levels) = self.one_of(family, &part);
            constant += least;
            numbers.push(levels);
        }
        for (factor, var) in others {
            let variable = &self.variables[var.0];
            constant += factor * if factor > 0 { variable.lower } else { variable.upper };
            let step = factor.unsigned_abs();
            let levels: Levels = if factor > 0 {
                (1..).map(|count| count * step).zip(variable.above.iter().copied()).collect()
            } else {
                (1..).map(|count| count * step).zip(variable.above.iter().rev().map(|&lit| !lit)).collect()
            };
            numbers.push(levels);
        }
        numbers.retain(|levels| !levels.is_empty());
        let most = greatest(&numbers);
        let impossible = row.upper.is_some_and(|upper| upper < constant);
        let lower = row.lower.map_or(0, |lower| u64::try_from(lower - constant).unwrap_or(0));
        let upper = row.upper.map_or(most, |upper| u64::try_from(upper - constant).unwrap_or(0)).min(most);
        if impossible {
            self.form.add_clause(family, []);
        } else {
            add_between(&mut self.form, family, ENCODING, &numbers, lower, upper);
        }
    }

    /// Terms of binary variables by groups: those with most of them first, what is in none by itself.
    fn parts(&self, terms: Vec<(i64, VarId)>) -> Vec<Vec<(i64, VarId)>> {
        let mut of_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, &(_, var)) in terms.iter().enumerate() {
            for &group in &self.variables[var.0].groups {
                of_group.entry(group).or_default().push(place);
            }
        }
        let mut groups: Vec<Vec<usize>> = of_group.into_values().filter(|places| places.len() > 1).collect();
        groups.sort_by_key(|places| Reverse(places.len()));
        let mut left: Vec<Option<(i64, VarId)>> = terms.into_iter().map(Some).collect();
        let mut parts: Vec<Vec<_>> = groups
            .into_iter()
            .map(|places| places.into_iter().filter_map(|place| left[place].take()).collect())
            .collect();
        parts.retain(|part| !part.is_empty());
        parts.extend(left.into_iter().flatten().map(|term| vec![term]));
        parts
    }

    /// The number that terms make of which at most one variable is 1: its least value, and what it is above that.
    fn one_of(&mut self, family: &'static str, terms: &[(i64, VarId)]) -> (i64, Levels) {
        let mut by_value: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
        for &(factor, var) in terms {
            by_value.entry(factor).or_default().push(self.variables[var.0].above[0]);
        }
        let values: Vec<i64> = by_value.keys().copied().collect();
        // Where none is 1 the number is 0.
        let least = values.first().copied().unwrap_or(0).min(0);
        let mut levels = Levels::new();
        for value in values.iter().copied().chain([0]).collect::<BTreeSet<i64>>() {
            if value <= least {
                continue;
            }
            let lit = if value > 0 {
                self.any(family, by_value.range(value..).flat_map(|(_, lits)| lits.iter().copied()).collect())
            } else {
                !self.any(family, by_value.range(..value).flat_map(|(_, lits)| lits.iter().copied()).collect())
            };
            if let Some(&(_, before)) = levels.last() {
                self.form.add_clause(family, [!lit, before]);
            }
            levels.push((value.abs_diff(least), lit));
        }
        (least, levels)
    }

    fn any(&mut self, family: &'static str, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        if let [only] = lits[..] {
            return only;
        }
        if let Some(&known) = self.any.get(&lits) {
            return known;
        }
        let any = self.form.add_variable();
        self.form.define_any(family, any, &lits);
        self.any.insert(lits, any);
        any
    }
}
