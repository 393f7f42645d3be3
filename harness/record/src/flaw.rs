//! Figures that fit the type of their column and cannot be.

use std::path::{Component, Path};

use crate::{IterationRow, PlanRow, RunRow};

/// What a column may hold, beside nothing.
#[derive(Clone, Copy, PartialEq)]
enum Range {
    /// Seconds: finite, 0 or more.
    Amount,
    /// Finite.
    Number,
    /// Finite, or infinite where a minimisation has no solution.
    Optimum,
}

impl RunRow {
    /// The first column with a figure that cannot be, and what would be right.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        if self.run_id.is_empty() {
            return Some("column run_id: empty; each row is of a run".to_owned());
        }
        // They become parts of paths: none may lead out of the results directory.
        if let Some(flaw) = leads_out([("run_id", &self.run_id), ("instance", &self.instance)]) {
            return Some(flaw);
        }
        first([
            ("time_limit_s", self.time_limit_s, Range::Amount),
            ("cpu_limit_s", self.cpu_limit_s, Range::Amount),
            ("objective_value", self.objective_value, Range::Number),
            ("bound", self.bound, Range::Number),
            ("gap", self.gap, Range::Number),
            ("root_bound", self.root_bound, Range::Optimum),
            ("build_time_s", self.build_time_s, Range::Amount),
            ("solve_time_s", self.solve_time_s, Range::Amount),
            ("wall_time_s", self.wall_time_s, Range::Amount),
            ("cpu_time_s", self.cpu_time_s, Range::Amount),
        ])
    }
}

impl PlanRow {
    /// The first column with a name that cannot be, and what would be right.
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        leads_out([("run_id", &self.run_id), ("instance", &self.instance)])
    }
}

/// The first of some names that is not that of a file.
fn leads_out<const N: usize>(names: [(&str, &String); N]) -> Option<String> {
    let plain = |name: &str| {
        let mut parts = Path::new(name).components();
        matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
    };
    let (column, name) = names.into_iter().find(|(_, name)| !plain(name))?;
    Some(format!("column {column}: {name:?} cannot be the name of a file in the results directory"))
}

impl IterationRow {
    /// As [`RunRow::flaw`].
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        first([
            ("time_s", Some(self.solve.time_s), Range::Amount),
            ("cumulative_s", Some(self.solve.cumulative_s), Range::Amount),
            ("objective_value", self.solve.objective_value, Range::Number),
            ("bound", self.solve.bound, Range::Number),
            ("gap", self.solve.gap, Range::Number),
        ])
    }
}

fn first<const N: usize>(figures: [(&str, Option<f64>, Range); N]) -> Option<String> {
    let fits = |figure: f64, range| match range {
        Range::Amount => figure.is_finite() && figure >= 0.0,
        Range::Number => figure.is_finite(),
        Range::Optimum => figure.is_finite() || figure == f64::INFINITY,
    };
    let (column, figure, range) = figures
        .into_iter()
        .find_map(|(column, figure, range)| Some((column, figure.filter(|f| !fits(*f, range))?, range)))?;
    let right = match range {
        Range::Amount => "a finite number, 0 or more",
        Range::Number => "a finite number",
        Range::Optimum => "a finite number, or inf",
    };
    Some(format!("column {column}: `{figure}` cannot be; right is {right}, or nothing where it was not measured"))
}
