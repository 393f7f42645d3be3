//! CaDiCaL, through the `cadical-sys` crate: incremental, with an external propagator for the rule of the single loop.

mod proof;
mod single_loop;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::{env, iter};

use cadical_sys::{CaDiCal, Status, Terminator};
use model::sat::Cnf;

use crate::backend::*;
use crate::{linear, linked};
use proof::Proof;
use single_loop::SingleLoopPropagator;

const NAME: &str = linked::CADICAL.name;

/// Options that are set from the run, that write files or to standard output, or that would change how this talks to the solver.
const OWN: &str = "seed quiet verbose report reportall log logsort stats profile terminateint exttracecalls check \
                   checkassumptions checkconstraint checkfailed checkfrozen checkproof checkwitness binary lrat \
                   frat idrup lidrup veripb";

/// Options that let the solver add variables of its own, which then clash with those that a model adds later.
const VARIABLES: [&str; 2] = ["factor", "factorcheck"];

pub(crate) struct Cadical;

impl Backend for Cadical {
    fn info(&self) -> BackendInfo {
        linked::CADICAL
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(CaDiCal::version())
    }

    fn options(&self, listen: Listen<'_>) -> Option<Vec<String>> {
        let is_free = |name: &&str| !OWN.split_whitespace().chain(VARIABLES).any(|own| own == *name);
        let printed = listen(&mut || {
            CaDiCal::usage();
            CaDiCal::configurations();
        });
        Some(named(&printed.ok()?).map(|(name, _)| name).filter(is_free).map(str::to_owned).collect())
    }

    fn takes(&self, option: &str, listen: Listen<'_>) -> Option<Takes> {
        if CaDiCal::is_valid_configuration(option) {
            return Some(Takes::words(&["true"]));
        }
        let printed = listen(&mut CaDiCal::usage).ok()?;
        let (_, takes) = named(&printed).find(|(name, _)| *name == option)?;
        Some(match takes.split_once("..") {
            Some((least, most)) => Takes::between("a whole number", least, most),
            None => Takes::words(&["false", "true"]),
        })
    }

    fn open(&self, kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        options.refuse_own(NAME, OWN, false)?;
        options.one_thread(NAME)?;
        if let Some(option) = options.options.keys().find(|option| VARIABLES.contains(&option.as_str())) {
            let reason = format!("the option {option}, variables of its own beside those of the model");
            return Err(unsupported(NAME, reason));
        }
        // The solver takes options from there that no row would show.
        if let Some((name, _)) = env::vars_os().find(|(name, _)| name.to_string_lossy().starts_with("CADICAL")) {
            return Err(unsupported(NAME, format!("options from the environment ({})", name.display())));
        }
        // An unknown option shall be said before any time is spent, and likewise a place where no proof can be written.
        let mut session = CadicalSession { options: options.clone(), loaded: None };
        session.loaded = Some(session.begin()?);
        let session = Box::new(session);
        Ok(if kind == FormulationKind::Mip { linear::by_clauses(session) } else { Opened::Sat(session) })
    }
}

/// The options that lines of CaDiCaL's help name, as `--name=bool`, `--name=0..9` or `--name`, each with what it takes.
fn named(printed: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = printed.lines().filter_map(|line| line.trim_start().strip_prefix("--")?.split_whitespace().next());
    words.map(|word| word.split_once('=').unwrap_or((word, "")))
}

fn failed(call: &'static str, reason: &(impl ToString + ?Sized)) -> SolveError {
    SolveError::call(NAME, call, reason.to_string())
}

struct CadicalSession {
    options: SessionOptions,
    loaded: Option<Loaded>,
}

/// A solver with the clauses that it has.
struct Loaded {
    solver: CaDiCal,
    clauses: usize,
    propagator: Option<Rc<RefCell<SingleLoopPropagator>>>,
    proof: Option<Rc<RefCell<Proof>>>,
    /// Conflicts, decisions, propagations and edges denied so far.
    seen: [u64; 4],
}

/// Ends the search when the time is over, or when there is no use in going on.
struct End {
    at: Deadline,
    proof: Option<Rc<RefCell<Proof>>>,
}

impl Terminator for End {
    fn terminated(&mut self) -> bool {
        self.at.is_over()
            || self.proof.as_ref().is_some_and(|proof| proof.try_borrow().is_ok_and(|proof| proof.failure.is_some()))
    }
}

impl CadicalSession {
    fn begin(&self) -> Result<Loaded, SolveError> {
        let mut solver = CaDiCal::new();
        self.configure(&mut solver)?;
        let proof = match &self.options.proof {
            Some(path) => {
                let proof = Proof::begin(path).map_err(|e| failed("proof", &format!("{}: {e}", path.display())))?;
                let proof = Rc::new(RefCell::new(proof));
                solver.connect_proof_tracer1(Rc::clone(&proof), false, false);
                Some(proof)
            }
            None => None,
        };
        Ok(Loaded { solver, clauses: 0, propagator: None, proof, seen: [0; 4] })
    }

