//! batsat, a solver in pure Rust after MiniSat, through the crate of that name: incremental.

use std::cell::RefCell;
use std::rc::Rc;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use model::sat::Cnf;

use crate::backend::*;

const NAME: &str = "batsat";

pub(crate) struct Batsat;

impl Backend for Batsat {
    fn info(&self) -> BackendInfo {
        BackendInfo::of(NAME, &[FormulationKind::Sat], "batsat crate, pure Rust", Reports::SAT)
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(env!("BATSAT_VERSION").to_owned())
    }

    fn options(&self, _listen: Listen<'_>) -> Option<Vec<String>> {
        Some(FIELDS.iter().map(|(name, _)| (*name).to_owned()).collect())
    }

    fn takes(&self, option: &str, _listen: Listen<'_>) -> Option<Takes> {
        FIELDS.iter().find(|(name, _)| *name == option).map(|(_, takes)| Takes::Such((*takes).to_owned()))
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, "random_seed", false)?;
        options.one_thread(NAME)?;
        Ok(Opened::Sat(Box::new(BatsatSession { options: configured(options)?, loaded: None })))
    }
}

/// Makes of fields of the solver's options the list of them, each with what it takes, and what sets one of them by its name.
macro_rules! fields {
    ($($field:ident: $takes:literal,)*) => {
        const FIELDS: &[(&str, &str)] = &[$((stringify!($field), $takes)),*];

        fn set(opts: &mut SolverOpts, option: &str, value: &str) -> Option<()> {
            match option {
                $(stringify!($field) => value.parse().ok().map(|value| opts.$field = value),)*
                _ => None,
            }
        }
    };
}

fields! {
    var_decay: "a number above 0 and below 1",
    clause_decay: "a number above 0 and below 1",
    random_var_freq: "a number from 0 to 1",
    luby_restart: "true or false",
    ccmin_mode: "0, 1 or 2",
    phase_saving: "0, 1 or 2",
    rnd_pol: "true or false",
    rnd_init_act: "true or false",
    garbage_frac: "a number above 0",
    min_learnts_lim: "a whole number of at least 0",
    restart_first: "a whole number of at least 1",
    restart_inc: "a number above 1",
    learntsize_factor: "a number above 0",
    learntsize_inc: "a number above 0",
}

/// The solver's options, by the names of their fields.
fn configured(options: &SessionOptions) -> Result<SolverOpts, SolveError> {
    // The solver uses its random numbers nowhere unless told to: with activities that begin a little apart, which
    // decides between equals only, seeds differ and nothing else changes. Its generator works on 1 to 2^31 - 2.
    let seed = i32::try_from(options.seed).ok().and_then(|seed| seed.checked_add(1)).filter(|&seed| seed < i32::MAX);
    let random_seed = f64::from(seed.ok_or_else(|| refused(NAME, "random_seed", &options.seed.to_string()))?);
    let mut opts = SolverOpts { random_seed, rnd_init_act: true, ..SolverOpts::default() };
    for (option, value) in &options.options {
        let set = set(&mut opts, option, value);
        // The solver's own check leaves these two out.
        let sizes = [opts.learntsize_factor, opts.learntsize_inc].iter().all(|size| *size > 0.0 && size.is_finite());
        if set.is_none() || !opts.check() || !sizes {
            return Err(refused(NAME, option, value));
        }
    }
    Ok(opts)
}

struct BatsatSession {
    options: SolverOpts,
    loaded: Option<Loaded>,
}

/// A solver with the clauses that it has.
struct Loaded {
    solver: Solver<Stop>,
    deadline: Rc<RefCell<Deadline>>,
    clauses: usize,
}

/// Ends the search when the time is over.
struct Stop(Rc<RefCell<Deadline>>);

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        self.0.borrow().is_over()
    }
}

impl Session<Cnf> for BatsatSession {
    fn solve(&mut self, cnf: &Cnf, deadline: &Deadline) -> Result<Solved<bool>, SolveError> {
        let loaded = self.loaded.get_or_insert_with(|| {
            let deadline = Rc::new(RefCell::new(deadline.clone()));
            let solver = Solver::new(self.options.clone(), Stop(Rc::clone(&deadline)));
            Loaded { solver, deadline, clauses: 0 }
        });
        if cnf.single_loop().is_some() {
            return Err(unsupported(NAME, "the rule of the single loop"));
        }
        loaded.deadline.replace(deadline.clone());
        loaded.load(cnf);
        loaded.solve(cnf)
    }

    fn restart(&mut self) {
        self.loaded = None;
    }
}

impl Loaded {
    /// Adds what is new since the last call, until the time is over.
    fn load(&mut self, cnf: &Cnf) {
        while (self.solver.num_vars() as usize) < cnf.variables() {
            self.solver.new_var_default();
        }
        let mut literals = Vec::new();
        for clause in cnf.clauses_from(self.clauses) {
            if self.clauses.is_multiple_of(AT_ONCE) && self.deadline.borrow().is_over() {
                return;
            }
            self.clauses += 1;
            literals.clear();
            // Its variables count from 0, and all of these are there.
            literals.extend(
                clause
                    .literals
                    .iter()
                    .map(|lit| Lit::new(Var::unsafe_from_idx(lit.dimacs().unsigned_abs() - 1), lit.is_positive())),
            );
            // False where the formula has turned out to have no solution, which the solve says too.
            self.solver.add_clause_reuse(&mut literals);
        }
    }

    fn solve(&mut self, cnf: &Cnf) -> Result<Solved<bool>, SolveError> {
        let before = self.figures();
        let answer = if self.deadline.borrow().is_over() { lbool::UNDEF } else { self.solver.solve_limited(&[]) };
        let mut outcome = if answer == lbool::TRUE {
            Solve::of(SolveStatus::Optimal, "TRUE")
        } else if answer == lbool::FALSE {
            Solve::of(SolveStatus::Infeasible, "FALSE")
        } else if self.deadline.borrow().is_over() {
            Solve::of(SolveStatus::Timeout, "UNDEF")
        } else {
            return Err(SolveError::call(NAME, "solve_limited", "UNDEF before the time was over"));
        };
        let [conflicts, nodes, propagations] = self.figures();
        outcome.conflicts = Some(conflicts - before[0]);
        outcome.nodes = Some(nodes - before[1]);
        outcome.propagations = Some(propagations - before[2]);
        let holds = |index: usize| self.solver.get_model().get(index).is_some_and(|&value| value == lbool::TRUE);
        let values = (answer == lbool::TRUE).then(|| (0..cnf.variables()).map(holds).collect());
        Ok(Solved { outcome, values })
    }

    fn figures(&self) -> [u64; 3] {
        [self.solver.num_conflicts(), self.solver.num_decisions(), self.solver.num_propagations()]
    }
}
