//! `[[claim]]`: what a config says of claims, and what is refused.

use record::{Measure, Selection, Test};

use crate::support::{Bench, CONFIG};

/// The config with a second formulation and a claim; `claim` begins on line 16.
fn config(claim: &str) -> String {
    let other = "[[formulation]]\nname = \"C2'\"\nfamilies = \"C1 C2' C3 C4\"\n";
    let claim = format!("id = \"X-1\"\nsource = \"A paper\"\nplace = \"Table 1\"\ntext = \"It is faster.\"\n{claim}\n");
    CONFIG.replacen("[[solver]]", &format!("{other}[[claim]]\n{claim}[[solver]]"), 1)
}

const SOUND: &str = "measure = \"time\"\nof.formulation = \"C1-C4\"\nagainst.formulation = \"C2'\"\nabove = 1";

#[test]
fn claims_are_kept_for_the_report() {
    let claims = |claim: &str| {
        let plan = Bench::with(&config(claim)).plan().expect("a sound plan").remove(0);
        plan.config.report.claims.clone()
    };
    let found = claims(&format!("{SOUND}\npublished = 8\nof.solver = \"fake\"\nboards = 20\ntiles = [3]"));
    let Test::Runs(test) = &found[0].test else { panic!("{found:?}") };
    assert_eq!((found[0].id.as_str(), found[0].published), ("X-1", Some(8.0)));
    let side = |formulation: &str| Selection { formulation: formulation.to_owned(), solver: Some("fake".to_owned()) };
    assert_eq!((test.measure, &test.of, &test.against), (Measure::Time, &side("C1-C4"), &Some(side("C2'"))));
    assert_eq!((test.above, test.below, test.boards), (Some(1.0), None, 20));
    assert_eq!(test.tiles, [3]);

    let found = claims("untestable = \"nobody has the program\"");
    assert_eq!(found[0].test, Test::Untestable("nobody has the program".to_owned()));
}

#[test]
fn a_claim_may_be_ones_own_and_is_told_where_no_runs_can_decide_it() {
    let own = config(SOUND).replace("source = \"A paper\"\nplace = \"Table 1\"\n", "");
    let bench = Bench::with(&own);
    let claim = bench.plan().expect("a sound plan")[0].config.report.claims[0].clone();
    assert_eq!((claim.source.as_str(), claim.place.as_str()), ("", ""));
    let few = |boards| format!("note: test has too few boards to decide claims: X-1 ({boards} of 10)\n");
    assert!(bench.preview().contains(&few(1)), "{}", bench.preview());
    let elsewhere = Bench::with(&own.replace("above = 1", "above = 1\ntiles = [4]"));
    assert!(elsewhere.preview().contains(&few(0)), "{}", elsewhere.preview());
    // Of the same formulation it has one solver only, which is not held against itself.
    let side = |solver: &str| format!("{{ formulation = \"C1-C4\"{solver} }}");
    let alone = format!("measure = \"time\"\nof = {}\nagainst = {}\nabove = 1", side(""), side(", solver = \"fake\""));
    let alone = config(&alone).replacen("name = \"C1-C4\"", "name = \"C1-C4\"\nsolvers = [\"fake\"]", 1);
    let alone = Bench::with(&(alone + "[[solver]]\nname = \"gone\"\n"));
    assert!(alone.preview().contains(&few(0)), "{}", alone.preview());
}

