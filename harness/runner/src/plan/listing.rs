//! A plan as a table, for `--dry-run`.

use std::collections::BTreeMap;
use std::fmt;

use super::{ExperimentPlan, PlannedRun};
use crate::text::{duration, table};

impl fmt::Display for ExperimentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = self.profile.as_ref().map(|p| format!(", profile {p}")).unwrap_or_default();
        writeln!(f, "{}: {}{profile}", self.experiment, self.title)?;
        let row = |run: PlannedRun| {
            [
                run.run_id.to_string(),
                run.instance.instance.name.clone(),
                run.formulation.formulation.name().to_owned(),
                run.solver.label.clone(),
                run.seed.to_string(),
                run.repeat.to_string(),
                run.limits.time_s.map_or_else(|| "none".to_owned(), duration),
            ]
        };
        let head = ["run_id", "instance", "formulation", "solver", "seed", "repeat", "limit"];
        table(f, head, || self.runs().map(row))?;
        let missing: BTreeMap<&str, &str> = self
            .matrix
            .solvers()
            .filter_map(|s| Some((s.label.as_str(), s.available.as_ref().err()?.message.as_str())))
            .collect();
        for (solver, reason) in missing {
            writeln!(f, "{solver} is not available here: {reason}")?;
        }
        Ok(())
    }
}
