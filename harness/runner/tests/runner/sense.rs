//! What need not make sense, because it is not run, and what does: excludes, defaults, includes, lists.

use crate::expand::{COLOUR, bench, labels, planned, refused};
use crate::support::{Bench, CONFIG, instance_text, solving};

const BOUNDED: &str = "[[formulation]]\nname = \"bounded\"\nfamilies = \"B1 B2 B3 B45c\"\n";
const FIXED: &str = "[[formulation]]\nname = \"fixed\"\nfamilies = \"C1 C2' C4c\"\n";

#[test]
fn excluded_pairs_need_not_fit() {
    let body = |excludes: &str| {
        let bench = bench(&format!("{excludes}{FIXED}{BOUNDED}"));
        let board = instance_text("unknown").replace("tantrix-fixed", "tantrix-bounded");
        bench.write("triblue.toml", &board.replace("\"unknown\"", "\"unknown\"\ncolour = \"blue\""));
        bench
    };
    body("").refused(&["\"fixed\" does not fit instance triblue"]);
    let one = "[[exclude]]\nformulation = \"fixed\"\ninstance = \"triblue\"\n";
    body(one).refused(&["\"bounded\" does not fit instance tri"]);
    let both = format!("{one}[[exclude]]\nformulation = \"bounded\"\ninstance = \"tri\"\n");
    let found: Vec<String> = labels(&body(&both).only()).into_iter().collect();
    assert_eq!(found, ["tri fixed fake seed 1", "triblue bounded fake seed 1"]);
    body(&format!("{both}[[include]]\nformulations = [\"fixed\"]\n")).refused(&["does not fit instance triblue"]);
}

#[test]
fn excluded_seeds_need_not_make_sense_and_options_must() {
    let options =
        "[[solver]]\nname = \"fake\"\n[[solver]]\nname = \"fake\"\nlabel = \"odd\"\noptions = { refused = 3 }\n";
    refused(options, &["line 7", "refused = 3"]);
    refused(&format!("[[exclude]]\nsolver = \"odd\"\n{options}"), &["line 9", "refused = 3"]);

    let seeds = "seeds = [5, 2000, 1]\n";
    refused(seeds, &["line 4", "seed 2000"]);
    assert_eq!(planned(&format!("{seeds}[[exclude]]\nseed = 2000\n")).asked().len(), 8);
}

#[test]
fn the_very_name_goes_before_the_pattern() {
    let named = |name: &str, families: &str| format!("[[formulation]]\nname = \"{name}\"\nfamilies = \"{families}\"\n");
    let both = named("a?", "C1 C2' C4c") + &named("ab", "C1 C2' C4c C7");
    let found = labels(&planned(&format!("[[exclude]]\nformulation = \"a?\"\n{both}")));
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|label| label.contains(" ab ")), "{found:?}");

    // Two patterns fit `ab`, and so does its name.
    let profile = "[profile.quick]\nformulation.\"a*\".instances = [\"tri.toml\"]\n\
                   formulation.\"?b\".instances = [\"tri.toml\"]\n";
    let pattern = named("ab", "C1 C2' C4c");
    let with = |keys: &str| {
        let mut bench = bench(&format!("{profile}{keys}{pattern}"));
        bench.options.profile = Some("quick".into());
        bench
    };
    with("").refused(&["both fit formulation \"ab\""]);
    let plan = with("formulation.ab.instances = [\"triblue.toml\"]\n").only();
    assert_eq!(labels(&plan).into_iter().collect::<Vec<_>>(), ["triblue ab fake seed 1"]);
}

#[test]
fn a_formulation_needs_instances_or_an_include_that_applies() {
    let config = |include: &str| {
        let text = format!(
            "experiment = \"test\"\ntitle = \"A test\"\n[profile.full]\n{include}{FIXED}[[solver]]\nname = \"fake\"\n"
        );
        Bench::with(&text)
    };
    config("").refused(&["\"fixed\" has no instances"]);
    config("[[include]]\nformulations = [\"fixed\"]\n").refused(&["\"fixed\" has no instances"]);
    let of_profile = "[[include]]\ninstances = [\"tri.toml\"]\nprofiles = [\"full\"]\n";
    config(of_profile).refused(&["\"fixed\" has no instances"]);
    let mut full = config(of_profile);
    full.options.profile = Some("full".into());
    assert_eq!(full.only().asked().len(), 1);
}

