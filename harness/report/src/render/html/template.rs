//! The skeleton of the page, with its styles and scripts.

use crate::picture::escape;

const PAGE: &str = include_str!("../../../assets/html/page.html");

/// The styles, in this order.
const STYLES: [&str; 5] = [
    include_str!("../../../assets/html/base.css"),
    include_str!("../../../assets/html/table.css"),
    include_str!("../../../assets/html/chart.css"),
    include_str!("../../../assets/html/run.css"),
    include_str!("../../../assets/html/print.css"),
];

/// The scripts, in this order: one file may use what those before it declare.
const SCRIPTS: [&str; 18] = [
    include_str!("../../../assets/html/dom.js"),
    include_str!("../../../assets/html/format.js"),
    include_str!("../../../assets/html/columns.js"),
    include_str!("../../../assets/html/data.js"),
    include_str!("../../../assets/html/query.js"),
    include_str!("../../../assets/html/route.js"),
    include_str!("../../../assets/html/scales.js"),
    include_str!("../../../assets/html/marks.js"),
    include_str!("../../../assets/html/draw.js"),
    include_str!("../../../assets/html/chart.js"),
    include_str!("../../../assets/html/picture.js"),
    include_str!("../../../assets/html/steps.js"),
    include_str!("../../../assets/html/run.js"),
    include_str!("../../../assets/html/table.js"),
    include_str!("../../../assets/html/filters.js"),
    include_str!("../../../assets/html/grids.js"),
    include_str!("../../../assets/html/theme.js"),
    include_str!("../../../assets/html/main.js"),
];

/// The page with this title, these contents and these data, piece by piece (both are HTML).
pub fn page(title: &str, contents: &str, data: &[&str]) -> String {
    let (title, styles, scripts) = (escape(title), STYLES.join("\n"), SCRIPTS.join("\n"));
    let parts: [(&str, &[&str]); 5] = [
        ("title", &[&title]),
        ("styles", &[&styles]),
        ("contents", &[contents]),
        ("data", data),
        ("scripts", &[&scripts]),
    ];
    fill(PAGE, &parts)
}

/// The text with each `{{name}}` replaced by its pieces; what takes its place is not looked at again.
fn fill(text: &str, parts: &[(&str, &[&str])]) -> String {
    let (mut filled, mut rest) = (Vec::new(), text);
    while let Some((before, name, after)) = placeholder(rest) {
        filled.push(before);
        match parts.iter().find(|part| part.0 == name) {
            Some((_, pieces)) => filled.extend_from_slice(pieces),
            None => filled.extend(["{{", name, "}}"]),
        }
        rest = after;
    }
    filled.push(rest);
    // Data may be very long: it is copied once.
    filled.concat()
}

/// What stands before the first placeholder, its name, and what stands behind it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let filled = fill("<{{a}}|{{b}}|{{c}}>", &[("a", &["{{", "b}}"]), ("b", &["2"])]);
        assert_eq!(filled, "<{{b}}|2|{{c}}>");
    }

    #[test]
    fn the_skeleton_has_a_place_for_every_part() {
        for name in ["title", "styles", "contents", "data", "scripts"] {
            assert!(PAGE.contains(&format!("{{{{{name}}}}}")), "page.html has no {{{{{name}}}}}");
        }
        for asset in STYLES.into_iter().chain(SCRIPTS) {
            assert!(!asset.to_lowercase().contains("</s"), "an asset would end the element that it stands in");
        }
    }
}
