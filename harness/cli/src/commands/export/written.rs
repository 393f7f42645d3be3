//! Models as texts of files, with what their variables mean and what the file leaves out.

use std::collections::HashSet;

use model::{Formulation, FormulationKind, Holes, Objective, Representation, Role, Size, Subloops, formats, ir};
use puzzle::soku::{Soku, Sort};
use puzzle::tantrix::{BoardTantrix, FIXED, NATURAL, TileSetKind};
use puzzle::{Instance, Puzzle};
use runner::DEFAULT_SEED;

use crate::args::Model;
use crate::commands::solve::parts;

/// What LP, MPS and OPB files call their variables, for Tantrix: those of which the model has some.
const NAMES: [&str; 9] = [
    "x_i_j_k: tile i lies on place j in orientation k",
    "y_j_l: colour number on edge l of place j",
    "z_j_l: edge l of place j shows the designated colour",
    "o_j: a tile lies on place j",
    "u_j_j': exactly one of two adjacent places has a tile",
    "e_j_l_colour: edge l of place j and the edge beyond it show the colour",
    "a_j_l: the loop leaves place j by edge l",
    "t_j: number of place j along the loop",
    "f_j_l or f_k_j_l: what flows out of place j by edge l, towards all places or towards place k",
];

/// What the comments of DIMACS files call their variables, for Tantrix.
const CLAUSES: &str = "i: number of a tile, j: number of a place, k: orientation, as in solution files; the lines below say which \
                       variables mean what";

/// What files of 3SoKu call their variables where tiles are told apart.
const TILES: &str = "x_t_f_r: tile t lies on face f in rotation r; numbers as in solution files";

/// What they call them where sorts of tiles are.
const SORTS: &str = "x_s_f_r: a tile of sort s lies on face f and shows the least triple of its sort in rotation r";

/// The endings of model files, each with the kind of formulations that it is for.
pub const ENDINGS: [(&str, FormulationKind); 6] = [
    ("lp", FormulationKind::Mip),
    ("mps", FormulationKind::Mip),
    ("opb", FormulationKind::Mip),
    ("cnf", FormulationKind::Sat),
    ("mzn", FormulationKind::Minizinc),
    ("asp", FormulationKind::Asp),
];

/// The endings, or those of a kind, in words.
pub fn endings(of: Option<FormulationKind>) -> String {
    let own = ENDINGS.into_iter().filter(|(_, kind)| of.is_none_or(|of| of == *kind));
    own.map(|(ending, _)| format!(".{ending}")).collect::<Vec<_>>().join(" or ")
}

/// A model as the text of a file.
pub struct Written {
    pub formulation: Formulation,
    pub text: Vec<u8>,
    /// Nothing of a program, which is sized when it is compiled or grounded.
    pub size: Option<Size>,
    /// What the file leaves out, and what it does not say of its solutions.
    pub notes: String,
    /// Whether each solution of the file has one loop and no hole, as far as the puzzle asks for that.
    pub is_whole: bool,
}

impl Written {
    pub fn size_in_words(&self) -> String {
        if let Some(Size { variables, constraints, nonzeros }) = self.size {
            let (rows, entries) = parts(self.formulation.kind());
            return format!("{variables} variables, {constraints} {rows}, {nonzeros} {entries}");
        }
        let solver = if self.formulation.kind() == FormulationKind::Minizinc { "minizinc" } else { "clingo" };
        format!("{} lines, which {solver} solves", self.text.iter().filter(|byte| **byte == b'\n').count())
    }
}

/// The model of an instance before any cut is added, in a format and of the kind that it is for.
pub fn written(
    instance: &Instance,
    model: &Model,
    seed: u64,
    ending: &str,
    kind: FormulationKind,
) -> anyhow::Result<Written> {
    let formulation = model.formulation(instance.puzzle.kind(), Some(kind))?.seeded(seed);
    anyhow::ensure!(
        seed == DEFAULT_SEED || formulation.objective() == Objective::Random,
        "--seed: only --objective random has one"
    );
    if let Some((key, _)) = formulation.options().first() {
        anyhow::bail!("--{key}: a file holds the model alone; leave it out");
    }
    if formulation.kind() != kind {
        match (formulation.kind(), endings(Some(formulation.kind()))) {
            (of, none) if none.is_empty() => anyhow::bail!("there is no file format for a model of kind {of}"),
            (of, own) => anyhow::bail!("a model of kind {of} is written to a file that ends in {own}"),
        }
    }
    let title = format!(
        "{}: {} ({})",
        instance.name,
        formulation.columns().about(&instance.puzzle).families,
        env!("CARGO_PKG_VERSION")
    );
    let left_out = left_out(&formulation, instance);
    let is_whole = left_out.is_empty();
    let notes = notes(&formulation, instance, left_out);
    let mut text = Vec::new();
    let size = match kind {
        FormulationKind::Mip => {
            let problem = model::build_mip(&formulation, instance)?;
            let names = match &instance.puzzle {
                Puzzle::Soku(game) => soku_names(&formulation, game),
                Puzzle::TantrixFixed(BoardTantrix { tiles, .. })
                | Puzzle::TantrixBounded(BoardTantrix { tiles, .. }) => {
                    format!("{}{}", names(problem.model()), numbers(problem.model(), tiles.kind))
                }
                _ => names(problem.model()),
            };
            let comments = [title.as_str(), &names, &notes];
            let mut remark = |mark: char| {
                let lines = comments.join("\n");
                text.extend(lines.lines().flat_map(|line| format!("{mark} {line}\n").into_bytes()));
            };
            match ending {
                "lp" => {
                    remark('\\');
                    formats::lp(problem.model(), &mut text)?;
                }
                "mps" => {
                    remark('*');
                    formats::mps(problem.model(), &instance.name, &mut text)?;
                }
                _ => text = formats::opb(problem.model(), &comments)?.into_bytes(),
            }
            problem.model().size()
        }
        FormulationKind::Sat => {
            let problem = model::build_sat(&formulation, instance)?;
            let names = match &instance.puzzle {
                Puzzle::Soku(game) => soku_names(&formulation, game),
                _ => CLAUSES.to_owned(),
            };
            formats::dimacs(problem.model(), &[title.as_str(), &names, &notes], &mut text)?;
            problem.model().size()
        }
        _ => {
            // A program whole, with its data in it.
            let program = model::build_program(&formulation, instance)?;
            let text = format!("% {}\n% {notes}\n{}", title.escape_debug(), program.text()).into_bytes();
            return Ok(Written { formulation, text, size: None, notes, is_whole });
        }
    };
    Ok(Written { formulation, text, size: Some(size), notes, is_whole })
}

