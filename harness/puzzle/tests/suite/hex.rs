//! The lattice: directions, ring numbers, turns; holes against a plain flood of a box, and the least and the widest sets of places.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use puzzle::hex::{Axial, EDGES, components, holes, opposite};

/// Where the sets of the property tests lie.
const SIDE: i32 = 9;

fn places(pairs: impl IntoIterator<Item = (i32, i32)>) -> HashSet<Axial> {
    pairs.into_iter().map(Axial::from).collect()
}

/// What the outside does not reach, one step at a time over a box with free space all around.
fn flooded(filled: &HashSet<Axial>, side: i32) -> Vec<Vec<Axial>> {
    let mut empty: BTreeSet<Axial> = (-1..=side).flat_map(|q| (-1..=side).map(move |r| Axial { q, r })).collect();
    empty.retain(|at| !filled.contains(at));
    let mut reached = vec![Axial { q: -1, r: -1 }];
    while let Some(at) = reached.pop() {
        if empty.remove(&at) {
            reached.extend(EDGES.map(|edge| at.neighbour(edge)));
        }
    }
    components(&empty.into_iter().collect())
}

/// Squares of places, filled with some probability.
fn scattered() -> impl Strategy<Value = HashSet<Axial>> {
    let cells = (SIDE * SIDE) as usize;
    (0.3..0.9).prop_flat_map(move |share| prop::collection::vec(prop::bool::weighted(share), cells)).prop_map(|cells| {
        let filled = (0..).zip(cells).filter(|(_, filled)| *filled);
        places(filled.map(|(cell, _)| (cell % SIDE, cell / SIDE)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn holes_are_what_a_plain_flood_does_not_reach(filled in scattered()) {
        prop_assert_eq!(holes(&filled), flooded(&filled, SIDE));
    }

    #[test]
    fn parts_far_apart_enclose_what_each_does_alone(
        one in scattered(), other in scattered(), q in -900_000i32..900_000, r in -900_000i32..900_000
    ) {
        prop_assume!(q.abs() > SIDE || r.abs() > SIDE);
        let moved = |at: &Axial| at.moved((q, r));
        let mut expected = flooded(&one, SIDE);
        expected.extend(flooded(&other, SIDE).iter().map(|hole| hole.iter().map(moved).collect()));
        expected.sort();
        let both = one.iter().copied().chain(other.iter().map(moved)).collect();
        prop_assert_eq!(holes(&both), expected);
    }
}

#[test]
fn a_ring_has_a_hole_and_an_open_ring_has_none() {
    let centre = Axial { q: 0, r: 0 };
    let ring: HashSet<Axial> = centre.neighbours().collect();
    assert_eq!(holes(&ring), [vec![centre]]);
    for open in centre.neighbours() {
        let others = ring.iter().copied().filter(|&at| at != open).collect();
        assert_eq!(holes(&others), Vec::<Vec<Axial>>::new());
    }
    assert_eq!(holes(&HashSet::new()), Vec::<Vec<Axial>>::new());
}

#[test]
fn rings_within_rings_enclose_what_lies_between_them() {
    let centre = Axial { q: 0, r: 0 };
    let ring = |radius: u32| {
        let all = (-9..=9).flat_map(|q| (-9..=9).map(move |r| Axial { q, r }));
        all.filter(move |at| at.distance(centre) == radius)
    };
    // Rings 1 and 4: the centre, and rings 2 and 3 as one hole.
    let found = holes(&ring(1).chain(ring(4)).collect());
    let mut sizes: Vec<usize> = found.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 12 + 18]);
    assert!(found.contains(&vec![centre]));
}

#[test]
fn the_farthest_places_take_no_more_than_near_ones() {
    // A box around them has four million million places.
    let ends = [(-1_000_000, -1_000_000), (1_000_000, 1_000_000), (-1_000_000, 1_000_000), (1_000_000, -1_000_000)];
    assert!(holes(&places(ends)).is_empty());
    let ring = |at: (i32, i32)| Axial::from(at).neighbours();
    assert_eq!(holes(&ends.into_iter().flat_map(ring).collect()).len(), 4);
}

#[test]
fn edges_of_neighbours_face_each_other() {
    let here = Axial { q: 3, r: -2 };
    for edge in EDGES {
        assert_eq!(here.neighbour(edge).neighbour(opposite(edge)), here);
    }
    assert_eq!([1, 2, 3, 4, 5, 6].map(opposite), [4, 5, 6, 1, 2, 3]);
}

#[test]
fn edges_run_counterclockwise() {
    let angle = |edge| {
        let (x, y) = Axial { q: 0, r: 0 }.neighbour(edge).centre();
        y.atan2(x).to_degrees().rem_euclid(360.0).round()
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(angle), [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]);
}

#[test]
fn ring_numbers_name_every_place_once() {
    let mut last = Axial { q: 0, r: 0 };
    for number in 1..=1 + 3 * 20 * 21 {
        let at = Axial::from_ring_number(number).expect("a place");
        assert_eq!(at.ring_number(), number, "{at:?}");
        assert!(at.distance(last) <= 1 || at.distance(Axial { q: 0, r: 0 }) > last.distance(Axial { q: 0, r: 0 }));
        last = at;
    }
    assert_eq!(Axial::from_ring_number(2), Some(Axial { q: 1, r: 0 }));
    assert_eq!(Axial::from_ring_number(3), Some(Axial { q: 0, r: 1 }));
    assert_eq!(Axial::from_ring_number(0), None);
    assert_eq!(Axial::from_ring_number(usize::MAX), None);
}

#[test]
fn six_turns_come_back_and_each_takes_an_edge_to_the_next() {
    let (home, at) = (Axial { q: 0, r: 0 }, Axial { q: 3, r: -2 });
    for steps in 0..=12 {
        for edge in EDGES {
            assert_eq!(home.neighbour(edge).turned(steps), home.neighbour((edge + steps - 1) % 6 + 1));
        }
        assert_eq!(at.turned(steps).turned(12 - steps), at);
        assert_eq!(at.turned(steps).distance(home), at.distance(home));
        assert_eq!(at.moved((steps as i32, -1)).moved((-(steps as i32), 1)), at);
    }
}
