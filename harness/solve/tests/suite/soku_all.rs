//! A solution of every class of boards of IcoSoKu.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use combinatorics::soku::classes::{CLASSES, Classes, RECORD, Records, check, check_records, game, write};
use puzzle::Solution;
use puzzle::soku::{Soku, placements, verify};
use solve::search::{SokuSolver, solve_all};

fn icosoku() -> Soku {
    game(&Classes::new().capacities(0)).expect("a good game")
}

fn solved(classes: usize, threads: usize, seed: u64) -> Vec<[u8; RECORD]> {
    let mut records = vec![[0; RECORD]; classes];
    let told = AtomicUsize::new(0);
    let progress = |classes| {
        told.fetch_add(classes, Relaxed);
        ControlFlow::Continue(())
    };
    let all = solve_all(&icosoku(), &mut records, threads, seed, &progress).expect("solvable").expect("not ended");
    assert_eq!((all.searched + all.moved) as usize, classes);
    assert!(all.searched > 0 && (all.moved > 0 || classes < 50_000), "{all:?}");
    assert_eq!(told.into_inner(), classes);
    records
}

#[test]
fn a_sample_of_all_boards_is_solved_whatever_the_threads() {
    let records = solved(5000, 1, 1);
    assert_eq!(solved(70_000, 1, 1), solved(70_000, 3, 1), "with moves from one board to others");
    assert_eq!(records, solved(5000, 3, 1));
    assert_ne!(records, solved(5000, 3, 2), "the seed changes something");
    let go_on = &|_| ControlFlow::Continue(());
    assert_eq!(check_records(&records, 2, go_on), Ok(true));
    // The judge of single games agrees with the check of all.
    let (classes, rules) = (Classes::new(), Records::new());
    let weights: Vec<[u8; 3]> = rules.weights().copied().collect();
    for class in (0..5000).step_by(250) {
        let board = classes.capacities(class);
        let options = rules.options(&board, &records[class as usize]).expect("a good record");
        let shown: Vec<[u32; 3]> = options.iter().map(|&option| weights[usize::from(option)].map(u32::from)).collect();
        let game = game(&board).expect("a good game");
        let placements = placements(&game, &shown).expect("tiles of the game");
        assert!(verify("t", &game, &Solution::on_faces("t", placements)).is_valid());
    }
    // The solution of another class is none.
    let mut wrong = records.clone();
    wrong.swap(3210, 3211);
    let flaw = check_records(&wrong, 2, go_on).expect_err("wrong").to_string();
    assert!(flaw.starts_with("class 3210 (capacities ["), "{flaw}");
    let mut file = Vec::new();
    write(&mut file, &wrong).expect("memory can be written to");
    assert_eq!(check(&file, 1, go_on).expect_err("wrong").to_string(), flaw, "the hash is right, the solution is not");
}

#[test]
fn who_asks_for_an_end_gets_it() {
    let mut records = vec![[0; RECORD]; 100_000];
    let told = AtomicUsize::new(0);
    let stop = |_| {
        told.fetch_add(1, Relaxed);
        ControlFlow::Break(())
    };
    assert_eq!(solve_all(&icosoku(), &mut records, 2, 1, &stop).expect("solvable"), None);
    assert!(told.into_inner() <= 4, "no part is begun after that");
}

#[test]
fn boards_of_icosoku_are_solved_one_after_the_other() {
    let (classes, mut solver) = (Classes::new(), SokuSolver::new(&icosoku(), 1).expect("room"));
    for rank in (0..CLASSES).step_by(4001) {
        let board = classes.capacities(rank);
        let shown = solver.solve(&board.map(u32::from)).expect("every board has a solution");
        let shown: [u8; 20] = std::array::from_fn(|face| shown[face] as u8);
        assert_eq!(Records::new().verify(&board, &shown), Ok(()));
    }
    assert!(solver.nodes() < 200 * 1000, "{} nodes for 998 boards", solver.nodes());
}

/// In a quarter of a minute on two cores.
#[test]
#[ignore = "all 3,991,680 classes"]
fn every_board_of_icosoku_is_solved() {
    let records = solved(CLASSES as usize, 2, 1);
    assert_eq!(check_records(&records, 2, &|_| ControlFlow::Continue(())), Ok(true));
}
