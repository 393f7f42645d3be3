//! What docs/guide/solvers.md says of programs is what the code knows.

use std::collections::BTreeMap;
use std::fs;

use model::FormulationKind::{Asp, Minizinc, Mip, Sat};
use solve::{BACKENDS, SolveError, Takes, backend};

use crate::common::{silent, with};

fn section() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/solvers.md");
    let text = fs::read_to_string(file).expect("there");
    let (_, programs) = text.split_once("\n## External programs\n").expect("the section");
    programs.to_owned()
}

/// The words in backquotes of the rows of a table that begin with some cell; that cell is not one of them.
fn row(section: &str, first: &str) -> Vec<String> {
    let line = section.lines().rev().find(|line| line.starts_with(&format!("| `{first}` |")));
    let line = line.unwrap_or_else(|| panic!("no row {first}"));
    line.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

/// The values of an option of `external`.
fn values(option: &str) -> Vec<String> {
    match backend("external").expect("there").takes(option, &silent) {
        Some(Takes::Words(words)) => words,
        other => panic!("{other:?}"),
    }
}

/// What `external` says that may stand in braces in its command.
fn placeholders() -> Vec<String> {
    let options = with(&[("command", "s {model} {solution} {?x} {x}"), ("format", "lp"), ("read", "scip")]);
    match backend("external").expect("there").open(Mip, &options).err() {
        Some(SolveError::Unsupported { reason, .. }) => {
            let (_, list) = reason.split_once("there are ").expect("a list");
            list.trim_end_matches(", and further options").split(", ").map(str::to_owned).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn formats_readers_and_placeholders_are_those_of_the_code() {
    let section = section();
    let sorted = |mut words: Vec<String>| {
        words.sort();
        words
    };
    let formats = values("format");
    assert_eq!(row(&section, "format"), formats);
    let readers: Vec<String> = row(&section, "read").into_iter().filter(|word| !formats.contains(word)).collect();
    assert_eq!(readers, values("read"));
    let (_, table) = section.split_once("| in the command |").expect("a table");
    let named = table.lines().filter_map(|line| line.strip_prefix("| `{")?.split_once('}')).map(|(name, _)| name);
    assert_eq!(sorted(named.map(str::to_owned).collect()), sorted(placeholders()));
}

#[test]
fn programs_are_those_of_the_code() {
    let section = section();
    let programs: Vec<&str> =
        BACKENDS.iter().map(|b| b.info().name).filter(|name| section.contains(&format!("\n| `{name}` |"))).collect();
    // A program that is not there says where it may be; packages of Python and `external` are none of them.
    let absent = BTreeMap::from([("program".to_owned(), "/nowhere/solver".to_owned())]);
    let named =
        |error: &SolveError| matches!(error, SolveError::Missing { remedy, .. } if remedy.contains("options.program"));
    let known: Vec<_> = BACKENDS.iter().filter(|b| b.version(&absent).err().is_some_and(|e| named(&e))).collect();
    assert_eq!(programs, known.iter().map(|b| b.info().name).collect::<Vec<_>>());
    for program in known {
        let name = program.info().name;
        let words = row(&section, name);
        let (variable, formats) = (&words[1], &words[2..]);
        let missing = program.version(&absent).expect_err("missing").to_string();
        assert!(missing.ends_with(&format!(" or {variable}")), "{missing}");
        for format in ["lp", "mps", "dimacs"] {
            let kind = program.info().kinds[0];
            if [Minizinc, Asp].contains(&kind) {
                assert_eq!(formats, [""; 0], "programs have a language instead");
                continue;
            }
            assert!([Mip, Sat].contains(&kind));
            let taken = program.open(kind, &with(&[("format", format)])).is_ok();
            assert_eq!(taken, formats.iter().any(|listed| listed == format), "{name} {format}");
        }
    }
}
