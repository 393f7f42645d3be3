//! What follows from the turns of the lines alone, against choosing every sign.

use puzzle::tantrix::{Colour, TileSet, TileSetKind, default_colour};

/// Sums that the turns of the tiles, in units of 60 degrees, can make.
fn sums(tiles: &TileSet, colour: Colour) -> Vec<i64> {
    let mut sums = vec![0];
    for sort in &tiles.sorts {
        let angle = sort.tile.line(1, colour).expect("the colour").angle();
        let turn = i64::from(angle / 60);
        for _ in 0..sort.count {
            sums = sums.iter().flat_map(|sum| [sum + turn, sum - turn]).collect();
            sums.sort_unstable();
            sums.dedup();
        }
    }
    sums
}

#[test]
fn an_obstacle_is_there_exactly_when_no_signs_make_a_full_turn() {
    for kind in [TileSetKind::Repeated, TileSetKind::Distinct] {
        for n in (3..=30).chain((31..=200).filter(|_| kind == TileSetKind::Repeated)) {
            let tiles = TileSet::new(kind, n).expect("tiles");
            for colour in Colour::ALL.into_iter().filter(|&c| tiles.lacking(c).is_none()) {
                let closes = sums(&tiles, colour).contains(&6);
                assert_eq!(tiles.obstacle(colour).is_none(), closes, "{kind:?} {n} {colour}");
            }
        }
    }
}

#[test]
fn the_rules_designate_the_colour_that_can_close() {
    for n in 3..=200 {
        let tiles = TileSet::new(TileSetKind::Repeated, n).expect("tiles");
        let closing: Vec<Colour> = Colour::ALL
            .into_iter()
            .filter(|&colour| tiles.lacking(colour).is_none() && tiles.obstacle(colour).is_none())
            .collect();
        match n % 10 {
            0 | 7 => assert_eq!(closing, [Colour::Red, Colour::Blue, Colour::Yellow], "{n}"),
            _ => assert_eq!(closing, [default_colour(n)], "{n}"),
        }
    }
}
