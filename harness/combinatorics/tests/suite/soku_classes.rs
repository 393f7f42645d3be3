//! The classes of boards of IcoSoKu: their numbers, their symmetries, files of solutions and the check of these.

use std::collections::HashSet;
use std::ops::ControlFlow;

use combinatorics::soku::classes::{
    CLASSES, Capacities, Classes, Flaw, Images, RECORD, Records, check_records, game, read, write,
};
use proptest::prelude::*;
use puzzle::Solution;
use puzzle::soku::{Sorts, named, placements, rotated, verify};

fn any_board() -> impl Strategy<Value = Capacities> {
    Just((1..=12).collect::<Vec<u8>>()).prop_shuffle().prop_map(|board| board.try_into().expect("twelve"))
}

/// A way to lay the tiles, as options: whatever capacities it leads to.
fn any_tiles() -> impl Strategy<Value = [u8; 20]> {
    let turns = prop::collection::vec(0..3_usize, 20);
    (Just((0..20).collect::<Vec<usize>>()).prop_shuffle(), turns).prop_map(|(order, turns)| {
        let tiles = game(&Classes::new().capacities(0)).expect("a good game").tiles;
        let options: Vec<[u32; 3]> = Sorts::of(&tiles).options().map(|(_, weights)| weights).collect();
        std::array::from_fn(|face| {
            let shown = rotated(tiles[order[face]], turns[face]);
            options.iter().position(|&weights| weights == shown).expect("an option") as u8
        })
    })
}

fn weights(options: &[u8; 20]) -> Vec<[u32; 3]> {
    let all: Vec<[u8; 3]> = Records::new().weights().copied().collect();
    options.iter().map(|&option| all[usize::from(option)].map(u32::from)).collect()
}

fn sums(options: &[u8; 20]) -> [u8; 12] {
    let field = named("icosahedron").expect("a field");
    let mut sums = [0; 12];
    for (corners, weights) in field.faces().iter().zip(weights(options)) {
        for (&vertex, weight) in corners.iter().zip(weights) {
            sums[vertex] += weight as u8;
        }
    }
    sums
}

/// Relabels a board by a symmetry.
fn relabelled(board: &Capacities, vertices: &[usize]) -> Capacities {
    std::array::from_fn(|vertex| board[vertices[vertex]])
}

#[test]
fn classes_are_as_many_as_brute_force_counts() {
    // Boards that stand for their class by the rule: their number by going through the capacities of A to F.
    let mut count = 0_u64;
    for code in 0..12_u64.pow(5) {
        let [b, c, d, e, f] = [0, 1, 2, 3, 4].map(|place| code / 12_u64.pow(place) % 12 + 1);
        let around = HashSet::from([1, b, c, d, e, f]);
        let stands = around.len() == 6 && b < c.min(d).min(e).min(f) && c < f;
        // The six others lie on G to L in any order.
        count += if stands { 720 } else { 0 };
    }
    assert_eq!(count, u64::from(CLASSES));
    assert_eq!((1..=12).product::<u64>() / 120, u64::from(CLASSES));
}

