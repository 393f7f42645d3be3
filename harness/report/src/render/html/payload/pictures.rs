//! Pictures of solves. Those of one instance are made of the same few shapes, so each is a list of their numbers.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use puzzle::{Instance, Rule, Scene, Solution};
use rayon::prelude::*;
use record::Category;

use super::json;
use super::shapes::Shapes;
use crate::page::flaw;
use crate::picture::size;
use crate::render::Pictures;
use crate::results::{Experiment, Run, Solve};

/// Bytes of the page that pictures may take where nothing else is asked for.
const BUDGET: u64 = 20 << 20;

/// Bytes that a picture takes for each of its tiles, about.
const TILE: u64 = 20;

/// The pictures of an experiment.
#[derive(Default)]
pub struct Drawn {
    /// Of each run the list of its pictures, one for each solve; empty where it has none.
    pub of_runs: Vec<String>,
    /// Of each instance with pictures the shapes that they are made of.
    pub shapes: Vec<(String, Shapes)>,
    /// How many solves with a solution have no picture, to keep the page small.
    pub left_out: usize,
    /// What is wrong with solution files.
    pub warnings: Vec<String>,
}

/// The pictures of the instance with this name.
struct OfInstance {
    name: String,
    shapes: Shapes,
    /// By run.
    pictures: Vec<(usize, String)>,
    flaws: Vec<String>,
}

/// Draws the solutions of an experiment, as far as they are wanted.
pub fn pictures(experiment: &Experiment, wanted: Pictures) -> Drawn {
    let count = experiment.len();
    let mut drawn = Drawn { of_runs: vec!["[]".to_owned(); count], ..Drawn::default() };
    // A directory without solution files (a reference, say) has no pictures, and none are left out.
    if !experiment.files().root().join("solutions").is_dir() {
        return drawn;
    }
    let wanted = chosen(experiment, wanted);
    let mut by_instance: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, run) in experiment.runs().iter().enumerate() {
        let (shown, all) = (shown(experiment, run, wanted).count(), solutions(experiment, run).count());
        drawn.left_out += all - shown;
        if shown > 0 {
            by_instance.entry(&run.setting.instance).or_default().push(place);
        }
    }
    let by_instance: Vec<_> = by_instance.into_iter().collect();
    let done: Vec<_> = by_instance.par_iter().map(|(name, runs)| of_instance(experiment, name, runs, wanted)).collect();
    let mut flaws = Vec::new();
    for OfInstance { name, shapes, pictures, flaws: found } in done {
        for (place, text) in pictures {
            drawn.of_runs[place] = text;
        }
        drawn.shapes.push((name, shapes));
        flaws.extend(found);
    }
    drawn.warnings = summed(flaws);
    drawn
}

/// Which pictures there are room for.
fn chosen(experiment: &Experiment, wanted: Pictures) -> Pictures {
    if wanted != Pictures::Budget {
        return wanted;
    }
    let weight = |wanted| -> u64 {
        let runs = experiment.runs().iter();
        let tiles = |run: &Run| run.setting.challenge.or(run.setting.places).unwrap_or(20);
        runs.map(|run| TILE * tiles(run) * shown(experiment, run, wanted).count() as u64).sum()
    };
    let fits = |wanted: &Pictures| weight(*wanted) <= BUDGET;
    [Pictures::All, Pictures::Last].into_iter().find(fits).unwrap_or(Pictures::None)
}

/// The solves that found something, each with its number among all. Not every puzzle has loops, and a solve that a limit struck
/// may have found some nevertheless.
fn solutions<'a>(experiment: &'a Experiment, run: &Run) -> impl DoubleEndedIterator<Item = (usize, &'a Solve)> {
    experiment.solves(run).iter().enumerate().filter(|(_, solve)| solve.loops.is_some() || solve.status.has_solution())
}

/// Those of them that are drawn.
fn shown<'a>(experiment: &'a Experiment, run: &Run, wanted: Pictures) -> impl Iterator<Item = (usize, &'a Solve)> {
    let most = match wanted {
        Pictures::All | Pictures::Budget => usize::MAX,
        Pictures::Last => 1,
        Pictures::None => 0,
    };
    // The last ones, in order.
    let skipped = solutions(experiment, run).count().saturating_sub(most);
    solutions(experiment, run).skip(skipped)
}

