//! What the files of all puzzles share: what is known of an answer, and what can be wrong with input.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::text::near_file;

/// Gives the variants of an enum their words.
#[macro_export]
macro_rules! words {
    ($type:ident: $($variant:ident $word:literal),* $(,)?) => {
        impl $type {
            /// All of them, in the order in which listings show them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Their words, in the same order.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word used in files, messages and listings.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What a word means.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    // Also read from its word; what it is stands in the error.
    ($type:ident, a $what:literal: $($variant:ident $word:literal),* $(,)?) => {
        $crate::words!($type: $($variant $word),*);

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                let known = Self::WORDS.join(", ");
                Self::of_word(word).ok_or_else(|| format!("unknown {0} {word:?}; {0}s: {known}", $what))
            }
        }
    };
}

words!(Known: Solvable "solvable", Unsolvable "unsolvable", Unknown "unknown");

/// What is known about an instance's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// A verified solution exists.
    Solvable,
    /// Proven to have none.
    Unsolvable,
    /// Nobody has said.
    #[default]
    Unknown,
}

/// Bytes of the largest text that is read: no instance, solution or config comes near it.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a file that a user named.
///
/// # Errors
/// What is no regular file (a device or a pipe may never end), more than 64 MiB.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let there = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let hint = near_file(path).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            io::Error::new(ErrorKind::NotFound, format!("there is no such file{hint}"))
        }
        _ => error,
    })?;
    if there.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "this is a folder; name a file in it"));
    }
    if !there.is_file() {
        return Err(io::Error::other("this is not a regular file; save what it gives in one"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("this is larger than 64 MiB, and so nothing that is read here"));
    }
    Ok(bytes)
}

/// Reads a text that a user named.
///
/// # Errors
/// Those of [`read_bytes`]; no UTF-8, with line and byte.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        let reason = format!("line {line}, byte {} of the file: this is not UTF-8 text", good.len() + 1);
        io::Error::new(ErrorKind::InvalidData, reason)
    })
}

/// Characters of a line of input that a message shows, around what it is about.
const EXCERPT: usize = 80;

/// Characters of a line of a message that are shown: the first and the last of them.
const LINE: [usize; 2] = [1500, 300];

/// What is wrong with a text, as its parser says it, with line, column and what stands there; `span` is where, in bytes.
pub fn place_and_reason(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let message = plain_words(message.trim_end());
    let Some(at) = span.map(|span| text.floor_char_boundary(span.start)) else { return message };
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (1 + text[..start].matches('\n').count(), 1 + text[start..at].chars().count());
    let rest = text[start..].lines().next().unwrap_or_default();
    let skipped = column.saturating_sub(EXCERPT / 2 + 1);
    let mut excerpt: String = rest.chars().skip(skipped).take(EXCERPT).collect();
    if rest.chars().nth(skipped + EXCERPT).is_some() {
        excerpt += "...";
    }
    let before = if skipped > 0 { "..." } else { "" };
    match excerpt.trim() {
        "" => format!("line {line}, column {column}: {message}"),
        found => format!("line {line}, column {column}: {message}\n  {before}{found}"),
    }
}

/// A message of a parser in words of the file rather than of this program: `a whole number` for `usize`.
pub fn plain_words(message: &str) -> String {
    const EXPECTED: &str = ", expected ";
    if let Some((before, _)) = message.split_once("` as i128, expected any") {
        return format!("{before}`, expected a whole number of at most 64 bits");
    }
    if message.starts_with("invalid boolean") || message.starts_with("string values must be quoted") {
        return "a text needs quotes; only numbers, true and false stand without".to_owned();
    }
    if message == "wanted string or table" {
        return "one of the known words is expected, in quotes".to_owned();
    }
    let Some(at) = message.rfind(EXPECTED) else { return message.to_owned() };
    let (before, expected) = message.split_at(at + EXPECTED.len());
    let mut words = expected.split(' ');
    let plain = match words.next().unwrap_or_default() {
        "a" => match words.next() {
            Some("sequence") => "a list",
            Some("map") => "a table",
            _ => return message.to_owned(),
        },
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of at least 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        named @ ("struct" | "enum") => {
            words.next();
            if named == "struct" { "a table of keys and values" } else { "one of the known words" }
        }
        "tuple" => {
            words.by_ref().take(2).for_each(drop);
            "a list"
        }
        _ => return message.to_owned(),
    };
    let rest: String = words.map(|word| format!(" {word}")).collect();
    format!("{before}{plain}{rest}")
}

