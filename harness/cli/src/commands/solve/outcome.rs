//! What `solve` prints, as text or as one JSON object.

use std::fmt;

use model::{Formulation, FormulationKind, Objective, Size};
use puzzle::{Instance, Puzzle, Solution};
use record::{CPU_LIMIT, Category, HARD_LIMIT, MEMORY_LIMIT, RESTRICTED, Relaxed, SOFT_LIMIT, Solve, Status};
use runner::{Ended, Judgement};
use serde::Serialize;

use crate::output::several;

/// The outcome of a solve. Times are in seconds, memory in bytes; null: not measured.
#[derive(Debug, Serialize)]
pub struct Outcome<'a> {
    instance: &'a str,
    #[serde(skip)]
    on_plane: bool,
    #[serde(skip)]
    has_loops: bool,
    challenge: Option<u64>,
    colour: Option<String>,
    kind: FormulationKind,
    families: String,
    objective: String,
    subloops: String,
    hole_treatment: String,
    solver: &'a str,
    solver_version: &'a str,
    status: Status,
    category: Category,
    termination_reason: &'a str,
    native_status: Option<&'a str>,
    message: Option<String>,
    loops: Option<u64>,
    holes: Option<u64>,
    objective_value: Option<f64>,
    bound: Option<f64>,
    gap: Option<f64>,
    relaxation: Option<&'a Relaxed>,
    model: Option<Size>,
    times: Times,
    peak_memory_b: Option<u64>,
    memory_source: Option<&'a str>,
    remarks: Vec<String>,
    iterations: Vec<&'a Solve>,
    solution: Option<&'a Solution>,
}

#[derive(Debug, Serialize)]
struct Times {
    build_s: Option<f64>,
    solve_s: Option<f64>,
    wall_s: Option<f64>,
    cpu_s: Option<f64>,
}

impl<'a> Outcome<'a> {
    /// Gathers what is to be told.
    pub fn new(
        instance: &'a Instance,
        formulation: &Formulation,
        solver: &'a str,
        solver_version: &'a str,
        ended: &'a Ended,
        judgement: &'a Judgement,
    ) -> anyhow::Result<Self> {
        let (facts, normal) = (instance.facts(), formulation.columns().about(&instance.puzzle));
        let answer = ended.answer.as_ref();
        let solution = answer.and_then(|a| a.solution.as_ref());
        let last = answer.and_then(|a| a.last.as_ref());
        let messages: Vec<&str> =
            [&ended.message, &judgement.message].into_iter().flatten().map(String::as_str).collect();
        Ok(Self {
            instance: &instance.name,
            on_plane: matches!(instance.puzzle, Puzzle::TantrixNatural(_)),
            has_loops: instance.puzzle.has_loops(),
            challenge: facts.challenge,
            colour: facts.colour,
            kind: normal.kind,
            families: normal.families,
            objective: normal.objective,
            subloops: normal.subloops,
            hole_treatment: normal.holes,
            solver,
            solver_version,
            status: ended.status,
            category: judgement.category,
            termination_reason: judgement.termination_reason.as_deref().unwrap_or(&ended.termination_reason),
            native_status: last.and_then(|l| l.native_status.as_deref()),
            message: (!messages.is_empty()).then(|| messages.join("; ")),
            loops: judgement.loops,
            holes: judgement.holes,
            objective_value: last.and_then(|l| l.objective_value),
            bound: last.and_then(|l| l.bound),
            gap: last.and_then(|l| l.gap),
            relaxation: ended.relaxed.as_ref(),
            model: ended.built.map(|b| b.size),
            times: Times {
                build_s: ended.built.map(|b| b.build_time_s),
                solve_s: (!ended.iterations.is_empty()).then(|| ended.iterations.iter().map(|i| i.solve.time_s).sum()),
                wall_s: ended.wall_time_s,
                cpu_s: ended.cpu_time_s,
            },
            peak_memory_b: ended.peak_memory_b,
            memory_source: ended.memory_source.as_deref(),
            remarks: solution.map(|solution| puzzle::verify(instance, solution).remarks).unwrap_or_default(),
            iterations: ended.iterations.iter().map(|i| &i.solve).collect(),
            solution,
        })
    }
}

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict())?;
        if let Some(message) = &self.message {
            write!(f, "\n  {message}")?;
        }
        for remark in &self.remarks {
            write!(f, "\n  {remark}")?;
        }
        if let Some(size) = &self.model {
            let (rows, nonzeros) = parts(self.kind);
            write!(
                f,
                "\n  {}: {} variables, {} {rows}, {} {nonzeros}, built in {:.3} s",
                if self.on_plane { "model of the first board" } else { "model" },
                size.variables,
                size.constraints,
                size.nonzeros,
                self.times.build_s.unwrap_or_default()
            )?;
        }
        match self.relaxation {
            Some(Relaxed { infeasible: true, .. }) => write!(f, "\n  the linear relaxation has no solution")?,
            Some(Relaxed { root_bound: Some(bound), .. }) => write!(f, "\n  root bound (linear relaxation): {bound}")?,
            Some(Relaxed { message, .. }) => write!(f, "\n  no root bound: {}", message.as_deref().unwrap_or("?"))?,
            None => {}
        }
        match (self.iterations.len(), self.times.solve_s) {
            (1, Some(time)) => write!(f, "\n  {time:.2} s in 1 solve")?,
            (solves, Some(time)) => write!(f, "\n  {time:.2} s in {solves} solves")?,
            (_, None) => write!(f, "\n  no solve")?,
        }
        if let Some(wall) = self.times.wall_s {
            write!(f, ", {wall:.2} s in all")?;
        }
        if let Some(peak) = self.peak_memory_b {
            write!(f, ", {:.0} MiB", peak as f64 / f64::from(1 << 20))?;
        }
        Ok(())
    }
}

