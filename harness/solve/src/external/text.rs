//! Finding figures in what programs print.

/// What follows a label in the last line that begins with it, without colons and spaces between.
pub(super) fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let rests = text.lines().rev().filter_map(|line| line.trim_start().strip_prefix(label));
    // `decisions` is not `decisions/conflicts`.
    rests.filter(|rest| rest.is_empty() || rest.starts_with([':', ' ', '\t']) || label.ends_with(':')).map(strip).next()
}

/// The first line in which a text stands.
pub(super) fn line_with<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    text.lines().find(|line| line.contains(part)).map(str::trim)
}

/// The figure that a text begins with; infinite ones are none.
pub(super) fn number(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    let value: f64 = word.trim_end_matches([',', ';', '%']).parse().ok()?;
    value.is_finite().then_some(value)
}

/// The whole number that a text begins with; abbreviated ones (429K) are none.
pub(super) fn count(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.trim_end_matches([',', ';']).parse().ok()
}

/// The whole number before a word: 4 in `4 rows, 5 columns` for `rows`.
pub(super) fn count_before(line: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).find(|pair| pair[1].trim_end_matches([',', ';']) == word).and_then(|pair| count(pair[0]))
}

/// The last lines of a text that have something in them, for messages.
pub(super) fn tail(text: &str) -> String {
    const LINES: usize = 5;
    const CHARACTERS: usize = 200;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let cut: Vec<String> = last.iter().map(|line| line.chars().take(CHARACTERS).collect()).collect();
    if cut.is_empty() { "it printed nothing".to_owned() } else { format!("it printed: {}", cut.join(" / ")) }
}

fn strip(rest: &str) -> &str {
    rest.trim_start_matches([':', ' ', '\t']).trim_end()
}
