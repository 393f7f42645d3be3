//! Pictures of solves. Those of one instance are made of the same few shapes, so each is a list of their numbers.

use std::collections::BTreeMap;

use puzzle::scene::{Facet, Peg, Point, Solid};
use puzzle::{Instance, Rule, Scene, Solution};
use rayon::prelude::*;
use serde::Serialize;

use crate::page::solution;
use crate::picture::{Shapes, length};
use crate::render::options::Pictures;
use crate::results::{Experiment, Run, Solve};
use crate::text::plural;

/// Bytes of the page that pictures may take where nothing else is asked for.
const BUDGET: u64 = 20 << 20;

/// Bytes that a picture takes for each of its tiles, about.
const TILE: u64 = 20;

/// Flaws that are named; the others are counted.
const NAMED: usize = 5;

#[derive(Default)]
pub struct Drawn {
    /// Of each run its pictures, one for each solve; empty where it has none.
    pub of_runs: Vec<Vec<Option<Picture>>>,
    /// Of each instance with pictures the shapes that they are made of.
    pub shapes: Vec<(String, Parts)>,
    /// How many solves with a solution have no picture, to keep the page small.
    pub left_out: usize,
    /// What is wrong with solution files.
    pub warnings: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Picture {
    Drawn {
        size: [f64; 2],
        shapes: Vec<usize>,
        text: String,
    },
    /// Why there is none.
    Missing {
        missing: String,
    },
}

/// What the pictures of an instance are made of.
#[derive(Default, Serialize)]
pub struct Parts {
    /// Shapes as SVG.
    shapes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solid: Option<Folds>,
}

struct OfInstance {
    name: String,
    parts: Parts,
    pictures: Vec<(usize, Vec<Option<Picture>>)>,
    flaws: Vec<String>,
}

/// Draws the solutions of an experiment, as far as they are wanted.
pub fn pictures(experiment: &Experiment, wanted: Pictures) -> Drawn {
    let mut drawn = Drawn::default();
    drawn.of_runs.resize_with(experiment.len(), Vec::new);
    // A directory without solution files (a reference, say) has no pictures, and none are left out.
    if !experiment.files.root().join("solutions").is_dir() {
        return drawn;
    }
    let wanted = chosen(experiment, wanted);
    let mut by_instance: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, run) in experiment.runs().iter().enumerate() {
        let (shown, all) = (shown(run, wanted).count(), solutions(run).count());
        drawn.left_out += all - shown;
        if shown > 0 {
            by_instance.entry(&run.setting.instance).or_default().push(place);
        }
    }
    let by_instance: Vec<_> = by_instance.into_iter().collect();
    let done: Vec<_> = by_instance.par_iter().map(|(name, runs)| of_instance(experiment, name, runs, wanted)).collect();
    for OfInstance { name, parts, pictures, flaws } in done {
        for (place, of_run) in pictures {
            drawn.of_runs[place] = of_run;
        }
        drawn.shapes.push((name, parts));
        drawn.warnings.extend(flaws);
    }
    let more = drawn.warnings.len().saturating_sub(NAMED);
    drawn.warnings.truncate(NAMED);
    if more > 0 {
        drawn.warnings.push(format!("{more} more solutions cannot be drawn; the runs say why"));
    }
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
        runs.map(|run| TILE * tiles(run) * shown(run, wanted).count() as u64).sum()
    };
    let fits = |wanted: &Pictures| weight(*wanted) <= BUDGET;
    [Pictures::All, Pictures::Last].into_iter().find(fits).unwrap_or(Pictures::None)
}

/// The solves that found something, each with its number among all. Not every puzzle has loops, and a solve that a limit struck
/// may have found some nevertheless.
fn solutions(run: &Run) -> impl DoubleEndedIterator<Item = (usize, &Solve)> {
    found(run).filter(|(_, solve)| solve.lays_tiles)
}

fn found(run: &Run) -> impl DoubleEndedIterator<Item = (usize, &Solve)> {
    run.solves.iter().enumerate().filter(|(_, solve)| solve.loops.is_some() || solve.status.has_solution())
}

fn shown(run: &Run, wanted: Pictures) -> impl Iterator<Item = (usize, &Solve)> {
    let most = match wanted {
        Pictures::All | Pictures::Budget => usize::MAX,
        Pictures::Last => 1,
        Pictures::None => 0,
    };
    // The last ones, in order.
    let skipped = solutions(run).count().saturating_sub(most);
    solutions(run).skip(skipped)
}

