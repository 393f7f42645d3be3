//! Bounded boards and the open plane: empty places are fine, holes are not, and places are named as users know them.

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;
use puzzle::hex::Axial;
use puzzle::{Instance, Puzzle, Rule, Solution, Verdict, verify};

use crate::common::{bounded, natural, on, placements};

fn solution(all: impl IntoIterator<Item = (usize, usize, usize)>) -> Solution {
    Solution::on_places("t", placements(&all.into_iter().collect::<Vec<_>>()))
}

fn messages(verdict: &Verdict, rule: Rule) -> Vec<&str> {
    verdict.violations.iter().filter(|v| v.rule == rule).map(|v| v.message.as_str()).collect()
}

/// All solutions of challenge 3 on seven places, by trying everything that uses each tile once.
fn all_of_three_on_seven() -> Vec<Solution> {
    let instance = bounded(3, 7);
    let turns = || (1..=6).flat_map(|a| (1..=6).flat_map(move |b| (1..=6).map(move |c| (a, b, c))));
    let mut found = Vec::new();
    for a in 1..=7 {
        for b in (1..=7).filter(|&b| b != a) {
            for c in (1..=7).filter(|&c| c != a && c != b) {
                let all = turns().map(|(k, l, m)| solution([(a, 1, k), (b, 2, l), (c, 3, m)]));
                found.extend(all.filter(|s| verify(&instance, s).is_valid()));
            }
        }
    }
    found
}

#[test]
fn three_tiles_lie_on_any_corner_of_a_larger_board() {
    let found = all_of_three_on_seven();
    // Six corners of the centre, each with the six solutions of the triangle.
    assert_eq!(found.len(), 36);
}

#[test]
fn a_board_is_full_only_if_it_has_a_place_for_each_tile() {
    let full = |instance: &Instance| messages(&verify(instance, &on([1, 3])), Rule::FullBoard).join("; ");
    assert_eq!(
        full(&bounded(7, 7)),
        "place 2 has no tile; place 4 has no tile; place 5 has no tile; place 6 has no tile; place 7 has no tile"
    );
    assert_eq!(full(&bounded(6, 7)), "");
    assert_eq!(full(&natural(3)), "");
    // On the plane, six tiles around a hole are seven places, and no board of seven.
    assert_eq!(full(&natural(7)), "");
    let ring = verify(&natural(7), &on([2, 3, 4, 5, 6, 7, 7]));
    assert_eq!(messages(&ring, Rule::FullBoard), [""; 0]);
    assert_eq!(messages(&ring, Rule::OneTile), ["placement 7: place 7 has a tile already"]);
}

#[test]
fn holes_are_named_by_all_their_places() {
    let holes = |instance: &Instance, filled: Vec<usize>| {
        let verdict = verify(instance, &on(filled));
        let named: Vec<String> = messages(&verdict, Rule::NoHole).into_iter().map(str::to_owned).collect();
        assert_eq!(named.len(), verdict.holes);
        named
    };
    for instance in [bounded(6, 37), natural(37)] {
        assert_eq!(holes(&instance, (2..=7).collect()), ["the empty place [0, 0] is enclosed"]);
        assert_eq!(holes(&instance, (3..=7).collect()), [""; 0], "open on one side");
        // Ring 2 around the seven places in the middle.
        let seven = "[-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0]";
        assert_eq!(holes(&instance, (8..=19).collect()), [format!("the empty places {seven} are enclosed")]);
        // The same with a tile in the middle, and the open plane beyond.
        let six = "[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]";
        assert_eq!(
            holes(&instance, [1].into_iter().chain(8..=19).collect()),
            [format!("the empty places {six} are enclosed")]
        );
        let two = ["the empty place [-1, 0] is enclosed", "the empty place [1, 0] is enclosed"];
        assert_eq!(holes(&instance, (1..=19).filter(|&j| j != 2 && j != 5).collect()), two);
    }
    assert_eq!(holes(&bounded(6, 19), (1..=18).collect()), [""; 0], "beyond the rim is outside");
}

#[test]
fn of_a_large_hole_a_few_places_are_named() {
    // Ring 3 encloses the 19 places of rings 0 to 2.
    let verdict = verify(&natural(20), &on(20..=37));
    let first = "[-2, 0], [-2, 1], [-2, 2], [-1, -1], [-1, 0], [-1, 1], [-1, 2], [0, -2]";
    assert_eq!(messages(&verdict, Rule::NoHole), [format!("the empty places {first} and 11 more are enclosed")]);
    assert_eq!(verdict.holes, 1);
}

