//! Whose turn it is: boards are searched one after the other, round by round, each with a patience of its own.

use super::board_search::Attempt;
use crate::search::End;

/// Dead ends before the first new beginning.
const PATIENCE: u64 = 500;

/// Beside other boards the last one, which is the largest, gets one part in so many of the patience that they get.
const PART_OF_LAST: u64 = 4;

/// Begins anew until one beginning comes to an end, with ever more patience if there are restarts. Of the open boards the
/// last one has all solutions and the others some: these drop out when they are exhausted.
pub(super) fn turns(mut open: Vec<usize>, restarts: bool, mut attempt: impl FnMut(usize, u64) -> Attempt) -> End {
    for round in 0.. {
        let patience = if restarts { PATIENCE.saturating_mul(luby(round)) } else { u64::MAX };
        let mut turn = 0;
        while let Some(&board) = open.get(turn) {
            let is_last = turn + 1 == open.len();
            let granted = if is_last && turn > 0 { patience / PART_OF_LAST } else { patience };
            match attempt(board, granted) {
                Attempt::Ended(End::Exhausted) if !is_last => {
                    open.remove(turn);
                }
                Attempt::Ended(end) => return end,
                Attempt::RestartDue => turn += 1,
            }
        }
    }
    End::Exhausted
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair & Zuckerman 1993).
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        let next = (index + 2).next_power_of_two();
        // The last of a block of 2^k - 1.
        if index + 2 == next {
            return next / 2;
        }
        index -= next / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_as_published() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn an_exhausted_board_costs_no_other_its_turn() {
        let mut calls = Vec::new();
        let end = turns(vec![4, 5, 9], true, |board, patience| {
            calls.push((board, 4 * patience / PATIENCE));
            match (board, calls.len()) {
                (4, 4) => Attempt::Ended(End::Exhausted),
                (_, 8) => Attempt::Ended(End::Stopped),
                _ => Attempt::RestartDue,
            }
        });
        assert_eq!(end, End::Stopped);
        assert_eq!(calls, [(4, 4), (5, 4), (9, 1), (4, 4), (5, 4), (9, 1), (5, 8), (9, 2)]);
    }

    #[test]
    fn the_last_board_speaks_for_all() {
        let end = turns(vec![0, 1], true, |board, _| match board {
            1 => Attempt::Ended(End::Exhausted),
            _ => Attempt::RestartDue,
        });
        assert_eq!(end, End::Exhausted);
    }

    #[test]
    fn a_board_alone_has_all_patience() {
        let mut granted = Vec::new();
        turns(vec![3], true, |_, patience| {
            granted.push(patience);
            if granted.len() < 3 { Attempt::RestartDue } else { Attempt::Ended(End::Exhausted) }
        });
        assert_eq!(granted, [PATIENCE, PATIENCE, 2 * PATIENCE]);
    }
}
