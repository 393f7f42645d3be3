//! Runs less and runs more: excludes, includes, profiles.

use std::collections::BTreeSet;

use crate::expand::{COLOUR, bench, config, labels, planned, refused};
use crate::support::{Bench, CONFIG, instance_text};

#[test]
fn excludes_take_out_runs_that_have_all_the_properties() {
    let all = labels(&planned("seeds = [1, 2, 10]"));
    assert_eq!(all.len(), 12);
    let without = |exclude: &str| -> BTreeSet<String> {
        let kept = labels(&planned(&format!("seeds = [1, 2, 10]\n{exclude}")));
        assert!(kept.is_subset(&all));
        all.difference(&kept).cloned().collect()
    };
    let gone = |exclude: &str| without(exclude).into_iter().collect::<Vec<_>>();
    assert_eq!(gone("[[exclude]]\ninstance = \"tri\"\nformulation = \"A\"\nseed = 2"), ["tri A fake seed 2"]);
    assert_eq!(gone("[[exclude]]\ncolour = \"blue\"\nseed = \"1*\"").len(), 4);
    assert_eq!(gone("[[exclude]]\nchallenge = 3\nformulation = [\"A\"]\nsolver = \"f*\"").len(), 6);
    assert_eq!(gone("[[exclude]]\nseed = [1, 2]\n[[exclude]]\nformulation = \"B\"").len(), 10);

    for (exclude, parts) in [
        ("instance = \"trii\"", &["line 5", "instance", "\"trii\"", "did you mean \"tri\""][..]),
        ("formulation = \"C\"", &["line 5", "no formulation", "\"A\", \"B\""]),
        ("solver = [\"fake\", \"fakir\"]", &["line 5", "\"fakir\"", "\"fake\""]),
        ("seed = 3", &["line 5", "no seed", "\"1\""]),
        ("challenge = 4", &["line 4", "takes nothing out"]),
        ("sead = 3", &["line 5", "unknown key `sead` in [[exclude]]", "did you mean `seed`"]),
        ("", &["line 4", "no property"]),
        ("seed = []", &["line 5", "exclude.seed is an empty list"]),
        ("seed = \"[\"", &["line 5", "no pattern"]),
        ("instance = \"*\"", &["every run is excluded"]),
        ("instance = \"tri\"\nprofiles = [\"quick\"]", &["line 6", "no profile is named \"quick\""]),
    ] {
        refused(&format!("[[exclude]]\n{exclude}"), parts);
    }
}

#[test]
fn includes_come_on_top_and_are_not_excluded() {
    let plain = labels(&planned(""));
    let body = "[limits]\ntime = \"10s\"\n[[exclude]]\ninstance = \"triblue\"\nformulation = \"B\"\n\
                [[include]]\nformulations = [\"B\"]\ninstances = [\"triblue.toml\"]\ntime = \"1h\"\nseeds = [1, 7]\nrepeats = 2\n";
    let plan = planned(body);
    let found = labels(&plan);
    let more: Vec<&String> = found.difference(&plain).collect();
    assert_eq!(
        more,
        ["triblue B fake seed 1 repeat 2", "triblue B fake seed 7", "triblue B fake seed 7 repeat 2"],
        "the first one replaces what is excluded"
    );
    assert_eq!(found.len(), plain.len() + 3);
    for run in plan.asked() {
        let long = run.instance.instance.name == "triblue" && run.formulation.name() == "B";
        assert_eq!(run.limits.time_s, Some(if long { 3600.0 } else { 10.0 }), "{}", run.label());
    }
    // What the combinations have already is not done twice.
    assert_eq!(labels(&planned("[[include]]\nseeds = [1, 2]\n")).len(), 2 * plain.len());

    for (include, parts) in [
        ("formulations = [\"A\", \"BB\"]", &["line 5", "no formulation is named \"BB\"", "\"B\""][..]),
        ("solvers = [\"fakes\"]", &["line 5", "did you mean \"fake\""]),
        ("instances = [\"tribleu.toml\"]", &["line 5", "no file matches", "did you mean \"triblue.toml\""]),
        ("profiles = [\"full\"]", &["line 5", "no profile"]),
        ("repeats = 0", &["line 5", "include.repeats is at least 1"]),
        ("memory = \"lots\"", &["line 5", "lots"]),
        ("time = 5", &["line 5", "include.time is a text such as \"20s\""]),
        ("time = \"9s\"", &["line 4", "\"tri A fake seed 1\" is planned already, under other limits: exclude it"]),
    ] {
        refused(&format!("[[include]]\n{include}"), parts);
    }
}

