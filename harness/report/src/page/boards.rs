//! Pictures of what was found: for each instance the solution, the first solution with subloops with the cuts that
//! separate them, the first with holes that the next solve forbids, and an answer whose subloops or holes are
//! only reported.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::ErrorKind;

use puzzle::{InputError, Instance, Rule, Scene, Solution, words};
use record::Category;

use crate::results::{Experiment, Run, Solve};
use crate::text::count;

/// A picture of an instance, with what it shows in one sentence without the full stop.
#[derive(Debug, Clone)]
pub struct Board {
    pub slug: String,
    pub caption: String,
    pub scene: Scene,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// A solution with subloops that cuts forbid from then on.
    Subloops,
    /// A solution with holes that are forbidden from then on, and no cuts.
    Holes,
    /// The answer of a formulation that only reports its subloops or holes.
    Reported,
    Solution,
}

words!(Shown: Subloops "subloops", Holes "holes", Reported "reported", Solution "solution");

impl Shown {
    /// Rules that the picture may break; all others are flaws of the solution file.
    fn may_break(self, rule: Rule) -> bool {
        match self {
            Self::Subloops | Self::Holes => !matches!(rule, Rule::Instance | Rule::Range),
            Self::Reported => matches!(rule, Rule::SingleLoop | Rule::NoHole),
            Self::Solution => false,
        }
    }
}

/// The pictures of an experiment, by instance, under slugs that are claimed for their names; what could not be drawn is said in
/// `caveats`.
///
/// A results directory without solution files (a reference, say) has no pictures and no warning.
pub fn boards(experiment: &Experiment, mut claim: impl FnMut(&str) -> String, caveats: &mut Vec<String>) -> Vec<Board> {
    let mut boards = Vec::new();
    let mut by_instance: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for run in experiment.runs() {
        by_instance.entry(&run.setting.instance).or_default().push(run);
    }
    for instance in &experiment.catalog.instances {
        let runs = by_instance.get(instance.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        for shown in Shown::ALL {
            let Some((run, iteration)) = choose(runs, shown) else { continue };
            match draw(experiment, run, iteration, shown) {
                Ok(Some((caption, scene))) => {
                    boards.push(Board { slug: claim(&format!("{}-{}", instance.name, shown.name())), caption, scene });
                }
                Ok(None) => {}
                Err(reason) => caveats.push(format!("no picture of {}: {reason}", instance.name)),
            }
        }
    }
    boards
}

/// The run and the iteration of an instance that are shown so.
fn choose<'a>(runs: &[&'a Run], shown: Shown) -> Option<(&'a Run, &'a Solve)> {
    let time = |run: &Run| run.solve_time_s.map_or(f64::MAX, |solve| run.build_time_s.unwrap_or(0.0) + solve);
    let last = |run: &'a Run| Some((run, run.solves.last()?));
    let answered = |category| runs.iter().filter(move |r| r.category == category && r.status.has_solution());
    match shown {
        Shown::Subloops | Shown::Holes => runs
            .iter()
            .filter_map(|run| Some((*run, run.solves.iter().find(|i| cut(run, i) == Some(shown) && i.lays_tiles)?)))
            .max_by_key(|(run, _)| (run.cuts, Reverse(&run.run_id))),
        // The one with most to see, else the fastest.
        Shown::Reported => answered(Category::Unknown)
            .filter_map(|run| last(run))
            .filter(|(_, i)| i.cuts_added == 0 && (holes(i) > 0 || loops(i) > 1))
            .min_by(|(a, i), (b, j)| {
                let flaws = |i: &Solve| Reverse((holes(i), loops(i)));
                flaws(i).cmp(&flaws(j)).then_with(|| time(a).total_cmp(&time(b)))
            }),
        Shown::Solution => {
            answered(Category::Correct).min_by(|a, b| time(a).total_cmp(&time(b))).and_then(|run| last(run))
        }
    }
}

fn cut(run: &Run, iteration: &Solve) -> Option<Shown> {
    let subloops =
        ["resolve", "lazy"].iter().any(|word| run.setting.subloops.starts_with(word)) && loops(iteration) > 1;
    let shown = if subloops { Some(Shown::Subloops) } else { cuts_holes(run, iteration).then_some(Shown::Holes) };
    shown.filter(|_| iteration.cuts_added > 0)
}

