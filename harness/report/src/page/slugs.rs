//! Names of files: safe ones, and no two alike.

use std::collections::BTreeSet;

/// The slugs of all files of a report; a slug belongs to one table, plot, picture or page.
#[derive(Debug, Default)]
pub struct Slugs {
    taken: BTreeSet<String>,
}

impl Slugs {
    /// Without those that the report itself needs.
    pub fn new(reserved: &[&str]) -> Self {
        Self { taken: reserved.iter().map(|r| (*r).to_owned()).collect() }
    }

    /// The name as a slug, with a number behind it if the slug is taken already. `suffix` is what further
    /// files of the same owner have behind their slug.
    pub fn claim(&mut self, name: &str, suffix: &str) -> String {
        let name = slug(name);
        let mut slug = name.clone();
        let mut number = 1;
        // Some file systems do not tell upper from lower case.
        while [&slug, &format!("{slug}{suffix}")].iter().any(|s| self.taken.contains(&s.to_lowercase())) {
            number += 1;
            slug = format!("{name}-{number}");
        }
        self.taken.extend([slug.to_lowercase(), format!("{slug}{suffix}").to_lowercase()]);
        slug
    }
}

/// A name that is safe as (part of) a file name and in a link.
fn slug(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let text: String = name.replace('\'', "p").chars().map(safe).collect();
    match text.trim_matches(['.', '-']) {
        "" => "experiment".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_slugs_are_alike() {
        let mut slugs = Slugs::new(&["index"]);
        let claimed = [("C6 C9", ""), ("C6-C9", ""), ("c6-c9", ""), ("index", ""), ("a", "-curves"), ("a-curves", "")]
            .map(|(name, suffix)| slugs.claim(name, suffix));
        assert_eq!(claimed, ["C6-C9", "C6-C9-2", "c6-c9-3", "index-2", "a", "a-curves-2"]);
    }

    #[test]
    fn slugs_are_safe() {
        let mut slugs = Slugs::default();
        assert_eq!(["c2'_50%", "../x", "?"].map(|n| slugs.claim(n, "")), ["c2p_50", "x", "experiment"]);
    }
}