#[test]
fn defaults_are_named_where_they_do_not_fit() {
    // A default of cuts is for those that cut.
    let cuts = "[defaults.formulation]\ncuts = \"region\"\n";
    let plan = planned(&format!("{cuts}{COLOUR}add-one = \"C5x\"\n"));
    let of = |name: &str| {
        let run = plan.asked().iter().find(|run| run.formulation.name() == name).expect("a run");
        run.formulation.columns().subloops
    };
    assert_eq!((of("colour"), of("colour +C5x")), ("report".to_owned(), "resolve:region".to_owned()));
    refused(&format!("{COLOUR}cuts = \"region\"\n"), &["line 4", "a choice of cuts without a family that cuts"]);

    let subloops = "[defaults.formulation]\nsubloops = \"resolve\"\n";
    refused(&format!("{subloops}{FIXED}"), &["line 6", "subloops comes from [defaults.formulation]"]);
}

#[test]
fn lists_hold_something_and_nothing_twice() {
    for (key, table) in [
        ("profiles = []", "[[exclude]]\nseed = 1"),
        ("profiles = []", "[[include]]"),
        ("formulations = []", "[[include]]"),
        ("solvers = []", "[[include]]"),
        ("instances = []", "[[include]]"),
        ("formulations = []", "[profile.quick]"),
        ("solvers = []", "[profile.quick]"),
        ("instances = []", "[profile.quick]"),
        ("tables = []", "[report]"),
        ("plots = []", "[report]"),
    ] {
        refused(&format!("{table}\n{key}\n"), &["is an empty list; leave it out, or list a text"]);
    }
    let needed = "[profile.quick]\nformulation.A.instances = []\n";
    refused(needed, &["line 5", "profile.quick.formulation.A.instances is an empty list; list a text"]);

    let long = |end: &str| format!("n10-a-board-with-quite-a-long-name-that-goes-on-{end}");
    let exclude = |a: &str, b: &str| format!("[[exclude]]\ninstance = [\"{}\", \"{}\"]\n", long(a), long(b));
    refused(&exclude("1", "2"), &["line 5", "no instance is named"]);
    refused(&exclude("1", "1"), &["line 5", "exclude.instance: a text stands here twice"]);
    refused("seeds = [1, 0x1]\n", &["line 4", "stands here twice"]);
}

#[test]
fn what_stands_in_the_wrong_table_is_told_where_it_belongs() {
    refused("[profile.quick.limits]\ntime = \"1s\"\n", &["stands here without it: `cpu`, `memory`, `time`"]);
    refused("[profile.quick]\ndescription = \"x\"\n", &["belongs to the top of the config"]);
    let message = bench("[profile.quick.report]\ntables = [\"times\"]\n").refusal();
    assert!(message.contains("unknown key `report`") && !message.contains("belongs to the top"), "{message}");
}

#[test]
fn patterns_filters_and_profiles_say_where_they_miss() {
    let body = |config: &str| Bench::with(config);
    let some = CONFIG.replace("*.instance.toml", "t*.toml");
    let folder = body(&some);
    folder.write("tsuite.toml", "name = \"no instance\"\n");
    folder.refused(&["config.toml, line 4: \"t*.toml\" matches a file that is no sound instance: ", "tsuite.toml: "]);
    body(&CONFIG.replace("\"*.instance.toml\"", "")).refused(&["line 4", "instances is an empty list"]);

    let mut filtered = Bench::new(2);
    filtered.filter(&["seed=1", "solver=fak"]);
    filtered.refused(&["no run passes the filter solver=fak; did you mean \"fake\"? there is \"fake\""]);
    filtered.filter(&["solver=fae,fak"]);
    filtered.refused(&["no run passes the filter solver=fae,fak; did you mean \"fake\"?"]);
    filtered.filter(&["seed=[1-2]", "seed=3"]);
    filtered.refused(&["seed=3; there is \"1\", \"2\""]);

    for key in ["formulations = [\"C2\"]", "solvers = [\"fale\"]", "formulation.\"C2\".instances = [\"tri.toml\"]"] {
        body(&format!("{CONFIG}[profile.quick]\n{key}\n")).refused(&["line 16", " is named \""]);
    }

    let mut bench = Bench::new(2);
    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    let error = bench.run(&solving()).expect_err("rows are there").to_string();
    assert!(error.contains("holds every run that is asked for already"), "{error}");
    let bench = Bench::new(1);
    bench.write("out", "");
    let error = bench.run(&solving()).expect_err("a file is no folder");
    assert!(error.is_usage() && error.to_string().contains("out is no directory"), "{error}");
}