#[test]
fn tiles_at_the_ends_of_the_plane_take_no_time_to_verify() {
    let reach = match natural(10_000).puzzle {
        Puzzle::TantrixNatural(puzzle) => puzzle.last_place(),
        _ => panic!("no open plane"),
    };
    // A box around the six outermost corners has four hundred million places.
    let corners = (1..=6).map(|corner| reach + 1 - corner * 10_000);
    let verdict = verify(&natural(10_000), &on(corners.clone().chain([reach + 1])));
    assert_eq!(messages(&verdict, Rule::Range).len(), 1);
    assert_eq!(verdict.holes, 0);
    // A ring around place 1 far within, beside them.
    assert_eq!(verify(&natural(10_000), &on(corners.chain(2..=7))).holes, 1);
}

#[test]
fn the_plane_takes_a_solution_wherever_it_lies_within_reach() {
    let moved = |s: &Solution, q: i32, r: i32| {
        let number = |place| {
            let at = Axial::from_ring_number(place).expect("a place");
            Axial { q: at.q + q, r: at.r + r }.ring_number()
        };
        solution(s.placements.iter().map(|p| (number(p.place), p.tile, p.orientation)))
    };
    let instance = natural(3);
    let mut refused = 0;
    for valid in all_of_three_on_seven() {
        for (q, r) in (-3..=3).flat_map(|q| (-3..=3).map(move |r| (q, r))) {
            let there = moved(&valid, q, r);
            let verdict = verify(&instance, &there);
            let places: BTreeSet<usize> = there.placements.iter().map(|p| p.place).collect();
            // Challenge 3 reaches three rings: places 1 to 37.
            let within = places.iter().all(|&place| place <= 37);
            assert_eq!(verdict.is_valid(), within, "{there:?}: {:?}", verdict.violations);
            if within {
                assert_eq!(verdict.loops[0].iter().copied().collect::<BTreeSet<_>>(), places, "named by ring numbers");
            }
            refused += usize::from(!within);
        }
    }
    assert!(refused > 0);
}

#[test]
fn the_plane_names_what_is_out_of_reach() {
    let range = |place| {
        let verdict = verify(&natural(3), &solution([(1, 1, 1), (2, 2, 1), (place, 3, 1)]));
        messages(&verdict, Rule::Range).join("; ")
    };
    assert_eq!(range(37), "");
    for place in [0, 38, usize::MAX] {
        assert_eq!(range(place), format!("placement 3: place {place} is not one of 1..37"));
    }
}

/// Enclosed places among those of the board, by spreading from the outside; knows nothing of the crate's own search.
fn enclosed(filled: &HashSet<(i32, i32)>) -> BTreeSet<(i32, i32)> {
    let all = || (-5..=5).flat_map(|q| (-5..=5).map(move |r| (q, r)));
    let mut outside: HashMap<(i32, i32), bool> =
        all().filter(|at| !filled.contains(at)).map(|at| (at, at.0.abs() == 5 || at.1.abs() == 5)).collect();
    loop {
        let touches = |at: &(i32, i32)| {
            let steps = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
            steps.iter().any(|s| outside.get(&(at.0 + s.0, at.1 + s.1)) == Some(&true))
        };
        let reached: Vec<_> = outside.iter().filter(|(at, out)| !**out && touches(at)).map(|(at, _)| *at).collect();
        if reached.is_empty() {
            return outside.into_iter().filter(|(_, out)| !out).map(|(at, _)| at).collect();
        }
        outside.extend(reached.into_iter().map(|at| (at, true)));
    }
}

proptest! {
    #[test]
    fn holes_are_what_the_outside_does_not_reach(filled in prop::collection::vec(prop::bool::weighted(0.75), 37)) {
        let places: Vec<usize> = (1..=37).filter(|j| filled[j - 1]).collect();
        let at = |j: &usize| Axial::from_ring_number(*j).map(|at| (at.q, at.r)).expect("a place");
        let expected = enclosed(&places.iter().map(at).collect());
        for instance in [bounded(20, 37), natural(20)] {
            let verdict = verify(&instance, &on(places.clone()));
            let named = messages(&verdict, Rule::NoHole).join(" ");
            let found: BTreeSet<(i32, i32)> = (1..=37)
                .map(|j| at(&j))
                .filter(|(q, r)| named.contains(&format!("[{q}, {r}]")))
                .collect();
            if named.contains(" more ") {
                prop_assert!(found.is_subset(&expected));
            } else {
                prop_assert_eq!(&found, &expected);
            }
            prop_assert_eq!(verdict.holes == 0, expected.is_empty());
        }
    }
}
