//! Which lists of families are accepted, which are refused and why.

use crate::common::{bounded, instance, natural, regular, tetrahedron};
use combinatorics::tantrix::shapes::Shape;
use model::{
    Formulation, FormulationKeys, FormulationKind, Holes, Objective, PRESETS, build_mip, default_preset, families,
};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Puzzle, Rule};

/// A list of families with further keys.
fn keys(families: &str, others: &[(&str, &str)]) -> FormulationKeys {
    FormulationKeys::new("f", FormulationKind::Mip, &[&[("families", families)], others].concat())
}

fn refusal(written: FormulationKeys) -> String {
    refused_for(written, &instance(&Shape::Round.places(7, 1), ""))
}

fn refused_for(written: FormulationKeys, instance: &Instance) -> String {
    let built = written.read().and_then(|formulation| build_mip(&formulation, instance));
    built.map(|_| ()).expect_err("makes no sense").to_string()
}

/// One instance of each kind that leaves room.
fn sparse() -> [Instance; 2] {
    [bounded(&regular(BoardType::A, 7), 5, Colour::Red), natural(5)]
}

#[test]
fn lists_that_make_sense_are_accepted() {
    let instance = instance(&Shape::Spur.places(12, 1), "");
    for list in [
        "C1 C2 C3 C4",
        "C1 C2 C3 C4 C5",
        "C1 C2 C2o C3 C4 C5",
        "C1 C2' C3 C4 C5 C6 C7 C8 C9",
        "C9 C8 C7 C4 C3 C2' C1",
        "C1 C2' C4c",
        "C1 C2' C4c C5x C6x C7 C8 C9",
        "C1 C2' C3x C4c",
        "C1 C2' C4e C5x C6x L6",
        "C1 C2 C3 C4 SCF MCF MTZ",
        "C1 C2' C3x C4 C6x C5",
        "C1 C2' C3 C4c C6 C5",
        "C1 C2' C3 C4 C4c",
        "C1 C2\u{2032} C3 C4",
    ] {
        build_mip(&Formulation::of("f", list).expect("good"), &instance).map(|_| ()).expect(list);
    }
}

