//! From the model to Pumpkin's variables and constraints.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use model::cp::{Constraint, Literal, Model, Rule};
use model::{LoopEdge, SingleLoop};
use pumpkin_constraints::{less_than_or_equals, table};
use pumpkin_core::Solver;
use pumpkin_core::constraints::Constraint as _;
use pumpkin_core::predicates::{Predicate, PredicateConstructor};
use pumpkin_core::variables::{AffineView, DomainId, TransformableVariable};

use super::single_loop::SingleLoopArgs;
use crate::backend::{AT_ONCE, Deadline};

/// Up to so many values that no row of a table has are forbidden one by one.
const SINGLY: i32 = 16;

/// A solver with what of a model it has been given.
pub(super) struct Loaded {
    pub solver: Solver,
    pub variables: Vec<DomainId>,
    constraints: usize,
    has_single_loop: bool,
    cut_off: Arc<AtomicU64>,
    /// Of literals that stand in sums: variables that are 1 where they hold, else 0.
    counted: HashMap<Literal, AffineView<DomainId>>,
}

impl Loaded {
    pub fn new(solver: Solver) -> Self {
        Self {
            solver,
            variables: Vec::new(),
            constraints: 0,
            has_single_loop: false,
            cut_off: Arc::default(),
            counted: HashMap::new(),
        }
    }

    /// How often the propagator of the single loop has denied an edge or found a loop closed.
    pub fn cut_off(&self) -> u64 {
        self.cut_off.load(Ordering::Relaxed)
    }

    /// Gives the solver what it does not have yet; false if the time is over before that. Stops early where the solver finds
    /// that there is no solution.
    pub fn add(&mut self, model: &Model, deadline: &Deadline) -> bool {
        for variable in &model.variables()[self.variables.len()..] {
            let domain = self.solver.new_named_bounded_integer(variable.lower, variable.upper, variable.name.as_str());
            self.variables.push(domain);
        }
        for constraint in &model.constraints()[self.constraints..] {
            if self.solver.is_inconsistent() {
                return true;
            }
            if self.constraints.is_multiple_of(AT_ONCE) && deadline.is_over() {
                return false;
            }
            self.constrain(model, constraint);
            self.constraints += 1;
        }
        if let Some(rule) = model.single_loop().filter(|_| !self.has_single_loop && !self.solver.is_inconsistent()) {
            let edge =
                |edge: &LoopEdge<Literal>| LoopEdge { ends: edge.ends, designated: self.predicate(edge.designated) };
            let edges = rule.edges.iter().map(edge).collect();
            let rule = SingleLoop { nodes: rule.nodes, length: rule.length, edges };
            let tag = self.solver.new_constraint_tag();
            self.solver.add_propagator(SingleLoopArgs { rule, tag, cut_off: Arc::clone(&self.cut_off) });
            self.has_single_loop = true;
        }
        true
    }

    fn constrain(&mut self, model: &Model, constraint: &Constraint) {
        match &constraint.rule {
            Rule::Table { variables, table } => {
                let variables: Vec<DomainId> = variables.iter().map(|var| self.variables[var.0]).collect();
                self.tabulate(&variables, model.table(*table));
            }
            Rule::Clause(literals) => {
                let clause: Vec<Predicate> = literals.iter().map(|literal| self.predicate(*literal)).collect();
                self.clause(clause);
            }
            Rule::Sum { terms, lower, upper } => {
                let sum = terms.iter().map(|(factor, literal)| self.counted(*literal).scaled(*factor)).collect();
                self.bound(sum, *lower, *upper);
            }
            Rule::Linear { terms, lower, upper } => {
                let sum = terms.iter().map(|(factor, var)| self.variables[var.0].scaled(*factor)).collect();
                self.bound(sum, *lower, *upper);
            }
        }
    }

    fn bound(&mut self, sum: Vec<AffineView<DomainId>>, lower: i32, upper: i32) {
        if sum.is_empty() {
            // Pumpkin takes no sum of nothing.
            if !(lower..=upper).contains(&0) {
                self.clause(Vec::new());
            }
            return;
        }
        let tag = self.solver.new_constraint_tag();
        let negated: Vec<_> = sum.iter().map(|term| term.scaled(-1)).collect();
        if upper < i32::MAX {
            less_than_or_equals(sum, upper, tag).post(&mut self.solver);
        }
        less_than_or_equals(negated, -lower, tag).post(&mut self.solver);
    }

    /// A table of two variables as clauses on these: a value of one implies some of the values that the other has
    /// beside it. That propagates all there is; Pumpkin's own way adds a variable for each row.
    fn tabulate(&mut self, variables: &[DomainId], rows: &[Vec<i32>]) {
        let &[first, second] = variables else {
            let tag = self.solver.new_constraint_tag();
            table(variables.to_vec(), rows.to_vec(), tag).post(&mut self.solver);
            return;
        };
        for (variable, other, column) in [(first, second, 0), (second, first, 1)] {
            let mut beside: BTreeMap<i32, Vec<Predicate>> = BTreeMap::new();
            for row in rows {
                beside.entry(row[column]).or_default().push(other.equality_predicate(row[1 - column]));
            }
            let (lower, upper) = (self.solver.lower_bound(&variable), self.solver.upper_bound(&variable));
            let mut next = lower;
            for (value, support) in beside.into_iter().filter(|(value, _)| (lower..=upper).contains(value)) {
                self.forbid(variable, next, value);
                self.clause([variable.disequality_predicate(value)].into_iter().chain(support).collect());
                next = value + 1;
            }
            self.forbid(variable, next, upper + 1);
        }
    }

    /// Forbids the values from one of them to just before another: each by itself, or by one clause where they are many.
    fn forbid(&mut self, variable: DomainId, from: i32, to: i32) {
        if to - from <= SINGLY {
            (from..to).for_each(|value| self.clause(vec![variable.disequality_predicate(value)]));
        } else {
            self.clause(vec![variable.upper_bound_predicate(from - 1), variable.lower_bound_predicate(to)]);
        }
    }

    fn clause(&mut self, clause: Vec<Predicate>) {
        // Pumpkin takes no more clauses once it has found that there is no solution.
        if !self.solver.is_inconsistent() {
            let tag = self.solver.new_constraint_tag();
            self.solver.add_clause(clause, tag);
        }
    }

    fn predicate(&self, literal: Literal) -> Predicate {
        let variable = self.variables[literal.var.0];
        if literal.is {
            variable.equality_predicate(literal.value)
        } else {
            variable.disequality_predicate(literal.value)
        }
    }

    fn counted(&mut self, literal: Literal) -> AffineView<DomainId> {
        if let Some(counted) = self.counted.get(&literal) {
            return *counted;
        }
        let tag = self.solver.new_constraint_tag();
        let predicate = self.predicate(literal);
        let counted = self.solver.new_literal_for_predicate(predicate, tag);
        self.counted.insert(literal, counted.get_integer_variable());
        self.counted.insert(!literal, (!counted).get_integer_variable());
        counted.get_integer_variable()
    }
}
