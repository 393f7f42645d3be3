//! Entries that stand for several: defaults, ablations, repeats; and a config that uses everything.

use std::collections::BTreeSet;

use runner::{ExperimentPlan, Vocabulary, config_schema};

use crate::support::{Bench, instance_text};

/// A config with these formulations and solvers on one board.
pub fn config(body: &str) -> String {
    let solver = if body.contains("[[solver]]") { "" } else { "[[solver]]\nname = \"fake\"\n" };
    let formulation = if body.contains("[[formulation]]") {
        ""
    } else {
        "[[formulation]]\nname = \"A\"\nfamilies = \"C1 C2 C3 C4\"\n[[formulation]]\nname = \"B\"\nfamilies = \"C1 C2' C4c\"\n"
    };
    format!("experiment = \"test\"\ntitle = \"A test\"\ninstances = [\"tri*.toml\"]\n{body}\n{formulation}{solver}")
}

pub fn bench(body: &str) -> Bench {
    let bench = Bench::with(&config(body));
    bench.write("triblue.toml", &instance_text("unknown").replace("challenge = 3", "challenge = 3\ncolour = \"blue\""));
    bench
}

pub fn planned(body: &str) -> ExperimentPlan {
    bench(body).only()
}

/// The runs as texts, without their order.
pub fn labels(plan: &ExperimentPlan) -> BTreeSet<String> {
    plan.asked().iter().map(|run| run.label()).collect()
}

/// Name, families in normal form, objective and subloops of each formulation that has runs.
fn formulations(body: &str) -> BTreeSet<(String, String, String, String)> {
    let of = |run: &runner::PlannedRun| {
        let planned = &run.formulation;
        let (families, objective) = (planned.columns().families, planned.columns().objective);
        (planned.name().to_owned(), families, objective, planned.columns().subloops)
    };
    planned(body).asked().iter().map(of).collect()
}

fn names(body: &str) -> Vec<String> {
    planned(body).config.formulations.into_iter().map(|choice| choice.written.name).collect()
}

pub fn refused(body: &str, parts: &[&str]) {
    bench(body).refused(parts);
}

pub const COLOUR: &str = "[[formulation]]\nname = \"colour\"\nfamilies = \"C1 C2' C4c C6x C7 C8\"\n";

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

    let solvers = "[defaults.solver]\nthreads = 2\n\
                   [[solver]]\nname = \"fake\"\n\
                   [[solver]]\nname = \"fake\"\nlabel = \"other\"\nthreads = 3\n";
    let plan = planned(solvers);
    let of = |label: &str| plan.asked().iter().find(|run| run.solver.label == label).expect("a run").solver.threads;
    assert_eq!((of("fake"), of("other")), (2, 3));
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
}

#[test]
fn ablations_that_make_no_sense_are_refused() {
    for (keys, parts) in [
        ("drop-one = \"C7 C9\"", &["line 7", "drop-one", "C9 is not among", "C1 C2' C4c"][..]),
        ("drop-one = \"C7 C77\"", &["line 7", "C77", "did you mean C7"]),
        ("drop-one = \"\"", &["line 7", "no families"]),
        ("drop-one = \"C7\"\nadd-one = \"C9\"", &["line 8", "drop-one and add-one"]),
        ("powerset = \"C7\"", &["line 7", "unknown key `powerset`"]),
        ("matrix.objective = [\"none\"]", &["line 7", "unknown key `matrix`"]),
        ("drop-one = \"C7 C1\"", &["line 4", "\"colour -C1\"", "add C1", "take C1 out of drop-one"]),
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
}

#[test]
fn repeats_and_seed_ranges_are_runs_of_their_own() {
    let plan = planned("seeds = \"1-20\"\nrepeats = 3\n");
    assert_eq!(plan.asked().len(), 2 * 2 * 20 * 3);
    assert_eq!(plan.asked().iter().map(|run| run.run_id).collect::<std::collections::HashSet<_>>().len(), 240);
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
    let mut bench = Bench::with(text);
    for name in ["n9.toml", "n10.toml"] {
        let board = instance_text("unknown").replace(
            "challenge = 3",
            if name == "n9.toml" { "challenge = 3\ncolour = \"red\"" } else { "challenge = 3\ncolour = \"blue\"" },
        );
        bench.write(name, &board);
    }
    bench.write("room.toml", &instance_text("unknown").replace("tantrix-fixed", "tantrix-bounded"));
    let tetrahedron = "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 1, B = 2, C = 3, D = 4 }\n\
                       tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n";
    bench.write("tetrahedron.toml", tetrahedron);
    bench.write("figures.csv", "table,challenge,formulation,time_s\n1,3,C1,2.0\n");
    let mut counts = Vec::new();
    for profile in [None, Some("quick"), Some("full")] {
        bench.options.profile = profile.map(str::to_owned);
        let plan = bench.only();
        assert_eq!((plan.config.formulations.len(), plan.solvers.len()), (5 + 1 + 2 + 3, 2));
        assert_eq!(plan.config.warmup, if profile == Some("quick") { 0 } else { 1 });
        let published = plan.config.report.published.as_ref().expect("figures");
        assert_eq!(
            (published.table.as_str(), plan.config.report.plots.as_slice()),
            ("1", &["total-time".to_owned()][..])
        );
        counts.push(plan.asked().len());
    }
    // Three instances, eight formulations of kind mip, two solvers, two seeds, two repeats; one instance excluded altogether.
    let mip = 2 * 8 * 2 * 2 * 2;
    // Of other kinds, under one solver: one formulation on one instance, one on two; one program on one instance.
    let others = (1 + 2 + 1) * 2 * 2;
    let plain = mip + others;
    // Without the solver that is excluded on the two others; two formulations, one solver, three seeds, three repeats more.
    let full = plain - 2 * 8 * 2 * 2 + 2 * 3 * 3;
    // Five formulations on one instance each, under one solver.
    assert_eq!(counts, [plain, 5, full]);
}

#[test]
fn the_config_that_uses_everything_does() {
    let used: toml::Table = include_str!("everything.toml").parse().expect("TOML");
    let mut unused = Vec::new();
    unused_keys(&config_schema(&Vocabulary::default()), &[&toml::Value::Table(used)], "", &mut unused);
    // Those that need boards of eight tiles, and results that there must be.
    let starts = ["defaults.formulation.start", "defaults.formulation.start-share", "formulation.start"];
    assert_eq!(unused, [&starts[..], &["formulation.start-share", "profile.effort"]].concat());
}

/// Keys of the schema that none of some tables have.
fn unused_keys(schema: &serde_json::Value, tables: &[&toml::Value], at: &str, unused: &mut Vec<String>) {
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        let values: Vec<&toml::Value> = tables.iter().filter_map(|table| table.get(key)).collect();
        if values.is_empty() {
            unused.push(format!("{at}{key}"));
        }
        let (at, items) = (format!("{at}{key}."), values.iter().filter_map(|value| value.as_array()).flatten());
        unused_keys(&inner["items"], &items.collect::<Vec<_>>(), &at, unused);
        let named = values.iter().filter_map(|value| value.as_table()).flat_map(toml::Table::values);
        unused_keys(&inner["additionalProperties"], &named.collect::<Vec<_>>(), &at, unused);
        unused_keys(inner, &values, &at, unused);
    }
}
