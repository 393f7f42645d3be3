//! FlatZinc: how large a compiled program is, and what its solvers print (MiniZinc Handbook, "FlatZinc and Flattening").

use std::collections::HashMap;

use crate::backend::*;
use crate::external::output::count;

/// What stands after each solution.
const SOLUTION: &str = "----------";

/// What stands after the last of all.
const COMPLETE: &str = "==========";

/// Its size: variables, constraints, and variables in all constraints.
pub(super) fn size(text: &str) -> Size {
    let mut size = Size::default();
    // How many variables each name stands for.
    let mut names: HashMap<&str, usize> = HashMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("var ") {
            size.variables += 1;
            names.insert(declared(rest), 1);
        } else if let Some(rest) = line.strip_prefix("array ").filter(|rest| rest.contains("of var ")) {
            let list = rest.rsplit_once('[').map_or("", |(_, list)| list);
            names.insert(declared(rest.split_once("of var ").map_or("", |(_, rest)| rest)), mentioned(list, &names));
        } else if let Some(rest) = line.strip_prefix("constraint ") {
            size.constraints += 1;
            size.nonzeros += mentioned(rest.split("::").next().unwrap_or(rest), &names);
        }
    }
    size
}

/// The name in a declaration, which stands after the type.
fn declared(rest: &str) -> &str {
    let name = rest.split_once(": ").map_or(rest, |(_, name)| name);
    name.split(|c: char| !is_part(c)).next().unwrap_or_default()
}

fn mentioned(text: &str, names: &HashMap<&str, usize>) -> usize {
    text.split(|c: char| !is_part(c)).filter_map(|word| names.get(word)).sum()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What a solver says, if it says anything: the outcome, and the entries of the arrays of its first solution.
/// Errors: words that no solver of a program without an objective has a right to, or that contradict each other.
pub(super) fn answer(printed: &str, out_of_time: bool) -> Result<Option<Solved<Fact>>, String> {
    let lines = || printed.lines().map(str::trim);
    let solved = lines().position(|line| line == SOLUTION);
    let mut words =
        lines().filter_map(|line| line.strip_prefix("=====")?.strip_suffix("=====")).filter(|w| !w.is_empty());
    let word = words.next();
    let (status, native) = match (solved, word) {
        (Some(_), None) => (SolveStatus::Optimal, "SATISFIED"),
        (None, Some(word @ "UNSATISFIABLE")) => (SolveStatus::Infeasible, word),
        (None, Some(word @ "UNKNOWN")) if out_of_time => (SolveStatus::Timeout, word),
        (None, Some(word @ "UNKNOWN")) => (SolveStatus::Limit, word),
        (None, None) if lines().any(|line| line == COMPLETE) => {
            return Err("it searched all, and says nothing of it".to_owned());
        }
        (None, None) => return Ok(None),
        (Some(_), Some(word)) => return Err(format!("a solution, and then {word}")),
        (None, Some(word)) => return Err(format!("it says {word}")),
    };
    let mut outcome = Solve::of(status, native);
    outcome.nodes = statistic(printed, "nodes");
    outcome.conflicts = statistic(printed, "failures").or_else(|| statistic(printed, "conflicts"));
    outcome.propagations = statistic(printed, "propagations");
    let values = solved.map(|end| lines().take(end).map(entries).collect::<Result<Vec<_>, _>>()).transpose()?;
    Ok(Some(Solved { outcome, values: values.map(|facts| facts.into_iter().flatten().collect()) }))
}

/// The last value of a statistic.
fn statistic(printed: &str, name: &str) -> Option<u64> {
    let values = printed.lines().filter_map(|line| line.trim().strip_prefix("%%%mzn-stat: ")?.split_once('='));
    values.filter(|(found, _)| *found == name).filter_map(|(_, value)| count(value)).next_back()
}

/// The entries of an array of integers with indices from 1: `tile = array1d(1..3, [2, 1, 3]);` or `tile = [2, 1, 3];`. Other
/// lines have none.
fn entries(line: &str) -> Result<Vec<Fact>, String> {
    let listed = line.split_once(" = ").and_then(|(name, rest)| {
        let (_, list) = rest.split_once('[')?;
        Some((name, list.strip_suffix("]);").or_else(|| list.strip_suffix("];"))?))
    });
    let Some((name, list)) = listed else { return Ok(Vec::new()) };
    let fact = |(index, value): (i64, &str)| match value.trim().parse() {
        Ok(value) => Ok(Fact { name: name.to_owned(), arguments: vec![index, value] }),
        Err(_) => Err(format!("{name} has the entry {value:?}, which is no whole number")),
    };
    (1..).zip(list.split(',').filter(|value| !value.trim().is_empty())).map(fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_counted_wherever_they_stand() {
        let text = "predicate p(array [int] of var int: x);\narray [1..2] of int: c = [1,1];\nvar 1..2: a;\n\
                    var bool: b ::var_is_introduced :: is_defined_var;\narray [1..3] of var int: t:: output_array([1..3]) = [a,2,a];\n\
                    constraint p(t);\nconstraint int_lin_eq(c,[a,a],3):: defines_var(a);\nconstraint bool_eq(b,true);\nsolve satisfy;\n";
        assert_eq!(size(text), Size { variables: 2, constraints: 3, nonzeros: 5 });
        assert_eq!(
            size("constraint bool_eq(false,true);\nsolve  satisfy;\n"),
            Size { constraints: 1, ..Size::default() }
        );
    }
}
