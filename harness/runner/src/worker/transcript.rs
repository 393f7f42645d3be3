//! What a worker said, in order, held to the protocol.

use super::execute::Cause;
use crate::protocol::{Answer, Built, Event, Iteration, Job, Started};

/// The events of a run so far.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    pub started: Option<Started>,
    pub built: Option<Built>,
    pub iterations: Vec<Iteration>,
    pub answer: Option<Answer>,
}

impl Transcript {
    /// Takes the next event.
    ///
    /// # Errors
    /// Why the worker has to go: it is another build, or it breaks the protocol (no `started` first, an event
    /// after the answer).
    pub fn take(&mut self, event: Event, job: &Job) -> Result<(), Cause> {
        let broken = |how: &str| Err(Cause::Protocol(how.to_owned()));
        if self.answer.is_some() {
            return match event {
                Event::Answer(_) => broken("the worker answered twice"),
                _ => broken("the worker went on after its answer"),
            };
        }
        if self.started.is_none() && !matches!(event, Event::Started(_)) {
            return broken("the worker did not say first who it is");
        }
        match event {
            Event::Started(started) => {
                same_build(&started, job).map_err(Cause::OtherBuild)?;
                self.started = Some(started);
            }
            Event::Built(built) => self.built = Some(built),
            Event::Solving(_) => {}
            Event::Iteration(iteration) => self.iterations.push(iteration),
            Event::Answer(answer) => self.answer = Some(answer),
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