fn of_instance(experiment: &Experiment, name: &str, runs: &[usize], wanted: Pictures) -> OfInstance {
    let mut done =
        OfInstance { name: name.to_owned(), parts: Parts::default(), pictures: Vec::new(), flaws: Vec::new() };
    let mut shapes = Shapes::default();
    let instance = match Instance::load(&experiment.files.instance(name)) {
        Ok(instance) => instance,
        Err(error) => {
            done.flaws.push(format!("no pictures of {name}: {error}"));
            return done;
        }
    };
    for place in runs {
        let run = &experiment.runs()[*place];
        let mut found: Vec<Option<Result<Solution, String>>> = vec![None; run.solves.len()];
        for (index, solve) in shown(run, wanted) {
            let is_last = index + 1 == run.solves.len();
            let verified = is_last && run.is_solved();
            let may_break = |rule: Rule| !verified && !matches!(rule, Rule::Instance | Rule::Range);
            found[index] = Some(match solution(experiment, &instance, run, solve, may_break) {
                Ok(solution) => solution.ok_or_else(|| {
                    let path = experiment.files.solution(&run.run_id, solve.iteration);
                    format!("there is no solution file {}", path.file_name().unwrap_or_default().to_string_lossy())
                }),
                Err(flaw) => {
                    done.flaws.push(flaw.clone());
                    Err(flaw)
                }
            });
        }
        for (index, _) in self::found(run).filter(|(_, solve)| !solve.lays_tiles) {
            found[index] = Some(Err("the designated lines alone, without tiles".to_owned()));
        }
        done.pictures.push((*place, draw(&instance, found, &mut shapes, &mut done.parts.solid)));
    }
    done.parts.shapes = shapes.rendered();
    done
}

/// The pictures of a run: all of one size, so that they can follow each other.
fn draw(
    instance: &Instance,
    found: Vec<Option<Result<Solution, String>>>,
    shapes: &mut Shapes,
    solid: &mut Option<Folds>,
) -> Vec<Option<Picture>> {
    let solutions: Vec<_> = found.iter().flatten().flatten().cloned().collect();
    let mut scenes = puzzle::stages(instance, &solutions).into_iter().zip(&solutions);
    let picture = |of_solve: Option<Result<Solution, String>>| match of_solve? {
        Err(missing) => Some(Picture::Missing { missing }),
        Ok(_) => scenes.next().map(|(scene, solution)| {
            let numbers: Vec<usize> = scene.items.iter().map(|item| shapes.number(item)).collect();
            if let Some(of_scene) = &scene.solid {
                solid.get_or_insert_with(|| Folds::of(of_scene)).take_over(of_scene, &numbers, shapes.len());
            }
            picture(&scene, solution.cuts.len(), numbers)
        }),
    };
    found.into_iter().map(picture).collect()
}

fn picture(scene: &Scene, cuts: usize, shapes: Vec<usize>) -> Picture {
    let added = plural(cuts, "cut that was added", "cuts that were added");
    let cuts = if cuts == 0 { String::new() } else { format!("; in orange {added} after this solve") };
    Picture::Drawn { size: [scene.width, scene.height].map(length), shapes, text: scene.title.clone() + &cuts }
}

/// How the pictures of an instance fold up into a solid, all in the same way.
#[derive(Serialize)]
struct Folds {
    /// Radians between faces side by side.
    bend: f64,
    faces: Vec<Face>,
    /// The face and the corner where each peg stands.
    pegs: Vec<[usize; 2]>,
    /// Of each shape what it is of, by number: faces first, then pegs.
    parts: Vec<Option<usize>>,
}

#[derive(Serialize)]
struct Face {
    corners: [[f64; 2]; 3],
    vertices: [usize; 3],
    hangs_on: Option<usize>,
}

impl Folds {
    fn of(solid: &Solid) -> Self {
        let face = |&Facet { corners, vertices, hangs_on, .. }: &Facet| Face {
            corners: corners.map(|Point { x, y }| [x, y].map(length)),
            vertices,
            hangs_on,
        };
        let peg = |&Peg { face, corner, .. }: &Peg| [face, corner];
        Self {
            bend: solid.bend,
            faces: solid.faces.iter().map(face).collect(),
            pegs: solid.pegs.iter().map(peg).collect(),
            parts: Vec::new(),
        }
    }

    /// Takes over how a picture folds up whose items have these numbers of so many. Shapes of one place are of the same part in all
    /// pictures.
    fn take_over(&mut self, solid: &Solid, numbers: &[usize], shapes: usize) {
        self.parts.resize(shapes, None);
        let of_faces = solid.faces.iter().map(|face| &face.items);
        let of_pegs = solid.pegs.iter().map(|peg| &peg.items);
        for (part, items) in of_faces.chain(of_pegs).enumerate() {
            for item in items {
                self.parts[numbers[*item]] = Some(part);
            }
        }
    }
}
