//! Kinds of formulations: which keys each has, what their answers may lack, and how result rows name them.

use crate::common::{bounded, instance, natural, regular, tetrahedron};
use combinatorics::tantrix::shapes::Shape;
use model::{
    Cardinality, CutChoice, Formulation, FormulationKind, Holes, MOST_SHORT_LOOPS, Objective, Strategy, Subloops,
    default_preset, presets,
};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Puzzle, Rule};

use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};

/// One instance of each kind.
fn instances() -> [Instance; 3] {
    [instance(&Shape::Round.places(7, 1), ""), bounded(&regular(BoardType::A, 7), 5, Colour::Red), natural(5)]
}

/// Of some kind, for boards with room.
fn plain(kind: FormulationKind) -> Formulation {
    let families = if kind == Mip { "B1 B3 B45c C5x" } else { "" };
    Formulation { families: families.to_owned(), ..Formulation::plain("f", kind) }
}

/// Instances with room that formulations of a kind are for.
fn fitting(kind: FormulationKind) -> Vec<Instance> {
    if matches!(kind, Minizinc | Asp) { vec![tetrahedron()] } else { instances()[1..].to_vec() }
}

/// A strategy that this kind has, if it has any.
fn strategy(kind: FormulationKind) -> Strategy {
    if kind == Minizinc { Strategy::RandomRestarts } else { Strategy::Walk }
}

/// Kinds that solve again or cut while they search, and have no families.
const WITHOUT_FAMILIES: [FormulationKind; 2] = [Sat, Cp];

