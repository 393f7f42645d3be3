//! Full boards, found once by solving without C5, whose tiles match and whose designated lines are closed:
//! some in one loop, some in several.

use combinatorics::tantrix::shapes::Shape;
use puzzle::hex::Axial;
use puzzle::tantrix::{Arrangement, trace};
use puzzle::{Instance, Placement, Rule, Solution, verify};

use crate::common::{board, instance, tantrix};

/// A board and arrangements on it.
pub struct Arranged<const N: usize> {
    pub instance: Instance,
    pub solutions: [Solution; N],
}

/// Lays tiles on the places in order, each written as tile:orientation.
fn lay<const N: usize>(instance: Instance, tiles: [&str; N]) -> Arranged<N> {
    let placement = |(place, text): (usize, &str)| {
        let (tile, orientation) = text.split_once(':').expect("tile:orientation");
        let number = |text: &str| text.parse().expect("a number");
        Placement { place, tile: number(tile), orientation: number(orientation) }
    };
    let laid = |tiles: &str| (1..).zip(tiles.split(' ')).map(placement).collect();
    let solutions = tiles.map(|tiles| Solution::on_places(&instance.name, laid(tiles)));
    Arranged { instance, solutions }
}

/// Twelve places: two ways to lay three loops (5, 4, 3), and a solution.
pub fn twelve() -> Arranged<3> {
    lay(
        board(Shape::Round, 12, 1),
        [
            "8:4 4:6 1:5 6:5 2:3 5:2 2:2 7:5 10:2 1:4 3:6 9:1",
            "1:6 7:6 1:1 8:2 2:3 4:4 6:3 3:1 5:4 9:2 10:3 2:4",
            "4:5 2:2 7:4 2:5 1:2 1:6 5:5 3:6 10:2 9:2 6:2 8:1",
        ],
    )
}

/// Nine places in loops of 5 and 4.
pub fn nine() -> Arranged<1> {
    lay(board(Shape::Blob, 9, 0), ["4:5 1:2 8:4 3:3 9:3 6:4 5:1 7:2 2:4"])
}

/// Fifteen places: a loop of 9 around a loop of 3, and a loop of 3 beside them.
pub fn nested() -> Arranged<1> {
    let rows = [(6, 0..1), (5, 0..2), (4, 1..3), (3, 1..4), (2, 1..5), (1, 2..5)];
    let places: Vec<Axial> = rows.into_iter().flat_map(|(r, qs)| qs.map(move |q| Axial { q, r })).collect();
    lay(
        instance(&places, "distinct", "colour = \"red\""),
        ["2:4 3:4 13:3 4:2 6:4 9:2 12:1 5:1 1:2 14:1 11:3 7:6 8:3 15:1 10:1"],
    )
}

/// The designated loops of an arrangement as sets of places, longest first.
pub fn loops(instance: &Instance, solution: &Solution) -> Vec<Vec<usize>> {
    let puzzle = tantrix(instance);
    let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
    let mut loops = trace(&puzzle.board, &lying, puzzle.colour).loops;
    loops.iter_mut().for_each(|places| places.sort_unstable());
    loops
}

#[test]
fn they_are_what_their_names_say() {
    let twelve = twelve();
    let [first, second, whole] = &twelve.solutions;
    assert_eq!(loops(&twelve.instance, first), [vec![1, 2, 3, 4, 5], vec![8, 9, 11, 12], vec![6, 7, 10]]);
    assert_eq!(loops(&twelve.instance, second), [vec![3, 6, 7, 10, 11], vec![1, 2, 4, 5], vec![8, 9, 12]]);
    assert!(verify(&twelve.instance, whole).is_valid());
    let (nine, nested) = (nine(), nested());
    assert_eq!(loops(&nine.instance, &nine.solutions[0]), [vec![1, 2, 5, 6, 9], vec![3, 4, 7, 8]]);
    let around = vec![4, 5, 6, 8, 9, 12, 13, 14, 15];
    assert_eq!(loops(&nested.instance, &nested.solutions[0]), [around, vec![1, 2, 3], vec![7, 10, 11]]);
    for (instance, solution) in [
        (&twelve.instance, first),
        (&twelve.instance, second),
        (&nine.instance, &nine.solutions[0]),
        (&nested.instance, &nested.solutions[0]),
    ] {
        assert!(verify(instance, solution).is_valid_but_for(&[Rule::SingleLoop]));
    }
}
