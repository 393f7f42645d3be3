//! Results directories of one experiment put together: which there are, what they come to together, what is missing.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use record::{Merge, Merged, Origin, PlanRow, ResultsDir, make_folder};

use crate::RunnerError;
use crate::plan::run_label;
use crate::session::{Claims, Contradiction, Lock, check_out, refuse_inside, report_folder, write_contradictions};
use crate::text::{argument, count, table};

/// What the merge of an experiment came to.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedExperiment {
    /// Where it is.
    pub dir: PathBuf,
    /// Where it is from.
    pub sources: Vec<PathBuf>,
    /// What it holds, and what it does not.
    pub merged: Merged,
    /// Instances on which rows disagree, whether they are kept or not.
    pub contradictions: Vec<Contradiction>,
}

impl MergedExperiment {
    /// Whether no answer is wrong, none contradicts another, and no run failed.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.merged.wrong == 0 && self.contradictions.is_empty() && self.merged.failed == 0
    }
}

/// Puts the results directories at or below some folders together, one for each experiment in the folder `out`. Sessions may go on in
/// them meanwhile. What an earlier merge left in `out` is replaced, and no source. Shows each experiment as soon as it is merged.
///
/// # Errors
/// Folders without results or with results of different plans, a directory in `out` that no merge made, before anything is written;
/// one that has runs that the folders lack, files that cannot be read or written.
pub fn merge(
    folders: &[PathBuf],
    out: &Path,
    show: &mut dyn FnMut(&MergedExperiment),
) -> Result<Vec<MergedExperiment>, RunnerError> {
    check_out(out)?;
    refuse_inside(out)?;
    let found = by_experiment(folders, out)?;
    let merges = found.iter().map(|(experiment, dirs)| Ok((experiment, dirs, Merge::of(dirs)?)));
    let merges = merges.collect::<Result<Vec<_>, RunnerError>>()?;
    found.keys().try_for_each(|experiment| Merge::refuse_measured(&ResultsDir::new(out.join(experiment))))?;
    let merged = merges.into_iter().map(|(experiment, dirs, merge)| {
        let dir = ResultsDir::new(out.join(experiment));
        let made: Vec<_> = dir.root().ancestors().take_while(|folder| !folder.exists()).collect();
        make_folder(dir.root())?;
        let lock = Lock::take(&dir)?;
        let mut claims = Claims::default();
        let merged = merge.write(&dir, &mut |row| drop(claims.note(row))).inspect_err(|_| lock.remove(&made))?;
        let sources = dirs.iter().map(|dir| dir.root().to_owned()).collect();
        let contradictions = claims.contradictions();
        let merged = MergedExperiment { dir: dir.root().to_owned(), sources, merged, contradictions };
        show(&merged);
        Ok(merged)
    });
    merged.collect()
}

/// The results directories at or below some folders by their experiments, each once, but for those that are to be written.
fn by_experiment(folders: &[PathBuf], out: &Path) -> Result<BTreeMap<String, Vec<ResultsDir>>, RunnerError> {
    let (mut found, mut seen) = (BTreeMap::<String, Vec<ResultsDir>>::new(), HashSet::new());
    for folder in folders {
        let wrong = |reason: &str| Err(RunnerError::Usage(format!("{}: {reason}", folder.display())));
        if !folder.is_dir() {
            return wrong("there is no such folder");
        }
        let dirs = ResultsDir::sources_below(folder)?;
        if dirs.is_empty() {
            return wrong("no results at or below it: a folder of results has a manifest.json and a runs.csv");
        }
        for dir in dirs {
            let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let experiment = dir.read_manifest()?.experiment;
            let mut parts = Path::new(&experiment).components();
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
                return Err(RunnerError::results(&dir, format!("\"{experiment}\" is no name of an experiment")));
            }
            // Also where an interrupted merge left it.
            if real(dir.root()) == real(&out.join(&experiment)) {
                continue;
            }
            dir.refuse_incomplete()?;
            if seen.insert(real(dir.root())) {
                found.entry(experiment).or_default().push(dir);
            }
        }
    }
    // Equal sources give equal files, in whatever order they are named.
    found.values_mut().for_each(|dirs| dirs.sort_by(|a, b| a.root().cmp(b.root())));
    if found.is_empty() {
        return Err(RunnerError::Usage(format!("nothing to merge but what is in {}", out.display())));
    }
    Ok(found)
}

impl fmt::Display for MergedExperiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Merged { rows, planned, ended, unsupported, failed, wrong, repeated, unfinished, unplanned, .. } =
            &self.merged;
        write!(f, "{}: {ended} of {} are done", self.dir.display(), count(*planned, "planned run"))?;
        let mut of_them =
            [(*failed, "failed"), (*unsupported, "unsupported")].into_iter().filter(|(runs, _)| *runs > 0);
        of_them.try_for_each(|(runs, what)| write!(f, ", {runs} {what}"))?;
        writeln!(f)?;
        let lines = self.sources.iter().zip(rows);
        let lines = lines.map(|(dir, (rows, kept))| [rows.to_string(), kept.to_string(), dir.display().to_string()]);
        table(f, &["rows", "kept", "of"], &lines.collect::<Vec<_>>())?;
        let not_kept = [
            (*repeated, "of runs that another row is kept of"),
            (*unfinished, "of attempts that did not come to their end"),
            (*unplanned, "of runs that are not of the plan"),
        ];
        let not_kept = not_kept.iter().filter(|(rows, _)| *rows > 0).map(|(rows, what)| format!("{rows} {what}"));
        let not_kept = not_kept.collect::<Vec<_>>().join(", ");
        if !not_kept.is_empty() {
            writeln!(f, "rows not kept: {not_kept}")?;
        }
        self.write_missing(f)?;
        if *wrong > 0 {
            writeln!(f, "WRONG ANSWERS: {wrong}, see the column category in the runs.csv of these folders")?;
        }
        write_contradictions(f, &self.contradictions)?;
        if *failed > 0 {
            writeln!(f, "FAILED: {}, see the column message in runs.csv", count(*failed, "run"))?;
        }
        let dirs = [self.dir.clone()];
        writeln!(f, "next: tilebench report {} -o {}", argument(&self.dir), argument(report_folder(&dirs)))
    }
}

impl MergedExperiment {
    /// How many runs are missing, of which shards, and the first of them.
    fn write_missing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Merged { missing, first_missing, .. } = &self.merged;
        let all: u64 = missing.values().sum();
        if all == 0 {
            return Ok(());
        }
        let of = |origin: &Origin| match origin {
            Origin::Nobody => "of instances that no session has begun with".to_owned(),
            Origin::Session => "of sessions without shards".to_owned(),
            Origin::Shard(shard) => format!("of shard {shard}"),
            Origin::Merge => "of results that were merged before".to_owned(),
        };
        let origins: Vec<_> = missing.iter().map(|(origin, runs)| format!("{runs} {}", of(origin))).collect();
        writeln!(f, "MISSING: {}: {}", count(all, "run"), origins.join(", "))?;
        for PlanRow { run_id, instance, formulation, solver, seed, repeat } in first_missing {
            writeln!(f, "  {} [{run_id}]", run_label(instance, formulation, solver, *seed, *repeat))?;
        }
        match all - first_missing.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}
