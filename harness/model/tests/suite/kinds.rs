//! Kinds of formulations: which keys each has, what their answers may lack, and how result rows name them.

use crate::common::{bounded, instance, natural, regular, tetrahedron};
use combinatorics::tantrix::shapes::Shape;
use model::{
    CutChoice, Formulation, FormulationKeys, FormulationKind, KEYS, Key, MOST_SHORT_LOOPS, PRESETS, Strategy, Values,
    default_preset,
};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Puzzle, Rule};

use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};

/// One instance of each kind.
fn instances() -> [Instance; 3] {
    [instance(&Shape::Round.places(7, 1), ""), bounded(&regular(BoardType::A, 7), 5, Colour::Red), natural(5)]
}

/// Of some kind, for boards with room, with further keys.
fn keys(kind: FormulationKind, others: &[(&str, &str)]) -> FormulationKeys {
    let families: &[_] = if kind == Mip { &[("families", "B1 B3 B45c C5x")] } else { &[] };
    FormulationKeys::new("f", kind, &[families, others].concat())
}

fn formulation(kind: FormulationKind, others: &[(&str, &str)]) -> Formulation {
    keys(kind, others).read().expect("good")
}

/// Instances with room that formulations of a kind with this key are for. Programs are not for the open plane, and some keys of theirs
/// for 3SoKu alone.
fn fitting(kind: FormulationKind, key: &str) -> Vec<Instance> {
    match (kind, key) {
        (Minizinc | Asp, "symmetry-breaking" | "one-variable" | "redundant-sums") => vec![tetrahedron()],
        (Minizinc | Asp, _) => instances()[1..2].to_vec(),
        // Tests of their own show which instances they are for.
        (Mip, "start" | "start-share" | "fix-and-optimise" | "loop-first") => Vec::new(),
        _ => instances()[1..].to_vec(),
    }
}

/// Kinds that solve again or cut while they search, and have no families.
const WITHOUT_FAMILIES: [FormulationKind; 2] = [Sat, Cp];

#[test]
fn every_key_is_taken_by_its_kinds_and_refused_by_the_others() {
    for Key { name, kinds, values, .. } in KEYS {
        for kind in FormulationKind::ALL {
            let value = match (values, kind) {
                _ if name == "families" => "B1 B3 B45c".to_owned(),
                (_, Minizinc) if name == "strategy" => "random-restarts".to_owned(),
                (_, Minizinc | Asp) if name == "subloops" => "report".to_owned(),
                // Not the one that says what goes without saying.
                (Values::Words(words), _) => words[if name == "objective" { 2 } else { 1 }].to_owned(),
                (Values::Whole(_, most), _) => most.to_string(),
                _ => "true".to_owned(),
            };
            let strategy = (name == "restart-after" && kind == Minizinc).then_some(("strategy", "random-restarts"));
            let start = (name == "start-share" && kind == Mip).then_some(("start", "fix"));
            let windows = (["fix-and-optimise", "loop-first", "places-first"].contains(&name) && kind == Mip)
                .then_some([("families", "C1 C2' C4c"), ("objective", "none")]);
            let others = strategy.into_iter().chain(start).chain(windows.into_iter().flatten());
            let given: Vec<_> = [(name, value.as_str())].into_iter().chain(others).collect();
            let given = keys(kind, &given).read();
            if kinds.contains(&kind) {
                let given = given.expect(name);
                fitting(kind, name).iter().for_each(|instance| given.check(instance).expect(name));
            } else {
                let text = given.expect_err(name).to_string();
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                let reason = format!("is for kind {}; leave it out", names.join(" and "));
                assert!(text.contains(name) && text.ends_with(&reason), "{kind}: {text}");
            }
        }
    }
}

#[test]
fn keys_and_words_that_there_are_not_are_refused_with_those_that_there_are() {
    for (kind, key, value, expected) in [
        (
            Sat,
            "loops",
            "3",
            "there is families, objective, start, start-share, fix-and-optimise, loop-first, places-first, subloops",
        ),
        (Sat, "cardinality", "adders", "there is totalizer, sequential, network, adder"),
        (Mip, "subloops", "keep", "there is report, resolve, lazy, propagate"),
        (Cp, "subloops", "lazy", "is for kind mip"),
        (Asp, "subloops", "lazy", "is for kind mip"),
        (Cp, "short-loops", "many", "no whole number"),
        (Asp, "symmetry-breaking", "yes", "it is true or false"),
        (Asp, "subloops", "resolve", "this kind has report and propagate"),
        (Minizinc, "subloops", "keep", "there is report, resolve, lazy, propagate"),
        (
            Search,
            "strategy",
            "random-restarts",
            "this kind has walk, shuffled-walk, propagate, parts, least-capacity, count, sums",
        ),
        (
            Minizinc,
            "strategy",
            "walk",
            "this kind has first-fail, first-fail-restarts, random, random-restarts, random-luby",
        ),
        (Minizinc, "restart-after", "10", "is for strategies with restarts: first-fail-restarts, random-restarts"),
        (Minizinc, "restart-after", "0", "it is from 1 to 1000000000"),
    ] {
        let text = keys(kind, &[(key, value)]).read().expect_err(value).to_string();
        assert!(text.contains(key) && text.contains(expected), "{text}");
    }
    for strategy in ["first-fail", "random"] {
        let given = keys(Minizinc, &[("strategy", strategy), ("restart-after", "10")]);
        let text = given.read().expect_err(strategy).to_string();
        assert!(text.contains("restart-after is for strategies with restarts: "), "{text}");
    }
}