#[test]
fn every_key_is_taken_by_its_kinds_and_refused_by_the_others() {
    type Give = fn(Formulation) -> Formulation;
    let keys: [(&str, &[FormulationKind], Give); 10] = [
        ("families", &[Mip], |f| Formulation { families: "B1 B3 B45c".to_owned(), ..f }),
        ("objective", &[Mip], |f| Formulation { objective: Objective::Weighted, ..f }),
        ("subloops", &[Mip, Sat, Cp], |f| Formulation { subloops: Some(Subloops::Resolve), ..f }),
        ("cuts", &[Mip, Sat, Cp], |f| Formulation { cuts: Some(CutChoice::Region), ..f }),
        ("cardinality", &[Sat], |f| Formulation { cardinality: Some(Cardinality::Adder), ..f }),
        ("short-loops", &[Sat, Cp], |f| Formulation { short_loops: Some(4), ..f }),
        ("around-empty", &[Sat, Cp], |f| Formulation { around_empty: Some(5), ..f }),
        ("strategy", &[Search, Minizinc], |f| Formulation { strategy: Some(strategy(f.kind)), ..f }),
        ("symmetry-breaking", &[Minizinc, Asp], |f| Formulation { symmetry_breaking: Some(false), ..f }),
        ("holes", &[Mip, Sat, Cp, Search], |f| Formulation { holes: Some(Holes::Resolve), ..f }),
    ];
    for (key, kinds, give) in keys {
        assert_eq!(Formulation::kinds_with(key), kinds, "{key}");
        for kind in FormulationKind::ALL {
            let given = give(plain(kind));
            for instance in &fitting(kind) {
                if kinds.contains(&kind) {
                    given.check(instance).expect(key);
                    given.normalised().expect(key);
                } else {
                    let text = given.check(instance).expect_err(key).to_string();
                    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                    let reason = format!("is for kind {}; leave it out", names.join(" and "));
                    assert!(text.contains(key) && text.ends_with(&reason), "{kind}: {text}");
                    assert_eq!(given.normalised().expect_err(key).to_string(), text);
                }
            }
        }
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let with = |kind, short_loops, around_empty| Formulation { short_loops, around_empty, ..plain(kind) };
    for (kind, room) in WITHOUT_FAMILIES.into_iter().flat_map(|kind| instances().map(|instance| (kind, instance))) {
        for length in [1, 2, MOST_SHORT_LOOPS + 1] {
            let text = with(kind, Some(length), None).check(&room).expect_err("no such loops").to_string();
            assert!(text.contains(&format!("short-loops = {length}, but loops have 3 places and more")), "{text}");
        }
        for length in [0, 3, MOST_SHORT_LOOPS] {
            with(kind, Some(length), None).check(&room).expect("in range");
        }
        for most in [0, 2, 6] {
            let text = with(kind, None, Some(most)).check(&room).expect_err("no such rule").to_string();
            assert!(text.contains(&format!("around-empty = {most}; there is 5, 4 or 3")), "{text}");
        }
        let full = room.puzzle.kind() == "tantrix-fixed";
        for most in [3, 4, 5] {
            assert_eq!(with(kind, None, Some(most)).check(&room).is_err(), full, "no place is empty on a fixed board");
        }
    }
}

#[test]
fn cuts_are_for_those_who_draw_them() {
    let with = |kind, subloops, cuts| Formulation { subloops, cuts, ..plain(kind) };
    let [_, room, _] = instances();
    for (kind, cuts) in WITHOUT_FAMILIES.into_iter().flat_map(|kind| CutChoice::ALL.map(|cuts| (kind, cuts))) {
        for subloops in [None, Some(Subloops::Resolve)] {
            with(kind, subloops, Some(cuts)).check(&room).expect("cut between solves");
        }
        for subloops in [Some(Subloops::Report), Some(Subloops::Propagate)] {
            with(kind, subloops, None).check(&room).expect("nothing to draw");
            let text = with(kind, subloops, Some(cuts)).check(&room).expect_err("nothing to draw").to_string();
            assert!(text.contains("a choice of cuts without subloops = \"resolve\""), "{text}");
        }
    }
    for (subloops, cuts, key) in [
        (Some(Subloops::Propagate), None, "subloops = \"propagate\""),
        (None, Some(CutChoice::Loop), "cuts = \"loop\""),
    ] {
        let text = with(Mip, subloops, cuts).check(&room).expect_err("mip").to_string();
        assert!(text.contains(&format!("{key} is for kinds sat and cp")), "{text}");
    }
}

#[test]
fn caveats_go_by_what_is_reported_and_by_how_many_tiles_may_lie_around_an_empty_place() {
    for kind in WITHOUT_FAMILIES {
        for (most, restricting) in
            [(None, &[][..]), (Some(5), &[]), (Some(4), &["around-empty"]), (Some(3), &["around-empty"])]
        {
            let caveats = Formulation { around_empty: most, ..plain(kind) }.caveats().expect("good");
            assert_eq!(caveats.restricting, restricting, "{most:?}");
        }
        for (subloops, holes, waived) in [
            (None, None, &[Rule::NoHole][..]),
            (Some(Subloops::Resolve), Some(Holes::Resolve), &[]),
            (Some(Subloops::Propagate), Some(Holes::Report), &[Rule::NoHole]),
            (Some(Subloops::Report), Some(Holes::Resolve), &[Rule::SingleLoop]),
            (Some(Subloops::Report), None, &[Rule::SingleLoop, Rule::NoHole]),
        ] {
            let caveats = Formulation { subloops, holes, ..plain(kind) }.caveats().expect("good");
            assert_eq!(caveats.waived, waived, "{subloops:?} {holes:?}");
        }
    }
    for strategy in Strategy::ALL.into_iter().filter(|strategy| *strategy != Strategy::RandomRestarts) {
        for (holes, waived) in [(None, &[Rule::NoHole][..]), (Some(Holes::Resolve), &[])] {
            let caveats = Formulation { strategy: Some(strategy), holes, ..plain(Search) }.caveats().expect("good");
            assert_eq!((&caveats.waived[..], caveats.restricting), (waived, Vec::new()), "{strategy}");
        }
    }
    for preset in presets() {
        let proves_nothing = preset.summary.contains("proves nothing");
        let caveats = preset.formulation.caveats().expect("good");
        // B6' restricts too, as the sources have it.
        let restricts = proves_nothing || preset.formulation.families.contains("B6'");
        assert_eq!(!caveats.restricting.is_empty(), restricts, "{}", preset.formulation.name);
    }
}

#[test]
fn rows_name_what_a_formulation_chooses() {
    let sat = Formulation {
        cardinality: Some(Cardinality::Network),
        short_loops: Some(0),
        around_empty: Some(4),
        subloops: Some(Subloops::Propagate),
        holes: Some(Holes::Resolve),
        ..plain(Sat)
    };
    let cp = Formulation { cuts: Some(CutChoice::Smallest), around_empty: Some(5), ..plain(Cp) };
    let walk = Formulation { strategy: Some(Strategy::Walk), ..plain(Search) };
    let restarts =
        Formulation { strategy: Some(Strategy::RandomRestarts), symmetry_breaking: Some(false), ..plain(Minizinc) };
    let silent = Formulation { objective: Objective::None, subloops: Some(Subloops::Report), ..plain(Sat) };
    for (formulation, families, objective, subloops, holes) in [
        (plain(Mip), "B1 B3 B45c C5x", "virtual", "resolve:each", "report"),
        (plain(Sat), "cardinality=totalizer short-loops=7", "none", "resolve:loop", "report"),
        (sat, "cardinality=network short-loops=0 around-empty=4", "none", "propagate", "resolve"),
        (silent, "cardinality=totalizer short-loops=7", "none", "report", "report"),
        (plain(Cp), "short-loops=7", "none", "resolve:loop", "report"),
        (cp, "short-loops=7 around-empty=5", "none", "resolve:smallest", "report"),
        (plain(Search), "strategy=propagate", "none", "propagate", "report"),
        (walk, "strategy=walk", "none", "propagate", "report"),
        (plain(Minizinc), "strategy=solver symmetry-breaking=true", "none", "report", "report"),
        (restarts, "strategy=random-restarts symmetry-breaking=false", "none", "report", "report"),
        (plain(Asp), "symmetry-breaking=true", "none", "report", "report"),
    ] {
        let normal = formulation.normalised().expect("good");
        assert_eq!(normal.kind, formulation.kind);
        let texts = [normal.families, normal.objective, normal.subloops, normal.holes];
        assert_eq!(texts, [families, objective, subloops, holes], "{formulation:?}");
    }
}

#[test]
fn the_default_of_every_kind_fits_every_instance_and_proves_what_it_says() {
    for instance in instances() {
        for kind in FormulationKind::ALL.into_iter().filter(|kind| !matches!(kind, Minizinc | Asp)) {
            let default = default_preset(instance.puzzle.kind(), kind).expect("one for each");
            assert_eq!(default.kind, kind);
            default.check(&instance).expect("makes sense");
            let caveats = default.caveats().expect("good");
            assert_eq!(caveats.restricting, Vec::<&str>::new(), "{kind} on {}", instance.puzzle.kind());
            let full = matches!(instance.puzzle, Puzzle::TantrixFixed(_));
            // A full board has no holes to lack a cut against.
            assert_eq!(caveats.waived, if full { vec![Rule::NoHole] } else { Vec::new() }, "{kind}");
        }
    }
}
