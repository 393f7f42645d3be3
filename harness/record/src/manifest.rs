//! What stands beside the rows: which experiment, on which machine, to be reported how; and what the columns of the rows are.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{Claim, Column, IterationRow, PlanRow, Row, RunRow};

/// `manifest.json` of a results directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`crate::SCHEMA_VERSION`] of the files in the directory.
    pub schema_version: u32,
    /// Name of the experiment, as in the config.
    pub experiment: String,
    /// One line for headings.
    pub title: String,
    /// Free text of the config, may be empty.
    pub description: String,
    /// Profile the runs were planned with, if one was chosen.
    pub profile: Option<String>,
    /// Number of runs the config asks for, whatever `--filter` said. `plan.csv` lists them; rows of other runs were left by
    /// earlier configs.
    pub planned: u64,
    /// Beginning of the hash of their ids; empty in results of older versions.
    #[serde(default)]
    pub plan: String,
    /// Formulation names, in the order of the config.
    pub formulations: Vec<String>,
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverFacts>,
    /// How to report the runs.
    pub report: ReportSpec,
    /// The sessions that had runs to do, in order; every row was measured in one of them.
    pub sessions: Vec<SessionFacts>,
}

/// One call of `tilebench run`: when, how and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFacts {
    /// What tells it from all others, also of other machines: 12 hex digits, as in the column `session`. Empty in results of older
    /// versions.
    pub id: String,
    /// Its start, RFC 3339.
    pub started_at: String,
    /// Git revision tilebench was built from, with `-dirty` for changed files.
    pub git_commit: String,
    /// Beginning of the hash of its program's file where the revision does not name a build: with changed files, or unknown.
    pub program: String,
    /// What else the cores of the machine were busy with just before it began, where that left too few for it; empty: nothing.
    pub busy: String,
    /// Number of worker processes at a time.
    pub jobs: u32,
    /// Whether each worker had CPUs of its own.
    pub pinned: bool,
    /// How runs were kept apart, as the column `isolation` says it.
    pub isolation: String,
    /// Seed by which the order of the runs was shuffled.
    pub order_seed: u64,
    /// Runs to be done in it.
    pub runs: u64,
    /// The plan that they are of, as the manifest of then said it.
    pub plan: String,
    /// The part of the plan that they are of, as in `3/8`; empty: they may be of all of it.
    pub shard: String,
    /// The machine.
    pub host: HostFacts,
    /// The job of a batch system that it ran in.
    pub engine: EngineFacts,
}

/// A solver of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverFacts {
    /// Name as in the config and in the `solver` column.
    pub name: String,
    /// The backend behind that name; a config may give one backend several names with different options.
    pub backend: String,
    /// Version the solver itself reports.
    pub version: String,
}

impl SolverFacts {
    /// How a backend takes the rows of an integer program that is no solver of those; `None`: it is one, or takes none.
    #[must_use]
    pub fn takes_rows(&self) -> Option<&'static str> {
        match self.backend.as_str() {
            "cadical" => Some("as clauses"),
            "cp-sat" | "pumpkin" => Some("as constraints"),
            _ => None,
        }
    }
}

/// Facts of the machine that the rows were measured on; what could not be read is empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HostFacts {
    /// Host name.
    pub host: String,
    /// CPU model name.
    pub cpu_model: String,
    /// Logical CPUs that the process may use.
    pub cpus: u32,
    /// Physical cores among them; several logical CPUs may share one. 0: not known.
    pub cores: u32,
    /// Physical memory in bytes.
    pub memory_b: u64,
    /// Kernel name and release.
    pub kernel: String,
    /// Name and version of the operating system.
    pub os: String,
    /// Frequency governor of the first CPU.
    pub governor: String,
}

/// The job of a batch system that a session ran in, as its environment tells; what that does not tell is empty, and all of it outside
/// of a job.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineFacts {
    /// `slurm` or `hyperqueue`.
    pub engine: String,
    /// Number of the job; of a task of an array that of the array.
    pub job: String,
    /// Number of the task within the job.
    pub task: String,
    /// How often the engine had started the task before.
    pub attempt: Option<u32>,
    /// CPUs allocated on this node. 0: not known.
    pub cpus: u32,
    /// Memory allocated on this node, in bytes. 0: not known, or all of it.
    pub memory_b: u64,
}

