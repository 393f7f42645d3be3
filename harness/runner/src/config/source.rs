//! The text of a config with what the command line sets in it, and where something stands.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::RunnerError;

/// A key of configs and the value that the command line gives it: `limits.time=5s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The key with the tables that it is in.
    key: String,
    /// A value as TOML writes it; a text needs no quotes.
    value: String,
}

impl FromStr for Setting {
    type Err = String;

    /// Reads `KEY=VALUE`; whether there is such a key, reading the config shows.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or("a setting is written KEY=VALUE, for example limits.time=5s")?;
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        if key.split('.').any(str::is_empty) {
            return Err(format!("\"{key}\" is no key of a config; for example limits.time"));
        }
        Ok(Self { key, value })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl Setting {
    /// The profile that it is a setting of.
    pub(super) fn profile(&self) -> Option<&str> {
        self.key.strip_prefix("profile.")?.split('.').next()
    }

    /// The keys of a profile that go before it, as profiles have them: limits stand there without their table.
    pub(super) fn in_profile(&self) -> Vec<String> {
        match DeValue::parse(&self.value).map(Spanned::into_inner) {
            Ok(DeValue::Table(limits)) if self.key == "limits" => {
                limits.iter().map(|(key, _)| key.get_ref().to_string()).collect()
            }
            _ => vec![self.key.strip_prefix("limits.").unwrap_or(&self.key).to_owned()],
        }
    }
}

/// A config file as read. What stands at a byte behind its text comes from the setting of that number.
#[derive(Debug)]
pub(super) struct Source {
    pub path: PathBuf,
    pub text: String,
    pub settings: Vec<Setting>,
}

impl Source {
    /// Reads the file.
    pub fn read(path: &Path, settings: &[Setting]) -> Result<Self, RunnerError> {
        let text = puzzle::read_text(path)
            .map_err(|e| RunnerError::Usage(format!("cannot read the config {}: {e}", path.display())))?;
        Ok(Self { path: path.to_owned(), text, settings: settings.to_vec() })
    }

    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// The file, with the settings in it, as a table that remembers where each value stands. `twice` says what is wrong with a table
    /// of that name that stands there twice.
    pub fn table(&self, twice: impl Fn(&str) -> Option<String>) -> Result<Spanned<DeTable<'_>>, RunnerError> {
        let mut table = DeTable::parse(&self.text).map_err(|error| {
            let header = error.span().filter(|_| error.message().starts_with("duplicate key"));
            let reason = header.and_then(|span| twice(self.text.get(span)?));
            reason.map_or_else(|| self.syntax(&error, 0..0), |reason| self.error(error.span().unwrap_or(0..0), reason))
        })?;
        for (number, setting) in self.settings.iter().enumerate() {
            let at = self.text.len() + 1 + number;
            set(table.get_mut(), setting, at..at).map_err(|reason| self.error(at..at, reason))?;
        }
        Ok(table)
    }

    /// Reads a table as a type; errors say on which line.
    pub fn read_as<T: DeserializeOwned>(&self, table: Spanned<DeTable<'_>>) -> Result<T, RunnerError> {
        let whole = table.span();
        let value = Spanned::new(whole.clone(), DeValue::Table(table.into_inner()));
        T::deserialize(ValueDeserializer::from(value)).map_err(|e| self.syntax(&e, whole))
    }

    /// The text, with the settings as remarks at its end.
    pub fn with_remarks(&self) -> String {
        let remark = |setting: &Setting| format!("\n{REMARK}{}\n", setting.to_string().replace(char::is_control, " "));
        self.text.clone() + &self.settings.iter().map(remark).collect::<String>()
    }

    /// An error about a line.
    pub fn error_on(&self, line: usize, reason: impl Into<String>) -> RunnerError {
        error_on(&self.path, &self.with_remarks(), line, reason.into())
    }

    /// An error about what stands at a span.
    pub fn error(&self, span: Range<usize>, reason: impl Into<String>) -> RunnerError {
        self.error_on(self.line(span.start), reason)
    }

    /// One error of several, the first by its place.
    pub fn all(&self, mut faults: Vec<(Range<usize>, String)>) -> Result<(), RunnerError> {
        faults.sort_by_key(|(span, _)| span.start);
        let mut texts = faults.into_iter();
        let Some((span, mut reason)) = texts.next() else { return Ok(()) };
        for (span, text) in texts {
            reason += &format!("\n{}", self.error(span, text));
        }
        Err(self.error(span, reason))
    }

    /// Line (from 1) of a byte of the text; of a setting the line of its remark.
    pub fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().iter().take(offset);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        line + offset.checked_sub(self.text.len() + 1).map_or(0, |number| 1 + 2 * number)
    }

    fn syntax(&self, error: &toml::de::Error, fallback: Range<usize>) -> RunnerError {
        self.error(error.span().unwrap_or(fallback), puzzle::plain_words(error.message().trim_end()))
    }
}

/// What the remark of a setting begins with.
const REMARK: &str = "# --set ";

/// An error about a line of a config; of a remark, about its setting.
pub(super) fn error_on(path: &Path, text: &str, line: usize, reason: String) -> RunnerError {
    match text.lines().nth(line.saturating_sub(1)).and_then(|line| line.strip_prefix(REMARK)) {
        Some(setting) => RunnerError::Usage(format!("{}, --set {setting}: {reason}", path.display())),
        None => RunnerError::Config { path: path.to_owned(), line, reason },
    }
}

/// Puts the value of a setting into a table, in place of the one that is there.
fn set<'i>(table: &mut DeTable<'i>, setting: &'i Setting, span: Range<usize>) -> Result<(), String> {
    let (mut table, mut parts) = (table, setting.key.split('.').peekable());
    while let Some(part) = parts.next() {
        let key = Spanned::new(span.clone(), Cow::Borrowed(part));
        if parts.peek().is_none() {
            // What is no TOML is a text, as on every command line.
            let value = DeValue::parse(&setting.value).map(Spanned::into_inner);
            let value = value.unwrap_or_else(|_| DeValue::String(Cow::Borrowed(&setting.value)));
            table.remove(part);
            table.insert(key, placed(value, &span));
            return Ok(());
        }
        let empty = || Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
        table = match table.entry(key).or_insert_with(empty).get_mut() {
            DeValue::Table(inner) => inner,
            _ => {
                return Err(format!(
                    "`{part}` is no table; what stands in a list, such as [[solver]], is not set from here"
                ));
            }
        };
    }
    Ok(())
}

/// A value with all that is in it at one place.
fn placed<'i>(value: DeValue<'i>, span: &Range<usize>) -> Spanned<DeValue<'i>> {
    let value = match value {
        DeValue::Array(items) => {
            let mut list = toml::de::DeArray::new();
            items.into_iter().for_each(|item| list.push(placed(item.into_inner(), span)));
            DeValue::Array(list)
        }
        DeValue::Table(entries) => {
            let entries = entries.into_iter();
            let entry = |(key, value): (Spanned<Cow<'i, str>>, Spanned<DeValue<'i>>)| {
                (Spanned::new(span.clone(), key.into_inner()), placed(value.into_inner(), span))
            };
            DeValue::Table(entries.map(entry).collect())
        }
        other => other,
    };
    Spanned::new(span.clone(), value)
}