#[test]
fn profiles_override_everything_they_name() {
    let body = "seeds = \"1-3\"\nrepeats = 2\nwarmup = 1\n[limits]\ntime = \"1h\"\ncpu = \"2h\"\nmemory = \"1GiB\"\n\
                [profile.quick]\ntime = \"1s\"\ncpu = \"2s\"\nmemory = \"1MiB\"\nseeds = [9]\nrepeats = 1\nwarmup = 0\n\
                instances = [\"tri.toml\"]\nsolvers = [\"f*\"]\nformulations = [\"B\"]\n\
                [profile.all]\n\
                [[include]]\nformulations = [\"B\"]\ninstances = [\"triblue.toml\"]\nseeds = [5]\ntime = \"9h\"\nprofiles = [\"all\"]\n\
                [[exclude]]\nseed = 3\n\
                [[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n";
    let mut bench = bench(body);
    let plain = bench.only();
    assert_eq!((plain.asked().len(), plain.config.warmup), (2 * 2 * 2 * 2 * 2, 1));
    let limits = plain.run(0).limits;
    assert_eq!((limits.time_s, limits.cpu_s, limits.memory_b), (Some(3600.0), Some(7200.0), Some(1 << 30)));

    bench.options.profile = Some("quick".into());
    let quick = bench.only();
    assert_eq!(labels(&quick).into_iter().collect::<Vec<_>>(), ["tri B fake seed 9"]);
    assert_eq!(quick.config.warmup, 0);
    let limits = quick.run(0).limits;
    assert_eq!((limits.time_s, limits.cpu_s, limits.memory_b), (Some(1.0), Some(2.0), Some(1 << 20)));

    bench.options.profile = Some("all".into());
    let all = bench.only();
    let more: Vec<String> = labels(&all).difference(&labels(&plain)).cloned().collect();
    assert_eq!(
        more,
        [
            "triblue B fake seed 5",
            "triblue B fake seed 5 repeat 2",
            "triblue B gone seed 5",
            "triblue B gone seed 5 repeat 2"
        ]
    );

    for (keys, parts) in [
        ("solvers = [\"fak\"]", &["line 9", "no solver is named \"fak\"", "did you mean \"fake\""][..]),
        ("formulations = [\"C\"]", &["line 9", "no formulation"]),
        ("formulation.AA.instances = [\"tri.toml\"]", &["line 9", "no formulation is named \"AA\""]),
        ("repeats = 0", &["line 9", "profile.quick.repeats is at least 1, not 0"]),
        ("tme = \"1s\"", &["line 9", "unknown key `tme` in [profile.quick]", "did you mean `time`"]),
    ] {
        let text = config(&format!("repeats = 1\n[limits]\ntime = \"1h\"\n\n[profile.quick]\n{keys}\n"));
        let mut bench = Bench::with(&text);
        bench.options.profile = Some("quick".into());
        bench.refused(parts);
    }
}

#[test]
fn an_include_that_names_its_profiles_goes_before_them() {
    let body = |profiles: &str| {
        format!(
            "[limits]\ntime = \"1h\"\n[profile.quick]\ntime = \"1s\"\nsolvers = [\"fake\"]\nformulations = [\"A\"]\n\
             [[include]]\nformulations = [\"B\"]\nsolvers = [\"gone\"]\ninstances = [\"tri.toml\"]\ntime = \"9s\"\n{profiles}\
             [[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n"
        )
    };
    let of_quick = |profiles: &str| {
        let mut bench = bench(&body(profiles));
        bench.options.profile = Some("quick".into());
        let plan = bench.only();
        let run =
            |run: &runner::PlannedRun| format!("{} within {:?}", run.label(), run.limits.time_s.expect("a limit"));
        plan.asked().iter().map(run).collect::<Vec<_>>()
    };
    let both = ["tri A fake seed 1 within 1.0", "triblue A fake seed 1 within 1.0"];
    assert_eq!(of_quick(""), both);
    assert_eq!(of_quick("profiles = [\"quick\"]\n"), [&both[..], &["tri B gone seed 1 within 9.0"]].concat());
}

#[test]
fn a_profile_names_formulations_by_pattern_and_the_name_itself_comes_first() {
    let body = format!(
        "[profile.quick]\nformulation.\"colour*\".instances = [\"tri.toml\"]\n\
         formulation.colour.instances = [\"triblue.toml\"]\n{COLOUR}drop-one = \"C7\"\n"
    );
    let mut bench = bench(&body);
    bench.options.profile = Some("quick".into());
    let found: Vec<String> = labels(&bench.only()).into_iter().collect();
    assert_eq!(found, ["tri colour -C7 fake seed 1", "triblue colour fake seed 1"]);
    bench.write("config.toml", &config(&body.replace("formulation.colour.", "formulation.\"c*\".")));
    assert!(bench.refusal().contains("both fit formulation \"colour\""));
}

#[test]
fn one_puzzle_under_two_names_is_no_second_instance() {
    let bench = Bench::with(&CONFIG.replace("\"*.instance.toml\"", "\"tri.toml\", \"other.toml\""));
    bench.write("other.toml", &instance_text("unknown"));
    let expected = "\"other C1-C4 fake seed 1\" and \"tri C1-C4 fake seed 1\" are the same run twice, as other and tri are the same puzzle";
    bench.refused(&["line 9", expected]);
}
