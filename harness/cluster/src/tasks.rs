//! Numbers of tasks in words.

use std::fmt::Write;

/// Ascending numbers as engines and people write them: `1-3,7`.
#[must_use]
pub fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let length = rest.iter().zip(first..).take_while(|(number, expected)| *number == expected).count();
        let comma = if text.is_empty() { "" } else { "," };
        let range = match length {
            1 => first.to_string(),
            _ => format!("{first}-{}", first + length - 1),
        };
        // Writing to a text cannot fail.
        let _ = write!(text, "{comma}{range}");
        rest = &rest[length..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!((ranges(&[4]), ranges(&[])), ("4".to_owned(), String::new()));
    }
}
