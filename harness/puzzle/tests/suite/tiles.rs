//! Tile data against the public tile list, tile sets against the papers' counts.

use proptest::prelude::*;
use puzzle::tantrix::{Colour, Sort, TileSet, TileSetKind, default_colour, tile};

/// number, back, colours clockwise
fn public_list() -> Vec<(usize, char, String)> {
    include_str!("../../data/tiles.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[0].parse().expect("a number"), cells[1].parse().expect("a letter"), cells[2].to_owned())
        })
        .collect()
}

#[test]
fn every_tile_is_the_public_one_seen_counterclockwise() {
    let list = public_list();
    assert_eq!(list.len(), 30);
    for (number, back, clockwise) in list {
        let tile = tile(number).expect("known");
        assert_eq!(tile.back.letter(), back, "back of tile {number}");
        let reversed: String = clockwise.chars().rev().collect();
        let turned = (1..=6).any(|k| (1..=6).map(|l| tile.colour(k, l).letter()).eq(reversed.chars()));
        assert!(turned, "tile {number}");
    }
    assert!(tile(0).is_none() && tile(31).is_none());
}

#[test]
fn each_colour_of_a_tile_is_on_exactly_two_edges() {
    for number in 1..=30 {
        let tile = tile(number).expect("known");
        for colour in Colour::ALL {
            let edges = (1..=6).filter(|&l| tile.colour(1, l) == colour).count();
            assert!(edges == 0 || edges == 2, "tile {number} {colour}");
            assert_eq!(tile.line(1, colour).is_some(), edges == 2);
        }
    }
}

#[test]
fn one_step_of_orientation_turns_the_tile_clockwise() {
    // What lay on edge 1 (right) lies on edge 6 (lower right) one step later.
    let tile = tile(1).expect("known");
    for k in 1..=5 {
        for l in 1..=6 {
            assert_eq!(tile.colour(k + 1, l), tile.colour(k, l % 6 + 1));
        }
    }
}

#[test]
fn angles_are_those_the_paper_gives_for_tile_2() {
    let tile = tile(2).expect("known");
    let angle = |colour| tile.line(1, colour).expect("has the colour").angle();
    assert_eq!([angle(Colour::Red), angle(Colour::Blue), angle(Colour::Yellow)], [120, 0, 120]);
}

#[test]
fn designated_colours_follow_the_last_digit() {
    use Colour::{Blue, Red, Yellow};
    let colours: Vec<Colour> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 60].map(default_colour).to_vec();
    assert_eq!(colours, [Yellow, Yellow, Yellow, Red, Red, Blue, Blue, Blue, Yellow, Red, Red, Red, Red]);
}

#[test]
fn a_colour_some_tile_lacks_is_found() {
    let set = TileSet::new(TileSetKind::Distinct, 15).expect("known");
    assert_eq!(set.lacking(Colour::Blue).map(|t| t.number), Some(15));
    assert!(set.lacking(Colour::Red).is_none());
}

proptest! {
    #[test]
    fn repeated_sets_have_n_tiles_and_the_printed_counts(n in 3usize..400) {
        let set = TileSet::new(TileSetKind::Repeated, n).expect("any n");
        prop_assert_eq!(set.sorts.iter().map(|s| s.count).sum::<usize>(), n);
        for (index, sort) in set.sorts.iter().enumerate() {
            let i = index + 1;
            prop_assert_eq!(sort.tile.number, i);
            prop_assert_eq!(sort.count, (n + 1 - i).div_ceil(10));
        }
    }
}

#[test]
fn lines_alone_are_the_tiles_without_their_other_colours() {
    for (kind, challenge) in [(TileSetKind::Repeated, 3), (TileSetKind::Repeated, 47), (TileSetKind::Distinct, 14)] {
        let tiles = TileSet::new(kind, challenge).expect("a challenge");
        for colour in [Colour::Red, Colour::Blue, Colour::Yellow] {
            let lines = tiles.lines(colour);
            let angle = |sort: &Sort| sort.tile.line(1, colour).expect("each has one").angle();
            for turn in [0, 60, 120] {
                let count = |sorts: &[Sort]| sorts.iter().filter(|s| angle(s) == turn).map(|s| s.count).sum::<usize>();
                assert_eq!(count(&lines.sorts), count(&tiles.sorts), "{challenge} {colour} {turn}");
            }
            for (number, Sort { tile, .. }) in (1..).zip(&lines.sorts) {
                assert_eq!(tile.number, number);
                let shown: Vec<Colour> = (1..=6).map(|edge| tile.colour(1, edge)).collect();
                let others: Vec<Colour> = shown.iter().copied().filter(|&shown| shown != colour).collect();
                assert!(others.len() == 4 && others.iter().all(|&other| other == others[0]), "{shown:?}");
            }
        }
    }
}
