//! Text in plots: line breaks and cuts.

pub use super::canvas::width;

/// Breaks text into lines of at most `limit` pixels; a word longer than a line is cut off with `…`.
pub fn wrap(text: &str, size: f64, limit: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, size, limit);
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= limit => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Breaks a name into lines of at most `limit` pixels: at spaces, and behind `-`, `_`, `,`, `/` and `+`. None if it takes more
/// than `most` lines, or has a part that is longer than a line.
pub fn wrap_name(name: &str, size: f64, limit: i32, most: usize) -> Option<Vec<String>> {
    let mut lines: Vec<String> = vec![String::new()];
    for part in name.split_inclusive([' ', '-', '_', ',', '/', '+']) {
        let line = lines.last().map_or(String::new(), |line| format!("{line}{part}"));
        if width(line.trim_end(), size) <= limit {
            lines.pop();
            lines.push(line);
        } else if width(part.trim_end(), size) <= limit {
            lines.push(part.to_owned());
        } else {
            return None;
        }
    }
    lines.retain(|line| !line.is_empty());
    (lines.len() <= most).then(|| lines.into_iter().map(|line| line.trim_end().to_owned()).collect())
}

/// The text, or as much of it as fits, with `…`.
pub fn cut(text: &str, size: f64, limit: i32) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while short.pop().is_some() && width(&format!("{short}…"), size) > limit {}
    short + "…"
}

/// The name, or its beginning and its end with `…` between: names often differ at their end.
pub fn cut_name(name: &str, size: f64, limit: i32) -> String {
    if width(name, size) <= limit {
        return name.to_owned();
    }
    let letters: Vec<_> = name.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
    };
    (0..letters.len()).rev().map(cut).find(|text| width(text, size) <= limit).unwrap_or_default()
}
