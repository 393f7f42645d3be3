//! What makes no sense for 3SoKu, and what is too large, with the reason.

use model::{Formulation, FormulationKind, PRESETS, build_cp, build_mip, build_sat, default_preset};
use puzzle::Instance;

use super::{bipyramid, icosoku, on};
use crate::common::{instance, tetrahedron};

fn refusal(list: &str, instance: &Instance) -> String {
    let built = Formulation::of("f", list).and_then(|formulation| build_mip(&formulation, instance));
    built.map(|_| ()).expect_err(list).to_string()
}

#[test]
fn lists_are_accepted_or_refused_by_their_roles() {
    for list in
        ["S1 S2 S3", "S3 S2' S1", "S1 S2 S3 S4", "S1 S2 S3 S5", "S1 S2\u{2032} S3 S6 S7", "S1 S2 S3 S4 S5 S6 S7"]
    {
        build_mip(&Formulation::of("f", list).expect("good"), &icosoku()).map(|_| ()).expect(list);
    }
    for (list, reason) in [
        ("S2 S3", "nothing puts one tile on each face; add S1"),
        ("S1 S3", "nothing says how often each tile is used; add S2 or S2'"),
        ("S1 S2", "nothing makes weights meet the capacities; add S3"),
        ("S1 S2 S2' S3", "S2 and S2' exclude each other"),
        ("S1 S2' S3 S4", "S4 is about tiles that are told apart; list S2 with it, or leave it out"),
        ("S1 S2' S3 S5", "S5 is about tiles that are told apart"),
        (
            "S1 S2' S3 C5",
            "C5 is for tantrix-fixed and tantrix-bounded and tantrix-natural, but t is soku; its families: S1 S2 S2' S3",
        ),
        ("S1 S2' S3 S99", "unknown family \"S99\""),
    ] {
        let text = refusal(list, &icosoku());
        assert!(text.contains(reason), "{list}: {text}");
    }
}

#[test]
fn presets_are_for_3soku_where_their_summaries_say_so() {
    let board = instance(&combinatorics::tantrix::shapes::Shape::Round.places(7, 1), "");
    for preset in PRESETS {
        let (is_soku, formulation) = (preset.summary.starts_with("3SoKu; "), preset.written().read().expect("good"));
        // Without any key there is nothing about loops and boards, whatever it was made for.
        assert_eq!(formulation.check(&tetrahedron()).is_ok(), is_soku || preset.keys.is_empty());
        if is_soku && preset.kind == FormulationKind::Mip {
            assert!(formulation.check(&board).is_err());
        }
    }
    for kind in FormulationKind::ALL {
        let default = default_preset("soku", kind).expect("one for each kind").read().expect("good");
        default.check(&tetrahedron()).expect("makes sense");
        assert_eq!(default.caveats().restricting, Vec::<&str>::new());
    }
    let distinct = Formulation::of("f", "S1 S2 S3 S4 S5 S6 S7").expect("good").caveats();
    assert_eq!(distinct.restricting, Vec::<&str>::new(), "a symmetry that is broken hides no solution");
}

#[test]
fn games_beyond_what_solvers_take_are_refused() {
    let many = bipyramid(950);
    let tiles: Vec<[u32; 3]> = (0..1900).map(|tile| [0, tile, 2 * tile + 1]).collect();
    let large = on(&many, &tiles, &[5; 952], &[]);
    for text in [
        refusal("S1 S2' S3", &large),
        build_sat(&Formulation::plain("f", FormulationKind::Sat), &large).map(|_| ()).expect_err("large").to_string(),
        build_cp(&Formulation::plain("f", FormulationKind::Cp), &large).map(|_| ()).expect_err("large").to_string(),
    ] {
        assert_eq!(text, "1900 tiles on 1900 places make 10830000 variables, and a model may have 10000000 here");
    }
    let equal = on(&bipyramid(180), &[[0, 0, 1]; 360], &[5; 182], &[]);
    let text = refusal("S1 S2 S3 S5", &equal);
    assert!(text.starts_with("S5: 359 pairs of equal tiles on 360 places make 139579200 nonzeros"), "{text}");
    build_mip(&Formulation::of("f", "S1 S2' S3").expect("good"), &equal).map(|_| ()).expect("one sort");
    let heavy = on(&bipyramid(3), &[[1_000_000_000, 0, 0]; 6], &[1_000_000_000; 5], &[]);
    let error = build_cp(&Formulation::plain("f", FormulationKind::Cp), &heavy).map(|_| ()).expect_err("heavy");
    let is_right = |text: &str| {
        text.contains("4 weights of up to 1000000000 around a vertex") && text.ends_with("kind sat takes more")
    };
    assert!(matches!(&error, model::ModelError::Impossible(text) if is_right(text)), "{error}");
    build_sat(&Formulation::plain("f", FormulationKind::Sat), &heavy).map(|_| ()).expect("binary sums");
    let text = refusal("S1 S2' S3", &heavy);
    assert!(text.contains("a weight or capacity of 1000000000") && text.ends_with("kind sat takes more"), "{text}");
}
