//! How many runs ended in which way; wrong answers apart.

use record::{Category, Status};

use super::Table;
use crate::aggregate::{Counts, count_by_category, count_by_status};
use crate::grid::{Cell, Grid, Group, Row, Value};
use crate::{Experiment, ReportError};

/// The table.
pub struct Summary;

impl Table for Summary {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn shows(&self) -> &'static str {
        "number of runs by status and by category"
    }

    fn build(&self, experiment: &Experiment) -> Result<Vec<Grid>, ReportError> {
        let runs = experiment.runs();
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let occurring: Vec<_> = Status::ALL.into_iter().filter(|s| runs.iter().any(|r| r.status == *s)).collect();
        let statuses = count_by_status(runs, &occurring)?;
        let categories = count_by_category(runs)?;
        let catalog = experiment.catalog();
        let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (&f.name, s)));
        let mut rows = Vec::new();
        for (formulation, solver) in pairs {
            let find =
                |counts: &Counts| counts.iter().find(|c| c.0 == *formulation && c.1 == *solver).map(|c| c.2.clone());
            if let (Some(statuses), Some(categories)) = (find(&statuses), find(&categories)) {
                rows.push(row([formulation, solver], &statuses, &categories));
            }
        }
        if rows.len() > 1 {
            let total = row(["total", ""], &sum(&statuses), &sum(&categories));
            rows.push(Row { ruled: true, ..total });
        }
        Ok(vec![Grid {
            key: String::new(),
            caption: "Runs by status (what the solver claims) and category (what the check found)".to_owned(),
            notes: Vec::new(),
            stubs: vec!["formulation".to_owned(), "solver".to_owned()],
            axis: None,
            groups: vec![
                Group::new("", vec!["runs".to_owned()]),
                Group::new("status", occurring.iter().map(ToString::to_string).collect()),
                Group::new("category", Category::ALL.iter().map(ToString::to_string).collect()),
            ],
            rows,
        }])
    }
}

fn row(labels: [&str; 2], statuses: &[u64], categories: &[u64]) -> Row {
    #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^52 runs")]
    let cell = |count: u64| Cell::from(Value::Count(count as f64));
    let mut cells = vec![cell(statuses.iter().sum())];
    cells.extend(statuses.iter().map(|c| cell(*c)));
    for (category, count) in Category::ALL.iter().zip(categories) {
        cells.push(cell(*count).bold_if(*category == Category::Wrong && *count > 0));
    }
    Row { ruled: false, labels: labels.map(ToOwned::to_owned).to_vec(), cells }
}

fn sum(counts: &Counts) -> Vec<u64> {
    let width = counts.first().map_or(0, |c| c.2.len());
    (0..width).map(|i| counts.iter().map(|c| c.2[i]).sum()).collect()
}
