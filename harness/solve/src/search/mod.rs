//! Searches of our own, which take a puzzle as it is: no model, no solver.
//!
//! Tantrix has three searches: [`walk`] is the plain backtracking of King's blog, as published or with its tiles in another order;
//! [`propagate`] is what this project makes of it; [`mod@parts`] is for many tiles. Those of 3SoKu are in [`soku`].

mod control;
mod parts;
mod places;
mod propagate;
mod sets;
mod soku;
mod table;
mod walk;

use model::{Formulation, Holes, Strategy};
use puzzle::{Instance, Placement, Puzzle, Solution};

use crate::backend::*;

use control::{Control, NAME, Stage};
pub(crate) use places::tantrix;

pub use control::{End, Explored, Filling, SearchStep, Settings};
pub(crate) use control::{Random, Watch};
pub use parts::MOST_PROPAGATED;
pub(crate) use parts::{choices, matching_boards};
pub use soku::{AllSolved, SokuSolver, solve_all};

/// Its options, all of them switches, and the strategies on which each has an effect.
const OPTIONS: [(&str, &[Strategy]); 2] =
    [("restarts", &[Strategy::Propagate]), ("sum-check", &[Strategy::Propagate, Strategy::LeastCapacity])];

fn is_option(name: &str) -> bool {
    OPTIONS.iter().any(|(option, _)| *option == name)
}

/// Goes up whenever a search takes another way than before: rows of two versions are not compared then.
const VERSION: &str = "6";

pub(crate) struct Search;

