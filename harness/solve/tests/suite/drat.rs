//! A checker of DRAT proofs that shares nothing with the solvers: forward, and of the kind of steps that follow by unit
//! propagation (RUP) only, which is less than DRAT allows.

use std::collections::HashMap;

/// The clauses of a DIMACS file.
pub fn formula(text: &str) -> Vec<Vec<i32>> {
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    let clauses: Vec<Vec<i32>> = lines.map(literals).collect();
    let header = text.lines().find_map(|line| line.strip_prefix("p cnf ")).expect("a header");
    assert_eq!(header.split_whitespace().nth(1), Some(clauses.len().to_string().as_str()), "clauses in {header}");
    clauses
}

/// Whether a proof refutes a formula; why not, otherwise.
pub fn check(formula: &[Vec<i32>], proof: &str) -> Result<(), String> {
    let mut checker = Checker::default();
    for clause in formula {
        checker.add(clause);
    }
    for (number, line) in proof.lines().enumerate() {
        if let Some(deleted) = line.strip_prefix("d ") {
            if !checker.delete(&literals(deleted)) {
                return Err(format!("line {}: {line}: nothing to delete", number + 1));
            }
            continue;
        }
        let clause = literals(line);
        if !checker.follows(&clause) {
            return Err(format!("line {}: {line}: does not follow", number + 1));
        }
        if clause.is_empty() {
            return Ok(());
        }
        checker.add(&clause);
    }
    Err("no empty clause".to_owned())
}

fn literals(line: &str) -> Vec<i32> {
    let mut literals: Vec<i32> = line.split_whitespace().map(|word| word.parse().expect("a literal")).collect();
    assert_eq!(literals.pop(), Some(0), "{line}");
    literals
}

#[derive(Default)]
struct Checker {
    clauses: Vec<Vec<i32>>,
    /// Clauses that are there, by their sorted literals.
    named: HashMap<Vec<i32>, Vec<usize>>,
    /// Clauses by the literals at their first two positions, which are not false unless the clause is satisfied.
    watching: HashMap<i32, Vec<usize>>,
    values: HashMap<i32, bool>,
    trail: Vec<i32>,
    /// How much of the trail has been propagated.
    done: usize,
    refuted: bool,
}

impl Checker {
    fn value(&self, literal: i32) -> Option<bool> {
        self.values.get(&literal.abs()).map(|&value| value == (literal > 0))
    }

    fn assign(&mut self, literal: i32) {
        self.values.insert(literal.abs(), literal > 0);
        self.trail.push(literal);
    }

    /// Draws what unit propagation gives; false at a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            let watching = self.watching.remove(&-literal).unwrap_or_default();
            let mut kept = Vec::new();
            let mut conflict = false;
            for index in watching {
                let mut clause = std::mem::take(&mut self.clauses[index]);
                if clause.is_empty() {
                    continue;
                }
                if clause[0] == -literal {
                    clause.swap(0, 1);
                }
                let other = (2..clause.len()).find(|&at| self.value(clause[at]) != Some(false));
                if self.value(clause[0]) == Some(true) {
                    kept.push(index);
                } else if let Some(at) = other {
                    clause.swap(1, at);
                    self.watching.entry(clause[1]).or_default().push(index);
                } else {
                    kept.push(index);
                    match self.value(clause[0]) {
                        Some(false) => conflict = true,
                        _ => self.assign(clause[0]),
                    }
                }
                self.clauses[index] = clause;
            }
            self.watching.entry(-literal).or_default().extend(kept);
            if conflict {
                return false;
            }
        }
        true
    }

    fn follows(&mut self, clause: &[i32]) -> bool {
        if self.refuted || clause.iter().any(|&literal| self.value(literal) == Some(true)) {
            return true;
        }
        let root = self.trail.len();
        for &literal in clause {
            match self.value(-literal) {
                Some(true) => {}
                // The clause has a literal and its opposite.
                Some(false) => return true,
                None => self.assign(-literal),
            }
        }
        let conflict = !self.propagate();
        for literal in self.trail.drain(root..) {
            self.values.remove(&literal.abs());
        }
        self.done = root;
        conflict
    }

    fn add(&mut self, clause: &[i32]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        let index = self.clauses.len();
        self.named.entry(clause.clone()).or_default().push(index);
        // Those that are not false in front.
        clause.sort_by_key(|&literal| self.value(literal) == Some(false));
        let open = clause.iter().take_while(|&&literal| self.value(literal) != Some(false)).count();
        if let (Some(&first), Some(&second)) = (clause.first(), clause.get(1)) {
            self.watching.entry(first).or_default().push(index);
            self.watching.entry(second).or_default().push(index);
        }
        match (open, clause.first()) {
            (1, Some(&unit)) if self.value(unit).is_none() => {
                self.assign(unit);
                self.refuted |= !self.propagate();
            }
            (0, _) => self.refuted = true,
            _ => {}
        }
        self.clauses.push(clause);
    }

    fn delete(&mut self, clause: &[i32]) -> bool {
        let mut name = clause.to_vec();
        name.sort_unstable();
        match self.named.get_mut(&name).and_then(Vec::pop) {
            Some(index) => {
                self.clauses[index].clear();
                true
            }
            None => false,
        }
    }
}

/// All sets of values of two and of three variables are forbidden; the proof of the first is one unit, then nothing.
#[test]
fn the_checker_tells_proofs_from_what_only_looks_like_them() {
    let square: Vec<Vec<i32>> = vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]];
    assert_eq!(check(&square, "1 0\n0\n"), Ok(()));
    assert_eq!(check(&square, "1 2 3 0\nd 1 2 3 0\n1 0\n0\n"), Ok(()));
    assert!(check(&square, "d 1 2 0\n-1 0\n0\n").is_err_and(|e| e.contains("line 3")));
    assert!(check(&square, "").is_err_and(|e| e == "no empty clause"));
    assert!(check(&square, "d 1 3 0\n1 0\n0\n").is_err_and(|e| e.contains("nothing to delete")));
    assert!(check(&square[..3], "1 0\n0\n").is_err_and(|e| e.contains("line 2")));
    let cube: Vec<Vec<i32>> =
        (0..8).map(|set| (0..3).map(|v| if set >> v & 1 == 1 { v + 1 } else { -v - 1 }).collect()).collect();
    assert!(check(&cube, "1 0\n0\n").is_err_and(|e| e.contains("line 1")));
    assert_eq!(check(&cube, "1 2 0\n1 0\n2 0\n0\n"), Ok(()));
}
