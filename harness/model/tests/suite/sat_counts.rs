//! Sizes of the formulas, family by family.

use std::collections::BTreeMap;

use crate::clauses::{plain, sat};
use crate::common::{bounded, bounded_distinct, instance, regular, tantrix};
use combinatorics::tantrix::shapes::Shape;
use model::{Cardinality, Formulation, Holes, Representation, SHORT_LOOPS};
use puzzle::Instance;
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

fn by_family(instance: &Instance, formulation: &Formulation) -> BTreeMap<&'static str, usize> {
    let problem = sat(instance, formulation);
    let mut counts = BTreeMap::new();
    for clause in problem.model().clauses() {
        *counts.entry(clause.family).or_default() += 1;
    }
    counts
}

#[test]
fn families_have_the_sizes_of_their_formulas() {
    let disc = regular(BoardType::A, 7);
    let three = plain().with("short-loops", 3).expect("good");
    let cases = [
        (instance(&Shape::Spur.places(20, 1), ""), 60, 3),
        (instance(&Shape::Round.places(12, 3), ""), 60, 3),
        (bounded(&disc, 6, Colour::Blue), 36, 3),
        (bounded(&regular(BoardType::B, 27), 15, Colour::Blue), 60, 3),
        // Tiles 15 and 16 have a fourth colour, and lack blue.
        (bounded_distinct(&regular(BoardType::A, 19), 16, Colour::Red), 96, 4),
    ];
    for (instance, turned, colours) in cases {
        let puzzle = tantrix(&instance);
        let (board, sorts) = (&puzzle.board, puzzle.tiles.sorts.len());
        let (places, pairs, rim) = (board.len(), board.touching().count(), board.boundary().count());
        let room = usize::from(places > puzzle.challenge);
        let turns = sorts * choose(6, 2);
        let around = |j| board.inner_edges(j).count();
        let families = by_family(&instance, &three);
        let lines: usize = board.numbers().map(|j| choose(around(j), 3) + (1 + room) * around(j)).sum();
        // Each triangle of places is seen from its first place.
        let triangles = board.numbers().flat_map(|j| {
            let of = |j| board.inner_edges(j).map(|(_, next)| next).collect::<Vec<_>>();
            of(j).into_iter().flat_map(move |a| of(a).into_iter().filter(move |b| of(j).contains(b) && j < a && a < *b))
        });
        // A colour that a tile lacks is on none of its edges.
        let edges = pairs * (2 * (turned + colours) + room * (colours - 1));
        let expected = [
            ("lies", places * (turned + sorts)),
            ("filled", room * places * (sorts + 1)),
            ("edges", edges),
            ("place", places * (1 - room + choose(sorts, 2) + turns)),
            ("rim", rim * turned / 3),
            ("colours", pairs * (choose(colours, 2) + 1 + room)),
            ("lines", lines),
            ("turns", board.numbers().map(|j| colours * choose(around(j), 2)).sum()),
            ("short-loops", triangles.count()),
        ];
        for (family, expected) in expected {
            assert_eq!(families.get(family).copied().unwrap_or(0), expected, "{family} of {sorts} sorts on {places}");
        }
        let problem = sat(&instance, &three);
        let legend = problem.model().legend();
        let named = legend.iter().rfind(|group| group.meaning.starts_with("edge_")).expect("edges").last;
        assert_eq!(named, places * (turned + sorts + room) + pairs * colours);
        // Each variable stands in one group, and the groups in order.
        assert!(legend.windows(2).all(|pair| pair[0].last + 1 == pair[1].first));
        assert_eq!((legend[0].first, legend[legend.len() - 1].last), (1, problem.model().variables()));
    }
}

