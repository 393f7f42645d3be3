//! What earlier results say of planned runs: which will not end within their limit, and which will be short.

use std::collections::HashMap;

use record::{HARD_LIMIT, RunId, RunRow, SOFT_LIMIT, Status};

use super::{Common, PlannedRun};
use crate::RunnerError;
use crate::config::{Config, Limits};

/// What earlier runs came to, by the question that was asked; nothing where a config names no earlier results.
#[derive(Debug, Default)]
pub(super) struct Efforts(HashMap<RunId, Effort>);

/// What came of all runs of one question.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    /// The least wall time of those that ended by themselves, in seconds.
    ended_s: Option<f64>,
    /// The longest limit that struck before any solution was found. One that struck after that left an answer, if not the best.
    tried_s: f64,
}

impl Efforts {
    /// Reads the results that the config names.
    ///
    /// # Errors
    /// Results that are not there or cannot be read.
    pub fn of(config: &Config) -> Result<Self, RunnerError> {
        let Some((dir, line)) = &config.effort else { return Ok(Self::default()) };
        if !dir.manifest().is_file() {
            let reason = format!(
                "effort: no results in {} (the folder, relative to the config, and the experiment); --also-long does without",
                dir.root().display()
            );
            return Err(config.error(*line, reason));
        }
        let rows = dir.read_runs().map_err(|error| config.error(*line, format!("effort: {error}")))?;
        let mut efforts = Self::default();
        for row in rows {
            efforts.0.entry(row.question()).or_default().add(&row);
        }
        Ok(efforts)
    }

    fn of_run(&self, run: &PlannedRun) -> Option<Effort> {
        if self.0.is_empty() {
            return None;
        }
        let common = Common::of(&run.instance, &run.formulation, &run.solver);
        self.0.get(&common.key(run.seed, run.repeat, Limits::default()).question()).copied()
    }

    /// Whether earlier runs took longer than the run may, or as long as it may and did not end.
    pub fn is_too_long(&self, run: &PlannedRun) -> bool {
        let effort = self.of_run(run);
        run.limits.time_s.zip(effort).is_some_and(|(limit, effort)| effort.ended_s.unwrap_or(effort.tried_s) >= limit)
    }

    /// The seconds that it will take, by earlier runs; of what has not ended yet more than its limit, and infinite for what is unknown.
    pub fn expected_s(&self, run: &PlannedRun) -> f64 {
        self.of_run(run).map_or(f64::INFINITY, |effort| effort.ended_s.unwrap_or(f64::MAX))
    }
}

impl Effort {
    fn add(&mut self, row: &RunRow) {
        if matches!(row.status, Status::Optimal | Status::Infeasible) {
            let least = self.ended_s.unwrap_or(f64::INFINITY);
            self.ended_s = row.wall_time_s.map(|wall| wall.min(least)).or(self.ended_s);
        } else if row.status == Status::Timeout {
            // Another limit than that of time may have struck long before it.
            let is_whole = [SOFT_LIMIT, HARD_LIMIT].contains(&row.termination_reason.as_str());
            let tried_s = if is_whole { row.time_limit_s } else { row.wall_time_s };
            self.tried_s = self.tried_s.max(tried_s.unwrap_or(0.0));
        }
    }
}