fn cuts_holes(run: &Run, iteration: &Solve) -> bool {
    run.setting.hole_treatment == "resolve" && holes(iteration) > 0
}

fn loops(iteration: &Solve) -> u64 {
    iteration.loops.unwrap_or_default()
}

fn holes(iteration: &Solve) -> u64 {
    iteration.holes.unwrap_or_default()
}

/// Caption and picture; none where there is no solution file.
fn draw(
    experiment: &Experiment,
    run: &Run,
    iteration: &Solve,
    shown: Shown,
) -> Result<Option<(String, Scene)>, String> {
    if !experiment.files.solution(&run.run_id, iteration.iteration).exists() {
        return Ok(None);
    }
    let instance = Instance::load(&experiment.files.instance(&run.setting.instance)).map_err(|e| e.to_string())?;
    let drawn = solution(experiment, &instance, run, iteration, |rule| shown.may_break(rule))?;
    Ok(drawn.map(|drawn| {
        let caption = caption(run, iteration, shown, drawn.cuts.len());
        (caption, puzzle::scene(&instance, Some(&drawn)))
    }))
}

/// The solution that an iteration left; none where there is no such file. A file is refused that breaks a rule which it may not: one
/// that is shown as verified must break none at all.
pub fn solution(
    experiment: &Experiment,
    instance: &Instance,
    run: &Run,
    iteration: &Solve,
    may_break: impl Fn(Rule) -> bool,
) -> Result<Option<Solution>, String> {
    let path = experiment.files.solution(&run.run_id, iteration.iteration);
    let mut solution = match Solution::load(&path) {
        Err(InputError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        loaded => loaded.map_err(|error| error.to_string())?,
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let places = instance.facts().places.and_then(|p| usize::try_from(p).ok()).unwrap_or(usize::MAX);
    // Any piece of these lattices has at most six edges.
    let off = |(place, edge): &&(usize, usize)| !(1..=places).contains(place) || !(1..=6).contains(edge);
    if let Some((place, edge)) = solution.cuts.iter().flatten().find(off) {
        return Err(format!("solution file {file}: a cut crosses edge {edge} of place {place}, which does not exist"));
    }
    if solution.instance == run.measured_instance() {
        solution.instance.clone_from(&instance.name);
    }
    let violations = puzzle::verify(instance, &solution).violations;
    match violations.iter().find(|violation| !may_break(violation.rule)) {
        Some(flaw) => Err(format!("solution file {file}: {flaw}")),
        None => Ok(Some(solution)),
    }
}

/// What the picture shows; `cuts` is the number of cuts that are drawn in it.
fn caption(run: &Run, iteration: &Solve, shown: Shown, cuts: usize) -> String {
    let by = format!("{} under {}", run.setting.solver, run.setting.formulation);
    let (instance, index) = (&run.setting.instance, iteration.iteration);
    let flaws = flaws(iteration);
    match shown {
        Shown::Solution => format!("{instance}: the verified solution of {by}, iteration {index}"),
        Shown::Reported => format!("{instance}: the answer of {by}, which only reports them: {flaws}"),
        Shown::Subloops | Shown::Holes => {
            let drawn = format!(", and in orange {} between the loops", count(cuts, "cut"));
            let drawn = if cuts == 0 { String::new() } else { drawn };
            let what = match (shown, cuts_holes(run, iteration)) {
                (Shown::Subloops, true) => "the loops and the holes",
                (Shown::Subloops, false) => "the loops",
                _ => "the holes",
            };
            let who =
                if run.setting.subloops.starts_with("lazy") { "from here on the solver" } else { "the next solve" };
            format!("{instance}: iteration {index} of {by}: {flaws}{drawn}; {who} forbids {what}")
        }
    }
}

fn flaws(iteration: &Solve) -> String {
    let mut parts = Vec::new();
    let (loops, holes) = (loops(iteration), holes(iteration));
    if loops > 1 || holes == 0 {
        let shades = if loops > 1 { ", each with tiles of one shade" } else { "" };
        parts.push(count(loops, "loop") + shades);
    }
    if holes > 0 {
        parts.push(count(holes, "hole") + ", marked");
    }
    parts.join(", and ")
}
