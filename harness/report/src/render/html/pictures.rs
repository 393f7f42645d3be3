//! Pictures of solves. Those of one instance are made of the same few shapes, so each is a list of their numbers.

use std::collections::{BTreeMap, HashMap};

use puzzle::scene::{Facet, Item, Peg, Point, Rgb, Solid, Style};
use puzzle::{Instance, Rule, Scene, Solution};
use rayon::prelude::*;
use serde::Serialize;

use super::columns::Number;
use crate::page::solution;
use crate::picture::{place, shape, size};
use crate::render::options::Pictures;
use crate::results::{Experiment, Run, Solve};

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
    pub shapes: Vec<(String, Shapes)>,
    /// How many solves with a solution have no picture, to keep the page small.
    pub left_out: usize,
    /// What is wrong with solution files.
    pub warnings: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Picture {
    Drawn {
        size: [Number; 2],
        shapes: Vec<usize>,
        text: String,
    },
    /// Why there is none.
    Missing {
        missing: String,
    },
}

struct OfInstance {
    name: String,
    shapes: Shapes,
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
        let (shown, all) = (shown(experiment, run, wanted).count(), solutions(experiment, run).count());
        drawn.left_out += all - shown;
        if shown > 0 {
            by_instance.entry(&run.setting.instance).or_default().push(place);
        }
    }
    let by_instance: Vec<_> = by_instance.into_iter().collect();
    let done: Vec<_> = by_instance.par_iter().map(|(name, runs)| of_instance(experiment, name, runs, wanted)).collect();
    for OfInstance { name, shapes, pictures, flaws } in done {
        for (place, of_run) in pictures {
            drawn.of_runs[place] = of_run;
        }
        drawn.shapes.push((name, shapes));
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
    let instance = match Instance::load(&experiment.files.instance(name)) {
        Ok(instance) => instance,
        Err(error) => {
            done.flaws.push(format!("no pictures of {name}: {error}"));
            return done;
        }
    };
    for place in runs {
        let run = &experiment.runs()[*place];
        let solves = experiment.solves(run);
        let mut found: Vec<Option<Result<Solution, String>>> = vec![None; solves.len()];
        for (index, solve) in shown(experiment, run, wanted) {
            let is_last = index + 1 == solves.len();
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
        done.pictures.push((*place, draw(&instance, found, &mut done.shapes)));
    }
    done
}

/// The pictures of a run: all of one size, so that they can follow each other.
fn draw(
    instance: &Instance,
    found: Vec<Option<Result<Solution, String>>>,
    shapes: &mut Shapes,
) -> Vec<Option<Picture>> {
    let solutions: Vec<_> = found.iter().flatten().flatten().cloned().collect();
    let mut scenes = puzzle::stages(instance, &solutions).into_iter().zip(&solutions);
    let picture = |of_solve: Option<Result<Solution, String>>| match of_solve? {
        Err(missing) => Some(Picture::Missing { missing }),
        Ok(_) => scenes.next().map(|(scene, solution)| picture(&scene, solution.cuts.len(), shapes)),
    };
    found.into_iter().map(picture).collect()
}

fn picture(scene: &Scene, cuts: usize, shapes: &mut Shapes) -> Picture {
    let cuts = match cuts {
        0 => String::new(),
        1 => "; in orange 1 cut that was added after this solve".to_owned(),
        cuts => format!("; in orange {cuts} cuts that were added after this solve"),
    };
    let numbers: Vec<usize> = scene.items.iter().map(|item| shapes.number(item)).collect();
    if let Some(solid) = &scene.solid {
        shapes.fold(solid, &numbers);
    }
    Picture::Drawn { size: coordinates(&size(scene)), shapes: numbers, text: scene.title.clone() + &cuts }
}

fn coordinates(texts: &[String; 2]) -> [Number; 2] {
    texts.each_ref().map(|text| Number(text.parse().unwrap_or_default()))
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
    corners: [[Number; 2]; 3],
    vertices: [usize; 3],
    hangs_on: Option<usize>,
}

impl Folds {
    fn of(solid: &Solid) -> Self {
        let face = |&Facet { corners, vertices, hangs_on, .. }: &Facet| Face {
            corners: corners.map(|corner| coordinates(&place(corner))),
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
}

/// Shapes as SVG, numbered in the order in which they were met.
#[derive(Default, Serialize)]
pub struct Shapes {
    shapes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solid: Option<Folds>,
    #[serde(skip)]
    known: HashMap<Box<[u64]>, usize>,
    #[serde(skip)]
    key: Vec<u64>,
}

impl Shapes {
    fn number(&mut self, item: &Item) -> usize {
        self.key.clear();
        key(item, &mut self.key);
        if let Some(number) = self.known.get(self.key.as_slice()) {
            return *number;
        }
        self.known.insert(self.key.as_slice().into(), self.shapes.len());
        self.shapes.push(shape(item));
        self.shapes.len() - 1
    }

    /// Takes over how a picture folds up whose items have these numbers. Shapes of one place are of the same part in all pictures.
    fn fold(&mut self, solid: &Solid, numbers: &[usize]) {
        let folds = self.solid.get_or_insert_with(|| Folds::of(solid));
        folds.parts.resize(self.shapes.len(), None);
        let of_faces = solid.faces.iter().map(|face| &face.items);
        let of_pegs = solid.pegs.iter().map(|peg| &peg.items);
        for (part, items) in of_faces.chain(of_pegs).enumerate() {
            for item in items {
                folds.parts[numbers[*item]] = Some(part);
            }
        }
    }
}

/// Everything that is drawn of an item, as numbers: equal ones mean equal shapes. To render it only to find that it is known
/// would take most of the time.
fn key(item: &Item, key: &mut Vec<u64>) {
    match item {
        Item::Polygon { class, points, style } => outline(0, class, points, Some(style), key),
        Item::Arc { class, from, to, radius, clockwise, style } => {
            outline(1, class, &[*from, *to], Some(style), key);
            key.extend([radius.map_or(u64::MAX, f64::to_bits), u64::from(*clockwise)]);
        }
        Item::Polyline { class, points, style } => outline(2, class, points, Some(style), key),
        Item::Circle { class, center, radius, style } => {
            outline(3, class, &[*center], Some(style), key);
            key.push(radius.to_bits());
        }
        Item::Text { class, at, size, text: content, bold, colour: of_text } => {
            outline(4, class, &[*at], None, key);
            key.extend([size.to_bits(), u64::from(*bold), colour(Some(*of_text))]);
            text(content, key);
        }
    }
}

fn text(text: &str, key: &mut Vec<u64>) {
    let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    key.push(text.len() as u64);
    key.extend(text.as_bytes().chunks(8).map(number));
}

fn outline(kind: u64, class: &str, points: &[Point], style: Option<&Style>, key: &mut Vec<u64>) {
    key.push(kind);
    text(class, key);
    key.push(points.len() as u64);
    key.extend(points.iter().flat_map(|point| [point.x.to_bits(), point.y.to_bits()]));
    if let Some(Style { fill, stroke, stroke_width, dash, opacity }) = style {
        key.extend([colour(*fill), colour(*stroke), stroke_width.to_bits(), opacity.to_bits(), dash.len() as u64]);
        key.extend(dash.iter().map(|length| length.to_bits()));
    }
}

fn colour(colour: Option<Rgb>) -> u64 {
    colour.map_or(u64::MAX, |Rgb(red, green, blue)| u64::from(red) << 16 | u64::from(green) << 8 | u64::from(blue))
}
