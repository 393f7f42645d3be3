//! What the count becomes where more, or less, counts as different.

use puzzle::soku::{Soku, Sort};

/// How many arrangements one solution stands for, by what is told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Of each sort with several copies: how many.
    copies: Vec<u32>,
    /// Of each sort with several tiles that do not lie beforehand: how many.
    free: Vec<u32>,
    /// Of each list of such tiles that the game writes in the same way, with several copies: how many.
    identical: Vec<u32>,
    uniform: usize,
}

impl Figures {
    /// Those of a game.
    pub fn of(game: &Soku) -> Self {
        let mut written = std::collections::BTreeMap::<[u32; 3], u32>::new();
        let is_free = |number: usize| !game.placed.iter().any(|placed| placed.tile == number);
        for (_, &tile) in (1..).zip(&game.tiles).filter(|(number, _)| is_free(*number)) {
            *written.entry(tile).or_default() += 1;
        }
        let several = |copies: &u32| *copies > 1;
        Self {
            copies: game.sorts().all().iter().map(|sort| sort.tiles.len() as u32).filter(several).collect(),
            free: {
                let free = |sort: &Sort| sort.tiles.iter().filter(|tile| is_free(**tile)).count() as u32;
                game.sorts().all().iter().map(free).filter(several).collect()
            },
            identical: written.into_values().filter(several).collect(),
            uniform: game.tiles.iter().filter(|[a, b, c]| a == b && b == c).count(),
        }
    }

    /// Tiles with three equal weights.
    pub fn uniform(&self) -> usize {
        self.uniform
    }

    /// Solutions, where rotations of uniform tiles count as different: 3 to the number of these tiles times as many.
    pub fn with_rotations(&self, solutions: u128) -> String {
        times(solutions, std::iter::repeat_n(3, self.uniform))
    }

    /// Solutions, where all tiles are told apart: for each sort the factorial of its copies times as many.
    pub fn told_apart(&self, solutions: u128) -> String {
        times(solutions, self.copies.iter().flat_map(|&copies| 2..=copies))
    }

    /// Arrangements (Rizzo, definition 3) that are solutions: tiles told apart, and all rotations.
    pub fn arrangements(&self, solutions: u128) -> String {
        let rotations = std::iter::repeat_n(3, self.uniform);
        times(solutions, self.copies.iter().flat_map(|&copies| 2..=copies).chain(rotations))
    }

    /// Solutions of a model with Rizzo's symmetry breaking (section 3.1, listing 12): uniform tiles are not rotated, tiles with the same
    /// triple lie in the order of their numbers. Tiles that are equal only after a rotation are told apart there. Tiles that lie
    /// beforehand lie where they were placed, and have no part in any order.
    pub fn with_symmetry_breaking(&self, solutions: u128) -> String {
        // A sort has the factorial of its copies as many orders, of which one of each order of the identical tiles is kept.
        let mut factors: Vec<u32> = self.free.iter().flat_map(|&copies| 2..=copies).collect();
        let mut divisors: Vec<u32> = self.identical.iter().flat_map(|&copies| 2..=copies).collect();
        for divisor in &mut divisors {
            for factor in &mut factors {
                let common = gcd(*divisor, *factor);
                *divisor /= common;
                *factor /= common;
            }
        }
        times(solutions, factors)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A product in decimal digits, whatever its size.
fn times(number: u128, factors: impl IntoIterator<Item = u32>) -> String {
    const BASE: u128 = 1_000_000_000;
    // Digits to the base, least first.
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 || digits.is_empty() {
        digits.push(rest % BASE);
        rest /= BASE;
    }
    for factor in factors {
        let mut carry = 0;
        for digit in &mut digits {
            let product = *digit * u128::from(factor) + carry;
            (*digit, carry) = (product % BASE, product / BASE);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    let mut digits = digits.into_iter().rev();
    let first = digits.next().unwrap_or(0).to_string();
    digits.fold(first, |text, digit| format!("{text}{digit:09}"))
}
