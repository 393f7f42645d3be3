//! An instance under a formulation, as a backend of its kind takes it.

use std::collections::BTreeMap;

use model::cp;
use model::ir::Model;
use model::sat::Cnf;
use model::{
    Formulation, FormulationKind, Problem, Program, Representation, Separation, Size, StartBy, Subloops, build_cp,
    build_mip, build_program, build_sat,
};
use puzzle::{Instance, Solution, Verdict, verify};
use record::Relaxed;

#[cfg(feature = "highs")]
use crate::highs::relax;
use crate::loop_first::Lines;
use crate::options::unsupported;
use crate::places_first::PlacesFirst;
use crate::resolve::{Solves, completed, concluded};
use crate::windows::in_windows;
use crate::{
    Answer, BACKENDS, Backend, Deadline, Iteration, Opened, Prepared, SessionOptions, Solve, SolveError, SolveStatus,
    Solved, Step, resolve, start,
};

/// What is to be solved.
pub struct Task {
    instance: Instance,
    formulation: Formulation,
    form: Built,
    /// What is solved first, if the formulation says so.
    lines: Option<Lines>,
    /// What a reader of the row should know of how the model was built.
    remark: Option<String>,
}

enum Built {
    Mip(Box<dyn Problem<Model>>),
    Sat(Box<dyn Problem<Cnf>>),
    Cp(Box<dyn Problem<cp::Model>>),
    Search,
    Program(Program),
    /// With the task on the places that were chosen first.
    Places(Box<(PlacesFirst, Task)>),
}

impl Task {
    /// Builds the model, if the kind of the formulation has one, and lays the tiles to start from, if it wants any and the time
    /// suffices to find them.
    /// Errors: a formulation that does not fit the instance, a model that would be too large.
    pub fn build(formulation: &Formulation, instance: &Instance, deadline: &Deadline) -> Result<Self, SolveError> {
        formulation.check(instance)?;
        let (mut remark, mut lines) = (None, None);
        let form = match formulation.kind() {
            _ if let Some(places) = PlacesFirst::choose(formulation, instance)? => {
                let first = Self::build(&formulation.on_chosen_places(), places.board(), deadline)?;
                Built::Places(Box::new((places, first)))
            }
            FormulationKind::Mip => {
                let mut problem = build_mip(formulation, instance)?;
                remark = start::begin(formulation, instance, problem.as_mut(), deadline)?;
                if formulation.loop_first() {
                    lines = Lines::build(formulation, instance)?;
                }
                Built::Mip(problem)
            }
            FormulationKind::Sat => Built::Sat(build_sat(formulation, instance)?),
            FormulationKind::Cp => Built::Cp(build_cp(formulation, instance)?),
            FormulationKind::Search => Built::Search,
            FormulationKind::Minizinc | FormulationKind::Asp => Built::Program(build_program(formulation, instance)?),
        };
        Ok(Self { instance: instance.clone(), formulation: formulation.clone(), form, lines, remark })
    }

    /// Size of the model, if there is one. That of a program is known only when its solver has compiled or grounded it
    /// ([`Step::Built`]).
    pub fn size(&self) -> Option<Size> {
        match &self.form {
            Built::Mip(problem) => Some(problem.model().size()),
            Built::Sat(problem) => Some(problem.model().size()),
            Built::Cp(problem) => Some(problem.model().size()),
            Built::Places(places) => places.1.size(),
            Built::Search | Built::Program(_) => None,
        }
    }

    /// Solves the linear relaxation of the model; `None` where it is no linear model.
    pub fn relax(&self, deadline: &Deadline) -> Option<Relaxed> {
        match &self.form {
            Built::Mip(problem) => Some(relax(problem.model(), deadline)),
            Built::Sat(_) | Built::Cp(_) | Built::Search | Built::Program(_) | Built::Places(_) => None,
        }
    }

