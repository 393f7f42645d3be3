//! `tilebench export`: models as files for other solvers.

use std::path::Path;
use std::process::ExitCode;

use model::{Formulation, FormulationKind, Holes, Language, Program, Representation, Size, Subloops};
use puzzle::soku::Sort;
use puzzle::tantrix::{FIXED, NATURAL};
use puzzle::{Instance, Puzzle};

use super::solve::parts;
use crate::args::Export;
use crate::output::{check_distinct, say};

/// What LP and MPS files call their variables, for Tantrix.
const NAMES: &str = "x_i_j_k: tile i lies on place j in orientation k; y_j_l: colour number on edge l of place j; \
                     o_j: a tile lies on place j; u_j_j': exactly one of two adjacent places has a tile";

/// What the comments of DIMACS files call their variables, for Tantrix.
const CLAUSES: &str = "i: number of a tile, j: number of a place, k: orientation, as in solution files; the lines below say which \
                       variables mean what";

/// What files of 3SoKu call their variables where tiles are told apart.
const TILES: &str = "x_t_f_r: tile t lies on face f in rotation r; numbers as in solution files";

/// What they call them where sorts of tiles are.
const SORTS: &str = "x_s_f_r: a tile of sort s lies on face f and shows the least triple of its sort in rotation r";

/// The endings of model files, each with the kind of formulations that it is for.
const ENDINGS: [(&str, FormulationKind); 5] = [
    ("lp", FormulationKind::Mip),
    ("mps", FormulationKind::Mip),
    ("cnf", FormulationKind::Sat),
    ("mzn", FormulationKind::Minizinc),
    ("asp", FormulationKind::Asp),
];

/// The endings, or those of a kind, in words.
fn endings(of: Option<FormulationKind>) -> String {
    let own = ENDINGS.into_iter().filter(|(_, kind)| of.is_none_or(|of| of == *kind));
    own.map(|(ending, _)| format!(".{ending}")).collect::<Vec<_>>().join(" or ")
}

/// Writes the model before any cut is added.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    let ending = args.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let Some((_, kind)) = ENDINGS.into_iter().find(|(own, _)| *own == ending) else {
        anyhow::bail!("{}: a model's name ends in {}", args.output.display(), endings(None));
    };
    check_distinct(&args.instance, [&args.output])?;
    let instance = Instance::load(&args.instance)?;
    let formulation = super::formulation(&args.model, instance.puzzle.kind(), Some(kind))?;
    if formulation.kind() != kind {
        let (path, of) = (args.output.display(), formulation.kind());
        match endings(Some(of)) {
            none if none.is_empty() => anyhow::bail!("{path}: there is no file format for a model of kind {of}"),
            own => anyhow::bail!("{path}: a model of kind {of} is written to a file that ends in {own}"),
        }
    }
    let title = format!(
        "{}: {} ({})",
        instance.name,
        formulation.columns().about(&instance.puzzle).families,
        env!("CARGO_PKG_VERSION")
    );
    let notes = notes(&formulation, &instance);
    let mut text = Vec::new();
    let size = match kind {
        FormulationKind::Mip => {
            let problem = model::build_mip(&formulation, &instance)?;
            let mark = if ending == "lp" { '\\' } else { '*' };
            let about = [title, names(&formulation, &instance), notes.clone()].join("\n");
            text.extend(about.lines().flat_map(|line| format!("{mark} {line}\n").into_bytes()));
            match ending {
                "lp" => model::lp::write(problem.model(), &mut text)?,
                _ => model::mps::write(problem.model(), &instance.name, &mut text)?,
            }
            problem.model().size()
        }
        FormulationKind::Sat => {
            let problem = model::build_sat(&formulation, &instance)?;
            let names = names(&formulation, &instance);
            model::dimacs::write(problem.model(), &[&title, &names, &notes], &mut text)?;
            problem.model().size()
        }
        _ => return export_program(&args.output, &title, &model::build_program(&formulation, &instance)?),
    };
    record::write_whole(&args.output, &text)?;
    let Size { variables, constraints, nonzeros } = size;
    let (rows, entries) = parts(kind);
    say!("{}: {variables} variables, {constraints} {rows}, {nonzeros} {entries}", args.output.display());
    say!("note: {notes}");
    Ok(ExitCode::SUCCESS)
}

/// Writes a program whole, with its data in it.
fn export_program(path: &Path, title: &str, program: &Program) -> anyhow::Result<ExitCode> {
    let text = format!("% {}\n{}", title.escape_debug(), program.text());
    record::write_whole(path, text.as_bytes())?;
    let solver = match program.language {
        Language::Minizinc => "minizinc",
        Language::Asp => "clingo",
    };
    say!("{}: {} lines, which {solver} solves", path.display(), text.lines().count());
    Ok(ExitCode::SUCCESS)
}

/// What the variables of a file are, in lines.
fn names(formulation: &Formulation, instance: &Instance) -> String {
    let Puzzle::Soku(game) = &instance.puzzle else {
        return if formulation.kind() == FormulationKind::Sat { CLAUSES } else { NAMES }.to_owned();
    };
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

/// What the file does not say.
fn notes(formulation: &Formulation, instance: &Instance) -> String {
    let listed = formulation.families();
    let breaks = ["S4", "S5", "C2o"].into_iter().filter(|id| listed.iter().any(|family| family.id == *id));
    let breaks = breaks.collect::<Vec<_>>().join(" and ");
    let symmetry = match breaks.as_str() {
        "" => None,
        "C2o" => Some("of solutions that are the same but for equal tiles, C2o keeps one".to_owned()),
        families => {
            Some(format!("of solutions that are the same but for equal tiles or uniform ones, {families} keep one"))
        }
    };
    if !instance.puzzle.has_loops() {
        return symmetry.unwrap_or_else(|| "solutions of the model are those of the puzzle".to_owned());
    }
    let (rows, _) = parts(formulation.kind());
    let subloops = match formulation.subloops() {
        Subloops::Resolve(_) => {
            format!("the {rows} that cut off subloops are added after solves and are not in this file")
        }
        Subloops::Report | Subloops::Propagate => "solutions may have several designated loops".to_owned(),
    };
    let kind = instance.puzzle.kind();
    let holes = match formulation.holes() {
        _ if kind == FIXED => None,
        Holes::Resolve => {
            Some(format!("the {rows} that cut off holes are added after solves and are not in this file"))
        }
        Holes::Report => Some("solutions may enclose holes".to_owned()),
    };
    let plane =
        (kind == NATURAL).then(|| "the first board; larger ones follow only if it holds no solution".to_owned());
    [Some(subloops), holes, plane, symmetry].into_iter().flatten().collect::<Vec<_>>().join("; ")
}
