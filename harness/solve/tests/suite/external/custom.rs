//! The backend `external`: command lines that a config gives.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use model::FormulationKind::{Mip, Sat};
use model::{Formulation, FormulationKind};
use solve::{Deadline, SessionOptions, SolveError, SolveStatus, backend, fits};

use super::recorded::written;
use super::support::{Fake, installed, objective, small, solution};
use crate::common::{AMPLE, mip, with};
use crate::formulas::{pigeons, sat};

fn map(options: &[(&str, &str)]) -> BTreeMap<String, String> {
    with(options).options
}

#[test]
fn a_command_is_filled_in() {
    let external = backend("external").expect("there");
    let model = small();
    let solution = solution(&model);
    let leaves = written("scip", &solution, objective(&model, &solution));
    let fake = Fake::script(
        "shift; cp $here/leaves \"$2\"; echo 'Solving Nodes      : 7' > \"$3\"; wc -l < \"$1\" > $here/lines; shift 3; \
         printf '%s|' \"$@\" > $here/rest",
    );
    fs::write(fake.path().join("leaves"), leaves).expect("written");
    let command = format!(
        "sh '{}' -x {{model}} {{solution}} {{log}} {{time}} -s{{seed}}:{{threads}} 'a b' {{mode}}",
        fake.file().display()
    );
    let options = [("command", command.as_str()), ("format", "lp"), ("read", "scip"), ("mode", "{seed} \"x")];
    let options = SessionOptions { seed: 5, threads: 3, ..with(&options) };
    let solved = mip(external, &options).expect("opened").solve(&model, &Deadline::of(Some(AMPLE))).expect("solved");
    assert_eq!(solved.outcome.status, SolveStatus::Optimal);
    assert_eq!(solved.outcome.nodes, Some(7));
    let rest = fs::read_to_string(fake.path().join("rest")).expect("it ran");
    let (time, rest) = rest.split_once('|').expect("a time");
    assert!((1.0..=AMPLE.as_secs_f64()).contains(&time.parse::<f64>().expect("seconds")), "{time}");
    assert_eq!(rest, "-s5:3|a b|{seed} \"x|");
    let lines: usize = fs::read_to_string(fake.path().join("lines")).expect("it ran").trim().parse().expect("a count");
    assert!(lines > model.rows().len());
}

#[test]
fn what_makes_no_sense_is_refused_before_a_solve() {
    let external = backend("external").expect("there");
    let good = [("command", "s {model} {solution}"), ("format", "lp"), ("read", "scip")];
    assert!(external.open(Mip, &with(&good)).is_ok());
    for (changed, says) in [
        (vec![("command", "")], "options.command"),
        (vec![("command", "s {solution}")], "{model}"),
        (vec![("command", "s {model}")], "{solution}"),
        (vec![("command", "s {model} {solution} {tiem}")], "{tiem}"),
        (vec![("command", "s '{model} {solution}")], "quote"),
        (vec![("read", "minisat")], "does not go with"),
        (vec![("format", "dimacs")], "does not go with"),
        (vec![("bogus", "1")], "options.bogus"),
        (vec![("time", "1")], "options.time"),
    ] {
        let mut options = with(&good);
        options.options.extend(map(&changed));
        match external.open(Mip, &options).err() {
            Some(SolveError::Unsupported { reason, .. }) => assert!(reason.contains(says), "{changed:?}: {reason}"),
            other => panic!("{changed:?}: {other:?}"),
        }
    }
    for (option, value) in [("format", "xml"), ("read", "solver")] {
        let mut options = with(&good);
        options.options.extend(map(&[(option, value)]));
        let refused = external.open(Mip, &options).err();
        assert!(matches!(refused, Some(SolveError::Option { option: named, .. }) if named == option));
    }
    // The format says for which kind it is.
    let kinds = |options: &SessionOptions| {
        let fits = |kind: &FormulationKind| fits(external, &Formulation::plain("f", *kind), &options.options).is_ok();
        FormulationKind::ALL.into_iter().filter(fits).collect::<Vec<_>>()
    };
    let clauses = with(&[("command", "s {model}"), ("format", "dimacs"), ("read", "sat-competition")]);
    assert!(external.open(Sat, &clauses).is_ok());
    assert_eq!((kinds(&with(&good)), kinds(&clauses)), (vec![Mip], vec![Sat]));
    let two = SessionOptions { threads: 2, ..with(&good) };
    assert!(matches!(external.open(Mip, &two), Err(SolveError::Unsupported { .. })));
}

