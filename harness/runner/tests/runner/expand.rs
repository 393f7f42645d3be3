//! Entries that stand for several: defaults, matrix, ablations, excludes, includes, profiles.

use std::collections::BTreeSet;

use runner::ExperimentPlan;

use crate::support::{Bench, CONFIG, instance_text};

/// A config with these formulations and solvers on one board.
fn config(body: &str) -> String {
    let solver = if body.contains("[[solver]]") { "" } else { "[[solver]]\nname = \"fake\"\n" };
    let formulation = if body.contains("[[formulation]]") {
        ""
    } else {
        "[[formulation]]\nname = \"A\"\nfamilies = \"C1 C2 C3 C4\"\n[[formulation]]\nname = \"B\"\nfamilies = \"C1 C2' C4c\"\n"
    };
    format!("experiment = \"test\"\ntitle = \"A test\"\ninstances = [\"tri*.toml\"]\n{body}\n{formulation}{solver}")
}

fn bench(body: &str) -> Bench {
    let bench = Bench::with(&config(body));
    bench.write("triblue.toml", &instance_text("unknown").replace("challenge = 3", "challenge = 3\ncolour = \"blue\""));
    bench
}

fn only(bench: &Bench) -> ExperimentPlan {
    bench.plan().expect("a sound plan").remove(0)
}

fn planned(body: &str) -> ExperimentPlan {
    only(&bench(body))
}

/// The runs as texts, without their order.
fn labels(plan: &ExperimentPlan) -> BTreeSet<String> {
    plan.asked().map(|run| run.label()).collect()
}

/// Name, families in normal form, objective and subloops of each formulation that has runs.
fn formulations(body: &str) -> BTreeSet<(String, String, String, String)> {
    let of = |run: runner::PlannedRun| {
        let planned = &run.formulation;
        let (families, objective) = (planned.families.clone(), planned.objective.clone());
        (planned.formulation.name.clone(), families, objective, planned.subloops.clone())
    };
    planned(body).asked().map(of).collect()
}

fn names(body: &str) -> Vec<String> {
    planned(body).formulations
}

fn refused(body: &str, parts: &[&str]) {
    let message = bench(body).refusal();
    for part in parts {
        assert!(message.contains(part), "{part:?} is missing: {message}\n{body}");
    }
}

const COLOUR: &str = "[[formulation]]\nname = \"colour\"\nfamilies = \"C1 C2' C4c C6x C7 C8\"\n";

#[test]
fn entries_win_over_defaults() {
    let body = "[defaults.formulation]\nobjective = \"none\"\nsubloops = \"report\"\n\
                [[formulation]]\nname = \"as all\"\nfamilies = \"C1 C2' C4c\"\n\
                [[formulation]]\nname = \"of its own\"\nfamilies = \"C1 C2' C4c C5x\"\nobjective = \"virtual\"\n\
                subloops = \"resolve\"\n";
    let found: Vec<_> =
        formulations(body).into_iter().map(|(name, _, objective, sub)| (name, objective, sub)).collect();
    let row = |name: &str, objective: &str, sub: &str| (name.to_owned(), objective.to_owned(), sub.to_owned());
    assert_eq!(found, [row("as all", "none", "report"), row("of its own", "virtual", "resolve:each")]);

    let solvers = "[defaults.solver]\nthreads = 2\noptions = { presolve = \"off\", gap = 0.5 }\n\
                   [[solver]]\nname = \"fake\"\n\
                   [[solver]]\nname = \"fake\"\nlabel = \"other\"\nthreads = 3\noptions = { presolve = \"on\" }\n";
    let plan = planned(solvers);
    let of = |label: &str| {
        let run = plan.asked().find(|run| run.solver.label == label).expect("a run");
        let options: Vec<String> = run.solver.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        (run.solver.threads, options.join(" "))
    };
    assert_eq!(of("fake"), (2, "gap=0.5 presolve=off".to_owned()));
    assert_eq!(of("other"), (3, "gap=0.5 presolve=on".to_owned()));
    refused(&format!("threads = 1\n{solvers}"), &["line 6", "twice", "[defaults.solver]"]);
}

