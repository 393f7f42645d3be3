//! What `mock` is told to do, as text from a config.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::ValueEnum;

/// All options, with their values where a config says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What it answers.
    pub answer: Answer,
    /// What it does wrong.
    pub fault: Fault,
    /// Iterations before the fault.
    pub after: u64,
    /// How long each iteration sleeps.
    pub sleep: Duration,
    /// Number of iterations.
    pub iterations: u64,
    /// Loops that each iteration but the last shows.
    pub loops: u64,
    /// Bytes that `hog` takes.
    pub amount: u64,
}

/// What `mock` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Answer {
    /// A solution, or infeasible where there is none; found by search, so for small instances only.
    Correct,
    /// The same without a claim that it is optimal.
    Feasible,
    /// A solution that breaks rules.
    Wrong,
    /// That there is no solution.
    Infeasible,
    /// That time ran out.
    Timeout,
    /// That memory ran out.
    Memout,
    /// That it cannot do this.
    Unsupported,
    /// That something failed.
    Error,
    /// That there is a solution, without showing it.
    FeasibleWithoutSolution,
}

/// What `mock` does wrong, after `after` iterations unless that is said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fault {
    /// Nothing.
    None,
    /// Prints a line that is no event.
    Garbage,
    /// Dies in the middle of a line.
    HalfLine,
    /// Never answers: sleeps.
    Silence,
    /// Never answers: computes, and ignores SIGTERM and SIGINT.
    Spin,
    /// Answers twice, at the end.
    Twice,
    /// Answers and does not end.
    Late,
    /// SIGSEGV.
    Crash,
    /// SIGABRT.
    Abort,
    /// Exits with code 3 and words on standard error.
    Exit,
    /// Exits with code 0, without an answer.
    Lost,
    /// Takes `amount` of memory step by step, keeps it and goes on.
    Hog,
    /// Leaves a child that computes and a grandchild that sleeps, and goes on.
    Children,
    /// The same in a session of their own, out of the worker's process group.
    Runaway,
    /// Prints a flood of chatter and events, and goes on.
    Flood,
}

/// Names of the options.
const NAMES: [&str; 7] = ["answer", "fault", "after", "sleep", "iterations", "loops", "amount"];

impl Options {
    /// Reads options.
    ///
    /// # Errors
    /// An option or a value that there is not, with what was perhaps meant.
    pub fn parse(given: &BTreeMap<String, String>) -> Result<Self, String> {
        if let Some(unknown) = given.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(format!("mock has no option \"{unknown}\"; {}", runner::alternatives(unknown, NAMES)));
        }
        let text = |name: &str| given.get(name).map(String::as_str);
        let options = Self {
            answer: word("answer", text("answer"))?.unwrap_or(Answer::Correct),
            fault: word("fault", text("fault"))?.unwrap_or(Fault::None),
            after: number("after", text("after"))?.unwrap_or(0),
            sleep: text("sleep").map(seconds).transpose()?.unwrap_or_default(),
            iterations: number("iterations", text("iterations"))?.unwrap_or(1),
            loops: number("loops", text("loops"))?.unwrap_or(2),
            amount: text("amount").map(runner::parse_bytes).transpose()?.unwrap_or(64 << 20),
        };
        if options.iterations == 0 || options.loops == 0 {
            return Err("mock: iterations and loops are at least 1".to_owned());
        }
        if options.after > options.iterations {
            let Self { after, iterations, .. } = options;
            return Err(format!("mock: after = {after} never comes in a run of {iterations} iterations"));
        }
        Ok(options)
    }
}

fn word<T: ValueEnum>(option: &str, text: Option<&str>) -> Result<Option<T>, String> {
    let Some(text) = text else { return Ok(None) };
    T::from_str(text, false).map(Some).map_err(|_| {
        let known: Vec<_> = T::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let known: Vec<&str> = known.iter().map(|value| value.get_name()).collect();
        format!("mock has no {option} \"{text}\"; {}", runner::alternatives(text, known))
    })
}

fn number(option: &str, text: Option<&str>) -> Result<Option<u64>, String> {
    let parsed = text.map(|text| text.parse().map_err(|_| format!("mock: {option} is a whole number, not \"{text}\"")));
    parsed.transpose()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("mock: sleep is a number of seconds, not \"{text}\""))
}