    fn configure(&self, solver: &mut CaDiCal) -> Result<(), SolveError> {
        let options = &self.options.options;
        let is_configuration = |option: &str| CaDiCal::is_valid_configuration(option);
        // A configuration sets many options, so that those of the config come after it.
        for (option, value) in options.iter().filter(|(option, _)| is_configuration(option)) {
            if value != "true" || !solver.configure(option) {
                return Err(refused(NAME, option, value));
            }
        }
        let seed = self.options.seed.to_string();
        let named = options.iter().filter(|(option, _)| !is_configuration(option));
        let named = named.map(|(option, value)| (option.as_str(), value.as_str()));
        for (option, value) in named.chain(iter::once(("seed", seed.as_str()))) {
            let number = match value {
                "true" => Some(1),
                "false" => Some(0),
                _ => value.parse::<i32>().ok(),
            };
            // What is out of range the solver takes for the nearest that is not.
            let set = number
                .is_some_and(|n| CaDiCal::is_valid_option(option) && solver.set(option, n) && solver.get(option) == n);
            if !set {
                return Err(refused(NAME, option, value));
            }
        }
        Ok(())
    }
}

impl Session<Cnf> for CadicalSession {
    fn solve(&mut self, cnf: &Cnf, deadline: &Deadline) -> Result<Solved<bool>, SolveError> {
        let mut loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => self.begin()?,
        };
        loaded.load(cnf, deadline)?;
        let solved = loaded.solve(cnf, deadline)?;
        if self.options.verbose {
            // The library is built without messages of its own. A log that cannot be written is no reason to stop.
            let _ = writeln!(io::stdout(), "cadical: {:?}", solved.outcome);
        }
        self.loaded = Some(loaded);
        Ok(solved)
    }

    fn restart(&mut self) {
        self.loaded = None;
        if let Some(path) = &self.options.proof {
            // Of a model that is no longer asked about. Where it cannot be removed, the next solve says so.
            let _ = Proof::remove(path);
        }
    }
}

impl Loaded {
    /// Adds what is new since the last call, until the time is over.
    fn load(&mut self, cnf: &Cnf, deadline: &Deadline) -> Result<(), SolveError> {
        let variables = i32::try_from(cnf.variables()).map_err(|e| failed("resize", &e))?;
        self.solver.resize(variables);
        if let (None, Some(rule)) = (&self.propagator, cnf.single_loop()) {
            // Before the first solve, which may eliminate variables that are not observed.
            if self.clauses > 0 {
                return Err(failed("connect_external_propagator", "the rule of the single loop came after a solve"));
            }
            let propagator = SingleLoopPropagator::new(rule, self.proof.is_some())
                .ok_or_else(|| failed("connect_external_propagator", "two edges are designated by one variable"))?;
            let observed: Vec<i32> = propagator.observed().collect();
            let propagator = Rc::new(RefCell::new(propagator));
            self.solver.connect_external_propagator(Rc::clone(&propagator));
            for variable in observed {
                self.solver.add_observed_var(variable);
            }
            self.propagator = Some(propagator);
        }
        for clause in cnf.clauses_from(self.clauses) {
            if self.clauses.is_multiple_of(AT_ONCE) && deadline.is_over() {
                return Ok(());
            }
            self.clauses += 1;
            for lit in clause.literals {
                self.solver.add(lit.dimacs());
            }
            self.solver.add(0);
        }
        Ok(())
    }

    fn solve(&mut self, cnf: &Cnf, deadline: &Deadline) -> Result<Solved<bool>, SolveError> {
        let status = if deadline.is_over() {
            Status::UNKNOWN
        } else {
            self.solver.connect_terminator(End { at: deadline.clone(), proof: self.proof.clone() });
            self.solver.solve()
        };
        let figures = self.figures()?;
        if let Some(e) = self.proof.as_ref().and_then(|proof| proof.borrow_mut().failure.take()) {
            return Err(failed("proof", &e));
        }
        let mut outcome = match status {
            Status::SATISFIABLE => Solve::of(SolveStatus::Optimal, "SATISFIABLE"),
            Status::UNSATISFIABLE => Solve::of(SolveStatus::Infeasible, "UNSATISFIABLE"),
            Status::UNKNOWN if deadline.is_over() => Solve::of(SolveStatus::Timeout, "UNKNOWN"),
            Status::UNKNOWN => return Err(failed("solve", "UNKNOWN before the time was over")),
        };
        let [conflicts, nodes, propagations, cuts] = std::array::from_fn(|index| figures[index] - self.seen[index]);
        (outcome.conflicts, outcome.nodes, outcome.propagations) = (Some(conflicts), Some(nodes), Some(propagations));
        outcome.cuts_added = cuts;
        self.seen = figures;
        let values = (status == Status::SATISFIABLE).then(|| self.values(cnf));
        if let (Status::UNSATISFIABLE, Some(proof)) = (status, &self.proof) {
            let propagator = self.propagator.as_ref().map(|propagator| propagator.borrow());
            let given = propagator.as_ref().and_then(|propagator| propagator.kept.as_deref()).unwrap_or_default();
            proof.borrow_mut().finish(cnf, given).map_err(|e| failed("proof", &e))?;
        }
        Ok(Solved { outcome, values })
    }

    fn values(&mut self, cnf: &Cnf) -> Vec<bool> {
        // Variables are numbered from 1 to a number that was an i32 when they were loaded.
        (1..).take(cnf.variables()).map(|variable| self.solver.val(variable) > 0).collect()
    }

    fn figures(&self) -> Result<[u64; 4], SolveError> {
        let statistic = |name| {
            let value = self.solver.get_statistic_value(name);
            u64::try_from(value).map_err(|_| failed("get_statistic_value", &format!("{name} is {value}")))
        };
        let cuts = self.propagator.as_ref().map_or(0, |propagator| propagator.borrow().forbidden);
        Ok([statistic("conflicts")?, statistic("decisions")?, statistic("propagations")?, cuts])
    }
}
