//! What the solvers of programs say, by programs that stand in for them, and what becomes of it.

use std::fs;
use std::time::{Duration, Instant};

use model::{Formulation, FormulationKind};
use puzzle::{Placement, Solution, verify};
use record::{SolveStatus, Status};
use solve::{Answer, Deadline, SessionOptions, SolveError, Task, backend};

use super::support::Fake;
use crate::common::{seeded, silent, tetrahedron, with};
use crate::soku::brute_force;

/// A MiniZinc with solvers that are programs here, and one that is within it.
struct Minizinc {
    minizinc: Fake,
    solver: Fake,
}

impl Minizinc {
    /// Whose solver does what the lines of a script say; `compile` is what the compiler does.
    fn new(compile: &str, solver: &str) -> Self {
        let solver = Fake::script(&format!("echo \"$@\" > $here/called\n{solver}"));
        let minizinc = Fake::script(&format!(
            "case $1 in\n\
             --version) echo 'MiniZinc to FlatZinc converter, version 9.8.7, build 1';;\n\
             --solvers-json) echo 'Warning: a.msc: no JSON' >&2; cat $here/solvers;;\n\
             --config-dirs) echo '{{\"mznStdlibDir\": \"'$here'/libraries\"}}';;\n\
             *) echo \"$@\" > $here/called; {compile};;\nesac"
        ));
        let listed = format!(
            r#"[{{"id": "org.gecode.gecode", "name": "Gecode", "version": "1.2.3", "mznlib": "-Ggecode", "supportsFzn": true,
                  "executable": "{}", "stdFlags": ["-r", "-p", "-s"]}},
                {{"id": "org.some.within", "name": "Within", "version": "1", "supportsFzn": true}}]"#,
            solver.program()
        );
        fs::write(minizinc.path().join("solvers"), listed).expect("written");
        Self { minizinc, solver }
    }

    /// Whose solver prints a text and ends with an exit code.
    fn that(prints: &str, exit: i32) -> Self {
        let minizinc = Self::new(COMPILED, &format!("cat $here/prints; exit {exit}"));
        fs::write(minizinc.solver.path().join("prints"), prints).expect("written");
        minizinc
    }

    fn options(&self) -> SessionOptions {
        with(&[("program", &self.minizinc.program())])
    }

    fn solve(&self) -> Result<Answer, SolveError> {
        solve("minizinc", &self.options(), None)
    }
}

/// A compiler that does its work.
const COMPILED: &str = "printf 'var 1..2: x;\\nconstraint c(x);\\nsolve satisfy;\\n' > model.fzn";

/// A clingo whose gringo and clasp do what the lines of scripts say.
fn clingo(gringo: &str, clasp: &str) -> Fake {
    Fake::script(&format!(
        "case $1 in\n--version) echo 'clingo version 9.8.7';;\n--mode=gringo) {gringo};;\n\
         --mode=clasp) echo \"$@\" > $here/called; {clasp};;\nesac"
    ))
}

/// A gringo that does its work.
const GROUND: &str = "echo 'a warning' >&2; printf 'asp 1 0 0\\n1 0 1 1 0 0\\n0\\n'";

/// The last word of the solver.
fn native(answer: &Answer) -> &str {
    answer.last.as_ref().and_then(|last| last.native_status.as_deref()).expect("a word")
}

fn clasp(prints: &str, exit: i32) -> Result<Answer, SolveError> {
    let fake = clingo(GROUND, &format!("cat $here/prints; exit {exit}"));
    fs::write(fake.path().join("prints"), prints).expect("written");
    solve("clingo", &with(&[("program", &fake.program())]), None)
}

fn solve(name: &str, options: &SessionOptions, time: Option<Duration>) -> Result<Answer, SolveError> {
    let solver = backend(name).expect("a backend");
    let (instance, formulation) = (tetrahedron(), Formulation::plain("f", solver.info().kinds[0]));
    let task = Task::build(&formulation, &instance, &Deadline::default()).expect("fits");
    let answer = task.solve(solver, options, &Deadline::of(time), &mut |_| {})?;
    if let Some(solution) = &answer.solution {
        assert_eq!(verify(&instance, solution).violations, []);
    }
    Ok(answer)
}

fn solution() -> Vec<Placement> {
    let Solution { placements, .. } = brute_force(&tetrahedron()).expect("Rizzo shows one");
    placements
}