/// Those of [`NAMES`] that the model has, in one line.
fn names(model: &ir::Model) -> String {
    let found: HashSet<_> = model.variables().iter().map(|variable| letter(&variable.name)).collect();
    NAMES.into_iter().filter(|meaning| found.contains(letter(meaning))).collect::<Vec<_>>().join("; ")
}

/// What the name of a variable has before its indices.
fn letter(name: &str) -> &str {
    name.split('_').next().unwrap_or_default()
}

/// Which tiles of solution files the numbers i are, where copies of the ten tiles have numbers of their own.
fn numbers(model: &ir::Model, tiles: TileSetKind) -> &'static str {
    let has_copies = tiles == TileSetKind::Repeated && model.variables().iter().any(|v| v.name.starts_with("x_11_"));
    if has_copies { "\ntile i is tile (i - 1) mod 10 + 1 of solution files" } else { "" }
}

fn soku_names(formulation: &Formulation, game: &Soku) -> String {
    if formulation.families().iter().any(|f| f.id == "S2") {
        return TILES.to_owned();
    }
    let sort = |(number, sort): (usize, &Sort)| {
        let tiles: Vec<String> = sort.tiles.iter().map(usize::to_string).collect();
        let [a, b, c] = sort.shown[0];
        format!("\nsort {number}: {a} {b} {c}, tile{} {}", if tiles.len() == 1 { "" } else { "s" }, tiles.join(" "))
    };
    let sorts: String = (1..).zip(game.sorts().all()).map(sort).collect();
    format!("{SORTS}{sorts}")
}

/// What a solution of the file need not keep to, of what the puzzle asks.
fn left_out(formulation: &Formulation, instance: &Instance) -> Vec<String> {
    if !instance.puzzle.has_loops() {
        return Vec::new();
    }
    let (rows, _) = parts(formulation.kind());
    let is_program = matches!(formulation.kind(), FormulationKind::Minizinc | FormulationKind::Asp);
    let is_single = formulation.families().iter().any(|family| family.has(Role::SingleLoop));
    let subloops = match formulation.subloops() {
        Subloops::Propagate if is_program => None,
        _ if is_single => None,
        Subloops::Resolve(_) => {
            Some(format!("the {rows} that cut off subloops are added after solves and are not in this file"))
        }
        Subloops::Lazy(_) => {
            Some(format!("the {rows} that cut off subloops are added while it is solved and are not in this file"))
        }
        Subloops::Report | Subloops::Propagate => Some("solutions may have several designated loops".to_owned()),
    };
    let holes = match formulation.holes() {
        _ if instance.puzzle.kind() == FIXED => None,
        Holes::Resolve if is_program => None,
        Holes::Resolve => {
            Some(format!("the {rows} that cut off holes are added after solves and are not in this file"))
        }
        Holes::Report => Some("solutions may enclose holes".to_owned()),
    };
    subloops.into_iter().chain(holes).collect()
}

fn notes(formulation: &Formulation, instance: &Instance, left_out: Vec<String>) -> String {
    let breaks = formulation.families().iter().filter(|family| family.breaks_symmetry()).map(|family| family.id);
    let breaks = breaks.collect::<Vec<_>>().join(" and ");
    let symmetry = match breaks.as_str() {
        "" => None,
        "C2o" => Some("of solutions that are the same but for equal tiles, C2o keeps one".to_owned()),
        families => {
            Some(format!("of solutions that are the same but for equal tiles or uniform ones, {families} keep one"))
        }
    };
    let weights = (formulation.objective() == Objective::Random)
        .then(|| format!("the random objective is that of seed {}", formulation.seed()));
    let restricting = formulation.caveats().restricting.join(" and ");
    let restricting = (!restricting.is_empty())
        .then(|| format!("without solutions ruled out by {restricting}: infeasible says nothing of the puzzle"));
    let plane = (instance.puzzle.kind() == NATURAL)
        .then(|| "the first board; larger ones follow only if it holds no solution".to_owned());
    let found: Vec<_> = restricting.into_iter().chain(left_out).chain(plane).chain(symmetry).chain(weights).collect();
    if found.is_empty() { "solutions of the model are those of the puzzle".to_owned() } else { found.join("; ") }
}