#[test]
fn lists_that_make_none_are_refused_with_the_reason() {
    for (list, reason) in [
        ("C2' C3 C4", "nothing puts one tile on each place; add C1"),
        ("C1 C3 C4", "nothing says how often each tile is used; add C2 or C2'"),
        ("C1 C2' C4", "nothing keeps designated lines on the board; add C3 or C3x or C4c or C4e"),
        ("C1 C2' C3", "nothing makes touching edges match; add C4 or C4c or C4e"),
        ("C1 C2 C2' C3 C4", "C2 and C2' exclude each other"),
        ("C1 C2' C2o C3 C4", "C2o is about tiles that are told apart; list C2 with it, or leave it out"),
        ("C1 C2' C3 C4 C5 C5x", "C5 and C5x cut off the same subloops"),
        ("C1 C1 C2' C3 C4", "C1 is listed twice"),
        ("C1 C2' C3 C4 C10", "unknown family \"C10\" (did you mean C1?)"),
        ("C1,C2',C3,C4", "unknown family \"C1,C2',C3,C4\" (separate families by spaces)"),
        ("C1 C2' C3 C4 c6X", "unknown family \"c6X\" (did you mean C6x?)"),
        ("", "nothing puts one tile on each place"),
    ] {
        let text = refusal(keys(list, &[]));
        assert!(text.contains(reason), "{list}: {text}");
    }
    for (written, reason) in [
        (keys("C1 C2' C3 C4", &[("subloops", "resolve")]), "needs the family that cuts them off"),
        (keys("C1 C2' C3 C4 C5", &[("subloops", "report")]), "subloops = \"report\" never does"),
        (keys("C1 C2' C3 C4", &[("cuts", "each")]), "a choice of cuts without a family that cuts"),
    ] {
        let text = refusal(written);
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn lists_for_boards_with_room_are_accepted_or_refused_by_their_roles() {
    for instance in sparse() {
        for list in [
            "B1 B3 B4 B5",
            "B1 B2 B3 B4 B5",
            "B1 B2 B3 B4+B5",
            "B1 B3 B45c",
            "B1 B3 B4+B5 B45c B6 B6' B6'' C5",
            "C9 C8 C7 C5x B6 B45c B3 B1",
            "B1 B3 B45c B6\u{2032}\u{2032}",
            "B1 B3 B45c B6\u{2033}",
        ] {
            build_mip(&Formulation::of("f", list).expect("good"), &instance).map(|_| ()).expect(list);
        }
        for (list, reason) in [
            ("B2 B3 B4+B5", "nothing puts at most one tile on each place; add B1"),
            ("B1 B2 B4+B5", "nothing says how often each tile is used; add B3"),
            ("B1 B3 B5", "nothing keeps designated lines on the tiles; add B4 or B4+B5 or B45c"),
            ("B1 B3 B4", "nothing makes touching edges match; add B5 or B4+B5 or B45c"),
            ("B1 B3 B45c C5 C5x", "C5 and C5x cut off the same subloops"),
            ("B1 B3 B45", "unknown family \"B45\""),
        ] {
            let text = refused_for(keys(list, &[]), &instance);
            assert!(text.contains(reason), "{list}: {text}");
        }
    }
}

#[test]
fn families_of_another_kind_are_refused_with_those_that_fit() {
    let fixed = instance(&Shape::Round.places(7, 1), "");
    // What is said, and whether these families are among those that fit.
    let said = |list: &str, instance: &Instance, these: [&str; 3]| {
        let text = refused_for(keys(list, &[]), instance);
        let (said, fitting) = text.rsplit_once("; its families: ").expect(&text);
        (said.to_owned(), these.map(|family| fitting.split(' ').any(|fits| fits == family)))
    };
    let (text, fit) = said("B1 B3 B45c", &fixed, ["C1", "C2'", "B1"]);
    assert!(text.ends_with("B1 is for tantrix-bounded and tantrix-natural, but t is tantrix-fixed"), "{text}");
    assert_eq!(fit, [true, true, false]);
    for instance in sparse() {
        for stray in ["C1", "C2", "C2o", "C2'", "C3", "C3x", "C4", "C4c", "C4e", "SCF", "C6", "C6x"] {
            let (text, fit) = said(&format!("B1 B3 B45c {stray}"), &instance, ["B1", "C5x", stray]);
            let kind = instance.puzzle.kind();
            assert!(text.ends_with(&format!("{stray} is for tantrix-fixed, but t is {kind}")), "{text}");
            assert_eq!(fit, [true, true, false]);
        }
    }
}

#[test]
fn what_makes_no_sense_on_a_full_board_is_refused_there_only() {
    let fixed = Formulation::of("f", "C1 C2' C4c").expect("good");
    let free = Formulation::of("f", "B1 B3 B45c").expect("good");
    let weighted = |f: &Formulation| f.with("objective", Objective::Weighted).expect("good");
    let clean = |f: &Formulation| f.with("holes", Holes::Resolve).expect("good");
    let text = refusal(weighted(&fixed).written().clone());
    assert!(text.contains("same weight") && text.contains("objective = \"weighted\" is for bounded boards"), "{text}");
    let text = refusal(clean(&fixed).written().clone());
    assert!(text.contains("no room for holes") && text.contains("holes = \"resolve\" is for bounded boards"), "{text}");
    for instance in sparse() {
        for formulation in [weighted(&free), clean(&free), weighted(&clean(&free))] {
            build_mip(&formulation, &instance).map(|_| ()).expect("makes sense");
        }
    }
}

#[test]
fn presets_are_for_the_kinds_that_their_summaries_say() {
    let fixed = instance(&Shape::Round.places(7, 1), "");
    for preset in PRESETS {
        let formulation = preset.written().read().expect("good");
        let (for_fixed, for_sparse) = match preset.summary.split(';').next() {
            Some("fixed boards") => (true, false),
            Some("bounded boards" | "bounded boards and the open plane") => (false, true),
            Some("any board" | "boards") => (true, true),
            // Only families say anything of the puzzle.
            Some("3SoKu") => {
                let any = preset.kind != FormulationKind::Mip;
                (any, any)
            }
            _ => panic!("the summary of {} does not begin with its instances, such as \"fixed boards;\"", preset.name),
        };
        assert_eq!(formulation.check(&fixed).is_ok(), for_fixed, "{}", preset.name);
        for instance in sparse() {
            let is_of_board =
                matches!(preset.kind, FormulationKind::Minizinc | FormulationKind::Asp) || formulation.loop_first();
            let needs_board = is_of_board && !formulation.places_first();
            let fits = for_sparse && !(needs_board && matches!(instance.puzzle, Puzzle::TantrixNatural(_)));
            assert_eq!(formulation.check(&instance).is_ok(), fits, "{}", preset.name);
        }
    }
    for kind in Puzzle::KINDS {
        let instances = sparse().into_iter().chain([fixed.clone(), tetrahedron()]);
        let instance = instances.into_iter().find(|i| i.puzzle.kind() == kind).expect("one of each kind");
        let default = default_preset(kind, FormulationKind::Mip).expect("one").read().expect("good");
        default.check(&instance).expect("makes sense");
        let caveats = default.caveats();
        assert_eq!(caveats.restricting, Vec::<&str>::new(), "the default proves what it says");
        assert!(kind == "soku" || !caveats.waived.contains(&Rule::SingleLoop), "3SoKu has no loops");
    }
}

#[test]
fn caveats_say_which_rules_are_waived_and_which_families_restrict() {
    let caveats = |families, others: &[(&str, &str)]| keys(families, others).read().expect("good").caveats();
    assert_eq!(caveats("C1 C2' C3 C4", &[]).waived, [Rule::SingleLoop, Rule::NoHole]);
    assert_eq!(caveats("C1 C2' C3 C4 C5", &[]).waived, [Rule::NoHole]);
    assert_eq!(caveats("B1 B3 B45c", &[("subloops", "report"), ("holes", "resolve")]).waived, [Rule::SingleLoop]);
    assert_eq!(caveats("B1 B3 B45c C5x", &[("holes", "report")]).waived, [Rule::NoHole]);
    assert_eq!(caveats("B1 B3 B45c C5x", &[("subloops", "resolve"), ("holes", "resolve")]).waived, []);
    assert_eq!(caveats("B1 B3 B45c B6 C7 C8 C9", &[]).restricting, Vec::<&str>::new());
    assert_eq!(caveats("B6'' B1 B3 B45c B6' B6", &[]).restricting, ["B6'", "B6''"]);
}

#[test]
fn normal_forms_do_not_depend_on_order() {
    let a = Formulation::of("a", "C5 C4 C3 C2' C1").expect("good").columns();
    assert_eq!(a, Formulation::of("b", "C1 C2' C3 C4 C5").expect("good").columns());
    assert_eq!((a.families.as_str(), a.subloops.as_str()), ("C1 C2' C3 C4 C5", "resolve:each"));
    let report = Formulation::of("c", "C1 C2' C3 C4").expect("good");
    assert_eq!(report.columns().subloops, "report");
    let holes =
        Formulation::of("d", "B1 B3 B4 B5 B6'' B6' B6").expect("good").with("holes", Holes::Resolve).expect("good");
    assert_eq!(holes.columns().holes, "resolve");
    assert_eq!(report.columns().holes, "report");
    assert_eq!(holes.columns().families, "B1 B3 B4 B5 B6 B6' B6''");
}

#[test]
fn every_family_is_cited() {
    for family in families() {
        assert!(!family.source.is_empty() && !family.summary.is_empty(), "{}", family.id);
    }
}

#[test]
fn models_beyond_all_memory_are_refused() {
    let board = instance(&Shape::Row.places(1300, 1), "");
    // 1300 tiles told apart on as many places, in six orientations each.
    let refused = build_mip(&Formulation::of("f", "C1 C2 C3x C4c").expect("good"), &board).err().map(|e| e.to_string());
    let said = "1300 tiles on 1300 places make 10140000 variables, and a model may have 10000000 here";
    assert_eq!(refused.as_deref(), Some(said));
    let long = instance(&Shape::Row.places(210, 1), "");
    let refused =
        build_mip(&Formulation::of("f", "C1 C2 C2o C3x C4c").expect("good"), &long).err().map(|e| e.to_string());
    let said = "C2o: 200 pairs of equal tiles on 210 places make 52920000 nonzeros, of which there may be 50000000; \
                C2' does not tell equal tiles apart and needs no such rows";
    assert_eq!(refused.as_deref(), Some(said));
    let sorts =
        build_mip(&Formulation::of("f", "C1 C2' C3x C4c").expect("good"), &board).expect("ten sorts make 78,000");
    assert_eq!(sorts.model().variables().len(), 78_000);
}

#[test]
fn a_kind_that_is_not_known_has_no_default() {
    assert_eq!(default_preset("3soku", FormulationKind::Sat), None);
}
