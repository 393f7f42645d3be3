//! Text for readers: numbers of things, and escaping.

use std::fmt::Display;

/// `1 instance`, `2 instances`.
pub fn count<N: Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

/// `1 row is`, `2 rows are`.
pub fn plural<N: Display + PartialEq + From<u8>>(number: N, one: &str, several: &str) -> String {
    let what = if number == N::from(1) { one } else { several };
    format!("{number} {what}")
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