#[test]
fn its_version_is_what_its_command_says() {
    let external = backend("external").expect("there");
    let good = [("command", "sh {model} {solution}"), ("format", "lp"), ("read", "scip")];
    let with_version = |line: &str| {
        external.version(
            &good
                .iter()
                .copied()
                .chain([("version-command", line)])
                .map(|(n, v)| (n.to_owned(), v.to_owned()))
                .collect(),
        )
    };
    assert_eq!(external.version(&map(&good)).expect("there").split_at(5).0, "file ");
    // Of a script it is that of the script too.
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("solve.sh");
    let command = format!("sh {} {{model}} {{solution}}", script.display());
    let [first, second] = ["exit 0", "exit 1"].map(|text| {
        fs::write(&script, text).expect("written");
        external.version(&map(&[("command", &command), ("format", "lp"), ("read", "scip")])).expect("there")
    });
    assert!(first != second && first.starts_with("file "), "{first} {second}");
    assert_eq!(with_version("sh -c 'echo hello; echo MySolver 4.2'").expect("there"), "MySolver 4.2");
    assert!(matches!(with_version("sh -c 'echo hello'"), Err(SolveError::Missing { .. })));
    assert!(matches!(with_version("no-such-program --version"), Err(SolveError::Missing { .. })));
    match external.version(&map(&[
        ("command", "no-such-program {model} {solution}"),
        ("format", "lp"),
        ("read", "scip"),
    ])) {
        Err(SolveError::Missing { reason, .. }) => assert!(reason.contains("no-such-program"), "{reason}"),
        other => panic!("{other:?}"),
    }
    assert!(external.version(&BTreeMap::new()).is_err());
}

#[test]
fn real_programs_by_their_command_lines() {
    let external = backend("external").expect("there");
    let model = small();
    for (name, format, read, command) in [
        ("glpk", "mps", "glpk", "glpsol --freemps {model} --tmlim {seconds} --write {solution}"),
        ("glpk", "lp", "glpk", "glpsol --lp {model} --tmlim {seconds} --write {solution}"),
        ("cbc-exe", "lp", "cbc", "cbc {model} -timeMode elapsed -sec {time} -solve -solution {solution}"),
    ] {
        if installed(name).is_none() {
            continue;
        }
        let options = with(&[("command", command), ("format", format), ("read", read)]);
        let solved =
            mip(external, &options).expect("opened").solve(&model, &Deadline::of(Some(Duration::from_secs(60))));
        let solved = solved.unwrap_or_else(|e| panic!("{command}: {e}"));
        assert_eq!(solved.outcome.status, SolveStatus::Optimal, "{command}");
        assert_eq!(model.broken(&solved.values.expect("values"), 1e-5), Vec::<&str>::new(), "{command}");
    }
    for (name, read, command) in [
        ("minisat", "minisat", "minisat {model} {solution}"),
        ("cadical-exe", "sat-competition", "cadical -q {model}"),
        ("cadical-exe", "sat-competition", "cadical -q -w {solution} {model}"),
    ] {
        if installed(name).is_none() {
            continue;
        }
        let options = with(&[("command", command), ("format", "dimacs"), ("read", read)]);
        let mut session = sat(external, &options).expect("opened");
        for (holes, status) in [(5, SolveStatus::Optimal), (4, SolveStatus::Infeasible)] {
            let solved =
                session.solve(&pigeons(5, holes), &Deadline::default()).unwrap_or_else(|e| panic!("{command}: {e}"));
            assert_eq!(solved.outcome.status, status, "{command}");
        }
    }
}