/// Searches by the strategy of a formulation of kind search. `found` is called with each solution and returns whether
/// to go on; `watch` is called at every step, if it is there.
///
/// Each solution comes once, with these exceptions. On the open plane it stands for its class under translation and
/// rotation, and comes once for each copy of one sort: tile 1 in the strategy `walk`, the first of its order in `shuffled-walk`, the
/// sort with the fewest copies (the first of them) in `propagate`. On boards the walks find it once for each copy of that tile too. With restarts, and in the strategy `parts`, what was
/// found before may be found again. The strategy `sums` finds one solution only.
/// Errors: a formulation of another kind or one that does not fit the instance; a game of 3SoKu that the strategy has no room for.
pub fn explore(
    instance: &Instance,
    formulation: &Formulation,
    settings: Settings,
    watch: Option<&mut dyn FnMut(SearchStep<'_>)>,
    found: &mut dyn FnMut(&Solution) -> bool,
) -> Result<Explored, SolveError> {
    explore_until(&Deadline::of(settings.time_limit), instance, formulation, settings, watch.map(Watch::Steps), found)
}

pub(crate) fn explore_until(
    deadline: &Deadline,
    instance: &Instance,
    formulation: &Formulation,
    settings: Settings,
    watch: Option<Watch<'_>>,
    found: &mut dyn FnMut(&Solution) -> bool,
) -> Result<Explored, SolveError> {
    let (no_holes, strategy) = (formulation.holes() == Holes::Resolve, formulation.strategy()?);
    formulation.check(instance)?;
    let control = Control::new(deadline.clone(), watch);
    if let Puzzle::Soku(game) = &instance.puzzle {
        let mut report = |placements| found(&Solution::on_faces(&instance.name, placements));
        return soku::search(game, strategy, settings, control, &mut report);
    }
    let mut report = |placements| found(&on_places(instance, placements));
    let (puzzle, sorts) = (&instance.puzzle, &tantrix(&instance.puzzle).0.sorts);
    match strategy {
        Strategy::Walk => Ok(walk::walk(puzzle, None, no_holes, control, &mut report)),
        Strategy::ShuffledWalk => Ok(walk::walk(puzzle, Some(settings.seed), no_holes, control, &mut report)),
        // Challenges of more tiles have copies of ten sorts, for which this is made.
        Strategy::Parts if sorts.iter().map(|sort| sort.count).sum::<usize>() > MOST_PROPAGATED => {
            Ok(parts::parts(puzzle, settings.seed, control, &mut report))
        }
        _ => Ok(propagate::propagate(puzzle, no_holes, settings, control, &mut report)),
    }
}

/// What lies on the places of an instance of Tantrix, in their order.
fn on_places(instance: &Instance, mut placements: Vec<Placement>) -> Solution {
    placements.sort_unstable_by_key(|p| p.place);
    Solution::on_places(&instance.name, placements)
}

impl Backend for Search {
    fn info(&self) -> BackendInfo {
        let reports = Reports { propagations: false, ..Reports::SAT };
        BackendInfo::of(NAME, &[FormulationKind::Search], "tilebench's own", reports)
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(VERSION.to_owned())
    }

    fn suits(&self, formulation: &Formulation, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
        let strategy = formulation.strategy()?;
        let without_effect =
            |(option, of): &(&str, &[Strategy])| options.contains_key(*option) && !of.contains(&strategy);
        match OPTIONS.iter().find(|option| without_effect(option)) {
            Some((option, of)) => {
                let of: Vec<_> = of.iter().map(|strategy| format!("{:?}", strategy.name())).collect();
                Err(unsupported(NAME, format!("option {option} with another strategy than {}", of.join(" or "))))
            }
            None => Ok(()),
        }
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(OPTIONS.map(|(option, _)| option.to_owned()).to_vec())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        is_option(option).then(|| Takes::words(&["off", "on"]))
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.one_thread(NAME)?;
        let is_fit = |option: &str, value: &str| is_option(option) && ["on", "off"].contains(&value);
        match options.options.iter().find(|(option, value)| !is_fit(option, value)) {
            Some((option, value)) => Err(refused(NAME, option, value)),
            None => Ok(Opened::Search(Box::new(OpenSearch(options.clone())))),
        }
    }
}

struct OpenSearch(SessionOptions);

impl Searcher for OpenSearch {
    fn search(
        &mut self,
        instance: &Instance,
        formulation: &Formulation,
        deadline: &Deadline,
        reached: &mut dyn FnMut(Solve, Solution),
    ) -> Result<(Solve, Option<Solution>), SolveError> {
        let strategy = formulation.strategy()?;
        if let Some(value) = self.0.options.get("sum-check").filter(|_| !matches!(instance.puzzle, Puzzle::Soku(_))) {
            return Err(refused_because(NAME, "sum-check", value, "this puzzle has no sums"));
        }
        if let (Strategy::Count, Puzzle::Soku(game)) = (strategy, &instance.puzzle) {
            return soku::count(&instance.name, game, deadline, self.0.memory);
        }
        let is_on = |option| self.0.options.get(option).is_none_or(|value| value == "on");
        let settings = Settings {
            seed: self.0.seed,
            restarts: is_on("restarts"),
            sum_check: is_on("sum-check"),
            time_limit: None,
        };
        let mut counted = Counted::default();
        let mut stage = |Stage { nodes, backtracks, filling, surplus, placements }: Stage| {
            let word = format!("full board, tiles too many: {surplus}");
            let outcome = Solve::of(SolveStatus::Feasible, word);
            let outcome = counted.since(nodes, backtracks, Some(filling), outcome);
            reached(outcome, on_places(instance, placements));
        };
        let watch = Some(Watch::Stages(&mut stage));
        let mut solution = None;
        let explored = explore_until(deadline, instance, formulation, settings, watch, &mut |found| {
            solution = Some(found.clone());
            false
        })?;
        let (status, native) = match explored.end {
            End::Stopped => (SolveStatus::Optimal, "solution found"),
            End::Exhausted => (SolveStatus::Infeasible, "search exhausted"),
            End::OutOfTime => (SolveStatus::Timeout, "time limit"),
        };
        let outcome = Solve::of(status, native);
        // Where all faces are decided in one go, there are none.
        let outcome = match (strategy, explored.nodes) {
            (Strategy::Sums, 0) => outcome,
            _ => counted.since(explored.nodes, explored.backtracks, explored.filling, outcome),
        };
        Ok((outcome, solution))
    }
}

/// What was counted up to the last stage, in the order of [`Counted::since`].
#[derive(Default)]
struct Counted([u64; 6]);

impl Counted {
    /// The record of a solve with what was counted since the last stage; from now on this is the last one.
    fn since(&mut self, nodes: u64, backtracks: u64, filling: Option<Filling>, outcome: Solve) -> Solve {
        let Filling { parts, loops_merged, patches, restarts } = filling.unwrap_or_default();
        let now = [nodes, backtracks, parts, loops_merged, patches, restarts];
        let before = std::mem::replace(&mut self.0, now);
        let [nodes, conflicts, parts, loops_merged, patches, restarts] =
            std::array::from_fn(|figure| Some(now[figure] - before[figure]));
        let outcome = Solve { nodes, conflicts, ..outcome };
        if filling.is_some() { Solve { parts, loops_merged, patches, restarts, ..outcome } } else { outcome }
    }
}
