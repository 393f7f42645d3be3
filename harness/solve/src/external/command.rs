//! Command lines: split into words as a shell does, and filled in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::formats::Format;

/// One call of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    /// The directory of its files. Named programs run there, so that names of files need no path.
    pub directory: &'a Path,
    pub format: Format,
    pub time_limit: Option<Duration>,
    pub seed: u64,
    pub threads: u32,
    /// Options of the program by its own names.
    pub options: &'a BTreeMap<String, String>,
}

/// Name of the solution file: CPLEX and Gurobi go by its ending.
pub(super) const SOLUTION: &str = "solution.sol";

/// Name of the file for a log that a program does not print.
pub(super) const LOG: &str = "program.log";

impl Call<'_> {
    /// Time limit in seconds for programs that take fractions.
    pub fn seconds(&self) -> Option<String> {
        self.time_limit.map(|limit| format!("{:.3}", limit.as_secs_f64().max(0.001)))
    }

    /// Time limit for programs that take whole seconds, at least one. Just below a whole second is that: who took a hundredth
    /// for the model shall not lose the rest.
    pub fn whole_seconds(&self) -> Option<u64> {
        const NEARLY: Duration = Duration::from_millis(100);
        self.time_limit.map(|limit| limit.saturating_add(NEARLY).as_secs().max(1))
    }

    /// Options in the form of a program.
    pub fn own_options(&self, form: impl Fn(&str, &str) -> String) -> Vec<OsString> {
        self.options.iter().map(|(name, value)| OsString::from(form(name, value))).collect()
    }
}

/// Splits a command line at white space; quotes and backslashes keep it.
///
/// # Errors
/// A quote that is not closed.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let escaped = characters.next().ok_or("it ends with a backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a quote {open} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

/// The names in braces that stand in a word.
pub(super) fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| is_name(name))
}

/// A word with the names in braces replaced by their values, in one pass: values may contain braces.
pub(super) fn fill(word: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let replaced = after.split_once('}').and_then(|(name, after)| Some((value(name)?, after)));
        match replaced {
            Some((value, after)) => {
                filled.push_str(&value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}
