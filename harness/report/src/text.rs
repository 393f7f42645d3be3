//! Text for readers: numbers of things, lists, and escaping.

pub use puzzle::{count, plural};

/// More values than these are counted and not listed.
const LISTED: usize = 12;

/// The values, or the first of them and the number of the others.
pub fn some<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> String {
    listed(values, LISTED)
}

/// The same, with so many of them at most.
pub fn listed<T: AsRef<str>>(values: impl IntoIterator<Item = T>, most: usize) -> String {
    let mut values = values.into_iter();
    let listed = joined(values.by_ref().take(most), ", ");
    match values.count() {
        0 => listed,
        others => format!("{listed} and {others} more"),
    }
}

/// The values that are not empty, with a text between them.
pub fn joined<T: AsRef<str>>(values: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut text = String::new();
    for value in values.into_iter().filter(|value| !value.as_ref().is_empty()) {
        text += if text.is_empty() { "" } else { between };
        text += value.as_ref();
    }
    text
}

/// A number with so many decimals at most, without zeros at the end.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value that may not be known.
pub fn known(value: &str) -> &str {
    if value.is_empty() { "unknown" } else { value }
}

/// Escapes text for Markdown, so that it is shown as it is, wherever it stands in a line.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Escapes text for XML, also between double quotes. What XML 1.0 cannot hold (section 2.2, `Char`) becomes U+FFFD, and so does a
/// carriage return, which would be read as a line feed.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => escaped.push(c),
            _ => escaped.push('\u{fffd}'),
        }
    }
    escaped
}
