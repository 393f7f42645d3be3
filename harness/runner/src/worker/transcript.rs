//! What a worker said, in order, held to the protocol.

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
    /// How it breaks the protocol: another build, no `started` first, an event after the answer.
    pub fn take(&mut self, event: Event, job: &Job) -> Result<(), String> {
        if self.answer.is_some() {
            return Err(match event {
                Event::Answer(_) => "the worker answered twice".to_owned(),
                _ => "the worker went on after its answer".to_owned(),
            });
        }
        if self.started.is_none() && !matches!(event, Event::Started(_)) {
            return Err("the worker did not say first who it is".to_owned());
        }
        match event {
            Event::Started(started) => {
                same_build(&started, job)?;
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