fn of_instance(experiment: &Experiment, name: &str, runs: &[usize], wanted: Pictures) -> OfInstance {
    let mut done =
        OfInstance { name: name.to_owned(), shapes: Shapes::default(), pictures: Vec::new(), flaws: Vec::new() };
    let instance = match Instance::load(&experiment.files().instance(name)) {
        Ok(instance) => instance,
        Err(error) => {
            done.flaws.push(format!("no pictures of {name}: {error}"));
            return done;
        }
    };
    for place in runs {
        let run = &experiment.runs()[*place];
        let solves = experiment.solves(run);
        let mut pictures: Vec<Option<Result<Solution, String>>> = vec![None; solves.len()];
        for (index, solve) in shown(experiment, run, wanted) {
            let last = index + 1 == solves.len();
            let solution = load(experiment, &instance, run, solve, last);
            if let Err(Missing::Flaw(flaw)) = &solution {
                done.flaws.push(flaw.clone());
            }
            pictures[index] = Some(solution.map_err(Missing::text));
        }
        done.pictures.push((*place, list(&instance, &pictures, &mut done.shapes)));
    }
    done
}

/// Why there is no picture.
enum Missing {
    /// No such file.
    File(String),
    /// A file that is no solution of the instance.
    Flaw(String),
}

impl Missing {
    fn text(self) -> String {
        match self {
            Self::File(text) | Self::Flaw(text) => text,
        }
    }
}

fn load(
    experiment: &Experiment,
    instance: &Instance,
    run: &Run,
    solve: &Solve,
    last: bool,
) -> Result<Solution, Missing> {
    let path = experiment.files().solution(&run.run_id, solve.iteration);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let solution = Solution::load(&path).map_err(|error| match error {
        puzzle::InputError::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            Missing::File(format!("there is no solution file {file}"))
        }
        error => Missing::Flaw(error.to_string()),
    })?;
    let verified = last && run.category == Category::Correct && run.status.has_solution();
    let may_break = |rule: Rule| !verified && !matches!(rule, Rule::Instance | Rule::Range);
    match flaw(instance, &solution, may_break) {
        Some(flaw) => Err(Missing::Flaw(format!("solution file {file}: {flaw}"))),
        None => Ok(solution),
    }
}

/// The pictures of a run as JSON: all of one size, so that they can follow each other.
fn list(instance: &Instance, pictures: &[Option<Result<Solution, String>>], shapes: &mut Shapes) -> String {
    let found: Vec<_> = pictures.iter().flatten().flatten().cloned().collect();
    let mut scenes = puzzle::stages(instance, &found).into_iter().zip(&found);
    let mut text = Vec::new();
    json::list(pictures, &mut text, |picture, text| match picture {
        None => text.extend_from_slice(b"null"),
        Some(Err(reason)) => {
            text.extend_from_slice(b"{\"missing\":");
            json::text(reason, text);
            text.push(b'}');
        }
        Some(Ok(_)) => match scenes.next() {
            Some((scene, solution)) => write(&scene, solution.cuts.len(), shapes, text),
            None => text.extend_from_slice(b"null"),
        },
    });
    String::from_utf8(text).unwrap_or_default()
}

fn write(scene: &Scene, cuts: usize, shapes: &mut Shapes, text: &mut Vec<u8>) {
    let [width, height] = size(scene);
    text.extend_from_slice(format!("{{\"size\":[{width},{height}],\"shapes\":").as_bytes());
    json::list(&scene.items, text, |item, text| text.extend_from_slice(shapes.number(item).to_string().as_bytes()));
    let cuts = match cuts {
        0 => String::new(),
        1 => "; in orange 1 cut that was added after this solve".to_owned(),
        cuts => format!("; in orange {cuts} cuts that were added after this solve"),
    };
    text.extend_from_slice(b",\"text\":");
    json::text(&(scene.title.clone() + &cuts), text);
    text.push(b'}');
}

/// Flaws that are named; the others are counted.
const NAMED: usize = 5;

fn summed(mut flaws: Vec<String>) -> Vec<String> {
    let more = flaws.len().saturating_sub(NAMED);
    flaws.truncate(NAMED);
    if more > 0 {
        flaws.push(format!("{more} more solutions cannot be drawn; the runs say why"));
    }
    flaws
}