/// What constraints of a kind of model are called, and what they consist of.
pub fn parts(kind: FormulationKind) -> (&'static str, &'static str) {
    match kind {
        FormulationKind::Mip => ("rows", "nonzeros"),
        FormulationKind::Sat => ("clauses", "literals"),
        FormulationKind::Asp => ("rules", "literals"),
        FormulationKind::Cp | FormulationKind::Search | FormulationKind::Minizinc => {
            ("constraints", "variables in them")
        }
    }
}

impl Outcome<'_> {
    /// One line in plain words.
    fn verdict(&self) -> String {
        let colour = self.colour.as_deref().unwrap_or("designated");
        match (self.status, self.category) {
            (_, Category::Wrong) => "WRONG: the answer does not stand".to_owned(),
            (Status::Optimal | Status::Feasible, Category::Correct) => {
                let unproven = self.status == Status::Feasible && self.objective == Objective::Weighted.name();
                let best = if unproven { "; a limit struck before it was proven to be the best" } else { "" };
                match self.challenge {
                    Some(n) if !self.has_loops => format!("solved and verified: {n} tiles, every capacity met{best}"),
                    Some(n) => format!("solved and verified: one {colour} loop through {n} tiles{best}"),
                    None => format!("solved and verified{best}"),
                }
            }
            (Status::Optimal | Status::Feasible, Category::Unknown) => self.left_over(colour),
            (Status::Infeasible, Category::Correct) => "infeasible, as is known: no solution exists".to_owned(),
            (Status::Infeasible, _) if self.termination_reason == RESTRICTED => {
                "infeasible under this formulation, which proves nothing".to_owned()
            }
            (Status::Infeasible, _) => {
                let plane =
                    if self.on_plane { ", on a part of the plane that holds every loop of these tiles" } else { "" };
                format!("infeasible: the solver proved that no solution exists{plane}")
            }
            (Status::Timeout | Status::Memout, _) => self.limit(),
            (Status::Interrupted, _) => "interrupted".to_owned(),
            (status, _) => format!("{status}: no answer"),
        }
    }

    /// Which limit struck.
    fn limit(&self) -> String {
        let limit = match (self.termination_reason, self.status) {
            (CPU_LIMIT, _) => "no answer within the limit of CPU time",
            (HARD_LIMIT, _) => "no answer within the time limit and its grace",
            (SOFT_LIMIT, _) => "no answer within the time limit",
            (MEMORY_LIMIT, _) => "no answer within the memory limit",
            (_, Status::Memout) => "the solver gave up for want of memory",
            _ => "the solver gave up by a limit of its own",
        };
        match self.termination_reason {
            reason if reason == self.status.as_str() => format!("{}: {limit}", self.status),
            reason => format!("{} ({reason}): {limit}", self.status),
        }
    }

    /// What a formulation that only reports it left in a solution, and what would cut it off.
    fn left_over(&self, colour: &str) -> String {
        let (loops, holes) = (self.loops.unwrap_or_default(), self.holes.unwrap_or_default());
        let mut found = vec![several(loops, &format!("{colour} loop"))];
        let mut remedies = Vec::new();
        if loops > 1 {
            remedies.push("C5 or C5x cuts off subloops");
        }
        if holes > 0 {
            found.push(several(holes, "hole"));
            remedies.push("--holes resolve cuts off holes");
        }
        format!("not solved: {}, which this formulation only reports ({})", found.join(" and "), remedies.join("; "))
    }
}
