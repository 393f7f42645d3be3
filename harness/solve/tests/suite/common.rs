//! Boards, models and sessions for the tests of this crate.

use std::io;
use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKind, Holes, Problem, build_mip};
use puzzle::hex::Axial;
use puzzle::{Instance, Solution};
use solve::{Answer, Backend, Deadline, Iteration, Opened, Session, SessionOptions, SolveError, Step, Task};

pub use crate::boards::{bounded, exhaust, natural, on_board, regular, tantrix, tetrahedron};

/// More than any of these solves needs: who reaches it has lost its way.
pub const AMPLE: Duration = Duration::from_secs(300);

/// An instance on these places, with further lines of its file.
pub fn instance(places: &[Axial], tiles: &str, extra: &str) -> Instance {
    on_board("tantrix-fixed", places.len(), places, &format!("tiles = \"{tiles}\"\n{extra}"))
}

/// An instance of the repeated set on a board of this shape.
pub fn board(shape: Shape, n: usize, seed: u64) -> Instance {
    instance(&shape.places(n, seed), "repeated", "")
}

/// The model of an instance under these families.
pub fn problem(instance: &Instance, families: &str) -> Box<dyn Problem> {
    build_mip(&Formulation::of("f", families).expect("good"), instance).expect("makes sense")
}

/// The same with holes cut off too.
pub fn clean(instance: &Instance, families: &str) -> Box<dyn Problem> {
    let formulation = Formulation::of("f", families).expect("good").with("holes", Holes::Resolve).expect("good");
    build_mip(&formulation, instance).expect("makes sense")
}

/// Some solution, if there is one, by exhaustive search.
pub fn brute_force(instance: &Instance) -> Option<Solution> {
    let mut some = None;
    exhaust(&instance.name, tantrix(instance), &mut |solution| {
        some = Some(solution.clone());
        false
    });
    some
}

/// One thread, this seed, no options.
pub fn seeded(seed: u64) -> SessionOptions {
    SessionOptions { seed, threads: 1, ..SessionOptions::default() }
}

/// Options of a session, by name.
pub fn with(options: &[(&str, &str)]) -> SessionOptions {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    SessionOptions { options, ..seeded(1) }
}

/// For solvers that tell nothing of their options by printing.
pub fn silent(act: &mut dyn FnMut()) -> io::Result<String> {
    act();
    Ok(String::new())
}

/// An ordinary session.
pub fn open(backend: &dyn Backend) -> Box<dyn Session> {
    mip(backend, &seeded(1)).expect("nothing special is asked for")
}

/// A session for linear models.
pub fn mip(backend: &dyn Backend, options: &SessionOptions) -> Result<Box<dyn Session>, SolveError> {
    match backend.open(FormulationKind::Mip, options)? {
        Opened::Mip(session) => Ok(session),
        _ => panic!("opened for another kind"),
    }
}

/// What a backend makes of a formulation, and the solves on the way.
pub fn run(
    backend: &dyn Backend,
    formulation: &Formulation,
    instance: &Instance,
    options: &SessionOptions,
    time: Duration,
) -> (Result<Answer, SolveError>, Vec<Iteration>) {
    let mut solves = Vec::new();
    let task = Task::build(formulation, instance, &Deadline::default()).expect("a formulation that fits");
    let answer = task.solve(backend, options, &Deadline::of(Some(time)), &mut |step| {
        if let Step::Solved(iteration) = step {
            solves.push(iteration.clone());
        }
    });
    (answer, solves)
}

/// Solves to the end; with the answer every solve on the way.
pub fn watched(problem: &mut dyn Problem, session: &mut dyn Session) -> (Answer, Vec<Iteration>) {
    let mut iterations = Vec::new();
    let answer = solve::resolve(problem, session, &Deadline::of(Some(AMPLE)), &mut |step| {
        if let Step::Solved(iteration) = step {
            iterations.push(iteration.clone());
        }
    });
    (answer.expect("an answer"), iterations)
}

/// Solves and solves again to the end, without looking on.
pub fn to_the_end(
    problem: &mut dyn Problem,
    session: &mut dyn Session,
    time: Option<Duration>,
) -> Result<Answer, SolveError> {
    solve::resolve(problem, session, &Deadline::of(time), &mut |_: Step<'_>| {})
}

/// Checks answers on boards of distinct tiles against the search, of which some have a solution and some have none.
pub fn distinct_tiles_as_by_search(answer: impl Fn(&Instance) -> Answer) {
    let search = Formulation::plain("search", FormulationKind::Search);
    let mut solved = 0;
    for n in [11, 12, 13, 14, 20] {
        let instance = instance(&Shape::Round.places(n, 0), "distinct", "");
        let backend = solve::backend("search").expect("it is built in");
        let expected = run(backend, &search, &instance, &seeded(1), AMPLE).0.expect("an answer");
        let answer = answer(&instance);
        assert_eq!(answer.status, expected.status, "{n}: {answer:?}");
        if let Some(solution) = answer.solution {
            assert_eq!(puzzle::verify(&instance, &solution).violations, [], "{n}");
            solved += 1;
        }
    }
    assert!((1..5).contains(&solved), "{solved}");
}
