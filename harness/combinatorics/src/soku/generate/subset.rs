//! Partition, decided: is there a part of some numbers that has half of their sum?

/// Most steps of the table over all sums, for more numbers than are listed.
const MOST_STEPS: u64 = 1_000_000_000;

/// So many steps of the table are less work than lists.
const FEW_STEPS: u64 = 10_000_000;

/// Most numbers of which all sums of one half and of the other are listed.
const MOST_LISTED: usize = 40;

/// Whether [`half`] takes seconds at most and a hundred megabytes: up to 40 numbers whatever they are, more of them where the
/// numbers are small.
#[must_use]
pub fn is_searched(numbers: &[u32]) -> bool {
    numbers.len() <= MOST_LISTED || steps(numbers) <= MOST_STEPS
}

/// A part of the numbers that has half of their sum: whether each number is in it. `None` where there is none.
///
/// By a table over all sums (pseudo-polynomial), or for up to 40 numbers by all sums of the first half of the numbers, sorted,
/// against those of the second (Horowitz and Sahni 1974). For more numbers ask [`is_searched`] first.
#[must_use]
pub fn half(numbers: &[u32]) -> Option<Vec<bool>> {
    let total = total(numbers);
    if total % 2 == 1 {
        return None;
    }
    if numbers.len() <= MOST_LISTED && steps(numbers) > FEW_STEPS {
        by_halves(numbers, total / 2)
    } else {
        by_table(numbers, total / 2)
    }
}

fn total(numbers: &[u32]) -> u64 {
    numbers.iter().map(|&number| u64::from(number)).sum()
}

/// Steps of the table: one for each number and sum.
fn steps(numbers: &[u32]) -> u64 {
    (total(numbers) / 2).saturating_mul(numbers.len() as u64)
}

/// For each sum the number that reached it first, the part before it being a sum of numbers before it.
fn by_table(numbers: &[u32], wanted: u64) -> Option<Vec<bool>> {
    const UNREACHED: u32 = u32::MAX;
    let wanted = usize::try_from(wanted).ok()?;
    let mut last = vec![UNREACHED; wanted + 1];
    last[0] = 0;
    for (index, &number) in (0_u32..).zip(numbers) {
        let number = number as usize;
        for sum in (number..=wanted).rev() {
            if last[sum] == UNREACHED && last[sum - number] != UNREACHED {
                last[sum] = index;
            }
        }
    }
    let mut part = vec![false; numbers.len()];
    let mut sum = wanted;
    while sum > 0 {
        let index = Some(last[sum]).filter(|&index| index != UNREACHED)? as usize;
        part[index] = true;
        sum -= numbers[index] as usize;
    }
    Some(part)
}

/// A sum of the first numbers, and one of the others, that are as much as is wanted.
fn by_halves(numbers: &[u32], wanted: u64) -> Option<Vec<bool>> {
    let (first, second) = numbers.split_at(numbers.len() / 2);
    let (low, high) = (sums(first), sums(second));
    let mut above = high.len();
    for &(sum, in_first) in &low {
        while above > 0 && sum + high[above - 1].0 > wanted {
            above -= 1;
        }
        match above.checked_sub(1).map(|index| high[index]) {
            Some((rest, in_second)) if sum + rest == wanted => {
                let chosen = |part: u64, size: usize| (0..size).map(move |bit| part >> bit & 1 == 1);
                return Some(chosen(in_first, first.len()).chain(chosen(in_second, second.len())).collect());
            }
            _ => {}
        }
    }
    None
}

/// The sums of all parts, least first, each with its part as bits.
fn sums(numbers: &[u32]) -> Vec<(u64, u64)> {
    let mut sums = vec![(0, 0)];
    for (bit, &number) in numbers.iter().enumerate() {
        let more: Vec<(u64, u64)> =
            sums.iter().map(|&(sum, part)| (sum + u64::from(number), part | 1 << bit)).collect();
        sums.extend(more);
    }
    sums.sort_unstable();
    sums
}
