//! batsat, a solver in pure Rust after MiniSat, through the crate of that name: incremental.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use model::FormulationKind;
use model::sat::Cnf;

use crate::backend::{
    AT_ONCE, Backend, BackendInfo, Opened, Reports, Session, SessionOptions, Solve, SolveStatus, Solved,
};
use crate::error::SolveError;
use crate::options::{refused, unsupported};

const NAME: &str = "batsat";

pub(crate) struct Batsat;

impl Backend for Batsat {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            name: NAME,
            kinds: &[FormulationKind::Sat],
            interface: "batsat crate, pure Rust",
            reports: Reports { nodes: true, conflicts: true, propagations: true, seed: true, ..Reports::default() },
            install: None,
        }
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(env!("BATSAT_VERSION").to_owned())
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, &["random_seed"], false)?;
        options.one_thread(NAME)?;
        Ok(Opened::Sat(Box::new(BatsatSession { options: configured(options)?, loaded: None })))
    }
}

/// The solver's options, by the names of their fields.
fn configured(options: &SessionOptions) -> Result<SolverOpts, SolveError> {
    // The solver uses its random numbers nowhere unless told to: with activities that begin a little apart, which
    // decides between equals only, seeds differ and nothing else changes. Its generator works on 1 to 2^31 - 2.
    let seed = i32::try_from(options.seed).ok().and_then(|seed| seed.checked_add(1)).filter(|&seed| seed < i32::MAX);
    let random_seed = f64::from(seed.ok_or_else(|| refused(NAME, "random_seed", &options.seed.to_string()))?);
    let mut opts = SolverOpts { random_seed, rnd_init_act: true, ..SolverOpts::default() };
    for (option, value) in &options.options {
        let set = match option.as_str() {
            "var_decay" => put(&mut opts.var_decay, value),
            "clause_decay" => put(&mut opts.clause_decay, value),
            "random_var_freq" => put(&mut opts.random_var_freq, value),
            "luby_restart" => put(&mut opts.luby_restart, value),
            "ccmin_mode" => put(&mut opts.ccmin_mode, value),
            "phase_saving" => put(&mut opts.phase_saving, value),
            "rnd_pol" => put(&mut opts.rnd_pol, value),
            "rnd_init_act" => put(&mut opts.rnd_init_act, value),
            "garbage_frac" => put(&mut opts.garbage_frac, value),
            "min_learnts_lim" => put(&mut opts.min_learnts_lim, value),
            "restart_first" => put(&mut opts.restart_first, value),
            "restart_inc" => put(&mut opts.restart_inc, value),
            "learntsize_factor" => put(&mut opts.learntsize_factor, value),
            "learntsize_inc" => put(&mut opts.learntsize_inc, value),
            _ => None,
        };
        // The solver's own check leaves these two out.
        let sizes = [opts.learntsize_factor, opts.learntsize_inc].iter().all(|size| *size > 0.0 && size.is_finite());
        if set.is_none() || !opts.check() || !sizes {
            return Err(refused(NAME, option, value));
        }
    }
    Ok(opts)
}

fn put<T: std::str::FromStr>(field: &mut T, value: &str) -> Option<()> {
    *field = value.parse().ok()?;
    Some(())
}

struct BatsatSession {
    options: SolverOpts,
    loaded: Option<Loaded>,
}

/// A solver with the clauses that it has.
struct Loaded {
    solver: Solver<Deadline>,
    deadline: Rc<Cell<Option<Instant>>>,
    clauses: usize,
}

/// Ends the search when the time is over.
struct Deadline(Rc<Cell<Option<Instant>>>);

impl Callbacks for Deadline {
    fn stop(&self) -> bool {
        over(self.0.get())
    }
}

fn over(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|at| Instant::now() >= at)
}

impl Session<Cnf> for BatsatSession {
    fn solve(&mut self, cnf: &Cnf, time_limit: Option<Duration>) -> Result<Solved<bool>, SolveError> {
        let at = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let loaded = self.loaded.get_or_insert_with(|| {
            let deadline = Rc::new(Cell::new(None));
            let solver = Solver::new(self.options.clone(), Deadline(Rc::clone(&deadline)));
            Loaded { solver, deadline, clauses: 0 }
        });
        if cnf.single_loop().is_some() {
            return Err(unsupported(NAME, "the rule of the single loop"));
        }
        loaded.deadline.set(at);
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
            if self.clauses.is_multiple_of(AT_ONCE) && over(self.deadline.get()) {
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
        let answer = if over(self.deadline.get()) { lbool::UNDEF } else { self.solver.solve_limited(&[]) };
        let mut outcome = if answer == lbool::TRUE {
            Solve::of(SolveStatus::Optimal, "TRUE")
        } else if answer == lbool::FALSE {
            Solve::of(SolveStatus::Infeasible, "FALSE")
        } else if over(self.deadline.get()) {
            Solve::of(SolveStatus::Timeout, "UNDEF")
        } else {
            let reason = "UNDEF before the time was over".to_owned();
            return Err(SolveError::Call { solver: NAME, call: "solve_limited", reason });
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