#[test]
fn numbers_and_classes_belong_together() {
    let classes = Classes::new();
    let mut last = None;
    for rank in (0..CLASSES).step_by(97).chain(CLASSES - 3..CLASSES) {
        let board = classes.capacities(rank);
        assert_eq!((classes.rank(&board), classes.canonical(&board)), (rank, (board, 0)), "{board:?}");
        assert_eq!(board.iter().collect::<HashSet<_>>().len(), 12);
        assert_ne!(last.replace(board), Some(board));
    }
    // In one stretch all numbers in turn have boards of their own.
    let stretch: HashSet<Capacities> = (100_000..130_000).map(|rank| classes.capacities(rank)).collect();
    assert_eq!(stretch.len(), 30_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_board_of_a_class_has_the_same_representative(board in any_board()) {
        let classes = Classes::new();
        let (first, _) = classes.canonical(&board);
        prop_assert!(classes.rank(&first) < CLASSES);
        prop_assert_eq!(classes.capacities(classes.rank(&first)), first);
        prop_assert_eq!(classes.canonical(&first), (first, 0), "it stands for itself");
        let mut alike = 0;
        for symmetry in classes.symmetries() {
            let other = relabelled(&board, &symmetry.vertices);
            let (canonical, by) = classes.canonical(&other);
            prop_assert_eq!(canonical, first);
            prop_assert_eq!(relabelled(&other, &classes.symmetries()[by].vertices), first);
            alike += usize::from(other == first);
        }
        prop_assert_eq!(alike, 1, "exactly one image stands for the class");
    }

    #[test]
    fn images_of_arrangements_have_the_images_of_their_sums(tiles in any_tiles(), symmetry in 0..120_usize) {
        let (classes, records) = (Classes::new(), Records::new());
        let image = Images::new(&classes, &records).image(symmetry, &tiles);
        let symmetry = &classes.symmetries()[symmetry];
        prop_assert_eq!(sums(&image), relabelled(&sums(&tiles), &symmetry.vertices));
        prop_assert_eq!(weights(&image), symmetry.image(&weights(&tiles)));
        // The tiles are their own mirror images as a set.
        prop_assert!(records.verify(&sums(&image), &image).is_ok());
    }

    #[test]
    fn records_hold_arrangements_and_the_rules_are_those_of_the_judge(tiles in any_tiles(), other in any_tiles(), face in 0..20_usize) {
        let records = Records::new();
        let board = sums(&tiles);
        prop_assert_eq!(records.options(&board, &records.record(&tiles)), Ok(tiles));
        // One face shows what it shows in another arrangement: in most cases a tile too many.
        let mut changed = tiles;
        changed[face] = other[face];
        for (board, shown) in [(board, tiles), (sums(&changed), changed), (board, changed)] {
            let game = game(&board).expect("a good game");
            let is_valid = placements(&game, &weights(&shown))
                .is_some_and(|placements| verify("t", &game, &Solution::on_faces("t", placements)).is_valid());
            prop_assert_eq!(records.verify(&board, &shown).is_ok(), is_valid);
        }
    }
}

#[test]
fn files_are_read_as_they_were_written_or_not_at_all() {
    let records: Vec<[u8; RECORD]> = (0..40).map(|number| [number; RECORD]).collect();
    let mut file = Vec::new();
    write(&mut file, &records).expect("memory can be written to");
    assert_eq!(read(&file).expect("a good file"), records.as_slice());
    let text = String::from_utf8_lossy(&file[..200]).into_owned();
    let refused = |file: &[u8], reason: &str| {
        let error = read(file).expect_err("damaged").to_string();
        assert!(error.contains(reason), "{error}");
    };
    refused(b"", "not a file of solutions");
    refused(b"kind = \"soku\"", "not a file of solutions");
    refused(&file[..55], "the empty line after the header is missing");
    refused(&file[..file.len() - 1], "479 bytes of solutions instead of 480 for 40 classes: it was cut off");
    refused(&[file.as_slice(), b"x"].concat(), "481 bytes of solutions instead of 480 for 40 classes: it has too much");
    let changed = |from: &str, to: &str| {
        let at = text.find(from).expect("in the header");
        [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
    };
    refused(&changed("version 1", "version 2"), "version 2 of the format; this program reads version 1");
    refused(&changed("bytes 12", "bytes 15"), "bytes 15; in version 1 a solution has 12");
    refused(&changed("classes 40", "classes 0"), "classes 0; a number from 1 to 3991680");
    refused(&changed("classes 40", "classes 3991681"), "classes 3991681; a number from 1 to 3991680");
    refused(&changed("classes 40", "classes 41"), "for 41 classes: it was cut off");
    for at in [file.len() - 1, file.len() - 480] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        refused(&changed, "the file was changed");
    }
}

#[test]
fn the_first_wrong_solution_is_named() {
    // Option 0 everywhere: nothing lies around A, which needs 1.
    let records = vec![[0; RECORD]; 30_000];
    for threads in [1, 4] {
        let flaw = check_records(&records, threads, GO_ON).expect_err("no solutions");
        assert!(
            matches!(&flaw, Flaw::Class { class: 0, board, .. } if *board == Classes::new().capacities(0)),
            "{flaw}"
        );
    }
    let stop = &|_| ControlFlow::Break(());
    assert_eq!(check_records(&[], 2, stop), Ok(true), "nothing to check, nothing to end");
}

const GO_ON: &(dyn Fn(usize) -> ControlFlow<()> + Sync) = &|_| ControlFlow::Continue(());
