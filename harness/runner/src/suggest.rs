//! Names for error messages: what was perhaps meant, and what there is.

/// How many names a message lists.
const SHOWN: usize = 24;

/// How much alike two names are, from 0 to 1, whatever the case.
fn likeness(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(&a.to_lowercase(), &b.to_lowercase())
}

/// The known names, nearest first, in quotes; of very many the nearest ones and their number.
#[must_use]
pub fn nearest_first<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return "none".to_owned();
    }
    known.sort_by(|a, b| likeness(wrong, b).total_cmp(&likeness(wrong, a)).then_with(|| a.cmp(b)));
    known.dedup();
    let shown: Vec<String> = known.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect();
    match known.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The known name that was perhaps meant, if one is near enough.
pub(crate) fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|name| (likeness(wrong, name), name));
    rated.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_comes_first() {
        assert_eq!(nearest_first("higs", ["cadical", "cbc", "highs"]).split(", ").next(), Some("\"highs\""));
        assert_eq!(nearest_first("HIGHS", ["cadical", "cbc", "highs"]).split(", ").next(), Some("\"highs\""));
        assert_eq!(nearest_first("x", []), "none");
    }

    #[test]
    fn of_many_names_only_the_nearest_are_listed() {
        let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
        let text = nearest_first("n77x", names.iter().map(String::as_str));
        assert!(text.starts_with("\"n77\", ") && text.ends_with(" and 76 more"), "{text}");
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        assert_eq!(did_you_mean("instnaces", ["experiment", "instances"]), Some("instances"));
        assert_eq!(did_you_mean("zzz", ["experiment", "instances"]), None);
    }
}
