//! What a worker said, in order, held to the protocol.

use record::{RESTRICTED, Status, UNAVAILABLE};

use super::NOT_STARTED;
use crate::protocol::{Answer, Built, Event, Iteration, Job, Relaxed, Started};

/// Numbers of solves end below this: a run that goes on and on shall not fill the memory of the runner.
const MOST_ITERATIONS: u64 = 1_000_000;

/// Reasons that are for the parent or the judge to give.
const RESERVED: [&str; 9] =
    [NOT_STARTED, RESTRICTED, "interrupted", UNAVAILABLE, "protocol", "hard-limit", "signal", "exit-code", "no-answer"];

/// Why nothing that a worker says is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Breach {
    /// It does not keep to the protocol.
    Protocol(String),
    /// It is not of this build, so that nothing can be measured with it.
    OtherBuild(String),
}

/// The events of a run so far.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    pub started: Option<Started>,
    pub built: Option<Built>,
    pub relaxed: Option<Relaxed>,
    pub iterations: Vec<Iteration>,
    pub answer: Option<Answer>,
}

impl Transcript {
    /// Takes the next event.
    ///
    /// # Errors
    /// Why the worker has to go: it is another build, or it breaks the protocol (no `started` first, an event
    /// after the answer, a second model, solves out of order, words that are not a worker's).
    pub fn take(&mut self, event: Event, job: &Job) -> Result<(), Breach> {
        let broken = |how: String| Err(Breach::Protocol(how));
        if self.answer.is_some() {
            return match event {
                Event::Answer(_) => broken("the worker answered twice".to_owned()),
                _ => broken("the worker went on after its answer".to_owned()),
            };
        }
        if self.started.is_none() && !matches!(event, Event::Started(_)) {
            return broken("the worker did not say first who it is".to_owned());
        }
        match event {
            Event::Started(_) if self.started.is_some() => {
                return broken("the worker said twice who it is".to_owned());
            }
            Event::Started(started) => {
                same_build(&started, job).map_err(Breach::OtherBuild)?;
                self.started = Some(started);
            }
            Event::Built(_) if self.built.is_some() => {
                return broken("the worker built its first model twice".to_owned());
            }
            Event::Built(built) => self.built = Some(built),
            Event::Relaxed(_) if self.relaxed.is_some() => {
                return broken("the worker relaxed its first model twice".to_owned());
            }
            Event::Relaxed(relaxed) => self.relaxed = Some(relaxed),
            Event::Solving(_) => {}
            Event::Iteration(iteration) => {
                let number = iteration.solve.iteration;
                match self.iterations.last().map(|last| last.solve.iteration) {
                    Some(last) if number <= last => return broken(format!("solve {number} came after solve {last}")),
                    _ if number >= MOST_ITERATIONS => {
                        return broken(format!("solve {number}: there are at most {MOST_ITERATIONS} in a run"));
                    }
                    _ => self.iterations.push(iteration),
                }
            }
            Event::Answer(answer) => match answer.status {
                status @ (Status::Interrupted | Status::Lost) => {
                    return broken(format!("the worker answered \"{status}\", which is not for it to say"));
                }
                _ if RESERVED.contains(&answer.reason.as_str()) => {
                    return broken(format!(
                        "the worker gave the reason \"{}\", which is not for it to say",
                        answer.reason
                    ));
                }
                _ => self.answer = Some(answer),
            },
        }
        Ok(())
    }
}

fn same_build(started: &Started, job: &Job) -> Result<(), String> {
    if started.schema_version != job.schema_version {
        return Err(format!(
            "the worker speaks schema version {}, not {}: it is another build of tilebench",
            started.schema_version, job.schema_version
        ));
    }
    if started.git_commit != job.git_commit {
        return Err(format!(
            "the worker was built from \"{}\", not \"{}\": it is another build of tilebench",
            started.git_commit, job.git_commit
        ));
    }
    Ok(())
}