#[test]
fn a_matrix_makes_every_combination() {
    let matrix =
        "[formulation.matrix]\nobjective = [\"virtual\", \"none\"]\nfamilies = [\"C1 C2' C4c\", \"C1 C2' C3 C4\"]\n";
    let body = format!("[[formulation]]\nname = \"base\"\n{matrix}");
    assert_eq!(
        names(&body),
        [
            "base families=C4c objective=virtual",
            "base families=C4c objective=none",
            "base families=C3 C4 objective=virtual",
            "base families=C3 C4 objective=none"
        ]
    );
    assert_eq!(formulations(&body).into_iter().map(|(_, f, o, _)| (f, o)).collect::<BTreeSet<_>>().len(), 4);

    let cuts = "[[formulation]]\nname = \"cut\"\nfamilies = \"C1 C2' C4c C5x\"\nmatrix.cuts = [\"each\", \"region\"]\n";
    let found: BTreeSet<String> = formulations(cuts).into_iter().map(|(_, _, _, subloops)| subloops).collect();
    assert_eq!(found, ["resolve:each", "resolve:region"].map(str::to_owned).into());

    let solvers = "[[solver]]\nname = \"fake\"\nlabel = \"f\"\n[solver.matrix]\nthreads = [1, 2]\n\
                   options.presolve = [\"on\", false]\n";
    let plan = planned(solvers);
    let labels: Vec<&str> = plan.solvers.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        labels,
        [
            "f threads=1 presolve=on",
            "f threads=1 presolve=false",
            "f threads=2 presolve=on",
            "f threads=2 presolve=false"
        ]
    );
    let run = plan.asked().find(|run| run.solver.label == labels[3]).expect("a run");
    assert_eq!((run.solver.threads, run.solver.options["presolve"].as_str()), (2, "false"));

    refused(&format!("{COLOUR}objective = \"none\"\nmatrix.objective = [\"none\"]"), &["line 4", "objective twice"]);
    refused(&body.replace("[\"virtual\", \"none\"]", "[\"none\", \"none\"]"), &["line 7", "\"none\"", "twice"]);
    refused(
        &body.replace("[\"virtual\", \"none\"]", "[]"),
        &["line 7", "formulation.matrix.objective is an empty list"],
    );
    refused(&solvers.replace("\nlabel", "\nthreads = 1\nlabel"), &["line 4", "threads twice"]);
}

#[test]
fn ablations_have_clear_names_and_the_right_families() {
    let rows = |body: &str| -> Vec<(String, String)> {
        let all = formulations(&format!("{COLOUR}{body}"));
        names(&format!("{COLOUR}{body}"))
            .into_iter()
            .map(|name| {
                let families = all.iter().find(|row| row.0 == name).expect("it has runs").1.clone();
                (name, families)
            })
            .collect()
    };
    let row = |(name, families): (&str, &str)| (name.to_owned(), families.to_owned());
    assert_eq!(
        rows("drop-one = \"C7 C6x\""),
        [("colour", "C1 C2' C4c C6x C7 C8"), ("colour -C6x", "C1 C2' C4c C7 C8"), ("colour -C7", "C1 C2' C4c C6x C8"),]
            .map(row)
    );
    assert_eq!(
        rows("add-one = \"C9 C5x\""),
        [
            ("colour", "C1 C2' C4c C6x C7 C8"),
            ("colour +C5x", "C1 C2' C4c C5x C6x C7 C8"),
            ("colour +C9", "C1 C2' C4c C6x C7 C8 C9"),
        ]
        .map(row)
    );
    // The name of the formulation would say that C7 and C8 are in it.
    assert_eq!(
        rows("add-one = \"C7 C8 C9\""),
        [
            ("colour {}", "C1 C2' C4c C6x"),
            ("colour {C7}", "C1 C2' C4c C6x C7"),
            ("colour {C8}", "C1 C2' C4c C6x C8"),
            ("colour {C9}", "C1 C2' C4c C6x C9"),
        ]
        .map(row)
    );
    assert_eq!(
        rows("powerset = \"C7 C8\""),
        [
            ("colour {}", "C1 C2' C4c C6x"),
            ("colour {C7}", "C1 C2' C4c C6x C7"),
            ("colour {C8}", "C1 C2' C4c C6x C8"),
            ("colour {C7 C8}", "C1 C2' C4c C6x C7 C8"),
        ]
        .map(row)
    );
}

