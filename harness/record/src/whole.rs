//! Files that are there whole or not at all, and the files of a proof, which whoever started a worker puts in order if it was killed.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

use crate::RecordError;

pub(crate) const DRAFT: &str = ".draft-";

/// What the clock of a file system may lag behind.
const LAG: Duration = Duration::from_millis(20);

/// The ending of a proof under way.
pub(crate) const UNFINISHED: &str = ".drat.part";

/// Writes a file beside its place, syncs it to disk and renames it into place; a crash, a full disk or a loss of power
/// leaves what was there before. Missing folders are not made. A symbolic link stays: what it leads to is replaced. What is
/// no regular file (a device, a pipe) is never replaced: the content is written into it.
///
/// # Errors
/// A path without a file name, a folder that does not exist or may not be written to, a full disk.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    write_whole_with(path, |file| file.write_all(content))
}

/// The same for content that is made while it is written.
///
/// # Errors
/// As [`write_whole`], and what the writer returns.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), RecordError> {
    let mut drafts = Drafts::default();
    drafts.add_with(path, write)?;
    drafts.place()
}

/// Several files, each whole or not at all, with no more waiting for the disk than needed.
#[derive(Debug, Default)]
pub struct Drafts(Vec<Draft>);

/// What will stand in a place.
#[derive(Debug)]
enum Draft {
    /// A file beside the place, to be renamed into it.
    File(NamedTempFile<File>, PathBuf),
    /// Content for what can only be written into: a device, a pipe.
    Through(Vec<u8>, PathBuf),
}

impl Draft {
    fn new(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        // Standard output is there too, whatever it leads to. Other folders of `/dev`, such as `/dev/shm`, hold common files.
        let is_open =
            |folder: &Path| folder.starts_with("/proc") || ["/dev", "/dev/fd"].map(Path::new).contains(&folder);
        if path.parent().is_some_and(is_open)
            || fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
        {
            let mut content = Vec::new();
            write(&mut content)?;
            return Ok(Self::Through(content, path.to_owned()));
        }
        let place = end_of_links(path)?;
        let mut builder = tempfile::Builder::new();
        // Without the name of the file, which may be as long as names can be.
        builder.prefix(DRAFT);
        // Opened by hand: the draft is not private, and errors do not name it.
        let mut draft = builder.make_in(folder_of(&place), |path| File::create_new(path))?;
        let mut buffered = BufWriter::new(draft.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
        drop(buffered);
        Ok(Self::File(draft, place))
    }

    fn sync(&self) -> io::Result<()> {
        match self {
            Self::File(draft, _) => draft.as_file().sync_data(),
            Self::Through(..) => Ok(()),
        }
    }

    /// The folder in which a name is new.
    fn place(self) -> io::Result<Option<PathBuf>> {
        match self {
            Self::File(draft, place) => {
                draft.persist(&place).map_err(|e| e.error)?;
                Ok(Some(folder_of(&place).to_owned()))
            }
            Self::Through(content, place) => {
                // Where it leads to a file, whoever opens that anew writes over what comes from here.
                match place.to_str() {
                    Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => {
                        let mut out = io::stdout().lock();
                        out.write_all(&content).and_then(|()| out.flush())?;
                    }
                    _ => OpenOptions::new().append(true).open(place)?.write_all(&content)?,
                }
                Ok(None)
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::File(_, place) | Self::Through(_, place) => place,
        }
    }
}

/// The place that a path leads to over symbolic links; the last one may lead to a file that is still to be made.
pub(crate) fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&place).is_ok_and(|there| there.is_symlink()) {
            return Ok(place);
        }
        place = folder_of(&place).join(fs::read_link(&place)?);
    }
    Err(io::Error::other("too many symbolic links"))
}

impl Drafts {
    /// Writes a file beside its place. Dropped without [`Drafts::place`], it is deleted.
    ///
    /// # Errors
    /// A path without a file name, a folder that does not exist or may not be written to, a full disk.
    pub fn add(&mut self, path: &Path, content: &[u8]) -> Result<(), RecordError> {
        self.add_with(path, |file| file.write_all(content))
    }

    /// The same for content that is made while it is written.
    pub(crate) fn add_with(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), RecordError> {
        if path.file_name().is_none() {
            return Err(RecordError::File { path: path.to_owned(), reason: "this is no file name".to_owned() });
        }
        // What is written may come from files that cannot be read.
        let failed = |error: io::Error| match error.downcast::<RecordError>() {
            Ok(error) => error,
            Err(source) => RecordError::Write { path: path.to_owned(), source },
        };
        self.0.push(Draft::new(path, write).map_err(failed)?);
        Ok(())
    }

    /// Waits until every draft is on disk.
    pub(crate) fn sync(&self) -> Result<(), RecordError> {
        self.0.iter().try_for_each(|draft| draft.sync().map_err(failed(draft.path())))
    }

    /// Waits until every draft is on disk, renames them into their places one by one, as they were added, and waits until the names are
    /// on disk too.
    ///
    /// # Errors
    /// A full disk, a folder that is gone. Each file is then the old or the new one.
    pub fn place(self) -> Result<(), RecordError> {
        self.sync()?;
        let mut folders = BTreeSet::new();
        for draft in self.0 {
            let path = draft.path().to_owned();
            folders.extend(draft.place().map_err(failed(&path))?);
        }
        folders.iter().try_for_each(|folder| sync_folder(folder).map_err(failed(folder)))
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> RecordError + use<> {
    let path = path.to_owned();
    move |source| RecordError::Write { path, source }
}

/// The file, or the link that leads nowhere, where a folder is to be or one above it.
#[must_use]
pub fn in_the_way(path: &Path) -> Option<&Path> {
    path.ancestors().find(|part| part.symlink_metadata().is_ok()).filter(|there| !there.is_dir())
}

/// Makes a folder and those above it where they are missing, and waits until their names are on disk.
///
/// # Errors
/// A place where no folder may be made.
pub fn make_folder(path: &Path) -> Result<(), RecordError> {
    if path.is_dir() {
        return Ok(());
    }
    let above = folder_of(path);
    make_folder(above)?;
    let made = match fs::create_dir(path) {
        // Another process was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        other => other.and_then(|()| sync_folder(above)),
    };
    made.map_err(failed(path))
}

/// Deletes the drafts that a killed process left in a folder. Nobody else may be writing there.
pub fn remove_drafts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(DRAFT.as_bytes()) || name.ends_with(UNFINISHED.as_bytes()) {
            // It is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until the name of a file is on disk; without this a loss of power may take the whole file along.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    sync_folder(folder_of(path))
}

/// Waits until the names in a folder are on disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network file systems have no such thing for folders.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// The proof, the formula that it refutes, and the proof as long as it is not complete.
#[must_use]
pub fn proof_files(proof: &Path) -> [PathBuf; 3] {
    let mut part = proof.as_os_str().to_owned();
    part.push(".part");
    [proof.to_owned(), proof.with_extension("cnf"), part.into()]
}

/// Removes what a run left that did not end in `infeasible`: there is nothing that it proves. Files that were last
/// changed before the given time are somebody else's.
pub fn discard_proof(proof: &Path, since: Option<SystemTime>) {
    let is_own = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|facts| facts.modified());
        since.is_none_or(|since| changed.is_ok_and(|changed| changed + LAG >= since))
    };
    for path in proof_files(proof).iter().filter(|path| is_own(path)) {
        // Mostly there is none.
        let _ = fs::remove_file(path);
    }
}
