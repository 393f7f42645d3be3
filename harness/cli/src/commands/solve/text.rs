//! What `solve` prints for people: a row in words.

use model::{FormulationKind, Objective};
use puzzle::Puzzle;
use record::{CPU_LIMIT, Category, HARD_LIMIT, MEMORY_LIMIT, RunRow, SOFT_LIMIT, Status};
use runner::{PlannedRun, count};

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

/// A row in some lines: the verdict, messages and remarks, the size of the model, times, memory.
pub fn in_words(run: &PlannedRun, row: &RunRow, remarks: &[String]) -> String {
    let puzzle = &run.instance.instance.puzzle;
    let mut text = verdict(puzzle, row);
    let mut line = |line: String| text += &format!("\n  {line}");
    row.message.iter().chain(remarks).for_each(|remark| line(remark.clone()));
    if let (Some(variables), Some(constraints), Some(nonzeros)) = (row.variables, row.constraints, row.nonzeros) {
        let (rows, entries) = parts(run.formulation.kind());
        let model = if on_plane(puzzle) { "model of the first board" } else { "model" };
        let built = row.build_time_s.unwrap_or_default();
        line(format!(
            "{model}: {variables} variables, {constraints} {rows}, {nonzeros} {entries}, built in {built:.3} s"
        ));
    }
    match row.root_bound {
        Some(bound) if bound.is_infinite() => line("the linear relaxation has no solution".to_owned()),
        Some(bound) => line(format!("root bound (linear relaxation): {bound}")),
        None => {}
    }
    let mut figures = match (row.iterations, row.solve_time_s) {
        (Some(stages), Some(time)) if row.parts.is_some() => format!("{time:.2} s in {}", count(stages, "stage")),
        (Some(solves), Some(time)) => format!("{time:.2} s in {}", count(solves, "solve")),
        _ => "no solve".to_owned(),
    };
    if let Some(wall) = row.wall_time_s {
        figures += &format!(", {wall:.2} s in all");
    }
    if let Some(peak) = row.peak_memory_b {
        figures += &format!(", {:.0} MiB", peak as f64 / f64::from(1 << 20));
    }
    line(figures);
    text
}

fn on_plane(puzzle: &Puzzle) -> bool {
    matches!(puzzle, Puzzle::TantrixNatural(_))
}

/// One line in plain words.
fn verdict(puzzle: &Puzzle, row: &RunRow) -> String {
    let colour = row.colour.as_deref().unwrap_or("designated");
    match (row.status, row.category) {
        (_, Category::Wrong) => "WRONG: the answer does not stand".to_owned(),
        (Status::Optimal | Status::Feasible, Category::Correct) => {
            let unproven = row.status == Status::Feasible && row.objective == Objective::Weighted.name();
            let best = if unproven { "; a limit struck before it was proven to be the best" } else { "" };
            match row.challenge {
                Some(n) if !puzzle.has_loops() => format!("solved and verified: {n} tiles, {}{best}", puzzle.aim()),
                Some(n) => format!("solved and verified: one {colour} loop through {n} tiles{best}"),
                None => format!("solved and verified{best}"),
            }
        }
        (Status::Optimal | Status::Feasible, Category::Unknown) => left_over(row, colour),
        (Status::Infeasible, Category::Correct) => "infeasible, as is known: no solution exists".to_owned(),
        (Status::Infeasible, _) if !row.claims_infeasible() => {
            "infeasible under this formulation, which proves nothing".to_owned()
        }
        (Status::Infeasible, _) => {
            let plane =
                if on_plane(puzzle) { ", on a part of the plane that holds every loop of these tiles" } else { "" };
            format!("infeasible: the solver proved that no solution exists{plane}")
        }
        (Status::Timeout | Status::Memout, _) => limit(row),
        (Status::Interrupted, _) => "interrupted".to_owned(),
        (status, _) => format!("{status}: no answer"),
    }
}

/// Which limit struck.
fn limit(row: &RunRow) -> String {
    let (status, reason) = (row.status, row.termination_reason.as_str());
    let limit = match (reason, status) {
        (CPU_LIMIT, _) => "no answer within the limit of CPU time",
        (HARD_LIMIT, _) => "no answer within the time limit and its grace",
        (SOFT_LIMIT, _) => "no answer within the time limit",
        (MEMORY_LIMIT, _) => "no answer within the memory limit",
        (_, Status::Memout) => "the solver gave up for want of memory",
        _ => "the solver gave up by a limit of its own",
    };
    match reason == status.as_str() {
        true => format!("{status}: {limit}"),
        false => format!("{status} ({reason}): {limit}"),
    }
}

/// What a formulation that only reports it left in a solution, and what would cut it off.
fn left_over(row: &RunRow, colour: &str) -> String {
    let (loops, holes) = (row.loops.unwrap_or_default(), row.holes.unwrap_or_default());
    let mut found = count(loops, &format!("{colour} loop"));
    let mut remedies = Vec::new();
    if loops > 1 {
        remedies.push("C5 or C5x cuts off subloops");
    }
    if holes > 0 {
        found += &format!(" and {}", count(holes, "hole"));
        remedies.push("--holes resolve cuts off holes");
    }
    format!("not solved: {found}, which this formulation only reports ({})", remedies.join("; "))
}