    /// Solves it by a backend, adding cuts and solving again as the formulation says.
    /// Errors: a backend for another kind, options that it refuses, a search that finds no solution of the puzzle, and
    /// as [`resolve`].
    pub fn solve(
        mut self,
        backend: &dyn Backend,
        options: &SessionOptions,
        deadline: &Deadline,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Answer, SolveError> {
        fits(backend, &self.formulation, &options.options)?;
        // What is learned about lines would stand in a proof as if it were given, and chosen places are not all.
        let is_part = self.lines.is_some() || matches!(self.form, Built::Places(_));
        if options.proof.is_some() && (!backend.info().reports.proof || is_part) {
            return Err(unsupported(backend.info().name, "a proof of infeasibility"));
        }
        if let Built::Places(places) = self.form {
            let (places, first) = *places;
            let (formulation, mut first) = (first.formulation.clone(), Some(first));
            let mut solve_board = |board: &Instance, until: &Deadline, observe: &mut dyn FnMut(Step<'_>)| {
                let built = first.take().map_or_else(|| Self::build(&formulation, board, until), Ok);
                built?.solve(backend, options, until, observe)
            };
            return places.solve(&mut solve_board, deadline, observe);
        }
        let opened = backend.open(self.formulation.kind(), options)?;
        match (&mut self.form, opened) {
            (Built::Mip(problem), Opened::Mip(mut session)) => {
                let lines = self.lines.take();
                // The whole is then solved by a session of its own.
                let mut then =
                    match lines.is_some().then(|| backend.open(self.formulation.kind(), options)).transpose()? {
                        Some(Opened::Mip(then)) => Some(then),
                        None => None,
                        Some(_) => return Err(self.opened_otherwise(backend)),
                    };
                if self.formulation.fix_and_optimise() {
                    let (instance, model) = match &lines {
                        Some(lines) => (&lines.instance, lines.problem.as_ref()),
                        None => (&self.instance, problem.as_ref()),
                    };
                    session =
                        in_windows(session, (instance, &self.formulation), model, deadline).unwrap_or_else(|session| {
                            self.remark = Some(
                                "no full board was found whose edges match; nothing was solved in windows".to_owned(),
                            );
                            session
                        });
                }
                let answer = match lines.zip(then.as_mut()) {
                    None => resolve(problem.as_mut(), session.as_mut(), deadline, observe)?,
                    Some((lines, then)) => {
                        lines.solve(problem.as_mut(), [session.as_mut(), then.as_mut()], deadline, observe)?
                    }
                };
                Ok(Answer { message: self.remark, ..answer })
            }
            (Built::Sat(problem), Opened::Sat(mut session)) => {
                resolve(problem.as_mut(), session.as_mut(), deadline, observe)
            }
            (Built::Cp(problem), Opened::Cp(mut session)) => {
                resolve(problem.as_mut(), session.as_mut(), deadline, observe)
            }
            (Built::Search, Opened::Search(mut searcher)) => {
                observe(Step::Solving(0));
                let mut solves = Solves::begin();
                let (outcome, solution) =
                    searcher.search(&self.instance, &self.formulation, deadline, &mut |outcome, board| {
                        let solve = solves.end(outcome);
                        let separation = shown(&verify(&self.instance, &board));
                        let solve = completed(solve, Some(&separation), None);
                        observe(Step::Solved(&Iteration { solve, solution: Some(board) }));
                        observe(Step::Solving(solves.ended));
                        solves.go_on();
                    })?;
                let solve = solves.end(outcome);
                self.conclude(solve, solution, None, observe)
            }
            (Built::Program(program), Opened::Program(mut solver)) => {
                let size = match solver.prepare(program, deadline)? {
                    Prepared::Ready(size) => size,
                    Prepared::Ended(last) => return Ok(concluded(*last, None)),
                };
                observe(Step::Built(size));
                if deadline.is_over() {
                    return Ok(concluded(Solve::of(SolveStatus::Timeout, "no time left to solve"), None));
                }
                observe(Step::Solving(0));
                let mut solves = Solves::begin();
                let Solved { outcome, values } = solver.solve(deadline)?;
                let loading = solver.loading();
                solves.leave_out(loading);
                let solve = solves.end(outcome);
                let solution = values.map(|facts| program.decode(&facts)).transpose()?;
                let answer = self.conclude(solve, solution, Some(size), observe)?;
                let message = (!loading.is_zero()).then(|| {
                    format!("loading the solver took {:.1} s, which no time of a solve holds", loading.as_secs_f64())
                });
                Ok(Answer { message, ..answer })
            }
            _ => Err(self.opened_otherwise(backend)),
        }
    }

    fn opened_otherwise(&self, backend: &dyn Backend) -> SolveError {
        let reason = format!("opened for another kind than {}", self.formulation.kind());
        SolveError::call(backend.info().name, "open", reason)
    }

    /// The answer of the last solve where nothing is cut off afterwards.
    fn conclude(
        &self,
        solve: Solve,
        solution: Option<Solution>,
        size: Option<Size>,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Answer, SolveError> {
        let separation = solution.as_ref().map(|solution| checked(&self.instance, &self.formulation, solution));
        let separation = separation.transpose()?.filter(|_| self.instance.puzzle.has_loops());
        let solve = completed(solve, separation.as_ref(), size);
        let iteration = Iteration { solve, solution };
        observe(Step::Solved(&iteration));
        Ok(concluded(iteration.solve, iteration.solution))
    }
}

/// Whether a backend solves formulations like this one with these options, which may say for which of several kinds it is; those that
/// make no sense are refused where it is opened.
pub fn fits(
    backend: &dyn Backend,
    formulation: &Formulation,
    options: &BTreeMap<String, String>,
) -> Result<(), SolveError> {
    let info = backend.info();
    let kinds = backend.kinds(options).unwrap_or(info.kinds);
    if !kinds.contains(&formulation.kind()) {
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let for_it =
            BACKENDS.iter().map(|backend| backend.info()).filter(|info| info.kinds.contains(&formulation.kind()));
        let for_it: Vec<&str> = for_it.map(|info| info.name).collect();
        // Another option makes it one of these.
        let others = match info.kinds.contains(&formulation.kind()) {
            true => " with these options, of which `format` decides".to_owned(),
            false => format!("; there is {}", for_it.join(", ")),
        };
        return Err(SolveError::Kind {
            solver: info.name,
            kinds: kinds.join(" and "),
            kind: formulation.kind(),
            others,
        });
    }
    let is_model = matches!(formulation.kind(), FormulationKind::Sat | FormulationKind::Cp);
    let propagates = is_model && formulation.subloops() == Subloops::Propagate;
    if propagates && !info.reports.single_loop {
        return Err(unsupported(info.name, "subloops = \"propagate\", cutting subloops off while it searches"));
    }
    if matches!(formulation.subloops(), Subloops::Lazy(_)) && !info.reports.lazy_cuts {
        return Err(unsupported(info.name, "subloops = \"lazy\", adding rows while it runs; pyscipopt can"));
    }
    backend.suits(formulation, options)?;
    if formulation.start().is_some_and(|start| start.by == StartBy::Hint) && !info.reports.hint {
        return Err(unsupported(
            info.name,
            "start = \"hint\": it is given no values to start from; start = \"fix\" is for every solver of kind mip",
        ));
    }
    Ok(())
}

/// What a solution of a search or program has, if it is one: there is no model that it could be checked against before.
fn checked(instance: &Instance, formulation: &Formulation, solution: &Solution) -> Result<Separation, SolveError> {
    let verdict = verify(instance, solution);
    let waived = formulation.caveats().waived;
    let broken: Vec<_> = verdict.violations.iter().filter(|broken| !waived.contains(&broken.rule)).collect();
    if let Some(first) = broken.first() {
        return Err(SolveError::Broken { count: broken.len(), first: first.to_string() });
    }
    Ok(shown(&verdict))
}

/// Loops and holes of what was verified, of which nothing is cut off.
fn shown(verdict: &Verdict) -> Separation {
    let loop_lengths = verdict.loops.iter().map(Vec::len).collect();
    Separation { loop_lengths, holes: verdict.holes, ..Separation::default() }
}

/// Linear relaxations are solved by HiGHS.
#[cfg(not(feature = "highs"))]
fn relax(_model: &Model, _deadline: &Deadline) -> Relaxed {
    Relaxed::unknown("linear relaxations need HiGHS, which is not in this build (Cargo feature highs)")
}