/// Cycles of the triangular lattice for each place of it: 2, 3, 6, 15, 42, 123, ... of 3, 4, 5, ... places; on a board
/// there are fewer, and these are the plain count of another search.
#[test]
fn every_short_cycle_is_forbidden_once() {
    for (places, n) in
        [(Shape::Blob.places(14, 1), 14), (regular(BoardType::A, 19), 12), (regular(BoardType::B, 12), 8)]
    {
        let instance = if places.len() == n { instance(&places, "") } else { bounded(&places, n, Colour::Blue) };
        for longest in [0, 3, 4, 5, 6, 7, 8, 9] {
            let formulation = plain().with("short-loops", longest).expect("good");
            let clauses = by_family(&instance, &formulation).get("short-loops").copied().unwrap_or(0);
            // A walk comes once for each of its places and both directions.
            let walks: usize = (3..=longest.min(n - 1)).map(|length| walks(&places, length) / (2 * length)).sum();
            assert_eq!(clauses, walks, "up to {longest} on {}", places.len());
        }
    }
    let board = instance(&Shape::Round.places(20, 1), "");
    let default = by_family(&board, &plain());
    assert_eq!(default, by_family(&board, &plain().with("short-loops", SHORT_LOOPS).expect("good")));
}

/// Closed walks of so many places that come to each once.
fn walks(places: &[Axial], length: usize) -> usize {
    fn on(places: &[Axial], course: &mut Vec<Axial>, length: usize) -> usize {
        let here = course[course.len() - 1];
        if course.len() == length {
            return usize::from(here.distance(course[0]) == 1);
        }
        let mut count = 0;
        for next in here.neighbours() {
            if places.contains(&next) && !course.contains(&next) {
                course.push(next);
                count += on(places, course, length);
                course.pop();
            }
        }
        count
    }
    places.iter().map(|&start| on(places, &mut vec![start], length)).sum()
}

/// Shapes of holes of 1, 2 and 3 places in all directions: 1, 3 and 11, each wherever it lies within the rim.
#[test]
fn small_holes_are_forbidden_in_advance_where_holes_are_cut_off() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let resolve = plain().with("holes", Holes::Resolve).expect("good");
    // By hand, among the 7 inner places: 12 pairs; 3 rows, 12 bends and 6 triangles.
    assert_eq!(by_family(&instance, &resolve).get("small-holes"), Some(&(7 + 12 + 21)));
    assert_eq!(by_family(&instance, &plain()).get("small-holes"), None);
    let large = bounded(&regular(BoardType::A, 91), 60, Colour::Red);
    let problem = sat(&large, &resolve);
    let mut clauses: Vec<_> = problem.model().clauses().filter(|c| c.family == "small-holes").collect();
    let before = clauses.len();
    clauses.sort_by_key(|c| c.literals.to_vec());
    clauses.dedup();
    assert_eq!(clauses.len(), before, "each once");
}

#[test]
fn the_way_to_count_changes_the_counting_clauses_alone() {
    let instance = instance(&Shape::Round.places(30, 1), "");
    let families = Cardinality::ALL.map(|encoding| {
        let formulation = plain().with("cardinality", encoding).expect("good");
        let mut families = by_family(&instance, &formulation);
        (families.remove("count").expect("some"), families)
    });
    assert!(families.iter().all(|(_, rest)| *rest == families[0].1));
    assert!((0..4).all(|a| (0..a).all(|b| families[a].0 != families[b].0)), "{families:?}");
    let adder = families[3].0;
    assert!(families[..3].iter().all(|(count, _)| *count > adder), "the adder has the fewest clauses");
}

#[test]
fn formulas_that_no_solver_could_be_given_are_refused() {
    let instance = instance(&Shape::Round.places(4_000, 1), "");
    let formulation =
        plain().with("short-loops", 12).expect("good").with("cardinality", Cardinality::Adder).expect("good");
    let error = model::build_sat(&formulation, &instance).err().expect("70 million cycles");
    let is_right = |text: &str| text.contains("a board of 4000") && text.ends_with("choose short-loops = 9 or less");
    assert!(matches!(&error, model::ModelError::Impossible(text) if is_right(text)), "{error}");
}

#[test]
fn sizes_are_counted() {
    let problem = sat(&instance(&Shape::Round.places(10, 1), ""), &plain());
    let size = problem.model().size();
    assert_eq!(size.constraints, problem.model().clauses().len());
    assert_eq!(size.nonzeros, problem.model().clauses().map(|c| c.literals.len()).sum::<usize>());
    assert_eq!(size.nonzeros, problem.model().literals());
}
