//! Names for error messages: what was perhaps meant, and what there is.

/// The known names, nearest first, in quotes.
pub(crate) fn nearest_first<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return "none".to_owned();
    }
    known.sort_by(|a, b| {
        strsim::jaro_winkler(wrong, b).total_cmp(&strsim::jaro_winkler(wrong, a)).then_with(|| a.cmp(b))
    });
    known.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_comes_first() {
        assert_eq!(nearest_first("higs", ["cadical", "cbc", "highs"]).split(", ").next(), Some("\"highs\""));
        assert_eq!(nearest_first("x", []), "none");
    }
}
