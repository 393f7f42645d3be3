//! `tilebench show`: pictures, and directions in words or tables.

use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use puzzle::tantrix::NATURAL;
use puzzle::{Instance, Puzzle, Solution, verify};

use super::instance;
use super::list::toml_files;
use crate::args::Show;
use crate::output::{check_outputs, note, say};

pub fn show(args: &Show) -> anyhow::Result<ExitCode> {
    ending(&args.output)?;
    let read: Vec<&Path> = iter::once(&args.file).chain(&args.solution).map(PathBuf::as_path).collect();
    check_outputs(&read, &[&args.output])?;
    let is_solution = |path: &Path| path.extension().is_some_and(|ending| ending == "json");
    let (instance, solution) = match &args.solution {
        Some(solution) => {
            anyhow::ensure!(
                !is_solution(&args.file) || !is_solution(solution),
                "{} and {} are both solutions, which end in .json; the instance stands first",
                args.file.display(),
                solution.display()
            );
            // Either order is plain.
            let [instance, solution] =
                if is_solution(&args.file) { [solution, &args.file] } else { [&args.file, solution] };
            (instance::load(instance)?, Some(Solution::load(solution)?))
        }
        None if is_solution(&args.file) => {
            let solution = Solution::load(&args.file)?;
            (instance::load(&instance_of(args, &solution)?)?, Some(solution))
        }
        None if args.instance.is_some() => {
            bail!("--instance: {} is an instance itself; --instance is for solutions", args.file.display())
        }
        None => (instance::load(&args.file)?, None),
    };
    write(&instance, solution.as_ref(), &args.output, args.width)?;
    if solution.as_ref().is_some_and(|solution| !verify(&instance, solution).is_valid()) {
        note!("note: this breaks rules of the puzzle, which `tilebench verify` names");
    }
    if solution.is_none() && instance.puzzle.kind() == NATURAL {
        note!("note: the open plane has no board; this is the first that models are made of");
    }
    if let (None, Puzzle::Soku(game)) = (&solution, &instance.puzzle)
        && let Some(turned) = game.field.turned()
    {
        note!("note: {turned}: one may be listed the other way round");
    }
    say!("{}", args.output.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes a picture, or directions, in the format that the file's ending says; `width` is that of a PNG in pixels.
pub fn write(instance: &Instance, solution: Option<&Solution>, path: &Path, width: u32) -> anyhow::Result<()> {
    check_ending(instance, path)?;
    let scene = || puzzle::scene(instance, solution);
    let directions = || puzzle::directions(instance, solution).unwrap_or_default();
    let content = match ending(path)? {
        "svg" => report::render_svg(&scene()).into_bytes(),
        "png" => report::svg_to_png(&report::render_svg(&scene()), width)?,
        "pdf" => report::svg_to_pdf(&report::render_svg(&scene()))?,
        "tex" => report::render_latex(&directions())?.into_bytes(),
        _ => directions().to_text().into_bytes(),
    };
    Ok(record::write_whole(path, &content)?)
}

/// Refuses the name of a file that [`write`] would refuse, to be called before the work is done.
pub fn check_ending(instance: &Instance, path: &Path) -> anyhow::Result<()> {
    let in_words = matches!(ending(path)?, "tex" | "txt");
    anyhow::ensure!(
        !in_words || puzzle::directions(instance, None).is_some(),
        "{}: puzzles of kind {} are shown as pictures only, whose names end in .svg, .png or .pdf",
        path.display(),
        instance.puzzle.kind()
    );
    Ok(())
}

/// The ending of a file: a picture (svg, png, pdf), tables for LaTeX (tex) or sentences (txt).
fn ending(path: &Path) -> anyhow::Result<&str> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.filter(|ending| ["svg", "png", "pdf", "tex", "txt"].contains(ending)).with_context(|| {
        let path = path.display();
        format!("{path}: a picture's name ends in .svg, .png or .pdf; for 3SoKu .tex makes tables, .txt instructions")
    })
}

/// Where the instance of a solution may stand: as given, beside it, or as results directories keep it.
fn instance_of(args: &Show, solution: &Solution) -> anyhow::Result<PathBuf> {
    if let Some(path) = &args.instance {
        return Ok(path.clone());
    }
    let file = format!("{}.toml", solution.instance);
    let dir = args.file.parent().unwrap_or(Path::new("."));
    let places = [dir.join(&file), dir.join("../instances").join(&file), dir.join("..").join(&file)];
    if let Some(found) = places.into_iter().find(|path| path.exists()) {
        return Ok(found);
    }
    let below = toml_files(Path::new("instances")).unwrap_or_default();
    let found: Vec<_> = below.into_iter().filter(|path| path.file_name() == Some(file.as_ref())).collect();
    let path = args.file.display();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => anyhow::bail!(
            "{path}: its instance {file} is neither beside it nor below instances; give it: tilebench show INSTANCE {path}"
        ),
        [one, other, ..] => anyhow::bail!(
            "{path}: its instance may be {} or {}; give it: tilebench show INSTANCE {path}",
            one.display(),
            other.display()
        ),
    }
}