fn list(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_flatzinc_solvers_print_is_told_apart() {
    let (tiles, rotations) = (list(solution().iter().map(|p| p.tile)), list(solution().iter().map(|p| p.orientation)));
    let old = format!("rotation = array1d(1..4, [{rotations}]);\ntile = array1d(1..4, [{tiles}]);\n----------\n");
    let new = format!("tile = [{tiles}];\nrotation = [{rotations}];\n----------\n==========\n");
    let figures = "%%%mzn-stat: nodes=12\n%%%mzn-stat: failures=3\n%%%mzn-stat: propagations=45\n%%%mzn-stat-end\n";
    for text in [old.clone() + figures, new + figures] {
        let answer = Minizinc::that(&text, 0).solve().expect("an answer");
        assert_eq!((answer.status, native(&answer)), (Status::Optimal, "SATISFIED"));
        let last = answer.last.expect("a solve");
        assert_eq!((last.nodes, last.conflicts, last.propagations), (Some(12), Some(3), Some(45)));
    }
    for (prints, exit, status, word) in [
        ("=====UNSATISFIABLE=====\n", 0, SolveStatus::Infeasible, "UNSATISFIABLE"),
        ("=====UNKNOWN=====\n", 0, SolveStatus::Limit, "UNKNOWN"),
        ("terminate called: std::bad_alloc\n", 134, SolveStatus::Memout, "terminate called: std::bad_alloc"),
    ] {
        let answer = Minizinc::that(prints, exit).solve().expect("an answer");
        assert_eq!((answer.status, native(&answer)), (status.into(), word));
    }
    for (prints, exit) in [
        ("", 0),
        ("", 1),
        ("==========\n", 0),
        ("=====UNSATISFIABLE=====\n", 1),
        ("=====ERROR=====\n", 0),
        ("=====UNBOUNDED=====\n", 0),
        ("=====UNSATorUNBOUNDED=====\n", 0),
        ("=====SOMETHING=====\n", 0),
        (&(old.clone() + "=====UNSATISFIABLE=====\n"), 0),
        (&old, 1),
        (&old.replace("tile", "tales"), 0),
        (&old.replace("rotation = array1d(1..4, [", "rotation = array1d(1..4, [7"), 0),
        (&old.replace(&tiles, "1, 1, 1, 1"), 0),
        (&old.replace(&tiles, "1, 2, x, 4"), 0),
        ("std::bad_alloc\n", 0),
    ] {
        let answer = Minizinc::that(prints, exit).solve();
        assert!(answer.is_err(), "{prints:?} and exit code {exit}: {answer:?}");
    }
}

#[test]
fn what_clasp_says_is_told_apart() {
    let atoms =
        solution().into_iter().map(|p| format!("assign({},{}) rotate({},{})", p.tile, p.place, p.tile, p.orientation));
    let atoms = atoms.collect::<Vec<_>>().join(" ");
    let found = format!(
        "Solving...\nAnswer: 1\n{atoms}\nSATISFIABLE\n\nModels : 1+\nChoices      : 12  \nConflicts    : 3 (Analyzed: 3)\n"
    );
    for (text, exit) in
        [(found.clone(), 10), (found.clone(), 30), (found.replace("Answer: 1", "Answer: 1 (Time: 0.01s)"), 11)]
    {
        let answer = clasp(&text, exit).expect("an answer");
        assert_eq!((answer.status, native(&answer)), (Status::Optimal, "SATISFIABLE"));
        let last = answer.last.expect("a solve");
        assert_eq!((last.nodes, last.conflicts), (Some(12), Some(3)));
    }
    for (prints, exit, status) in [
        ("UNSATISFIABLE\n", 20, SolveStatus::Infeasible),
        ("UNKNOWN\n", 0, SolveStatus::Limit),
        ("UNKNOWN\n\nINTERRUPTED  : 1\n", 1, SolveStatus::Limit),
        ("UNKNOWN\n\nTIME LIMIT   : 1\n", 1, SolveStatus::Timeout),
        ("*** ERROR: (clingo): std::bad_alloc\nUNKNOWN\n", 33, SolveStatus::Memout),
    ] {
        assert_eq!(clasp(prints, exit).expect("an answer").status, status.into(), "{prints:?}");
    }
    for (prints, exit) in [
        ("", 0),
        ("", 10),
        ("*** ERROR: (clingo): unknown option\n", 1),
        ("SATISFIABLE\n", 10),
        ("UNSATISFIABLE\n", 10),
        ("UNSATISFIABLE\n", 0),
        ("UNKNOWN\n", 65),
        ("UNKNOWN\n", 128),
        (&found, 20),
        (&found, 65),
        (&found.replace("assign(1,", "assign(2,"), 10),
        (&found.replace("rotate(1,", "rotate(one,"), 10),
    ] {
        let answer = clasp(prints, exit);
        assert!(answer.is_err(), "{prints:?} and exit code {exit}: {answer:?}");
    }
}

#[test]
fn who_fails_before_solving_gives_no_answer() {
    for compile in ["exit 1", "echo 'Error: type error'; exit 1", ":"] {
        let answer = Minizinc::new(compile, "echo =====UNSATISFIABLE=====").solve();
        assert!(matches!(answer, Err(SolveError::Call { call: "compile", .. })), "{compile}: {answer:?}");
    }
    let unsatisfiable = "echo UNSATISFIABLE; exit 20";
    for ground in ["exit 65", ":", "printf 'asp 1 0 0\\n1 0 1 1'", "printf 'asp 1 0 0\\n0\\n'; exit 65"] {
        let fake = clingo(ground, unsatisfiable);
        let answer = solve("clingo", &with(&[("program", &fake.program())]), None);
        assert!(matches!(answer, Err(SolveError::Call { call: "ground", .. })), "{ground}: {answer:?}");
    }
    let short = clingo("exit 33", unsatisfiable);
    assert_eq!(
        solve("clingo", &with(&[("program", &short.program())]), None).expect("an outcome").status,
        Status::Memout
    );
}

#[test]
fn time_holds_for_both_calls() {
    // What comes to the second call has time for the first, also on a busy machine.
    let limit =
        |said: &str| Some(Duration::from_millis(if ["compile", "ground"].contains(&said) { 300 } else { 1500 }));
    for (minizinc, said) in [
        (Minizinc::new("sleep 1000", ":"), "compile"),
        (Minizinc::new(COMPILED, "sleep 1000"), "solve"),
        (Minizinc::new(COMPILED, "sleep 1.5; echo =====UNKNOWN====="), "UNKNOWN"),
    ] {
        let answer = solve("minizinc", &minizinc.options(), limit(said)).expect("a limit is no error");
        assert_eq!((answer.status, answer.reason.as_str()), (Status::Timeout, "soft-limit"));
        assert!(native(&answer).contains(said), "{answer:?}");
    }
    for (gringo, clasp, said) in [("sleep 1000", ":", "ground"), (GROUND, "sleep 1000", "solve")] {
        let fake = clingo(gringo, clasp);
        let options = with(&[("program", &fake.program())]);
        let answer = solve("clingo", &options, limit(said)).expect("a limit is no error");
        assert_eq!((answer.status, answer.reason.as_str()), (Status::Timeout, "soft-limit"));
        assert!(native(&answer).contains(said), "{answer:?}");
    }
}

#[test]
fn time_for_loading_a_solver_is_none_of_the_solve() {
    let says = "sleep 0.3; echo '%%%mzn-stat: startTime=0.25'; echo =====UNSATISFIABLE=====";
    let begun = Instant::now();
    let answer = Minizinc::new(COMPILED, says).solve().expect("an answer");
    let all_s = begun.elapsed().as_secs_f64();
    assert!(answer.message.is_some_and(|message| message.contains("loading the solver took 0.2 s")));
    let time_s = answer.last.expect("a solve").time_s;
    assert!(time_s >= 0.05 && time_s <= all_s - 0.25, "{time_s} of {all_s}");
    let answer = Minizinc::that("=====UNSATISFIABLE=====\n", 0).solve().expect("an answer");
    assert_eq!(answer.message, None);
}

#[test]
fn seed_threads_and_options_arrive() {
    let minizinc = Minizinc::that("=====UNSATISFIABLE=====\n", 0);
    let mut options = SessionOptions { seed: 7, threads: 3, ..minizinc.options() };
    options
        .options
        .extend([("arguments", "-restart luby"), ("optimization", "2")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    solve("minizinc", &options, None).expect("an answer");
    let called = |fake: &Fake| fs::read_to_string(fake.path().join("called")).expect("it was called");
    assert_eq!(called(&minizinc.solver), "-restart luby -r 7 -p 3 -s model.fzn\n");
    let compiled = "--solver org.gecode.gecode --compile --no-output-ozn --fzn model.fzn -O2 model.mzn\n";
    assert_eq!(called(&minizinc.minizinc), compiled);

    let fake = clingo(GROUND, "echo UNSATISFIABLE; exit 20");
    let mut options =
        with(&[("program", &fake.program()), ("configuration", "crafty"), ("arguments", "--sat-prepro=2")]);
    (options.seed, options.threads) = (7, 3);
    solve("clingo", &options, Some(Duration::from_secs(60))).expect("an answer");
    let says = "echo \"*** ERROR: (clingo): In context '<clingo>': unknown option: 'bogus'\"; exit 1";
    let other = clingo(GROUND, says);
    let options_of_other = with(&[("program", &other.program()), ("bogus", "1")]);
    match backend("clingo").expect("there").rehearse(&options_of_other, &silent) {
        Err(SolveError::Option { option, .. }) => assert_eq!(option, "bogus"),
        other => panic!("{other:?}"),
    }
    // In whatever words: the option with which it fails.
    let says = "case \"$*\" in *=nonsense*) echo 'Could not open config file'; exit 128;; *) echo UNSATISFIABLE; exit 20;; esac";
    let other = clingo(GROUND, says);
    let options_of_other = with(&[("program", &other.program()), ("configuration", "nonsense"), ("eq", "3")]);
    match backend("clingo").expect("there").rehearse(&options_of_other, &silent) {
        Err(SolveError::Option { option, value, .. }) => assert_eq!((&*option, &*value), ("configuration", "nonsense")),
        other => panic!("{other:?}"),
    }
    let expected = "--mode=clasp model.aspif --sat-prepro=2 --configuration=crafty --models=1 --stats=1 --outf=0 --seed=7 \
                    --parallel-mode=3 --time-limit=60\n";
    assert_eq!(called(&fake), expected);
}

#[test]
fn gecode_gets_its_constraints_where_minizinc_does_not_find_them() {
    let minizinc = Minizinc::new(&format!("cp -r gecode* $here/; {COMPILED}"), "echo =====UNSATISFIABLE=====");
    let (here, library) = (minizinc.minizinc.path(), minizinc.minizinc.path().join("libraries/gecode"));
    fs::create_dir_all(&library).expect("made");
    for name in ["all_different_int.mzn", "circuit.mzn", "redefinitions.mzn"] {
        fs::write(library.join(name), "% of Gecode\n").expect("written");
    }
    minizinc.solve().expect("an answer");
    let read = |name: &str| fs::read_to_string(here.join(name)).expect(name);
    assert!(
        read("called").starts_with("--solver ") && read("called").contains("/gecode.msc --compile "),
        "{}",
        read("called")
    );
    assert!(read("gecode/fzn_all_different_int.mzn").ends_with(" = all_different_int(x);\n"));
    assert!(read("gecode/fzn_circuit.mzn").ends_with(" = gecode_circuit(min(index_set(x)), x);\n"));
    assert!(!here.join("gecode/fzn_table_int.mzn").exists(), "it has none");
    assert_eq!(read("gecode/redefinitions.mzn"), "% of Gecode\n");
    assert!(read("gecode.msc").contains(&minizinc.solver.path().join("program").display().to_string()));
    let version = || backend("minizinc").expect("there").version(&minizinc.options().options).expect("a version");
    assert_eq!(version(), "MiniZinc 9.8.7, Gecode 1.2.3 (with its own constraints)");
    // Under the name that MiniZinc looks for.
    for name in ["fzn_all_different_int.mzn", "fzn_circuit.mzn"] {
        fs::write(library.join(name), "% of Gecode\n").expect("written");
    }
    assert_eq!(version(), "MiniZinc 9.8.7, Gecode 1.2.3");
}

#[test]
fn random_strategies_are_not_for_chuffed() {
    let minizinc = backend("minizinc").expect("there");
    let fits = |solver: &str, strategy: &str| {
        let formulation = Formulation::plain("f", FormulationKind::Minizinc).with("strategy", strategy).expect("good");
        solve::fits(minizinc, &formulation, &with(&[("solver", solver)]).options)
    };
    for strategy in ["random", "random-restarts", "random-luby"] {
        for solver in ["chuffed", "Chuffed", "org.chuffed.chuffed"] {
            let error = fits(solver, strategy).expect_err("refused").to_string();
            assert!(error.contains(strategy) && error.contains("first-fail"), "{error}");
        }
        fits("gecode", strategy).expect("Gecode has them");
    }
    fits("chuffed", "first-fail-restarts").expect("Chuffed has it");
}

#[test]
fn versions_say_which_program_and_which_solver() {
    let minizinc = Minizinc::that("", 0);
    let version = backend("minizinc").expect("there").version(&minizinc.options().options).expect("a version");
    assert_eq!(version, "MiniZinc 9.8.7, Gecode 1.2.3");
    let clingo = clingo(GROUND, ":");
    let options = with(&[("program", &clingo.program())]);
    assert_eq!(backend("clingo").expect("there").version(&options.options).expect("a version"), "9.8.7");
}

#[test]
fn who_is_not_there_is_missed_with_what_would_help() {
    let minizinc = Minizinc::that("", 0);
    let missing = |name: &str, options: SessionOptions| match backend(name).expect("there").version(&options.options) {
        Err(error @ SolveError::Missing { .. }) => error.to_string(),
        other => panic!("{name}: {other:?}"),
    };
    let solver = |name: &str| {
        let mut options = minizinc.options();
        options.options.insert("solver".to_owned(), name.to_owned());
        missing("minizinc", options)
    };
    let chuffed = solver("chuffed");
    assert!(chuffed.contains("it has gecode") && chuffed.contains("github.com/chuffed/chuffed"), "{chuffed}");
    for name in ["chuffed", "other"] {
        assert!(solver(name).contains("MZN_SOLVER_PATH"), "{}", solver(name));
    }
    assert!(solver("within").contains("no program that reads FlatZinc"), "{}", solver("within"));
    assert!(missing("minizinc", with(&[("program", "/nowhere/minizinc")])).contains("apt-get install minizinc"));
    assert!(missing("clingo", with(&[("program", "/nowhere/clingo")])).contains("apt-get install gringo"));
    assert!(missing("minizinc", with(&[("program", "/bin/true")])).contains("tells no version"));
    assert!(missing("clingo", with(&[("program", "/bin/true")])).contains("tells no version"));
    assert!(missing("clingo", with(&[("python", "/nowhere/python")])).contains("/nowhere/python"));
}

#[test]
fn options_that_are_the_runs_own_are_refused() {
    let opened = |name: &str, options: &SessionOptions| {
        let solver = backend(name).expect("there");
        solver.open(solver.info().kinds[0], options).map(drop)
    };
    for (name, option, value) in [
        ("minizinc", "arguments", "-t 5"),
        ("minizinc", "arguments", "-p4"),
        ("minizinc", "arguments", "-a"),
        ("minizinc", "arguments", "-mode stat"),
        ("clingo", "arguments", "--time-limit=5"),
        ("clingo", "arguments", "--mod=gringo"),
        ("clingo", "arguments", "-n0"),
        ("clingo", "seed", "5"),
        ("clingo", "models", "0"),
        ("clingo", "quiet", "2"),
        ("clingo", "lemma-in", "a.aspif"),
        ("clingo", "no-ufs-check", "true"),
    ] {
        let refused = opened(name, &with(&[(option, value)]));
        assert!(matches!(refused, Err(SolveError::OwnOption { .. })), "{name} {option} {value}: {refused:?}");
    }
    for (name, option, value) in [
        ("minizinc", "optimization", "6"),
        ("minizinc", "optimization", "fast"),
        ("minizinc", "solver", " "),
        ("minizinc", "arguments", "'open"),
        ("clingo", "arguments", "'open"),
        ("clingo", "arguments", "another.lp"),
    ] {
        let refused = opened(name, &with(&[(option, value)]));
        assert!(matches!(refused, Err(SolveError::Option { .. })), "{name} {option} {value}: {refused:?}");
    }
    for name in ["minizinc", "clingo"] {
        assert!(opened(name, &seeded(i32::MAX as u64)).is_ok());
        assert!(matches!(opened(name, &seeded(1 << 31)), Err(SolveError::Unsupported { .. })));
    }
}
