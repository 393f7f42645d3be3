//! A plan as a table, for `--dry-run`.

use std::collections::BTreeMap;
use std::fmt;

use super::ExperimentPlan;
use crate::text::{duration, table};

impl fmt::Display for ExperimentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = self.profile.as_ref().map(|p| format!(", profile {p}")).unwrap_or_default();
        writeln!(f, "{}: {}{profile}", self.experiment, self.title)?;
        let rows = self.runs().map(|run| {
            [
                run.run_id.to_string(),
                run.instance.instance.name.clone(),
                run.formulation.formulation.name.clone(),
                run.solver.label.clone(),
                run.seed.to_string(),
                run.limits.time_s.map_or_else(|| "none".to_owned(), duration),
            ]
        });
        let head = ["run_id", "instance", "formulation", "solver", "seed", "limit"];
        f.write_str(&table(head, rows))?;
        let missing: BTreeMap<&str, &str> = self
            .matrix
            .solvers()
            .filter_map(|s| Some((s.label.as_str(), s.available.as_ref().err()?.as_str())))
            .collect();
        for (solver, reason) in missing {
            writeln!(f, "{solver} is not available here: {reason}")?;
        }
        let worst = match self.worst_case_s() {
            Some(seconds) => format!("at most about {}", duration(seconds)),
            None => "no time limit".to_owned(),
        };
        writeln!(f, "{} runs, {} at a time: {worst}", self.len(), self.jobs)
    }
}