#[test]
fn ablations_that_make_no_sense_are_refused() {
    for (keys, parts) in [
        ("drop-one = \"C7 C9\"", &["line 7", "drop-one", "C9 is not among", "C1 C2' C4c"][..]),
        ("drop-one = \"C7 C77\"", &["line 7", "C77", "did you mean C7"]),
        ("drop-one = \"\"", &["line 7", "no families"]),
        ("drop-one = \"C7\"\npowerset = \"C7\"", &["line 8", "drop-one and powerset"]),
        ("drop-one = \"C7 C1\"", &["line 4", "\"colour -C1\"", "add C1", "take C1 out of drop-one"]),
        ("powerset = \"C7 C4c\"", &["line 4", "\"colour {}\"", "take C4c out of powerset"]),
        ("add-one = \"C9 C2\"", &["line 4", "\"colour +C2\"", "exclude each other", "take C2 out of add-one"]),
        ("subloops = \"resolve\"\nadd-one = \"C5x\"", &["line 4", "formulation \"colour\"", "needs the family"]),
    ] {
        refused(&format!("{COLOUR}{keys}"), parts);
    }
    let cutting = COLOUR.replace("C6x", "C5x C6x");
    refused(
        &format!("{cutting}cuts = \"region\"\ndrop-one = \"C5x C7\""),
        &["line 4", "formulation \"colour -C5x\"", "take C5x out of drop-one"],
    );
    let many = "[[formulation]]\nname = \"all\"\nfamilies = \"C1 C2 C2' C3 C3x C4 C4c C5 C5x C6 C6x C7 C8\"\n\
                powerset = \"C1 C2 C2' C3 C3x C4 C4c C5 C5x C6 C6x C7 C8\"\n";
    refused(&format!("seeds = [1, 2, 3]\n{many}"), &["line 8", "8192 formulations", "49152 runs", "12 families"]);
}

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
        let long = run.instance.instance.name == "triblue" && run.formulation.formulation.name == "B";
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
    let plain = only(&bench);
    assert_eq!((plain.asked_ids().len(), plain.warmup), (2 * 2 * 2 * 2 * 2, 1));
    let limits = plain.limits(0);
    assert_eq!((limits.time_s, limits.cpu_s, limits.memory_b), (Some(3600.0), Some(7200.0), Some(1 << 30)));

    bench.options.profile = Some("quick".into());
    let quick = only(&bench);
    assert_eq!(labels(&quick).into_iter().collect::<Vec<_>>(), ["tri B fake seed 9"]);
    assert_eq!(quick.warmup, 0);
    let limits = quick.limits(0);
    assert_eq!((limits.time_s, limits.cpu_s, limits.memory_b), (Some(1.0), Some(2.0), Some(1 << 20)));

    bench.options.profile = Some("all".into());
    let all = only(&bench);
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
        let message = bench.refusal();
        assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
    }
}

#[test]
fn a_profile_names_formulations_by_pattern_and_the_name_itself_comes_first() {
    let body = format!(
        "[profile.quick]\nformulation.\"colour*\".instances = [\"tri.toml\"]\n\
         formulation.colour.instances = [\"triblue.toml\"]\n{COLOUR}drop-one = \"C7\"\n"
    );
    let mut bench = bench(&body);
    bench.options.profile = Some("quick".into());
    let found: Vec<String> = labels(&only(&bench)).into_iter().collect();
    assert_eq!(found, ["tri colour -C7 fake seed 1", "triblue colour fake seed 1"]);
    bench.write("config.toml", &config(&body.replace("formulation.colour.", "formulation.\"c*\".")));
    assert!(bench.refusal().contains("both fit formulation \"colour\""));
}

#[test]
fn repeats_and_seed_ranges_are_runs_of_their_own() {
    let plan = planned("seeds = \"1-20\"\nrepeats = 3\n");
    assert_eq!(plan.asked_ids().len(), 2 * 2 * 20 * 3);
    assert_eq!(plan.asked_ids().collect::<std::collections::HashSet<_>>().len(), 240);
    for (seeds, part) in [
        ("\"9-1\"", "the smaller one stands first"),
        ("\"1..5\"", "\"1-100\""),
        ("\"1-99999999999\"", "more than"),
        ("[1, -2]", "seeds is at least 0, not -2"),
        ("[1, \"a\"]", "seeds is a whole number, not the text \"a\""),
        ("7", "seeds is a list or a text such as [1, 2, 3] or \"1-100\", not the number 7"),
        ("[99999999999999999999]", "too large"),
    ] {
        refused(&format!("seeds = {seeds}"), &["line 4", part]);
    }
}

#[test]
fn a_config_that_uses_everything() {
    let text = include_str!("everything.toml");
    let bench = Bench::with(text);
    for name in ["n9.toml", "n10.toml"] {
        let board = instance_text("unknown").replace(
            "challenge = 3",
            if name == "n9.toml" { "challenge = 3\ncolour = \"red\"" } else { "challenge = 3\ncolour = \"blue\"" },
        );
        bench.write(name, &board);
    }
    bench.write("figures.csv", "table,challenge,formulation,time_s\n1,3,C1,2.0\n");
    let plan = only(&bench);
    assert_eq!(plan.formulations.len(), 2 * 5 + 4 + 1);
    assert_eq!(plan.solvers.len(), 2 * 2 + 1);
    assert_eq!(plan.warmup, 1);
    let published = plan.report.published.as_ref().expect("figures");
    assert_eq!((published.table.as_str(), plan.report.plots.as_slice()), ("1", &["total-time".to_owned()][..]));
    let product = 3 * 15 * 5 * 2 * 2;
    let excluded = 15 * 5 * 2 * 2 + 2 * 15 * 2 * 2;
    // One of the three seeds that are included was not excluded.
    assert_eq!(plan.asked_ids().len(), product - excluded + (3 - 1) * 2);
    let mut quick = bench;
    quick.options.profile = Some("quick".into());
    assert_eq!(only(&quick).asked_ids().len(), 10);
    // The shared constant stays a sound config.
    assert_eq!(only(&Bench::with(CONFIG)).asked_ids().len(), 1);
}
