//! `tilebench animate`: a search step by step, as an SVG that plays.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::time::Duration;

use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::scene::{INK, Item, Point};
use puzzle::{Instance, Placement, Scene, Solution};
use report::Frame;
use runner::count;
use solve::search::{End, Explored, SearchStep, Settings, explore};

use super::instance;
use crate::args::Animate;
use crate::output::{check_outputs, say};

/// For how long the last frame stays beyond its time.
const PAUSE: f64 = 3.0;

/// Searches, and draws what was searched, whether a solution was found or not.
pub fn animate(args: &Animate) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.output.extension().is_some_and(|ending| ending == "svg"),
        "{}: an animation is an SVG, whose name ends in .svg; browsers and other programs turn it into other formats",
        args.output.display()
    );
    check_outputs(&[&args.instance], &[&args.output])?;
    let instance = instance::load(&args.instance)?;
    let usual = if instance.puzzle.has_loops() { Strategy::Walk } else { Strategy::Propagate };
    let strategy = args.strategy.as_deref().unwrap_or(usual.name());
    let mut formulation = Formulation::plain("animate", FormulationKind::Search).with("strategy", strategy)?;
    let facts = instance.facts();
    let may_have_holes = instance.puzzle.has_loops() && facts.places != facts.challenge;
    let usual = if may_have_holes { Holes::Resolve } else { Holes::Report };
    let holes = args.holes.as_deref().unwrap_or(usual.name());
    // On fixed boards nothing may be said of them.
    if holes == Holes::Resolve.name() {
        formulation = formulation.with("holes", holes)?;
    }
    let time_limit = Duration::try_from_secs_f64(args.time_limit).ok();
    let settings = Settings { seed: args.seed, restarts: true, sum_check: true, time_limit };
    let mut kept = KeptSteps::new(args.steps as usize);
    let explored = explore(&instance, &formulation, settings, Some(&mut |step| kept.add(step)), &mut |_| false)?;
    let outcome = outcome(&explored, kept.count);
    let frames = frames(&instance, kept, args.seconds_per_frame, &outcome);
    record::write_whole(&args.output, report::render_animation(&frames).as_bytes())?;
    say!("{}: {}, {outcome}", args.output.display(), count(frames.len(), "frame"));
    Ok(ExitCode::SUCCESS)
}

fn outcome(explored: &Explored, steps: u64) -> String {
    match explored.end {
        End::Stopped => format!("solved in {}", count(steps, "step")),
        End::Exhausted => format!("no solution, known after {}", count(steps, "step")),
        End::OutOfTime => format!("not solved in {}, time limit", count(steps, "step")),
    }
}

fn frames(instance: &Instance, kept: KeptSteps, each: f64, outcome: &str) -> Vec<Frame> {
    let solution = |placements| Solution { instance: instance.name.clone(), placements, ..Solution::default() };
    let (numbers, stages): (Vec<_>, Vec<_>) = kept.steps().map(|(number, found)| (number, solution(found))).unzip();
    if stages.is_empty() {
        // Not one tile could be laid: where they should have gone is all there is to see.
        let scene = captioned(puzzle::scene(instance, None), outcome.to_owned());
        return vec![Frame { scene, seconds: each + PAUSE }];
    }
    let tiles = instance.facts().challenge.unwrap_or_default();
    let scenes = puzzle::stages(instance, &stages).into_iter().zip(numbers.iter().zip(&stages));
    let frame = |(index, (scene, (number, stage))): (usize, (Scene, (&u64, &Solution)))| {
        if index + 1 == stages.len() {
            return Frame { scene: captioned(scene, outcome.to_owned()), seconds: each + PAUSE };
        }
        let text = format!("step {number}: {} of {tiles} tiles", stage.placements.len());
        Frame { scene: captioned(scene, text), seconds: each }
    };
    scenes.enumerate().map(frame).collect()
}

fn captioned(mut scene: Scene, text: String) -> Scene {
    // So that the longest caption fits.
    let size = (scene.width / 24.0).min(0.6);
    scene.height += 2.0 * size;
    let at = Point { x: scene.width / 2.0, y: scene.height - 1.2 * size };
    scene.items.push(Item::Text { class: "caption", at, size, text, bold: false, colour: INK });
    scene
}

/// The steps of a search that are shown, chosen while it goes on: the first steps, the last ones, and some in between.
struct KeptSteps {
    most_at_an_end: usize,
    most_between: usize,
    /// How many steps there were.
    count: u64,
    first: Vec<Step>,
    /// Those whose number is a multiple of `stride`, which doubles whenever they are too many.
    between: Vec<Step>,
    stride: u64,
    last: VecDeque<Step>,
}

/// The number of a step, and what lies on the board after it.
type Step = (u64, Vec<Placement>);

impl KeptSteps {
    /// Keeps at most so many steps, of at least 3.
    fn new(most: usize) -> Self {
        let most_at_an_end = most / 3;
        Self {
            most_at_an_end,
            most_between: most - 2 * most_at_an_end,
            count: 0,
            first: Vec::new(),
            between: Vec::new(),
            stride: 1,
            last: VecDeque::new(),
        }
    }

    fn add(&mut self, step: SearchStep<'_>) {
        self.count = step.number;
        let step = (step.number, step.placements.to_vec());
        if self.first.len() < self.most_at_an_end {
            self.first.push(step);
            return;
        }
        self.last.push_back(step);
        if self.last.len() <= self.most_at_an_end {
            return;
        }
        // It is not among the last any more.
        self.between.extend(self.last.pop_front().filter(|step| step.0.is_multiple_of(self.stride)));
        while self.between.len() > self.most_between {
            self.stride *= 2;
            self.between.retain(|step| step.0.is_multiple_of(self.stride));
        }
    }

    fn steps(self) -> impl Iterator<Item = Step> {
        self.first.into_iter().chain(self.between).chain(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(most: usize, steps: u64) -> Vec<u64> {
        let mut kept = KeptSteps::new(most);
        (1..=steps).for_each(|number| kept.add(SearchStep { number, placements: &[] }));
        kept.steps().map(|(number, _)| number).collect()
    }

    #[test]
    fn few_steps_are_all_kept() {
        for steps in 0..=9 {
            assert_eq!(numbers(9, steps), (1..=steps).collect::<Vec<_>>());
        }
    }

    #[test]
    fn of_many_the_ends_are_kept_and_some_in_between() {
        assert_eq!(numbers(9, 100), [1, 2, 3, 32, 64, 96, 98, 99, 100]);
        assert_eq!(numbers(9, 10), [1, 2, 3, 4, 6, 8, 9, 10]);
        for steps in [1000, 54_321] {
            let kept = numbers(120, steps);
            assert!(kept.len() <= 120 && kept.len() >= 99, "{}", kept.len());
            assert!(kept.is_sorted() && kept[..40] == (1..=40).collect::<Vec<_>>());
            assert_eq!(kept[kept.len() - 40..], (steps - 39..=steps).collect::<Vec<_>>());
            let between = &kept[40..kept.len() - 40];
            assert!(between.windows(2).all(|pair| pair[1] - pair[0] == between[1] - between[0]), "evenly");
        }
    }
}
