//! Numbers of things in words, and names that were perhaps meant.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// `1 loop`, `2 loops`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

/// `1 row is`, `2 rows are`.
pub fn plural<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, several: &str) -> String {
    format!("{number} {}", if number == N::from(1) { one } else { several })
}

/// A word as a shell takes it.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        // As people would write the families of Kino and Uno.
        _ if word.contains('\'') && word.chars().all(|c| plain(c) || " '".contains(c)) => format!("\"{word}\""),
        _ => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// How much alike two names are, from 0 to 1, whatever the case.
pub fn likeness(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(&a.to_lowercase(), &b.to_lowercase())
}

/// How much alike two names are that may be taken for each other.
const NEAR: f64 = 0.8;

/// The known name that was perhaps meant, if one is near enough.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|name| (likeness(wrong, name), name));
    rated.filter(|(likeness, _)| *likeness > NEAR).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// What was perhaps meant by the path of a file or folder that is not there: a name in the same folder. That both are called `.toml`
/// makes them no more alike.
pub fn near_file(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let likeness = |a: Option<&OsStr>, b: Option<&OsStr>| Some(likeness(&a?.to_string_lossy(), &b?.to_string_lossy()));
    let rated = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        let found = PathBuf::from(entry.file_name());
        let stems = likeness(path.file_stem(), found.file_stem()).filter(|stems| *stems > NEAR)?;
        Some((stems, likeness(path.file_name(), found.file_name())?, found))
    });
    let nearest = rated.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    nearest.map(|(.., found)| found.display().to_string())
}
