//! Numbers of things in words.

use std::fmt::Display;

/// `1 loop`, `2 loops`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

/// `1 row is`, `2 rows are`.
pub fn plural<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, several: &str) -> String {
    format!("{number} {}", if number == N::from(1) { one } else { several })
}