#[test]
fn a_claim_that_compares_runs_with_themselves_is_refused() {
    let config = |of: &str, against: &str| {
        config(&format!(
            "measure = \"time\"\nof = {{ formulation = \"C2'\"{of} }}\nagainst = {{ {against} }}\nbelow = 1"
        ))
    };
    let solver = ", solver = \"fake\"";
    for (of, against) in [
        ("", "formulation = \"C2'\""),
        (solver, "formulation = \"C2'\""),
        (solver, "solver = \"fake\""),
        // The config has this solver only.
        ("", "solver = \"fake\""),
    ] {
        let found = Bench::with(&config(of, against)).refusal();
        let expected =
            "line 16: claim \"X-1\" compares runs with themselves; give `against` another formulation or solver";
        assert!(found.contains(expected), "{of} against {against}: {found}");
    }
    let several = config("", "solver = \"fake\"") + "[[solver]]\nname = \"gone\"\n";
    assert!(Bench::with(&several).plan().is_ok(), "the runs of several solvers beside those of one");
}

#[test]
fn what_is_not_there_is_refused_with_the_line_and_the_nearest_name() {
    for (from, to, message) in [
        (
            "\"C2'\"",
            "\"C2\"",
            "line 23: no formulation is named \"C2\"; did you mean \"C2'\"? there is \"C1-C4\", \"C2'\"",
        ),
        ("\"C1-C4\"", "\"C1-C5\"", "line 22: no formulation is named \"C1-C5\"; did you mean \"C1-C4\"?"),
        (
            "above = 1",
            "above = 1\nof.solver = \"fakes\"",
            "line 25: no solver is named \"fakes\"; did you mean \"fake\"?",
        ),
        ("\"time\"", "\"tiem\"", "line 21: unknown claim.measure \"tiem\"; did you mean \"time\"?"),
        ("above", "abvoe", "line 24: unknown key `abvoe` in [[claim]]; did you mean `above`?"),
        (
            "of.formulation",
            "of.formulaton",
            "line 22: unknown key `formulaton` in [claim.of]; did you mean `formulation`?",
        ),
        ("above = 1", "above = \"1\"", "line 24: claim.above is a number, not the text \"1\""),
        ("above = 1", "boards = 5\nabove = 1", "line 24: claim.boards is at least 6, not 5"),
        ("above = 1", "", "line 16: claim \"X-1\" needs `above` or `below`"),
        ("above = 1", "above = 2\nbelow = 1", "line 25: claim \"X-1\" is claimed to be above 2 and below 1"),
        ("above = 1", "above = nan", "line 24: claim.above is nan, where a finite number is needed"),
        ("above = 1", "below = +inf", "line 24: claim.below is +inf, where a finite number is needed"),
        ("above = 1", "above = -1", "line 24: claim \"X-1\" is about time: its bounds are at least 0, not -1"),
        ("\"time\"", "\"spread\"", "line 21: claim \"X-1\" measures spread, which has no `against`"),
        ("against.formulation = \"C2'\"\n", "", ""),
        ("measure = \"time\"\n", "", "line 16: claim \"X-1\" needs the keys `measure` and `of`, or `untestable`"),
        (
            "above = 1",
            "above = 1\nuntestable = \"why\"",
            "line 16: claim \"X-1\" is untestable and says how to test it",
        ),
    ] {
        assert!(SOUND.contains(from), "{from}");
        let bench = Bench::with(&config(&SOUND.replacen(from, to, 1)));
        if message.is_empty() {
            assert!(bench.plan().is_ok(), "{to}");
        } else {
            let found = bench.refusal();
            assert!(found.contains(message), "{message}\n{found}");
        }
    }
    Bench::with(&config("measure = \"solves\"\nof.formulation = \"C2'\"\nbelow = 2"))
        .refused(&["line 21: claim \"X-1\" measures solves, which needs `against`"]);
    Bench::with(&config("measure = \"holes\"\nof.formulation = \"C2'\"\nbelow = 2"))
        .refused(&["line 23: claim \"X-1\" is about holes: its bounds are between 0 and 1, not 2"]);
    let twice = config(&format!(
        "{SOUND}\n[[claim]]\nid = \"X-1\"\nsource = \"\"\nplace = \"\"\ntext = \"\"\nuntestable = \"\""
    ));
    Bench::with(&twice).refused(&["line 26: two claims have the id \"X-1\""]);
}
