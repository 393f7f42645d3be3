//! Results directories of one plan made into one: those of its shards, of copies of a shard that ran beside each other, of machines.
//!
//! Of each run one attempt is kept. In each directory the latest counts, as everywhere. Of these one that ended goes before others, then
//! one that had its solver, then the highest number (who repeats a run counts on), then the earliest start: nothing of it depends on the
//! answer.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::{io, thread};

use csv::StringRecord;
use puzzle::count;

use crate::table::copy_rows;
use crate::whole::{DRAFT, UNFINISHED, end_of_links, sync_folder};
use crate::{
    Category, Drafts, IterationRow, Manifest, PlanRow, RecordError, ResultsDir, Row, RunId, RunRow, Status,
    TableReader, columns, data_package, make_folder, remove_drafts, short_hash, stream_table, write_whole,
};

/// What [`ResultsDir::merged`] holds.
const MARK: &str =
    "Made by tilebench merge, which may replace everything here. Whoever measures here deletes this file.\n";

const NAMED: usize = 5;

/// Results directories of one plan, to be put together.
#[derive(Debug)]
pub struct Merge<'a> {
    sources: &'a [ResultsDir],
    /// Of each source, who was to do its runs.
    origins: Vec<Origin>,
    /// The source with the latest session. What stands beside the rows is from there.
    latest: usize,
    /// Its manifest, with the sessions of all.
    manifest: Manifest,
    /// Files of instances: the first source that has them, one that was measured before one that was merged, and the hash of the text.
    instances: BTreeMap<OsString, (usize, blake3::Hash)>,
}

/// What came of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// Of each source the number of its rows, and of those that are kept.
    pub rows: Vec<(u64, u64)>,
    /// Runs of the plan.
    pub planned: u64,
    /// Those that came to their end.
    pub ended: u64,
    /// Those of them that had no solver.
    pub unsupported: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Those with a wrong answer, also in a row that is not kept.
    pub wrong: u64,
    /// Rows of attempts that came to their end and are not kept: copies, and what was repeated.
    pub repeated: u64,
    /// Rows of attempts that did not come to their end and are not kept.
    pub unfinished: u64,
    /// Rows of runs that the plan does not hold, which are not kept.
    pub unplanned: u64,
    /// Number of runs without a row of an attempt that came to its end, by who was to do them.
    pub missing: BTreeMap<Origin, u64>,
    /// The first of them.
    pub first_missing: Vec<PlanRow>,
}

/// Who was to do a run, as far as the directories tell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// No source has its instance.
    Nobody,
    /// A session without shards.
    Session,
    /// This shard.
    Shard(String),
    /// A source that was merged itself, which does not tell.
    Merge,
}

/// The attempt at a run that counts, of those that have been read.
#[derive(Debug, Clone, Copy)]
struct Kept {
    source: usize,
    attempt: u32,
    is_final: bool,
    /// Whether there was no solver for it.
    is_unsupported: bool,
    has_failed: bool,
    /// When it began, in characters that are compared.
    began: [u8; 24],
}

impl Kept {
    fn rank(&self) -> (bool, bool, u32, Reverse<[u8; 24]>) {
        (self.is_final, !self.is_unsupported, self.attempt, Reverse(self.began))
    }
}

type Places = HashMap<RunId, usize>;

impl<'a> Merge<'a> {
    /// Checks that directories fit together. Nothing is written.
    ///
    /// # Errors
    /// Directories of different plans, of a newer version, or with different files of an instance; a manifest that cannot be read.
    ///
    /// # Panics
    /// No directories.
    pub fn of(sources: &'a [ResultsDir]) -> Result<Self, RecordError> {
        sources.iter().try_for_each(ResultsDir::refuse_newer)?;
        let manifests = sources.iter().map(ResultsDir::read_manifest).collect::<Result<Vec<_>, _>>()?;
        let plans = sources.iter().zip(&manifests).map(|(source, manifest)| plan_of(source, manifest));
        let plans = plans.collect::<Result<Vec<_>, _>>()?;
        if let Some((source, plan)) = sources.iter().zip(&plans).find(|(_, plan)| **plan != plans[0]) {
            let (first, other) = (sources[0].root().display(), &plans[0]);
            let reason =
                format!("holds results of {plan}, and {first} of {other}: only those of one plan can be merged");
            return Err(RecordError::File { path: source.root().to_owned(), reason });
        }
        let last_start = |at: &usize| manifests[*at].sessions.iter().map(|session| session.started_at.as_str()).max();
        let latest = (0..sources.len()).max_by_key(|at| (last_start(at), Reverse(*at))).unwrap_or(0);
        let origin = |(source, manifest): (&ResultsDir, &Manifest)| match manifest.sessions.last() {
            _ if source.merged().exists() => Origin::Merge,
            Some(session) if !session.shard.is_empty() => Origin::Shard(session.shard.clone()),
            _ => Origin::Session,
        };
        let origins: Vec<Origin> = sources.iter().zip(&manifests).map(origin).collect();
        let mut sessions = Vec::new();
        for session in manifests.iter().flat_map(|manifest| &manifest.sessions) {
            if !sessions.contains(session) {
                sessions.push(session.clone());
            }
        }
        sessions.sort_by(|a, b| (&a.started_at, &a.host.host).cmp(&(&b.started_at, &b.host.host)));
        let manifest = Manifest { sessions, ..manifests[latest].clone() };
        Ok(Self { sources, latest, manifest, instances: instances(sources, &origins)?, origins })
    }

