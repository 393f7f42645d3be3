//! DIMACS files: written and read back.

use crate::clauses::{plain, sat, some_model};
use crate::common::{bounded, instance, regular, solutions};
use combinatorics::tantrix::shapes::Shape;
use model::Representation;
use model::formats::dimacs;
use model::sat::{Cnf, Lit};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::verify;

fn written(cnf: &Cnf, comments: &[&str]) -> String {
    let mut file = Vec::new();
    dimacs(cnf, comments, &mut file).expect("memory");
    String::from_utf8(file).expect("ASCII")
}

/// The formula of a file as [`dimacs`] lays it out, a clause a line.
fn read(file: &str) -> Cnf {
    let mut lines = file.lines().filter(|line| !line.starts_with('c'));
    let header = lines.next().and_then(|line| line.strip_prefix("p cnf ")?.split_once(' ')).expect("a header");
    let mut cnf = Cnf::default();
    for _ in 0..header.0.parse().expect("a number") {
        cnf.add_variable();
    }
    for line in lines {
        let numbers = line.strip_suffix('0').expect("an end").split_whitespace();
        let literal = |word: &str| Lit::from_dimacs(word.parse().expect("a number")).expect("a literal");
        cnf.add_clause("read", numbers.map(literal).collect::<Vec<_>>());
    }
    assert_eq!(header.1.parse(), Ok(cnf.len()));
    cnf
}

fn small() -> Cnf {
    let mut cnf = Cnf::default();
    let ab = cnf.add_named(2, "a and b".to_owned());
    let c = cnf.add_variable();
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
        let back = read(&written(cnf, &[]));
        assert_eq!(back.size(), cnf.size());
        assert!(back.clauses().map(|c| c.literals).eq(cnf.clauses().map(|c| c.literals)));
    }
}

/// A model of the file is a solution.
#[test]
fn values_of_a_file_are_a_solution_of_the_puzzle() {
    let boards = (0..40).map(|seed| instance(&Shape::Blob.places(10, seed), ""));
    let instance = boards.into_iter().find(|board| !solutions(board).is_empty()).expect("one has a solution");
    let longest = plain().with("short-loops", 9).expect("good");
    let problem = sat(&instance, &longest);
    let file = read(&written(problem.model(), &["ten places"]));
    let values = some_model(&file).expect("a solution");
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
fn a_literal_is_never_zero() {
    assert_eq!(Lit::from_dimacs(0), None);
    assert_eq!(Lit::from_dimacs(-3).map(Lit::dimacs), Some(-3));
}
