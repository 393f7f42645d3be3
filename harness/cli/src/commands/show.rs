//! `tilebench show`: pictures.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use puzzle::{Instance, Scene, Solution};

use crate::args::Show;
use crate::output::say;

/// Draws an instance or a solution.
pub fn show(args: &Show) -> anyhow::Result<ExitCode> {
    check_ending(&args.output)?;
    let scene = if args.file.extension().is_some_and(|e| e == "json") {
        let solution = Solution::load(&args.file)?;
        let instance = Instance::load(&instance_of(args, &solution)?)?;
        puzzle::scene(&instance, Some(&solution))
    } else {
        puzzle::scene(&Instance::load(&args.file)?, None)
    };
    draw(&scene, &args.output, args.width)?;
    say!("{}", args.output.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes a picture in the format that the file's ending says.
pub fn draw(scene: &Scene, path: &Path, width: u32) -> anyhow::Result<()> {
    check_ending(path)?;
    if path.extension().is_some_and(|e| e == "svg") {
        Ok(record::write_whole(path, report::render_svg(scene).as_bytes())?)
    } else {
        Ok(record::write_whole(path, &report::render_png(scene, width)?)?)
    }
}

/// Refuses the name of a picture that [`draw`] would refuse, to be called before the work is done.
pub fn check_ending(path: &Path) -> anyhow::Result<()> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("svg" | "png") => check_folder(path),
        _ => anyhow::bail!("{}: a picture's name ends in .svg or .png", path.display()),
    }
}

/// Refuses a file in a folder that does not exist, to be called before the work is done.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    anyhow::ensure!(folder.is_dir(), "{}: there is no folder {}", path.display(), folder.display());
    Ok(())
}

/// Where the instance of a solution may stand: as given, beside it, or as results directories keep it.
fn instance_of(args: &Show, solution: &Solution) -> anyhow::Result<PathBuf> {
    if let Some(path) = &args.instance {
        return Ok(path.clone());
    }
    let file = format!("{}.toml", solution.instance);
    let dir = args.file.parent().unwrap_or(Path::new("."));
    let places = [dir.join(&file), dir.join("../instances").join(&file), dir.join("..").join(&file)];
    places.iter().find(|path| path.exists()).cloned().with_context(|| {
        format!("{}: its instance {file} is not beside it; say where with --instance", args.file.display())
    })
}