impl EngineFacts {
    /// The word for Slurm.
    pub const SLURM: &str = "slurm";
    /// The word for HyperQueue.
    pub const HYPERQUEUE: &str = "hyperqueue";

    /// Engine and job in words, as in `slurm job 4711`; `None` outside of a job.
    #[must_use]
    pub fn job_in_words(&self) -> Option<String> {
        (!self.engine.is_empty()).then(|| format!("{} job {}", self.engine, self.job))
    }

    /// The same with task and attempt: `slurm job 4711_3 attempt 0`, `hyperqueue job 2 task 3 attempt 0`.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let mut text = self.job_in_words()?;
        if !self.task.is_empty() {
            // Slurm's own commands take it so.
            text += if self.engine == Self::SLURM { "_" } else { " task " };
            text += &self.task;
        }
        Some(text + &self.attempt.map(|attempt| format!(" attempt {attempt}")).unwrap_or_default())
    }
}

/// The `[report]` section of a config and its claims: how the experiment is reported.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSpec {
    /// Names of tables in the registry of `report`; empty: the default set.
    pub tables: Vec<String>,
    /// Names of plots in the registry of `report`; empty: the default set.
    pub plots: Vec<String>,
    /// Formulation, solver or both that the others are compared with, as [`crate::Baseline::find`] reads it. `None`: the first
    /// of the config.
    pub baseline: Option<String>,
    /// Published figures to show beside the measured ones.
    pub published: Option<Published>,
    /// Claims that the runs test: the `[[claim]]` entries of the config.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// Where the published figures of an experiment stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// CSV file (relative to the config); copied to `published.csv` in the results directory.
    pub file: String,
    /// Value of its `table` column.
    pub table: String,
    /// How to name the source in headings, for example `Kino & Uno 2012`.
    pub label: String,
    /// Values of its `source` column to show, the one that the label names first; rows of other sources are
    /// left out. Empty: all rows of the table.
    #[serde(default)]
    pub sources: Vec<String>,
}

/// `datapackage.json`: the files of rows as Frictionless Data describes tables
/// (<https://specs.frictionlessdata.io/tabular-data-package/>), so that other programs read them with the right types.
#[must_use]
pub fn data_package(experiment: &str, title: &str) -> String {
    // Names of packages have no others.
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c.to_ascii_lowercase() } else { '-' };
    let package = json!({
        "profile": "tabular-data-package",
        "name": experiment.chars().map(plain).collect::<String>(),
        "title": title,
        "resources": [
            resource::<RunRow>("runs", "One row for each attempt at a run", &["run_id", "attempt"]),
            resource::<IterationRow>("iterations", "One row for each solve that ended", &["run_id", "attempt", "iteration"]),
            resource::<PlanRow>("plan", "One row for each run that the config asks for", &["run_id"]),
        ],
    });
    format!("{package:#}\n")
}

fn resource<T: Row>(name: &str, title: &str, key: &[&str]) -> Value {
    json!({
        "profile": "tabular-data-resource",
        "name": name,
        "path": format!("{name}.csv"),
        "title": title,
        "format": "csv",
        "encoding": "utf-8",
        "schema": {
            "fields": T::columns().iter().map(field).collect::<Vec<_>>(),
            "primaryKey": key,
            "missingValues": [""],
        },
    })
}

/// Name, type and description; `unit` is no key of the specification, which allows others.
fn field(column: &Column) -> Value {
    let unit = column.unit();
    let word = unit.split([',', ' ']).next().unwrap_or_default();
    let kind = match word {
        "integer" | "count" | "bytes" => "integer",
        // Also `number or inf`, as every reader of numbers takes it.
        "seconds" | "number" => "number",
        "RFC" => "datetime",
        "`true`" => "boolean",
        _ => "string",
    };
    let mut constraints = Map::new();
    if column.empty().is_none() {
        constraints.insert("required".to_owned(), true.into());
    }
    if ["count", "bytes", "seconds"].contains(&word) {
        constraints.insert("minimum".to_owned(), 0.into());
    }
    let description = match column.empty() {
        None => column.meaning(),
        Some(when) => format!("{} Empty if {when}.", column.meaning()),
    };
    let mut field = json!({
        "name": column.name,
        "type": kind,
        "description": description,
        "unit": unit,
    });
    if !constraints.is_empty() {
        field["constraints"] = constraints.into();
    }
    field
}