    /// Refuses to write to a directory that holds anything but a merge.
    ///
    /// # Errors
    /// Such a directory; one that cannot be read.
    pub fn refuse_measured(out: &ResultsDir) -> Result<(), RecordError> {
        // As a merge leaves it that was killed at its beginning.
        let is_begun = |name: &OsString| name == ".lock" || name.as_encoded_bytes().starts_with(DRAFT.as_bytes());
        let is_empty = names(out.root())?.all(|name| name.is_ok_and(|name| is_begun(&name)));
        if is_empty || out.merged().exists() {
            return Ok(());
        }
        let reason =
            "holds what no merge made, or results that were measured there since: choose another --out".to_owned();
        Err(RecordError::File { path: out.root().to_owned(), reason })
    }

    /// Puts the directories together in another one, for whoever holds its lock. Shows each row of a planned run that came to its end,
    /// whether it is kept or not. Rows that are still being written are left out. Files that are there already are not copied again;
    /// done twice, it leaves the same bytes. Interrupted, it leaves what was there before or, for the moment in which files beside the
    /// rows change, no rows ([`ResultsDir::refuse_incomplete`]).
    ///
    /// # Errors
    /// A directory that holds anything but a merge, or runs that no source has, before anything is written; a file that cannot be read or
    /// written, a row that does not fit.
    pub fn write(&self, out: &ResultsDir, visit: &mut dyn FnMut(&RunRow)) -> Result<Merged, RecordError> {
        Self::refuse_measured(out)?;
        let plan = self.sources[self.latest].plan();
        let places = places(&plan)?;
        let mut merged = Merged { planned: places.len() as u64, ..Merged::default() };
        let (kept, ended) = self.choose(&places, &mut merged, visit)?;
        refuse_loss(out, &ended)?;
        self.count(&kept, &plan, &mut merged)?;
        remove_drafts(out.root());
        let (mut drafts, mut changes) = (Drafts::default(), Changes::default());
        for file in [ResultsDir::plan, ResultsDir::config, ResultsDir::published] {
            let (from, to) = (file(&self.sources[self.latest]), file(out));
            match File::open(&from) {
                Ok(mut file) => drafts.add_with(&to, |out| io::copy(&mut file, out).map(drop))?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => changes.removals.push(to),
                Err(source) => return Err(RecordError::Io { path: from, source }),
            }
        }
        let Manifest { experiment, title, .. } = &self.manifest;
        drafts.add(&out.package(), data_package(experiment, title).as_bytes())?;
        let path = out.manifest();
        let text = serde_json::to_vec_pretty(&self.manifest)
            .map_err(|e| RecordError::Write { path: path.clone(), source: io::Error::other(e) })?;
        drafts.add(&path, &text)?;
        // Run and attempt say whether a row of either file is of an attempt that is kept. The rows of runs come last.
        let is_kept = |source: usize, run_id: &str, attempt: &str| {
            let kept = run_id.parse().ok().and_then(|run_id| kept[*places.get(&run_id)?]);
            kept.is_some_and(|kept| kept.source == source && attempt.parse() == Ok(kept.attempt))
        };
        self.copy_rows::<IterationRow>(&mut drafts, ResultsDir::iterations, out, &is_kept)?;
        self.copy_rows::<RunRow>(&mut drafts, ResultsDir::runs, out, &is_kept)?;
        if !out.merged().exists() {
            write_whole(&out.merged(), MARK.as_bytes())?;
        }
        let owner = |name: &OsStr| {
            let name = name.to_str().filter(|name| !name.ends_with(UNFINISHED))?;
            let place = places.get(&name.split_once('.')?.0.parse().ok()?)?;
            Some(kept[*place]?.source)
        };
        changes.add(self.place_files("instances", out, |name| self.instances.get(name).map(|(source, _)| *source))?);
        // Side by side: what takes time with many runs is the names in each folder.
        thread::scope(|scope| {
            let start = |folder| scope.spawn(move || self.place_files(folder, out, owner));
            ["solutions", "logs", "proofs"].map(start).into_iter().try_for_each(|placing| {
                changes.add(placing.join().unwrap_or_else(|panic| resume_unwind(panic))?);
                Ok(())
            })
        })?;
        drafts.sync()?;
        // All that takes room is written, and what can fail has been tried. From here to the end there are no rows. Where they are a link,
        // it stays.
        let rows = out.runs();
        let rows = end_of_links(&rows).map_err(|source| RecordError::Write { path: rows, source })?;
        remove(&rows)?;
        sync(rows.parent().unwrap_or(out.root()))?;
        changes.make()?;
        drafts.place()?;
        Ok(merged)
    }

