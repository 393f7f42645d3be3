//! Formulas for the tests of SAT backends, and what plain search says of them.

use model::sat::{Cnf, Lit};
use model::{FormulationKind, LoopEdge, SingleLoop};
use solve::{BACKENDS, Backend, Opened, Session, SessionOptions, SolveError};

/// Numbers that look random, the same each time (xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

/// The SAT backends that are built in.
pub fn built_in() -> impl Iterator<Item = &'static dyn Backend> {
    BACKENDS.iter().copied().filter(|b| b.info().kinds.contains(&FormulationKind::Sat) && b.info().install.is_none())
}

/// A session for clauses.
pub fn sat(backend: &dyn Backend, options: &SessionOptions) -> Result<Box<dyn Session<Cnf>>, SolveError> {
    match backend.open(FormulationKind::Sat, options)? {
        Opened::Sat(session) => Ok(session),
        _ => panic!("opened for another kind"),
    }
}

/// A literal as DIMACS files write it.
pub fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("not 0")
}

/// These clauses over so many variables.
pub fn cnf(variables: usize, clauses: &[Vec<i32>]) -> Cnf {
    let mut cnf = Cnf::default();
    for _ in 0..variables {
        cnf.add_variable();
    }
    for clause in clauses {
        cnf.add_clause("test", clause.iter().map(|&number| lit(number)));
    }
    cnf
}

/// A clause of three different variables of the first so many.
pub fn three(numbers: &mut Numbers, variables: usize) -> Vec<i32> {
    let mut clause: Vec<i32> = Vec::new();
    while clause.len() < 3 {
        let variable = i32::try_from(numbers.below(variables) + 1).expect("few");
        if !clause.iter().any(|l| l.abs() == variable) {
            clause.push(if numbers.below(2) == 0 { variable } else { -variable });
        }
    }
    clause
}

/// So many pigeons in so many holes, at most one in each.
pub fn pigeons(pigeons: i32, holes: i32) -> Cnf {
    let variable = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Vec<Vec<i32>> = (0..pigeons).map(|p| (0..holes).map(|h| variable(p, h)).collect()).collect();
    for hole in 0..holes {
        for (a, b) in (0..pigeons).flat_map(|a| (0..a).map(move |b| (a, b))) {
            clauses.push(vec![-variable(a, hole), -variable(b, hole)]);
        }
    }
    let variables = usize::try_from(pigeons * holes).expect("positive");
    cnf(variables, &clauses)
}

/// All assignments that satisfy all clauses, by trying them all.
pub fn models(cnf: &Cnf) -> impl Iterator<Item = Vec<bool>> {
    let variables = cnf.variables();
    let all = (0..1u32 << variables).map(move |set| (0..variables).map(|v| set >> v & 1 == 1).collect::<Vec<bool>>());
    all.filter(|values| cnf.clauses().all(|clause| clause.literals.iter().any(|l| l.holds(values))))
}

/// A graph in which two chosen edges meet at each node (`all`), or two or none, and no cycle has fewer nodes than
/// `length`. Variable e + 1 says that edge e is chosen.
pub fn loops(nodes: usize, edges: &[[usize; 2]], length: usize, all: bool) -> Cnf {
    let mut clauses = Vec::new();
    for node in 0..nodes {
        let numbers = (1..).zip(edges).filter(|(_, ends)| ends.contains(&node)).map(|(number, _)| number);
        let at: Vec<i32> = numbers.collect();
        for (i, &a) in at.iter().enumerate() {
            let others = at.iter().copied().filter(|&b| b != a);
            let pick: Vec<i32> = others.clone().collect();
            // One comes never alone, and with `all` leaving out any one still leaves one.
            clauses.push(if all { pick.clone() } else { others.chain([-a]).collect() });
            for (j, &b) in at.iter().enumerate().skip(i + 1) {
                clauses.extend(at.iter().skip(j + 1).map(|&c| vec![-a, -b, -c]));
            }
        }
        if all && at.is_empty() {
            clauses.push(Vec::new());
        }
    }
    let mut cnf = cnf(edges.len(), &clauses);
    let edges = (1..).zip(edges).map(|(number, &ends)| LoopEdge { ends, designated: lit(number) }).collect();
    cnf.set_single_loop(SingleLoop { nodes, length, edges });
    cnf
}

/// The edges of a grid of squares.
pub fn grid(width: usize, height: usize) -> Vec<[usize; 2]> {
    let across = (0..height).flat_map(move |y| (1..width).map(move |x| [y * width + x - 1, y * width + x]));
    let down = (1..height).flat_map(move |y| (0..width).map(move |x| [(y - 1) * width + x, y * width + x]));
    across.chain(down).collect()
}
