//! Text for readers: numbers of things, and escaping.

use std::fmt::Display;

/// `1 instance`, `2 instances`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

/// `1 row is`, `2 rows are`.
pub fn plural<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, several: &str) -> String {
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