    /// Reads the rows of all sources and finds of each run the one that is kept; and which runs came to their end, also if they are not of
    /// the plan.
    fn choose(
        &self,
        places: &Places,
        merged: &mut Merged,
        visit: &mut dyn FnMut(&RunRow),
    ) -> Result<(Vec<Option<Kept>>, HashSet<RunId>), RecordError> {
        let (mut kept, mut ended) = (vec![None::<Kept>; places.len()], HashSet::new());
        let mut wrong_answers = HashSet::new();
        for (source, dir) in self.sources.iter().enumerate() {
            let mut latest: HashMap<usize, Kept> = HashMap::new();
            let mut rows = 0;
            for row in TableReader::<RunRow>::open(&dir.runs())? {
                let (line, row) = row?;
                rows += 1;
                let wrong = |reason: String| RecordError::Row { path: dir.runs(), line, reason };
                row.check().map_err(wrong)?;
                let (run_id, is_final) = (row.run_id.parse().map_err(wrong)?, row.status.is_final());
                if is_final {
                    ended.insert(run_id);
                }
                let Some(place) = places.get(&run_id) else {
                    merged.unplanned += 1;
                    continue;
                };
                *(if is_final { &mut merged.repeated } else { &mut merged.unfinished }) += 1;
                if is_final {
                    visit(&row);
                }
                let mut began = [0; 24];
                began.iter_mut().zip(row.started_at.bytes()).for_each(|(to, from)| *to = from);
                if row.category == Category::Wrong {
                    wrong_answers.insert(*place);
                }
                let (is_unsupported, has_failed) = (row.status == Status::Unsupported, row.has_failed());
                let found = Kept { source, attempt: row.attempt, is_final, is_unsupported, has_failed, began };
                match latest.entry(*place) {
                    Entry::Vacant(entry) => drop(entry.insert(found)),
                    Entry::Occupied(entry) if entry.get().attempt == row.attempt => {
                        return Err(dir.second_time(line, &row));
                    }
                    Entry::Occupied(mut entry) if entry.get().attempt < row.attempt => drop(entry.insert(found)),
                    Entry::Occupied(_) => {}
                }
            }
            merged.rows.push((rows, 0));
            for (place, found) in latest {
                let known = &mut kept[place];
                if known.is_none_or(|known| found.rank() > known.rank()) {
                    *known = Some(found);
                }
            }
        }
        merged.wrong = wrong_answers.len() as u64;
        Ok((kept, ended))
    }

    /// Counts what is kept, what is not, and what is missing. So far every row of the plan counted as not kept.
    fn count(&self, kept: &[Option<Kept>], plan: &Path, merged: &mut Merged) -> Result<(), RecordError> {
        for kept in kept.iter().flatten() {
            merged.rows[kept.source].1 += 1;
            *(if kept.is_final { &mut merged.repeated } else { &mut merged.unfinished }) -= 1;
            merged.ended += u64::from(kept.is_final);
            merged.unsupported += u64::from(kept.is_unsupported);
            merged.failed += u64::from(kept.is_final && kept.has_failed);
        }
        if merged.ended == merged.planned {
            return Ok(());
        }
        for (row, kept) in stream_table::<PlanRow>(plan)?.zip(kept) {
            let (_, row) = row?;
            if kept.is_some_and(|kept| kept.is_final) {
                continue;
            }
            let file = OsString::from(format!("{}.toml", row.instance));
            let origin = self.instances.get(&file).map_or(Origin::Nobody, |(source, _)| self.origins[*source].clone());
            *merged.missing.entry(origin).or_default() += 1;
            if merged.first_missing.len() < NAMED {
                merged.first_missing.push(row);
            }
        }
        Ok(())
    }

