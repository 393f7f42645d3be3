//! Counts of all arrangements in the natural setting, by a search written for this test alone.
//!
//! No board; tile 1 fixed in place and orientation; distinct tiles 1..=n; one loop through all tiles; no hole.
//! The expected counts come from an independent enumeration and pin tile data, matching and holes at once.

use std::collections::{HashMap, HashSet};

use puzzle::hex::{Axial, EDGES, holes, opposite};
use puzzle::tantrix::{Colour, Tile, tile};

/// The designated line grows tile by tile from tile 1 until it comes home.
struct Search {
    tiles: Vec<Tile>,
    colour: Colour,
    lying: HashMap<Axial, (Tile, usize)>,
    used: Vec<bool>,
    count: u64,
}

impl Search {
    fn count(n: usize, colour: Colour) -> u64 {
        let tiles: Vec<Tile> = (1..=n).map(|i| tile(i).expect("known")).collect();
        let mut search = Self { colour, lying: HashMap::new(), used: vec![false; n], tiles, count: 0 };
        let home = Axial { q: 0, r: 0 };
        let (entry, exit) = search.tiles[0].line(1, search.colour).expect("has the colour").edges;
        search.lying.insert(home, (search.tiles[0], 1));
        search.used[0] = true;
        search.grow(home.neighbour(exit), opposite(exit), home, entry, n - 1);
        search.count
    }

    fn grow(&mut self, at: Axial, entry: usize, home: Axial, home_entry: usize, left: usize) {
        if left == 0 {
            let closed = at == home && entry == home_entry;
            if closed && holes(&self.lying.keys().copied().collect::<HashSet<_>>()).is_empty() {
                self.count += 1;
            }
            return;
        }
        // Each step of the line comes nearer to home by at most one place.
        let away = (at.q - home.q).abs().max((at.r - home.r).abs()).max((at.q + at.r - home.q - home.r).abs());
        if self.lying.contains_key(&at) || away as usize > left {
            return;
        }
        for index in 0..self.tiles.len() {
            let tile = self.tiles[index];
            if self.used[index] {
                continue;
            }
            for k in 1..=6 {
                let line = tile.line(k, self.colour).expect("has the colour").edges;
                let exit = if line.0 == entry { line.1 } else { line.0 };
                let joins = line.0 == entry || line.1 == entry;
                let fits = EDGES.into_iter().all(|edge| match self.lying.get(&at.neighbour(edge)) {
                    Some((other, turned)) => other.colour(*turned, opposite(edge)) == tile.colour(k, edge),
                    None => true,
                });
                if joins && fits {
                    self.used[index] = true;
                    self.lying.insert(at, (tile, k));
                    self.grow(at.neighbour(exit), opposite(exit), home, home_entry, left - 1);
                    self.lying.remove(&at);
                    self.used[index] = false;
                }
            }
        }
    }
}

#[test]
fn small_challenges_have_the_known_number_of_arrangements() {
    let expected =
        [(3, Colour::Yellow, 2), (4, Colour::Red, 2), (5, Colour::Red, 4), (6, Colour::Blue, 8), (8, Colour::Blue, 84)];
    for (n, colour, count) in expected {
        assert_eq!(Search::count(n, colour), count, "challenge {n}");
    }
}

#[test]
fn challenge_10_has_388_yellow_arrangements() {
    assert_eq!(Search::count(10, Colour::Yellow), 388);
}
