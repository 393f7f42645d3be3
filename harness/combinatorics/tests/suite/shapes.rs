//! Generated boards are boards, whatever the seed, and the same every time.

use combinatorics::tantrix::shapes::Shape;
use proptest::prelude::*;
use puzzle::tantrix::{Board, record_rule};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn boards_are_connected_without_holes(n in 3usize..120, seed in any::<u64>(), shape in prop::sample::select(Shape::ALL.as_slice())) {
        let places = shape.places(n, seed);
        prop_assert_eq!(places.len(), n);
        prop_assert!(Board::new(&places).is_ok());
        prop_assert_eq!(&places, &shape.places(n, seed));
    }

    #[test]
    fn spurs_have_two_neighbours(n in 10usize..120, seed in any::<u64>()) {
        let board = Board::new(&Shape::Spur.places(n, seed)).expect("a board");
        let spurs = board.numbers().filter(|&j| board.inner_edges(j).count() == 2).count();
        prop_assert!(spurs >= 1);
    }
}

#[test]
fn a_row_is_no_record_and_a_disc_is() {
    let rule = |shape: Shape| record_rule(&shape.places(37, 1)).expect("tiles");
    assert!(!rule(Shape::Row).holds());
    assert!(rule(Shape::Round).holds());
    assert_eq!(rule(Shape::Row).longest_row, 37);
    assert!(record_rule(&[]).is_none());
}
