//! Formulas in tests: a solver of another make, plain unit propagation, models of instances.

use std::ops::ControlFlow;

use batsat::{BasicSolver, SolverInterface, lbool};
use model::sat::{Cnf, Lit};
use model::{Formulation, FormulationKind, Problem, Representation, build_sat};
use puzzle::{Instance, Solution};

/// A formulation of kind `sat`, everything as configs leave it out.
pub fn plain() -> Formulation {
    Formulation::plain("f", FormulationKind::Sat)
}

/// The formula of an instance.
pub fn sat(instance: &Instance, formulation: &Formulation) -> Box<dyn Problem<Cnf>> {
    build_sat(formulation, instance).expect("makes sense")
}

/// Whether the values that describe a solution break a clause of a family (or, for an empty name, any clause).
pub fn breaks_clause(problem: &dyn Problem<Cnf>, solution: &Solution, family: &str) -> bool {
    let values = problem.encode(solution);
    let broken = |literals: &[Lit]| !literals.iter().any(|lit| lit.holds(&values));
    let mut clauses = problem.model().clauses().filter(|clause| family.is_empty() || clause.family == family);
    clauses.any(|clause| broken(clause.literals))
}

/// Calls `found` with models of a formula until it breaks off or there are no more that differ on its first variables.
pub fn each_model(cnf: &Cnf, first: usize, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) {
    let mut solver = BasicSolver::default();
    let variables: Vec<_> = (0..cnf.variables()).map(|_| solver.new_var_default()).collect();
    let literal = |lit: &Lit| batsat::Lit::new(variables[lit.variable() - 1], lit.is_positive());
    for clause in cnf.clauses() {
        solver.add_clause_reuse(&mut clause.literals.iter().map(literal).collect());
    }
    while solver.solve_limited(&[]) == lbool::TRUE {
        let values: Vec<bool> = variables.iter().map(|&var| solver.value_var(var) == lbool::TRUE).collect();
        assert_eq!(cnf.broken_by(&values), Vec::<String>::new());
        if found(&values).is_break() {
            return;
        }
        let other = variables[..first].iter().zip(&values).map(|(&var, &value)| batsat::Lit::new(var, !value));
        solver.add_clause_reuse(&mut other.collect());
    }
}

/// Some model of a formula.
pub fn some_model(cnf: &Cnf) -> Option<Vec<bool>> {
    let mut model = None;
    each_model(cnf, 0, &mut |values| {
        model = Some(values.to_vec());
        ControlFlow::Break(())
    });
    model
}

/// What unit propagation makes of some literals: the values that follow, or nothing if it comes to a contradiction.
pub fn propagate(cnf: &Cnf, assumed: &[Lit]) -> Option<Vec<Option<bool>>> {
    let mut values = vec![None; cnf.variables()];
    for lit in assumed {
        values[lit.variable() - 1] = Some(lit.is_positive());
    }
    loop {
        let mut changed = false;
        for clause in cnf.clauses() {
            let value = |lit: &Lit| values[lit.variable() - 1].map(|value| value == lit.is_positive());
            if clause.literals.iter().any(|lit| value(lit) == Some(true)) {
                continue;
            }
            let open: Vec<Lit> = clause.literals.iter().copied().filter(|lit| value(lit).is_none()).collect();
            match open[..] {
                [] => return None,
                [only] => {
                    values[only.variable() - 1] = Some(only.is_positive());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(values);
        }
    }
}
