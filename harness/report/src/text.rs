//! Text for readers: numbers of things, and escaping.

/// `1 instance`, `2 instances`.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
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
