//! Ground programs in aspif (Kaminski, Schaub, Wanko: A Tutorial on Hybrid Answer Set Solving with clingo, appendix A): how large
//! they are.

use std::collections::HashSet;

use model::Size;

/// Its size: atoms, rules, and literals in their heads and bodies.
///
/// # Errors
/// A text that is no ground program, or not all of one.
pub(super) fn size(text: &str) -> Result<Size, String> {
    if !text.starts_with("asp ") || text.trim_end().lines().last() != Some("0") {
        return Err("what it grounded is no whole program".to_owned());
    }
    let (mut atoms, mut size) = (HashSet::new(), Size::default());
    for line in text.lines().filter_map(|line| line.strip_prefix("1 ")) {
        let literals = rule(line).ok_or_else(|| format!("it grounded a rule that cannot be read: {line}"))?;
        size.constraints += 1;
        size.nonzeros += literals.len();
        atoms.extend(literals.into_iter().map(i64::unsigned_abs));
    }
    size.variables = atoms.len();
    Ok(size)
}

/// The literals of a rule. It has a kind, the number of atoms in its head and these, then either 0, a number and so many
/// literals, or 1, a bound, a number and so many pairs of a literal and its weight.
fn rule(line: &str) -> Option<Vec<i64>> {
    let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let counted = |at: usize| usize::try_from(*numbers.get(at)?).ok();
    let heads = counted(1)?;
    let body = heads + 2;
    let (first, step) = if *numbers.get(body)? == 0 { (body + 2, 1) } else { (body + 3, 2) };
    let count = counted(first - 1)?;
    let literals = numbers.get(first..first + step * count)?.iter().step_by(step);
    Some(numbers[2..body].iter().chain(literals).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_rules_and_literals_are_counted() {
        // {a; b}.  c :- a, not b.  :- 3 <= #sum { 2: a; 1: c }.  Then names, which are no rules.
        let text = "asp 1 0 0\n1 1 2 1 2 0 0\n1 0 1 3 0 2 1 -2\n1 0 0 1 3 2 1 2 3 1\n4 1 a 1 1\n0\n";
        assert_eq!(size(text), Ok(Size { variables: 3, constraints: 3, nonzeros: 7 }));
    }

    #[test]
    fn what_is_cut_off_is_no_program() {
        for text in ["", "asp 1 0 0\n1 0 0 0 0\n", "asp 1 0 0\n1 0 2 1\n0\n", "error: unsafe variables\n0\n"] {
            assert!(size(text).is_err(), "{text:?}");
        }
    }
}
