//! `tilebench animate`: a search as a picture that moves.

mod reel;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::scene::{Item, Point, Rgb};
use puzzle::{Instance, Scene, Solution};
use report::Frame;
use solve::search::{End, Explored, Settings, explore};

use self::reel::Reel;
use crate::args::Animate;
use crate::output::{say, several};

/// For how long the last frame stays beyond its time.
const PAUSE: f64 = 3.0;
const INK: Rgb = Rgb(34, 34, 34);

/// Searches, and draws what was searched, whether a solution was found or not.
pub fn animate(args: &Animate) -> anyhow::Result<ExitCode> {
    let render = renderer(&args.output)?;
    let instance = Instance::load(&args.instance)?;
    let usual = if instance.puzzle.has_loops() { Strategy::Walk } else { Strategy::Propagate };
    let strategy = args.strategy.as_deref().unwrap_or(usual.name());
    let mut formulation = Formulation::plain("animate", FormulationKind::Search).with("strategy", strategy)?;
    // On fixed boards there are none, and nothing may be said of them.
    if args.holes == Holes::Resolve.name() {
        formulation = formulation.with("holes", &args.holes)?;
    }
    let time_limit = Duration::try_from_secs_f64(args.time_limit).ok();
    let settings = Settings { seed: args.seed, restarts: true, sum_check: true, time_limit };
    let mut reel = Reel::new(args.steps as usize);
    let explored = explore(&instance, &formulation, settings, Some(&mut |step| reel.add(step)), &mut |_| false)?;
    let steps = reel.steps();
    let outcome = outcome(&explored, steps);
    let frames = frames(&instance, reel, args.seconds_per_frame, &outcome);
    record::write_whole(&args.output, &render(&frames, args.width)?)?;
    say!("{}: {}, {outcome}", args.output.display(), several(frames.len() as u64, "frame"));
    Ok(ExitCode::SUCCESS)
}

type Render = fn(&[Frame], u32) -> Result<Vec<u8>, report::ReportError>;

/// What makes a picture of the format that the file's ending says.
fn renderer(path: &Path) -> anyhow::Result<Render> {
    let render: Render = match path.extension().and_then(|e| e.to_str()) {
        Some("svg") => |frames, _| Ok(report::render_film(frames).into_bytes()),
        Some("gif") => report::render_gif,
        Some("png") => report::render_apng,
        _ => anyhow::bail!("{}: the name of a picture that moves ends in .svg, .gif or .png", path.display()),
    };
    super::show::check_folder(path)?;
    Ok(render)
}

fn outcome(explored: &Explored, steps: u64) -> String {
    match explored.end {
        End::Stopped => format!("solved in {}", several(steps, "step")),
        End::Exhausted => format!("no solution, known after {}", several(steps, "step")),
        End::OutOfTime => format!("not solved in {}, time limit", several(steps, "step")),
    }
}

/// Draws the steps that were kept, each with a caption; the last caption says how the search ended.
fn frames(instance: &Instance, reel: Reel, each: f64, outcome: &str) -> Vec<Frame> {
    let (numbers, stages): (Vec<u64>, Vec<Solution>) = reel.into_frames(&instance.name).into_iter().unzip();
    if stages.is_empty() {
        // Not one tile could be laid: where they should have gone is all there is to see.
        let scene = captioned(puzzle::scene(instance, None), outcome.to_owned());
        return vec![Frame { scene, seconds: each + PAUSE }];
    }
    let tiles = instance.facts().challenge.unwrap_or_default();
    let scenes = puzzle::stages(instance, &stages).into_iter().zip(numbers.iter().zip(&stages));
    scenes
        .enumerate()
        .map(|(index, (scene, (number, stage)))| {
            let is_last = index + 1 == stages.len();
            let text = match is_last {
                true => outcome.to_owned(),
                false => format!("step {number}: {} of {tiles} tiles", stage.placements.len()),
            };
            Frame { scene: captioned(scene, text), seconds: if is_last { each + PAUSE } else { each } }
        })
        .collect()
}

/// A scene with a line of text below.
fn captioned(mut scene: Scene, text: String) -> Scene {
    scene.height += 2.0 * text_size(&scene);
    scene.items.push(caption(&scene, text));
    scene
}

fn caption(scene: &Scene, text: String) -> Item {
    let size = text_size(scene);
    let at = Point { x: scene.width / 2.0, y: scene.height - 1.2 * size };
    Item::Text { class: "caption", at, size, text, bold: false, colour: INK }
}

/// So that the longest caption fits.
fn text_size(scene: &Scene) -> f64 {
    (scene.width / 24.0).min(0.6)
}
