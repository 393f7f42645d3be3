//! The files of a proof of infeasibility. A worker that is killed cannot put them in order, so whoever started it does.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What the clock of a file system may lag behind.
const LAG: Duration = Duration::from_millis(20);

/// The ending of a proof under way.
pub(crate) const UNFINISHED: &str = ".drat.part";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_stays() {
        let folder = tempfile::tempdir().expect("a directory");
        let proof = folder.path().join("p.drat");
        let there = || proof_files(&proof).map(|path| path.exists());
        for path in proof_files(&proof) {
            fs::write(path, "0").expect("written");
        }
        discard_proof(&proof, Some(SystemTime::now() + Duration::from_secs(60)));
        assert_eq!(there(), [true; 3]);
        discard_proof(&proof, Some(SystemTime::now() - Duration::from_secs(60)));
        assert_eq!(there(), [false; 3]);
    }
}
