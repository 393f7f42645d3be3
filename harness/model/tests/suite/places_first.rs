//! Places first: which formulations and instances it is for.

use combinatorics::tantrix::shapes::Shape;
use model::{FormulationKeys, FormulationKind, Holes};
use puzzle::Instance;
use puzzle::tantrix::{BoardType, Colour};

use crate::common::{bounded, instance, natural, regular};

fn keys(kind: FormulationKind, others: &[(&str, &str)]) -> FormulationKeys {
    let families: &[_] = match kind {
        FormulationKind::Mip => &[("families", "C1 C2' C4c C5x"), ("objective", "none")],
        _ => &[],
    };
    FormulationKeys::new("f", kind, &[families, &[("places-first", "true")], others].concat())
}

fn with_room() -> [Instance; 2] {
    [bounded(&regular(BoardType::A, 19), 12, Colour::Red), natural(12)]
}

#[test]
fn formulations_of_fixed_boards_take_boards_with_room() {
    use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat};
    for kind in [Mip, Sat, Cp, Minizinc, Asp] {
        let chosen = keys(kind, &[("holes", "resolve")]).read().expect("good");
        for instance in with_room() {
            chosen.check(&instance).expect("fits");
        }
        // Holes there are none: whether they are cut off does not matter.
        let plain = keys(kind, &[]).read().expect("good").seeded(7);
        assert_eq!(
            (plain.holes(), plain.options().last()),
            (Holes::Resolve, Some(&("places-first", "true".to_owned())))
        );
        assert_eq!(plain.columns(), chosen.columns());
        let on_them = chosen.seeded(7).on_chosen_places();
        on_them.check(&instance(&Shape::Round.places(12, 1), "")).expect("fits");
        assert_eq!((on_them.clone(), on_them.seed()), (plain.on_chosen_places(), 7));
        assert!(!on_them.places_first() && on_them.on_chosen_places() == on_them);
    }
}

#[test]
fn what_makes_no_sense_with_it_is_refused_with_the_reason() {
    use FormulationKind::{Cp, Mip, Sat, Search};
    let refusal = |written: FormulationKeys, instance: &Instance| {
        written.read().and_then(|formulation| formulation.check(instance)).expect_err("makes no sense").to_string()
    };
    let [board, plane] = with_room();
    for (written, reason) in [
        (keys(Mip, &[]).without("objective"), "its objective has to be none"),
        (keys(Mip, &[("objective", "weighted")]), "its objective has to be none"),
        (keys(Mip, &[("root-bound", "true")]), "leave one of them out"),
        (
            keys(Mip, &[("families", "B1 B3 B45c B6")]),
            "but places-first solves boards of kind tantrix-fixed; its families: C1",
        ),
        (keys(Mip, &[("start", "fix")]), "start = \"fix\" is for fixed boards"),
        (keys(Sat, &[("around-empty", "3")]), "leave around-empty out"),
        (keys(Cp, &[("places-first", "first")]), "it is true or false"),
        (keys(Search, &[]), "is for kind mip and sat and cp and minizinc and asp"),
    ] {
        for instance in [&board, &plane] {
            let text = refusal(written.clone(), instance);
            assert!(text.contains(reason), "{text}");
        }
    }
    let fixed = instance(&Shape::Round.places(12, 1), "");
    let text = refusal(keys(Sat, &[]), &fixed);
    assert!(
        text.contains("places-first is for bounded boards and the open plane, and this is tantrix-fixed"),
        "{text}"
    );
}