/// A message as it is printed: control characters and those that turn the direction of text are escaped, and of a very long line
/// only the ends are shown.
pub fn printable(message: &str) -> String {
    let line = |line: &str| {
        let [first, last] = LINE;
        let length = line.chars().count();
        if length <= first + last {
            return escaped(line);
        }
        let (head, tail) = (line.chars().take(first), line.chars().skip(length - last));
        let omitted = format!(" ... ({} characters left out) ... ", length - first - last);
        escaped(&head.collect::<String>()) + &omitted + &escaped(&tail.collect::<String>())
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A text with nothing in it that a terminal would obey.
#[must_use]
pub fn escaped(text: &str) -> String {
    let is_unfit = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_unfit(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// A file that cannot be read as what it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are, and are those of a `FieldError`")]
pub enum InputError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Not the syntax of the format, or not the keys of the file kind; with position and reason, as the parser gives them.
    #[error("{path}: {reason}", path = path.display())]
    Syntax { path: PathBuf, reason: String },
    /// Well-formed, but no such puzzle can be.
    #[error("{path}: {field}: {reason}", path = path.display())]
    Field { path: PathBuf, field: String, reason: String },
}

impl InputError {
    /// What the system said of a file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

/// A field of an instance file that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, with its index where it is a list.
    pub field: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl FieldError {
    /// The field at fault, and what is wrong.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_parsers_name_no_types_of_this_program() {
        for (said, plain) in [
            (
                "invalid type: string \"x\", expected usize",
                "invalid type: string \"x\", expected a whole number of at least 0",
            ),
            (
                "invalid value: integer `3`, expected f64 at line 1 column 2",
                "invalid value: integer `3`, expected a number at line 1 column 2",
            ),
            (
                "invalid type: map, expected struct Raw at line 1",
                "invalid type: map, expected a table of keys and values at line 1",
            ),
            ("invalid boolean", "a text needs quotes; only numbers, true and false stand without"),
            (
                "string values must be quoted, expected literal string",
                "a text needs quotes; only numbers, true and false stand without",
            ),
            ("unknown variant `x`, expected one of `a`, `b`", "unknown variant `x`, expected one of `a`, `b`"),
        ] {
            assert_eq!(plain_words(said), plain);
        }
    }

    #[test]
    fn the_place_of_a_fault_is_shown_with_a_little_of_its_line() {
        let text = format!("a = 1\nb = {}\u{fc}!\n", "x".repeat(1000));
        let at = text.find('!').expect("a place");
        let told = place_and_reason(&text, Some(at..at + 1), "no");
        assert!(told.starts_with("line 2, column 1006: no\n  ...") && told.ends_with("x\u{fc}!"), "{told}");
        assert!(told.len() < 150, "{told}");
        assert_eq!(place_and_reason(&text, None, "no"), "no");
        assert_eq!(place_and_reason("a", Some(1..1), "no"), "line 1, column 2: no\n  a");
    }

    #[test]
    fn what_is_printed_holds_nothing_that_a_terminal_obeys() {
        assert_eq!(printable("a\u{1b}[31m\tb\n\u{202e}c\u{e9}"), "a\\u{1b}[31m\tb\n\\u{202e}c\u{e9}");
        let long = printable(&"y".repeat(1 << 20));
        assert!(long.len() < 2000 && long.contains("characters left out"), "{}", long.len());
    }
}
