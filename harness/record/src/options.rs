//! The column `options` of a run, read.

/// What a formulation may ask for beside one model that is solved as it is: the keys of its config.
pub const FORMULATION_OPTIONS: [&str; 5] = ["start", "start-share", "fix-and-optimise", "loop-first", "places-first"];

/// What else stands behind the options of the backend.
const OF_RUN: [&str; 2] = ["proof", "root-bound"];

/// The options of a row, `key=value; key=value` in the order of the keys. A value may hold such a separator too: what follows one
/// begins an option only if it has a key, greater than that before it.
#[must_use]
pub fn options(text: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for part in text.split("; ").filter(|part| !part.is_empty()) {
        let is_key = |key: &str| !key.is_empty() && !key.contains(char::is_whitespace);
        let follows = |key: &str| {
            OF_RUN.contains(&key) || FORMULATION_OPTIONS.contains(&key) || found.last().is_none_or(|last| last.0 < key)
        };
        match (part.split_once('=').filter(|(key, _)| is_key(key) && follows(key)), found.last_mut()) {
            (Some((key, value)), _) => found.push((key, value.to_owned())),
            (None, Some((_, value))) => value.extend(["; ", part]),
            (None, None) => {}
        }
    }
    found
}

/// Those of them that belong to the formulation, as the column has them: `start=fix; start-share=25`.
#[must_use]
pub fn formulation_options(text: &str) -> String {
    let all = options(text);
    // They are the last.
    let others = all.iter().rposition(|(key, _)| !FORMULATION_OPTIONS.contains(key)).map_or(0, |last| last + 1);
    all[others..].iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_separators_in_their_values() {
        let read = |text| options(text).into_iter().map(|(k, v)| format!("{k}|{v}")).collect::<Vec<_>>();
        assert_eq!(read(""), [""; 0]);
        assert_eq!(read("a=1; b=x=y; proof=true"), ["a|1", "b|x=y", "proof|true"]);
        let started = "presolve=on; root-bound=true; start=fix; start-share=25";
        assert_eq!(read(started), ["presolve|on", "root-bound|true", "start|fix", "start-share|25"]);
        assert_eq!(formulation_options(started), "start=fix; start-share=25");
        assert_eq!(formulation_options("presolve=on; fix-and-optimise=true"), "fix-and-optimise=true");
        assert_eq!(formulation_options("a=1; start=backend; z=2"), "");
        assert_eq!(read("command=sh -c \"a; b c; A=2\"; mode=x"), ["command|sh -c \"a; b c; A=2\"", "mode|x"]);
    }
}
