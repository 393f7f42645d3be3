//! Pictures of what was found: for each instance the solution, and the first solution with subloops with the
//! cuts that separate them.

use std::path::Path;

use puzzle::{Instance, Rule, Scene, Solution};
use record::{Category, IterationRow, RunRow};

use crate::Experiment;

/// A picture of an instance, with what it shows.
#[derive(Debug, Clone)]
pub struct Board {
    /// Part of its file name, unique in the experiment.
    pub key: String,
    /// What it shows, in one sentence without the full stop.
    pub caption: String,
    /// The picture.
    pub scene: Scene,
}

/// The pictures of an experiment, by instance; what could not be drawn is said in `warnings`.
///
/// A results directory without solution files (a reference, say) has no pictures and no warning.
pub fn boards(experiment: &Experiment, warnings: &mut Vec<String>) -> Vec<Board> {
    let mut boards = Vec::new();
    for instance in &experiment.catalog().instances {
        let runs = || experiment.runs().iter().filter(|run| run.instance == instance.name);
        let first_cut = runs()
            .filter_map(|run| Some((run, iterations(experiment, run).find(|i| i.cuts_added > 0)?)))
            .max_by_key(|(run, _)| (run.cuts, std::cmp::Reverse(run.run_id.clone())));
        let solved = runs()
            .filter(|run| run.category == Category::Correct && run.status.has_solution())
            .min_by(|a, b| a.solve_time_s.unwrap_or(f64::MAX).total_cmp(&b.solve_time_s.unwrap_or(f64::MAX)))
            .and_then(|run| Some((run, iterations(experiment, run).last()?)));
        for (key, chosen) in [("subloops", first_cut), ("solution", solved)] {
            let Some((run, iteration)) = chosen else { continue };
            match scene(experiment, run, iteration) {
                Ok(Some(scene)) => boards.push(Board {
                    key: format!("{}-{key}", instance.name),
                    caption: caption(run, iteration),
                    scene,
                }),
                Ok(None) => {}
                Err(reason) => warnings.push(format!("no picture of {}: {reason}", instance.name)),
            }
        }
    }
    boards
}

fn iterations<'a>(experiment: &'a Experiment, run: &'a RunRow) -> impl Iterator<Item = &'a IterationRow> {
    experiment.iterations().iter().filter(|i| i.run_id == run.run_id)
}

fn scene(experiment: &Experiment, run: &RunRow, iteration: &IterationRow) -> Result<Option<Scene>, String> {
    let solution = experiment.files().solution(&run.run_id, iteration.iteration);
    if !solution.exists() {
        return Ok(None);
    }
    let load = |path: &Path| Solution::load(path).map_err(|e| e.to_string());
    let instance = Instance::load(&experiment.files().instance(&run.instance)).map_err(|e| e.to_string())?;
    let drawn = load(&solution)?;
    match flaw(&instance, &drawn, iteration.cuts_added == 0) {
        Some(flaw) => {
            let file = solution.file_name().unwrap_or_default().to_string_lossy();
            Err(format!("solution file {file}: {flaw}"))
        }
        None => Ok(Some(puzzle::scene(&instance, Some(&drawn)))),
    }
}

/// Why a solution file is no such thing; one that is shown as verified must break no rule at all.
fn flaw(instance: &Instance, solution: &Solution, verified: bool) -> Option<String> {
    let places = instance.facts().places.and_then(|p| usize::try_from(p).ok()).unwrap_or(usize::MAX);
    // Any piece of these lattices has at most six edges.
    let off = |(place, edge): &&(usize, usize)| !(1..=places).contains(place) || !(1..=6).contains(edge);
    if let Some((place, edge)) = solution.cuts.iter().flatten().find(off) {
        return Some(format!("a cut crosses edge {edge} of place {place}, which does not exist"));
    }
    let violations = puzzle::verify(instance, solution).violations;
    let bad = |rule| verified || matches!(rule, Rule::Instance | Rule::Range);
    violations.iter().find(|v| bad(v.rule)).map(ToString::to_string)
}

fn caption(run: &RunRow, iteration: &IterationRow) -> String {
    let by = format!("{} under {}", run.solver, run.formulation);
    match iteration.cuts_added {
        0 => format!("{}: the verified solution of {by}, iteration {}", run.instance, iteration.iteration),
        cuts => format!(
            "{}: iteration {} of {by}: {} loops, each in a shade of its own, and in orange {cuts} cut{} between them",
            run.instance,
            iteration.iteration,
            iteration.loops.unwrap_or_default(),
            if cuts == 1 { "" } else { "s" }
        ),
    }
}
