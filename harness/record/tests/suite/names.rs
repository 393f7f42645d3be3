//! The order of names, what is suggested in place of an unknown one, and the baseline that a text names.

use record::{Baseline, alternatives, listed, natural_order};

#[test]
fn of_many_names_only_the_nearest_are_listed() {
    let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
    let text = listed("n77x", names.iter().map(String::as_str));
    assert!(text.contains("\"n77\", ") && text.ends_with(" and 70 more"), "{text}");
}

#[test]
fn only_what_is_near_is_suggested() {
    let instead = |wrong| alternatives(wrong, ["experiment", "instances"]);
    assert_eq!(instead("instnaces"), "did you mean \"instances\"? there is \"experiment\", \"instances\"");
    assert_eq!(instead("zzz"), "there is \"experiment\", \"instances\"");
}

#[test]
fn numbers_in_names_count_as_numbers() {
    let mut names = ["n10-round", "n5-round", "n5", "n05", "m100", "n5-flat", "n10"];
    names.sort_by(|a, b| natural_order(a, b));
    assert_eq!(names, ["m100", "n05", "n5", "n5-flat", "n5-round", "n10", "n10-round"]);
}

#[test]
fn a_formulation_a_solver_or_both() {
    let find = |text| Baseline::find(text, &["basic", "all", "a, b"], &["highs", "cbc", "all"]);
    let pair = |formulation, solver| Some(Baseline { formulation, solver });
    assert_eq!(find("basic"), pair(Some("basic"), None));
    assert_eq!(find(" cbc "), pair(None, Some("cbc")));
    assert_eq!(find("all"), pair(Some("all"), None));
    assert_eq!(find("all,all"), pair(Some("all"), Some("all")));
    assert_eq!(find("a, b"), pair(Some("a, b"), None));
    assert_eq!(find("a, b, highs"), pair(Some("a, b"), Some("highs")));
    for wrong in ["", ",", "basic,", "highs, basic", "basic, highs, cbc", "basics"] {
        assert_eq!(find(wrong), None, "{wrong}");
    }
}

#[test]
fn what_is_not_named_may_be_anything() {
    let baseline = |formulation, solver| Baseline { formulation, solver };
    assert!(baseline(Some("basic"), None).is("basic", "cbc") && !baseline(Some("basic"), None).is("all", "cbc"));
    assert!(baseline(None, Some("cbc")).is("all", "cbc") && !baseline(None, Some("cbc")).is("all", "highs"));
    assert!(!baseline(Some("basic"), Some("cbc")).is("basic", "highs"));
}