    /// Puts those files of the sources' folders of that name that are theirs into a folder, as far as none of that name is there. What
    /// must be replaced or removed so that there are no others, it returns.
    fn place_files(
        &self,
        folder: &str,
        out: &ResultsDir,
        owner: impl Fn(&OsStr) -> Option<usize>,
    ) -> Result<Changes, RecordError> {
        let (to, of) = (out.root().join(folder), |source: usize| self.sources[source].root().join(folder));
        let mut changes = Changes::default();
        if !to.is_dir() && folder == "proofs" && !(0..self.sources.len()).any(|source| of(source).is_dir()) {
            return Ok(changes);
        }
        make_folder(&to)?;
        remove_drafts(&to);
        for name in names(&to)? {
            let name = name?;
            if !owner(&name).is_some_and(|source| of(source).join(&name).exists()) && !to.join(&name).is_dir() {
                changes.removals.push(to.join(&name));
            }
        }
        for source in 0..self.sources.len() {
            let from = of(source);
            for name in names(&from)? {
                let name = name?;
                if owner(&name) == Some(source) {
                    let (path, draft) = (to.join(&name), to.join(format!("{DRAFT}{}", changes.replacements.len())));
                    match place(&from.join(&name), &path, &draft) {
                        Ok(true) => changes.replacements.push((draft, path)),
                        Ok(false) => {}
                        Err(source) => return Err(RecordError::Write { path, source }),
                    }
                }
            }
        }
        sync(&to)?;
        Ok(changes)
    }

    /// Drafts a file of those rows of all sources that are kept, as source, run and attempt say.
    fn copy_rows<T: Row>(
        &self,
        drafts: &mut Drafts,
        file: fn(&ResultsDir) -> PathBuf,
        out: &ResultsDir,
        is_kept: &dyn Fn(usize, &str, &str) -> bool,
    ) -> Result<(), RecordError> {
        let columns = columns::<T>();
        let place = |name: &str| columns.iter().position(|column| *column == name).unwrap_or(usize::MAX);
        let (run_id, attempt) = (place("run_id"), place("attempt"));
        let files: Vec<_> = self.sources.iter().map(file).collect();
        let tables = files.iter().map(|file| TableReader::<T>::open(file));
        let keep = |source: usize, cells: &StringRecord| is_kept(source, &cells[run_id], &cells[attempt]);
        drafts.add_with(&file(out), |out| copy_rows(tables, out, keep))
    }
}

/// What tells the plan of a directory from others, in words. Manifests of older versions do not have its hash.
fn plan_of(dir: &ResultsDir, Manifest { experiment, plan, .. }: &Manifest) -> Result<String, RecordError> {
    if !plan.is_empty() {
        return Ok(format!("plan {plan} of experiment {experiment}"));
    }
    let ids = stream_table::<PlanRow>(&dir.plan())?.map(|row| row.map(|(_, row)| row.run_id));
    Ok(format!("plan {} of experiment {experiment}", short_hash(&ids.collect::<Result<String, _>>()?)))
}

fn places(plan: &Path) -> Result<Places, RecordError> {
    let mut places = Places::new();
    for row in stream_table::<PlanRow>(plan)? {
        let (line, row) = row?;
        let wrong = |reason| RecordError::Row { path: plan.to_owned(), line, reason };
        let next = places.len();
        if places.insert(row.run_id.parse().map_err(wrong)?, next).is_some() {
            return Err(wrong(format!("run {} stands here a second time", row.run_id)));
        }
    }
    Ok(places)
}

/// Files of instances, which must be the same in all sources: answers were judged by what they say.
fn instances(
    sources: &[ResultsDir],
    origins: &[Origin],
) -> Result<BTreeMap<OsString, (usize, blake3::Hash)>, RecordError> {
    let mut found = BTreeMap::new();
    let (merged, measured) = (0..sources.len()).partition::<Vec<_>, _>(|at| origins[*at] == Origin::Merge);
    for at in measured.into_iter().chain(merged) {
        let source = &sources[at];
        let folder = source.root().join("instances");
        for name in names(&folder)? {
            let name = name?;
            let path = folder.join(&name);
            // Drafts of a session that is just beginning.
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let hash = match fs::read(&path) {
                Ok(text) => blake3::hash(&text),
                Err(source) => return Err(RecordError::Io { path, source }),
            };
            match found.entry(name) {
                btree_map::Entry::Vacant(entry) => drop(entry.insert((at, hash))),
                btree_map::Entry::Occupied(entry) if entry.get().1 == hash => {}
                btree_map::Entry::Occupied(entry) => {
                    let other: &ResultsDir = &sources[entry.get().0];
                    let reason = format!(
                        "is another file in {}: answers were judged by one of them, and only answers judged by one file can be merged",
                        other.root().display()
                    );
                    return Err(RecordError::File { path, reason });
                }
            }
        }
    }
    Ok(found)
}

