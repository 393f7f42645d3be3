//! DIMACS files: written, read back, refused; values as solvers print them.

use crate::clauses::{plain, sat, some_model};
use crate::common::{bounded, instance, regular, solutions};
use combinatorics::tantrix::shapes::Shape;
use model::Representation;
use model::dimacs::{parse_values, read, write};
use model::sat::{Cnf, Lit};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::verify;

fn written(cnf: &Cnf, comments: &[&str]) -> String {
    let mut file = Vec::new();
    write(cnf, comments, &mut file).expect("memory");
    String::from_utf8(file).expect("ASCII")
}

fn small() -> Cnf {
    let mut cnf = Cnf::default();
    let ab = cnf.add_named(2, "a and b".to_owned());
    let c = cnf.add_variable().positive();
    cnf.add_clause("f", [ab[0], !ab[1]]);
    cnf.add_clause("f", [!c]);
    cnf.add_clause("f", []);
    cnf
}

#[test]
fn a_file_has_comments_names_the_header_and_a_clause_a_line() {
    let expected = "c first\nc second\nc third\nc a and b = 1 to 2\np cnf 3 3\n1 -2 0\n-3 0\n0\n";
    assert_eq!(written(&small(), &["first\nsecond", "third"]), expected);
}

#[test]
fn what_is_written_is_read_back() {
    let board = instance(&Shape::Round.places(12, 1), "");
    let roomy = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    for instance in [&board, &roomy] {
        let problem = sat(instance, &plain());
        let cnf = problem.model();
        let back = read(written(cnf, &[]).as_bytes()).expect("DIMACS");
        assert_eq!(back.size(), cnf.size());
        assert!(back.clauses().map(|c| c.literals).eq(cnf.clauses().map(|c| c.literals)));
    }
}

/// A model of the file, printed as solvers do, is a solution.
#[test]
fn values_of_a_file_are_a_solution_of_the_puzzle() {
    let boards = (0..40).map(|seed| instance(&Shape::Blob.places(10, seed), ""));
    let instance = boards.into_iter().find(|board| !solutions(board).is_empty()).expect("one has a solution");
    let longest = plain().with("short-loops", 9).expect("good");
    let problem = sat(&instance, &longest);
    let file = read(written(problem.model(), &["ten places"]).as_bytes()).expect("DIMACS");
    let values = some_model(&file).expect("a solution");
    let printed: Vec<String> =
        (1..).zip(&values).map(|(number, &value)| format!("v {}{number}", if value { "" } else { "-" })).collect();
    let output = format!("c a solver\ns SATISFIABLE\n{}\nv 0\n", printed.join("\n"));
    assert_eq!(parse_values(output.as_bytes(), file.variables()).as_ref(), Ok(&values));
    let solution = problem.decode(&values).expect("values");
    assert!(verify(&instance, &solution).violations.is_empty());
}

/// Whoever reads the file finds the variables of a placement by the names.
#[test]
fn names_lead_to_variables() {
    let instance = bounded(&regular(BoardType::A, 7), 6, Colour::Blue);
    let problem = sat(&instance, &plain());
    let file = written(problem.model(), &[]);
    let range = |name: &str| -> Vec<usize> {
        let line = file.lines().find(|line| line.starts_with(&format!("c {name}"))).expect(name);
        let (_, numbers) = line.split_once(" = ").expect("numbers");
        numbers.split(" to ").map(|number| number.parse().expect("a number")).collect()
    };
    let placements = vec![puzzle::Placement { place: 3, tile: 2, orientation: 4 }];
    let values = problem.encode(&puzzle::Solution::on_places("", placements));
    let holding: Vec<usize> = (1..).zip(&values).filter(|(_, value)| **value).map(|(number, _)| number).collect();
    // Tile 2 is B R R B Y Y; turned by three steps its edges are B Y Y B R R.
    let edges = [(1, "blue"), (2, "yellow")];
    assert!(holding.contains(&(range("x_2_3_1 to x_2_3_6")[0] + 3)));
    assert!(holding.contains(&(range("lies_2_1 to lies_2_7")[0] + 2)));
    assert!(holding.contains(&(range("filled_1 to filled_7")[0] + 2)));
    assert!(!holding.contains(&(range("filled_1 to filled_7")[0] + 1)));
    let named = |l: usize| {
        file.lines().find(|line| line.contains(&format!("edge_3_{l} ")) || line.contains(&format!("(edge_3_{l})")))
    };
    for (l, colour) in edges {
        let Some(line) = named(l) else { continue };
        let words: Vec<&str> = line.split_whitespace().collect();
        let colours: Vec<&str> = words.iter().copied().filter(|w| ["red", "blue", "yellow"].contains(w)).collect();
        let first: usize = words[words.iter().position(|&w| w == "=").expect("numbers") + 1].parse().expect("a number");
        // Blue is designated and needs a tile on both sides.
        let shown = colours.iter().position(|&c| c == colour).expect("a colour");
        assert!(holding.contains(&(first + shown)), "{line}");
    }
}

