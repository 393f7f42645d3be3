//! `tilebench report`: tables and plots from results, or their marked parts in documents.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail, ensure};
use puzzle::InputError;
use record::{ResultsDir, write_whole};
use report::{Analysis, Exchange, Format, Options, results_below, results_in};
use runner::{Interrupt, count};

use crate::args::{Report, Table};
use crate::output::{Failed, check_empty, located, note, print, say};
use crate::solvers::GIT_COMMIT;

/// Writes the report and says where it begins.
pub fn report(args: &Report) -> anyhow::Result<ExitCode> {
    ensure!(!args.open || args.format.contains(&Format::Html), "--open: there is a page with --format html only");
    let dirs = results(&args.dirs)?;
    if !args.splice.is_empty() {
        return splice(&args.splice, &load(&dirs)?, args.check);
    }
    check_outside(&dirs, &args.output)?;
    let interrupt =
        if args.watch { Interrupt::on_signals().context("cannot watch for Ctrl-C")? } else { Interrupt::new() };
    let (mut seen, mut said) = (state(&dirs), String::new());
    let page = write(args, &dirs, args.watch)?;
    if let Some(page) = page.filter(|_| args.open) {
        let opened = Command::new("xdg-open").arg(&page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        opened.context("--open: xdg-open cannot be started (Debian package xdg-utils)")?;
    }
    while args.watch && !interrupt.is_set() {
        thread::sleep(WATCH);
        let now = state(&dirs);
        if now != seen {
            // What changes just now may be whole at the next look.
            match write(args, &dirs, true) {
                Ok(_) => (seen, said) = (now, String::new()),
                Err(error) if said == format!("{error:#}") => {}
                Err(error) => {
                    said = format!("{error:#}");
                    note!("not written anew: {said}");
                }
            }
        }
    }
    if args.watch {
        // The last one stays, and does not load itself again.
        write(args, &dirs, false)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check_outside(dirs: &[PathBuf], out: &Path) -> anyhow::Result<()> {
    if let Some(dir) = dirs.iter().find(|dir| located(out).starts_with(located(dir))) {
        bail!("{} is in the results {}: choose another folder by --output", out.display(), dir.display());
    }
    Ok(())
}

const WATCH: Duration = Duration::from_secs(2);

/// Seconds after which a page that is watched loads itself again.
const RELOAD_S: u32 = 5;

/// Size and time of the files of rows and of the manifests: rows are appended, and written anew where they are judged again.
fn state(dirs: &[PathBuf]) -> Vec<Option<(u64, SystemTime)>> {
    let files = dirs.iter().map(ResultsDir::new).flat_map(|dir| [dir.runs(), dir.manifest()]);
    files.map(|file| fs::metadata(file).and_then(|found| Ok((found.len(), found.modified()?))).ok()).collect()
}

fn load(dirs: &[PathBuf]) -> anyhow::Result<Vec<Analysis>> {
    let experiments = dirs.iter().map(|dir| Analysis::load(dir)).collect::<Result<Vec<_>, _>>()?;
    for (dir, experiment) in dirs.iter().zip(&experiments) {
        for warning in experiment.warnings() {
            note!("warning: {}: {warning}", dir.display());
        }
    }
    Ok(experiments)
}

fn write(args: &Report, dirs: &[PathBuf], reload: bool) -> anyhow::Result<Option<PathBuf>> {
    let options = Options {
        formats: args.format.clone(),
        pictures: args.pictures.unwrap_or_default(),
        revision: GIT_COMMIT.to_owned(),
        reload_s: reload.then_some(RELOAD_S),
    };
    let experiments = load(dirs)?;
    let files = report::write(&experiments, &args.output, &options)?;
    if let Some(score) = report::reproduced(&experiments) {
        say!("{score}");
    }
    say!("{} files in {}", files.len(), args.output.display());
    if !reload {
        note_others(&args.output, &files)?;
        // The command ends: of 100,000 runs it would take a fifth of a second to free each.
        mem::forget(experiments);
    }
    let found = |name: &str| files.iter().find(|f| f.file_name().is_some_and(|n| n == name));
    if let Some(index) = found("index.md") {
        say!("start reading at {}", index.display());
    }
    if let Some(page) = found("report.html") {
        say!("open {} in a browser", page.display());
    }
    Ok(found("report.html").cloned())
}

/// Names the files in a folder that a report has not written.
fn note_others(out: &Path, written: &[PathBuf]) -> anyhow::Result<()> {
    const NAMED: usize = 5;
    let written: HashSet<_> = written.iter().filter_map(|path| path.file_name()).collect();
    let entries = fs::read_dir(out).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let entries = entries.with_context(|| out.display().to_string())?.into_iter();
    let others = entries.filter(|entry| entry.path().is_file() && !written.contains(&*entry.file_name()));
    let mut others: Vec<_> = others.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    others.sort();
    if !others.is_empty() {
        let are = if others.len() == 1 { "is" } else { "are" };
        let (all, rest) = (count(others.len(), "file"), if others.len() > NAMED { ", ..." } else { "" });
        others.truncate(NAMED);
        let (out, names) = (out.display(), others.join(", "));
        note!("note: {all} in {out} {are} not of this report, perhaps of an earlier one: {names}{rest}");
    }
    Ok(())
}

/// Prints tables, with bold figures where a terminal shows them.
pub fn table(args: &Table) -> anyhow::Result<ExitCode> {
    let experiments = results_in(&args.dir)?.iter().map(|dir| Analysis::load(dir)).collect::<Result<Vec<_>, _>>()?;
    let text = report::tables(&experiments, args.name.as_deref())?;
    print(text.trim_start_matches('\n'))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes results for programs of others to a new folder.
pub fn export(dir: &Path, formats: &[String], out: &Path) -> anyhow::Result<ExitCode> {
    const FORMATS: [(&str, Exchange); 2] = [("benchexec", Exchange::Benchexec), ("bmf", Exchange::Bmf)];
    let format = |word: &String| {
        let found = FORMATS.into_iter().find(|(known, _)| known == word);
        found.with_context(|| format!("--to {word}: the formats of results are benchexec, bmf"))
    };
    let formats = formats.iter().map(format).collect::<anyhow::Result<Vec<_>>>()?;
    let dirs = results_in(dir)?;
    check_outside(&dirs, out)?;
    check_empty(out)?;
    let experiments = dirs.iter().map(|dir| Analysis::load(dir)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<_> = formats.iter().flat_map(|(_, format)| format.files(&experiments)).collect();
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    for (name, text) in &files {
        write_whole(&out.join(name), text.as_bytes())?;
    }
    say!("{} in {}", count(files.len(), "file"), out.display());
    Ok(ExitCode::SUCCESS)
}

/// The results directories that the arguments stand for, each once; a folder of several is said with what it holds.
fn results(dirs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for dir in dirs {
        let results = results_in(dir)?;
        if results.iter().all(|r| r != dir) {
            let name = |path: &PathBuf| path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let names: Vec<_> = results.iter().map(name).collect();
            let experiments = count(results.len(), "experiment");
            say!("{} holds {experiments}: {}", dir.display(), names.join(", "));
            for folder in results_below(dir) {
                note!("not taken: the results in {}; name that folder too to report them", folder.display());
            }
        }
        found.extend(results.into_iter().filter(|path| seen.insert(located(path))));
    }
    Ok(found)
}

/// Renews the documents, or only compares them. A mistake in any of them leaves all as they are.
fn splice(documents: &[PathBuf], experiments: &[Analysis], is_check: bool) -> anyhow::Result<ExitCode> {
    let mut changes = Vec::new();
    for document in documents {
        let text = puzzle::read_text(document).map_err(InputError::io(document))?;
        let spliced = report::splice(document, &text, experiments)?;
        let folder = document.parent().unwrap_or(Path::new(""));
        let mut files: Vec<_> = spliced.files.into_iter().map(|(path, bytes)| (folder.join(path), bytes)).collect();
        // Pictures first: a document never shows what is not there.
        files.push((document.clone(), spliced.text.into_bytes()));
        let pictures = files.len() as u64 - 1;
        for (path, bytes) in files {
            if !is_same(&path, &bytes)? {
                changes.push((path, bytes));
            }
        }
        let parts = count(spliced.parts, "marked part");
        say!("{}: {parts} with {}", document.display(), count(pictures, "picture"));
    }
    if changes.is_empty() {
        say!("all as these results make it");
        return Ok(ExitCode::SUCCESS);
    }
    if is_check {
        let names: Vec<_> = changes.iter().map(|(path, _)| path.display().to_string()).collect();
        let what = format!("not as these results make it: {} (without --check this is renewed)", names.join(", "));
        return Err(Failed(what).into());
    }
    for (path, bytes) in &changes {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        write_whole(path, bytes)?;
        say!("renewed {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn is_same(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match fs::read(path) {
        Ok(found) => Ok(found == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}
