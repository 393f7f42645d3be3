//! What parent and worker say to each other: one job in, a line of JSON per event out.
//!
//! The worker reads a [`Job`] as one JSON document from its standard input and prints each [`Event`] on a
//! line of its own. The first event is `started`, the last is `answer`; of these, of `built` and of `relaxed` there is one at most. Solves
//! are numbered upwards, below a million. All lines together have at most 1 GiB. Solutions are in puzzle terms, never
//! variable indices.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use model::{Formulation, Size};
pub use record::{Answer, Iteration, Relaxed};
use serde::{Deserialize, Serialize};

/// Exit code of a worker that refuses its job (it is of another build, or reads no job) before it says `started`.
/// What it wrote to standard error says why.
pub const REFUSED: i32 = 2;

/// Everything a worker needs to know for one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// [`record::SCHEMA_VERSION`] of the parent.
    pub schema_version: u32,
    /// Git revision the parent was built from; a worker of another one refuses the job.
    pub git_commit: String,
    /// Name of the instance.
    pub instance_name: String,
    /// The instance file.
    pub instance_text: String,
    /// What to solve it with.
    pub formulation: Formulation,
    /// Name of the backend.
    pub solver: String,
    /// Options of the backend, as text.
    pub options: BTreeMap<String, String>,
    /// Seed of the backend.
    pub seed: u64,
    /// Threads of the backend.
    pub threads: u32,
    /// When the limit of time begins to run, by [`clock`]: just before the worker is started. `None`: when it reads this.
    #[serde(default)]
    pub begun: Option<Duration>,
    /// Wall time from then on, over all iterations.
    pub time_limit_s: Option<f64>,
    /// CPU time of the worker and its descendants; kept by the parent.
    pub cpu_limit_s: Option<f64>,
    /// Memory of the worker.
    pub memory_limit_b: Option<u64>,
    /// File to append the solver's chatter to.
    pub log: Option<PathBuf>,
    /// File to write the proof of an answer `infeasible` to, for solvers that can; what it refutes goes beside it.
    #[serde(default)]
    pub proof: Option<PathBuf>,
    /// What programs have said to the parent.
    #[serde(default)]
    pub heard: Heard,
}

/// The clock that all processes of a machine share and nobody sets (CLOCK_MONOTONIC), as the time since a moment in the past.
#[must_use]
pub fn clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// What programs said when they were asked for their versions and the like: by command line their exit code and what they
/// printed, or why they said nothing. A worker that is told does not ask again.
pub type Heard = BTreeMap<String, Result<(i32, String), String>>;

/// One line of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The worker is up and says who it is.
    Started(Started),
    /// The model stands, or the program is compiled or grounded; left out where the formulation has neither (kind search).
    Built(Built),
    /// The linear relaxation of the model was dealt with, where the formulation asks for it.
    Relaxed(Relaxed),
    /// A solve begins.
    Solving {
        /// Its number, from 0.
        iteration: u64,
    },
    /// A solve ended.
    Iteration(Iteration),
    /// The run ended.
    Answer(Answer),
}

impl Event {
    /// Prints the event as one line, at once.
    ///
    /// # Errors
    /// A reader that is gone.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        out.write_all(&line)?;
        out.flush()
    }
}

/// Who the worker is. It is of the parent's build: else it has refused its job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// Version the solver reports.
    pub solver_version: String,
}

/// Size of the first model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Built {
    /// Variables, constraints and nonzeros.
    #[serde(flatten)]
    pub size: Size,
    /// Seconds it took to build the model.
    pub build_time_s: f64,
}

impl Built {
    /// The size of a model and the time it took to build it.
    #[must_use]
    pub fn new(size: Size, build_time: Duration) -> Self {
        Self { size, build_time_s: build_time.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use record::Status;

    use super::*;

    #[test]
    fn an_event_is_one_flat_object_with_its_name() {
        let event = Event::Built(Built { size: Size { variables: 3, constraints: 2, nonzeros: 5 }, build_time_s: 0.5 });
        let line = serde_json::to_string(&event).expect("events have a JSON form");
        assert_eq!(line, r#"{"event":"built","variables":3,"constraints":2,"nonzeros":5,"build_time_s":0.5}"#);
        assert_eq!(serde_json::from_str::<Event>(&line).expect("what was written can be read"), event);
    }

    #[test]
    fn what_a_worker_does_not_know_may_be_left_out() {
        let line = r#"{"event":"answer","status":"infeasible","reason":"infeasible"}"#;
        let Event::Answer(answer) = serde_json::from_str(line).expect("a short answer") else {
            panic!("an answer was sent");
        };
        assert_eq!((answer.status, answer.solution, answer.last), (Status::Infeasible, None, None));
    }
}