#[test]
fn a_rule_that_is_in_no_clause_is_said() {
    let instance = instance(&Shape::Round.places(10, 1), "");
    let propagate = plain().with("subloops", "propagate").expect("good");
    assert!(
        written(sat(&instance, &propagate).model(), &[]).contains("\nc in no clause: ")
            || written(sat(&instance, &propagate).model(), &[]).starts_with("c in no clause: ")
    );
    assert!(!written(sat(&instance, &plain()).model(), &[]).contains("in no clause"));
}

#[test]
fn clauses_may_be_laid_out_freely() {
    let cnf = read("c x\n\np  cnf 3  4\n1\n-2 0 3 0\nc y\n 1 1 2 0\n1 -1 0\n".as_bytes()).expect("DIMACS");
    let clauses: Vec<Vec<i32>> = cnf.clauses().map(|c| c.literals.iter().map(|lit| lit.dimacs()).collect()).collect();
    assert_eq!(clauses, [vec![1, -2], vec![3], vec![1, 2]], "a clause that always holds is left out");
    assert_eq!(cnf.variables(), 3);
}

#[test]
fn what_is_no_dimacs_is_refused_with_its_line() {
    for (text, line, reason) in [
        ("", 0, "no line p cnf"),
        ("c only\n", 1, "no line p cnf"),
        ("1 0\np cnf 1 1\n", 1, "before the line"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", 2, "second"),
        ("p sat 1 1\n", 1, "no line p cnf"),
        ("p cnf 1\n", 1, "no line p cnf"),
        ("p cnf -1 0\n", 1, "no line p cnf"),
        ("p cnf 99999999999 0\n", 1, "no line p cnf"),
        ("p cnf 2 1\n1 x 0\n", 2, "\"x\" is no literal"),
        ("p cnf 2 1\n1 1.0 0\n", 2, "no literal"),
        ("p cnf 2 1\n-2147483648 0\n", 2, "no literal"),
        ("p cnf 2 1\n1 0\n\n3 0\n", 4, "variable 3, and there are 2"),
        ("p cnf 2 1\n1 -2\n", 2, "within a clause"),
        ("p cnf 2 2\n1 0\n", 2, "after 1 clauses of 2"),
        ("p cnf 2 1\n1 0\n2 0\n", 3, "after 2 clauses of 1"),
    ] {
        let error = read(text.as_bytes()).expect_err(text);
        assert!(error.line == line && error.reason.contains(reason), "{text:?}: {error}");
    }
    assert_eq!(read(&b"p cnf 1 1\n\xff 0\n"[..]).expect_err("no text").line, 2);
}

#[test]
fn values_are_read_as_solvers_print_them() {
    for text in
        ["s SATISFIABLE\nv 1 -2\nv 3 0\n", "SAT\n1 -2 3 0\n", "c 7\nv 3 1 0\n", "v 1 3\nv 0\nc end\n", "v 1 1 3 -2 0"]
    {
        assert_eq!(parse_values(text.as_bytes(), 3), Ok(vec![true, false, true]), "{text:?}");
    }
    for (text, line, reason) in [
        ("s SATISFIABLE\n", 1, "no 0"),
        ("v 1 -2\n", 1, "no 0"),
        ("v 1 4 0\n", 1, "variable 4, and there are 3"),
        ("s SATISFIABLE\nv 1 -1 0\n", 2, "true and false"),
        ("v 1 0\nv 2 0\n", 2, "after the 0"),
        ("v 1 two 0\n", 1, "\"two\" is no literal"),
    ] {
        let error = parse_values(text.as_bytes(), 3).expect_err(text);
        assert!(error.line == line && error.reason.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn a_literal_is_never_zero() {
    assert_eq!(Lit::from_dimacs(0), None);
    assert_eq!(Lit::from_dimacs(-3).map(Lit::dimacs), Some(-3));
}
