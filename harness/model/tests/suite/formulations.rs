//! Which lists of families are accepted, which are refused and why.

use crate::common::instance;
use model::{CutChoice, Formulation, Subloops, build, families};
use puzzle::Rule;
use puzzle::tantrix::shapes::Shape;

fn refusal(formulation: &Formulation) -> String {
    let instance = instance(&Shape::Round.places(7, 1), "");
    build(formulation, &instance).map(|_| ()).expect_err(&formulation.families).to_string()
}

#[test]
fn lists_that_make_sense_are_accepted() {
    let instance = instance(&Shape::Spur.places(12, 1), "");
    for list in [
        "C1 C2 C3 C4",
        "C1 C2 C3 C4 C5",
        "C1 C2' C3 C4 C5 C6 C7 C8 C9",
        "C9 C8 C7 C4 C3 C2' C1",
        "C1 C2' C4c",
        "C1 C2' C4c C5x C6x C7 C8 C9",
        "C1 C2' C3x C4c",
        "C1 C2' C3x C4 C6x C5",
        "C1 C2' C3 C4c C6 C5",
        "C1 C2' C3 C4 C4c",
        "C1 C2\u{2032} C3 C4",
    ] {
        build(&Formulation::of("f", list), &instance).map(|_| ()).expect(list);
    }
}

#[test]
fn lists_that_make_none_are_refused_with_the_reason() {
    for (list, reason) in [
        ("C2' C3 C4", "nothing puts one tile on each place; add C1"),
        ("C1 C3 C4", "nothing says how often each tile is used; add C2 or C2'"),
        ("C1 C2' C4", "nothing keeps designated lines on the board; add C3, C3x or C4c"),
        ("C1 C2' C3", "nothing makes touching edges match; add C4 or C4c"),
        ("C1 C2 C2' C3 C4", "C2 and C2' exclude each other"),
        ("C1 C2' C3 C4 C5 C5x", "C5 and C5x cut off the same subloops"),
        ("C1 C1 C2' C3 C4", "C1 is listed twice"),
        ("C1 C2' C3 C4 C10", "unknown family \"C10\" (did you mean C1?)"),
        ("C1 C2' C3 C4 c6X", "unknown family \"c6X\" (did you mean C6x?)"),
        ("", "nothing puts one tile on each place"),
    ] {
        let text = refusal(&Formulation::of("f", list));
        assert!(text.contains(reason), "{list}: {text}");
    }
    let with = |families: &str, subloops, cuts| Formulation { subloops, cuts, ..Formulation::of("f", families) };
    for (formulation, reason) in [
        (with("C1 C2' C3 C4", Some(Subloops::Resolve), None), "needs the family that cuts them off"),
        (with("C1 C2' C3 C4 C5", Some(Subloops::Report), None), "subloops = \"report\" never does"),
        (with("C1 C2' C3 C4", None, Some(CutChoice::Each)), "a choice of cuts without a family that cuts"),
    ] {
        let text = refusal(&formulation);
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn normal_forms_do_not_depend_on_order() {
    let a = Formulation::of("a", "C5 C4 C3 C2' C1").normalised().expect("good");
    assert_eq!(a, Formulation::of("b", "C1 C2' C3 C4 C5").normalised().expect("good"));
    assert_eq!((a.families.as_str(), a.subloops.as_str()), ("C1 C2' C3 C4 C5", "resolve:each"));
    let report = Formulation::of("c", "C1 C2' C3 C4");
    assert_eq!(report.normalised().expect("good").subloops, "report");
    assert_eq!(report.waived().expect("good"), [Rule::SingleLoop]);
    assert_eq!(Formulation::of("b", "C1 C2' C3 C4 C5").waived().expect("good"), []);
}

#[test]
fn every_family_is_cited() {
    let all = families();
    assert_eq!(all.len(), 14);
    for family in all {
        assert!(!family.source.is_empty() && !family.summary.is_empty(), "{}", family.id);
    }
}
