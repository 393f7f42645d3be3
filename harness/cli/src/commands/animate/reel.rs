//! The steps of a search that are shown, chosen while it goes on: nobody knows how many are to come.

use std::collections::VecDeque;

use puzzle::{Placement, Solution};
use solve::search::SearchStep;

/// The first steps, the last ones, and some in between.
pub struct Reel {
    most_at_an_end: usize,
    most_between: usize,
    steps: u64,
    first: Vec<Shot>,
    /// Those whose number is a multiple of `stride`, which doubles whenever they are too many.
    between: Vec<Shot>,
    stride: u64,
    last: VecDeque<Shot>,
}

type Shot = (u64, Vec<Placement>);

impl Reel {
    /// Keeps at most so many steps, of at least 3.
    pub fn new(most: usize) -> Self {
        let most_at_an_end = most / 3;
        Self {
            most_at_an_end,
            most_between: most - 2 * most_at_an_end,
            steps: 0,
            first: Vec::new(),
            between: Vec::new(),
            stride: 1,
            last: VecDeque::new(),
        }
    }

    /// Takes a step of the search.
    pub fn add(&mut self, step: SearchStep<'_>) {
        self.steps = step.number;
        let shot = (step.number, step.placements.to_vec());
        if self.first.len() < self.most_at_an_end {
            self.first.push(shot);
            return;
        }
        self.last.push_back(shot);
        if self.last.len() <= self.most_at_an_end {
            return;
        }
        // It is not among the last any more.
        let Some(shot) = self.last.pop_front() else { return };
        if !shot.0.is_multiple_of(self.stride) {
            return;
        }
        self.between.push(shot);
        while self.between.len() > self.most_between {
            self.stride *= 2;
            self.between.retain(|shot| shot.0.is_multiple_of(self.stride));
        }
    }

    /// How many steps there were.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The steps that were kept with their numbers, in order.
    pub fn into_frames(self, instance: &str) -> Vec<(u64, Solution)> {
        let shots = self.first.into_iter().chain(self.between).chain(self.last);
        shots
            .map(|(number, placements)| {
                (number, Solution { instance: instance.to_owned(), placements, ..Solution::default() })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(most: usize, steps: u64) -> Vec<u64> {
        let mut reel = Reel::new(most);
        (1..=steps).for_each(|number| reel.add(SearchStep { number, placements: &[] }));
        reel.into_frames("x").into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn few_steps_are_all_kept() {
        for steps in 0..=9 {
            assert_eq!(numbers(9, steps), (1..=steps).collect::<Vec<_>>());
        }
    }

    #[test]
    fn of_many_the_ends_are_kept_and_some_in_between() {
        assert_eq!(numbers(9, 100), [1, 2, 3, 32, 64, 96, 98, 99, 100]);
        assert_eq!(numbers(9, 10), [1, 2, 3, 4, 6, 8, 9, 10]);
        for steps in [1000, 54_321] {
            let kept = numbers(120, steps);
            assert!(kept.len() <= 120 && kept.len() >= 99, "{}", kept.len());
            assert!(kept.is_sorted() && kept[..40] == (1..=40).collect::<Vec<_>>());
            assert_eq!(kept[kept.len() - 40..], (steps - 39..=steps).collect::<Vec<_>>());
            let between = &kept[40..kept.len() - 40];
            assert!(between.windows(2).all(|pair| pair[1] - pair[0] == between[1] - between[0]), "evenly");
        }
    }
}