#[test]
fn jobs_say_a_formulation_as_it_is_written() {
    let written = keys(Sat, &[("holes", "resolve"), ("short-loops", "4")]);
    let formulation = written.clone().read().expect("good");
    assert_eq!(FormulationKeys::from(formulation), written);
}

#[test]
fn values_out_of_range_are_refused() {
    for (kind, room) in WITHOUT_FAMILIES.into_iter().flat_map(|kind| instances().map(|instance| (kind, instance))) {
        let with = |key, value: usize| keys(kind, &[]).with(key, value).read();
        for (length, reason) in
            [(1, ", but loops have 3 places and more"), (2, ", but"), (MOST_SHORT_LOOPS + 1, "; it is from 0 to 12")]
        {
            let text = with("short-loops", length).expect_err("no such loops").to_string();
            assert!(text.contains(&format!("short-loops = {length}{reason}")), "{text}");
        }
        for length in [0, 3, MOST_SHORT_LOOPS] {
            with("short-loops", length).expect("in range").check(&room).expect("in range");
        }
        for most in [0, 2, 6] {
            let text = with("around-empty", most).expect_err("no such rule").to_string();
            assert!(text.contains(&format!("around-empty = {most}; it is from 3 to 5")), "{text}");
        }
        let full = room.puzzle.kind() == "tantrix-fixed";
        for most in [3, 4, 5] {
            let checked = with("around-empty", most).expect("in range").check(&room);
            assert_eq!(checked.is_err(), full, "no place is empty on a fixed board");
        }
    }
}

#[test]
fn cuts_are_for_those_who_draw_them() {
    for (kind, cuts) in
        WITHOUT_FAMILIES.into_iter().flat_map(|kind| CutChoice::WORDS.iter().map(move |cuts| (kind, cuts)))
    {
        formulation(kind, &[("cuts", cuts)]);
        formulation(kind, &[("cuts", cuts), ("subloops", "resolve")]);
        for subloops in ["report", "propagate"] {
            formulation(kind, &[("subloops", subloops)]);
            let text = keys(kind, &[("subloops", subloops), ("cuts", cuts)]).read().expect_err("no cuts").to_string();
            assert!(text.contains("a choice of cuts without subloops = \"resolve\""), "{text}");
        }
    }
    for (key, value) in [("subloops", "propagate"), ("cuts", "loop")] {
        let text = keys(Mip, &[(key, value)]).read().expect_err("mip").to_string();
        assert!(text.contains(&format!("{key} = \"{value}\" is for kinds sat and cp")), "{text}");
    }
}

#[test]
fn caveats_go_by_what_is_reported_and_by_how_many_tiles_may_lie_around_an_empty_place() {
    for kind in WITHOUT_FAMILIES {
        for (most, restricting) in [("5", &[][..]), ("4", &["around-empty"]), ("3", &["around-empty"])] {
            assert_eq!(formulation(kind, &[("around-empty", most)]).caveats().restricting, restricting, "{most}");
        }
        assert_eq!(formulation(kind, &[]).caveats().restricting, Vec::<&str>::new());
        for (others, waived) in [
            (&[][..], &[Rule::NoHole][..]),
            (&[("subloops", "resolve"), ("holes", "resolve")], &[]),
            (&[("subloops", "propagate"), ("holes", "report")], &[Rule::NoHole]),
            (&[("subloops", "report"), ("holes", "resolve")], &[Rule::SingleLoop]),
            (&[("subloops", "report")], &[Rule::SingleLoop, Rule::NoHole]),
        ] {
            assert_eq!(formulation(kind, others).caveats().waived, waived, "{others:?}");
        }
    }
    for strategy in Strategy::WORDS {
        for (holes, waived) in [("report", &[Rule::NoHole][..]), ("resolve", &[])] {
            let caveats = formulation(Search, &[("strategy", strategy), ("holes", holes)]).caveats();
            assert_eq!((&caveats.waived[..], caveats.restricting), (waived, Vec::new()), "{strategy}");
        }
    }
    for preset in PRESETS {
        let proves_nothing = preset.summary.contains("proves nothing");
        let formulation = preset.written().read().expect("good");
        // B6' restricts too, as the sources have it.
        let restricts = proves_nothing || formulation.columns().families.contains("B6'");
        assert_eq!(!formulation.caveats().restricting.is_empty(), restricts, "{}", preset.name);
    }
}

