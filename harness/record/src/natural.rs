//! The order in which names are listed, the same in plans and in reports.

use std::cmp::Ordering;

/// Compares names so that numbers in them count as numbers: `n5` before `n10`.
#[must_use]
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut a_left, mut b_left) = (a, b);
    while !a_left.is_empty() && !b_left.is_empty() {
        let (a_piece, a_rest) = piece(a_left);
        let (b_piece, b_rest) = piece(b_left);
        let order = match (a_piece.parse::<u128>(), b_piece.parse::<u128>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            _ => a_piece.cmp(b_piece),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a_left, b_left) = (a_rest, b_rest);
    }
    a_left.cmp(b_left).then_with(|| a.cmp(b))
}

/// Splits off the longest beginning that is all digits or has none.
fn piece(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["n10-round", "n5-round", "n5", "n05", "m100", "n5-flat", "n10"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["m100", "n05", "n5", "n5-flat", "n5-round", "n10", "n10-round"]);
    }
}