/// Names in a folder; none where there is no folder.
fn names(folder: &Path) -> Result<impl Iterator<Item = Result<OsString, RecordError>> + use<>, RecordError> {
    let io = |folder: &Path| {
        let path = folder.to_owned();
        move |source| RecordError::Io { path: path.clone(), source }
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        other => Some(other.map_err(io(folder))?),
    };
    let failed = io(folder);
    Ok(entries.into_iter().flatten().map(move |entry| entry.map(|entry| entry.file_name()).map_err(&failed)))
}

/// Refuses to replace a merge with ended runs of which no source has the end any more.
fn refuse_loss(out: &ResultsDir, ended: &HashSet<RunId>) -> Result<(), RecordError> {
    if !out.runs().is_file() {
        return Ok(());
    }
    let is_lost =
        |row: &RunRow| row.status.is_final() && row.run_id.parse().is_ok_and(|run_id: RunId| !ended.contains(&run_id));
    let lost = TableReader::<RunRow>::open(&out.runs())
        .and_then(|mut rows| rows.try_fold(0, |lost, row| Ok(lost + usize::from(is_lost(&row?.1)))));
    let loss = match lost {
        Ok(0) => return Ok(()),
        Ok(lost) => format!("holds {} that none of these folders has", count(lost, "ended run")),
        Err(error) => format!("cannot be read ({error}), so nobody knows what another merge would lose"),
    };
    let reason = format!("{loss}: choose another --out, or delete this folder");
    Err(RecordError::File { path: out.root().to_owned(), reason })
}

/// What remains to be done with the files beside the rows. It is done while there are no rows, as these may belong to what was there before.
#[derive(Debug, Default)]
struct Changes {
    /// Drafts, each with its place.
    replacements: Vec<(PathBuf, PathBuf)>,
    /// Files, some of which may not be there.
    removals: Vec<PathBuf>,
}

impl Changes {
    fn add(&mut self, other: Self) {
        self.replacements.extend(other.replacements);
        self.removals.extend(other.removals);
    }

    fn make(self) -> Result<(), RecordError> {
        let places = self.replacements.iter().map(|(_, place)| place).chain(&self.removals);
        let folders: BTreeSet<PathBuf> = places.filter_map(|place| Some(place.parent()?.to_owned())).collect();
        self.removals.iter().try_for_each(|path| remove(path))?;
        for (draft, path) in self.replacements {
            fs::rename(draft, &path).map_err(|source| RecordError::Write { path, source })?;
        }
        folders.iter().try_for_each(|folder| sync(folder))
    }
}

/// Puts a file in a place too: as a link, where the file system has them, else as a copy. Where another file is in that place it becomes
/// a draft, and `true` is returned. Files of results are replaced, never changed; further attempts append to a copy of a log that is linked.
fn place(from: &Path, to: &Path, draft: &Path) -> io::Result<bool> {
    match fs::hard_link(from, to) {
        Ok(()) => return Ok(false),
        // A session in the source has removed it in between.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => return Ok(false),
        Err(_) => {}
    }
    let there = fs::metadata(to);
    if let (Ok(ours), Ok(there)) = (fs::metadata(from), &there) {
        let is_same = (ours.dev(), ours.ino()) == (there.dev(), there.ino());
        if is_same || (ours.len() == there.len() && fs::read(from)? == fs::read(to)?) {
            return Ok(false);
        }
    }
    fs::hard_link(from, draft).or_else(|_| fs::copy(from, draft).map(drop))?;
    if there.is_err() {
        fs::rename(draft, to)?;
    }
    Ok(there.is_ok())
}

/// Removes a file, if there is one.
fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Waits until the names in a folder are on disk.
fn sync(folder: &Path) -> Result<(), RecordError> {
    sync_folder(folder).map_err(|source| RecordError::Write { path: folder.to_owned(), source })
}