#[test]
fn rows_name_what_a_formulation_chooses() {
    let sat = [("cardinality", "network"), ("short-loops", "0"), ("around-empty", "4"), ("subloops", "propagate")];
    let sat = formulation(Sat, &[&sat[..], &[("holes", "resolve")]].concat());
    let cp = formulation(Cp, &[("cuts", "smallest"), ("around-empty", "5")]);
    let walk = formulation(Search, &[("strategy", "walk")]);
    let restarts = formulation(Minizinc, &[("strategy", "random-restarts"), ("symmetry-breaking", "false")]);
    let luby = formulation(Minizinc, &[("strategy", "random-luby"), ("restart-after", "10")]);
    let usual = formulation(Minizinc, &[("strategy", "random-restarts"), ("restart-after", "100")]);
    let one = formulation(Minizinc, &[("one-variable", "true")]);
    let redundant = formulation(Minizinc, &[("redundant-sums", "true")]);
    let silent = formulation(Sat, &[("objective", "none"), ("subloops", "report")]);
    let lenient = formulation(Asp, &[("subloops", "report"), ("holes", "resolve")]);
    let plain = |kind| formulation(kind, &[]);
    for (formulation, families, objective, subloops, holes) in [
        (plain(Mip), "B1 B3 B45c C5x", "virtual", "resolve:each", "report"),
        (plain(Sat), "cardinality=totalizer short-loops=7", "none", "resolve:loop", "report"),
        (sat, "cardinality=network short-loops=0 around-empty=4", "none", "propagate", "resolve"),
        (silent, "cardinality=totalizer short-loops=7", "none", "report", "report"),
        (plain(Cp), "short-loops=7", "none", "resolve:loop", "report"),
        (cp, "short-loops=7 around-empty=5", "none", "resolve:smallest", "report"),
        (plain(Search), "strategy=propagate", "none", "propagate", "report"),
        (walk, "strategy=walk", "none", "propagate", "report"),
        (plain(Minizinc), "strategy=solver symmetry-breaking=true", "none", "propagate", "report"),
        (restarts, "strategy=random-restarts symmetry-breaking=false", "none", "propagate", "report"),
        (luby, "strategy=random-luby symmetry-breaking=true restart-after=10", "none", "propagate", "report"),
        (usual, "strategy=random-restarts symmetry-breaking=true", "none", "propagate", "report"),
        (one, "strategy=solver symmetry-breaking=true one-variable=true", "none", "propagate", "report"),
        (redundant, "strategy=solver symmetry-breaking=true redundant-sums=true", "none", "propagate", "report"),
        (plain(Asp), "symmetry-breaking=true", "none", "propagate", "report"),
        (lenient, "symmetry-breaking=true", "none", "report", "resolve"),
    ] {
        let normal = formulation.columns();
        assert_eq!(normal.kind, formulation.kind());
        let texts = [normal.families, normal.objective, normal.subloops, normal.holes];
        assert_eq!(texts, [families, objective, subloops, holes], "{formulation:?}");
    }
}

#[test]
fn the_default_of_every_kind_fits_every_instance_and_proves_what_it_says() {
    for instance in instances() {
        for kind in FormulationKind::ALL {
            let default = default_preset(instance.puzzle.kind(), kind).expect("one for each").read().expect("good");
            assert_eq!(default.kind(), kind);
            let checked = default.check(&instance);
            if let (Minizinc | Asp, Puzzle::TantrixNatural(_)) = (kind, &instance.puzzle) {
                assert!(checked.expect_err("no board").to_string().contains("the open plane needs boards that grow"));
                continue;
            }
            checked.expect("makes sense");
            let caveats = default.caveats();
            assert_eq!(caveats.restricting, Vec::<&str>::new(), "{kind} on {}", instance.puzzle.kind());
            let full = matches!(instance.puzzle, Puzzle::TantrixFixed(_));
            // A full board has no holes to lack a cut against.
            assert_eq!(caveats.waived, if full { vec![Rule::NoHole] } else { Vec::new() }, "{kind}");
        }
    }
}
