//! Configs that cannot be used say where and why; those that can are planned as written.

use runner::Vocabulary;

use crate::support::{Bench, CONFIG, instance_text};

fn refusal(from: &str, to: &str) -> String {
    assert!(CONFIG.contains(from), "{from}");
    Bench::with(&CONFIG.replacen(from, to, 1)).refusal()
}

#[test]
fn errors_name_the_line_and_what_would_be_right() {
    for (from, to, parts) in [
        ("name = \"C1-C4\"", "name = \"C1-C4\"\ncuts = \"all\"", &["line 11", "all", "each"][..]),
        ("\"20s\"", "\"20 parsecs\"", &["line 7", "20 parsecs", "2h 30m"]),
        ("\"20s\"", "\"20s\"\nmemory = \"much\"", &["line 8", "much", "4GiB"]),
        ("*.instance.toml", "no*.toml", &["line 4", "no*.toml", "no file matches"]),
        ("\"test\"", "\"Test 1\"", &["line 2", "a-z"]),
        (
            "\"fake\"",
            "\"fake\"\noptions = { a = [1] }",
            &["line 15", "solver.options.a", "a number or true or false", "not a list"],
        ),
        ("\"fake\"", "\"fake\"\n[[solver]]\nname = \"fake\"", &["line 16", "label"]),
        ("\"fake\"", "\"fake\"\noptions = { refused = 3 }", &["line 14", "refused = 3"]),
        ("C1 C2 C3 C4", "C1 C2 C3 C9", &["line 9", "C1-C4", "C9"]),
        ("C1 C2 C3 C4", "C1 C2 C3", &["line 9", "C1-C4", "match"]),
        ("title", "seeds = [1, 2, 1]\ntitle", &["line 3", "seeds: the number 1 stands here twice"]),
        ("title", "seeds = [1, 5000]\ntitle", &["line 3", "seed 5000", "\"fake\"", "end at 1000"]),
        ("[[solver]]", "[[solver]", &["line 13"]),
        (
            "[limits]",
            "[report]\npublished = { file = \"no.csv\", table = \"1\", label = \"x\" }\n[limits]",
            &["line 7", "no.csv"],
        ),
    ] {
        let message = refusal(from, to);
        for part in parts {
            assert!(message.contains(part), "{to:?}: {message}");
        }
    }
}

#[test]
fn errors_name_the_field_and_the_nearest_word() {
    for (from, to, message) in [
        (
            "instances = ",
            "instnaces = ",
            "line 4: unknown key `instnaces`; did you mean `instances`? known keys: `claim`, `defaults`",
        ),
        (
            "time = ",
            "tiem = ",
            "line 7: unknown key `tiem` in [limits]; did you mean `time`? known keys: `cpu`, `memory`, `time`",
        ),
        ("time = ", "warmup = 2\ntime = ", "line 7: unknown key `warmup` in [limits]; `warmup` belongs to the top"),
        (
            "title = ",
            "defaults.solver.thread = 2\ntitle = ",
            "line 3: unknown key `thread` in [defaults.solver]; did you",
        ),
        (
            "[limits]",
            "[report]\ntabels = []\n[limits]",
            "line 7: unknown key `tabels` in [report]; did you mean `tables`?",
        ),
        ("title = ", "threads = 2\ntitle = ", "line 3: unknown key `threads`; known keys: `claim`, `defaults`"),
        ("name = \"fake\"", "name = \"fake\"\nmatrix.threads = [1]", "line 15: unknown key `matrix` in [[solver]]"),
        (
            "[limits]",
            "[profile.\"a b\"]\nseed = 1\n[limits]",
            "line 7: unknown key `seed` in [profile.\"a b\"]; did you mean `seeds`?",
        ),
        ("name = \"C1-C4\"\n", "", "line 9: [[formulation]] needs the key `name`"),
        ("families = \"C1 C2 C3 C4\"\n", "", "line 9: formulation \"C1-C4\" has no families"),
        (
            "name = \"C1-C4\"\nfamilies = \"C1 C2 C3 C4\"\n",
            "name = \"basic\"\n",
            "has no families; for that of `tilebench formulations` write families = \"C1 C2 C3 C4 C5\" (kind",
        ),
        (
            "name = \"C1-C4\"\nfamilies = \"C1 C2 C3 C4\"\n",
            "name = \"fix-and-optimise\"\n",
            "and objective = \"none\" and fix-and-optimise = true (kind",
        ),
        ("title = \"A test\"\n", "", "a config needs the key `title`"),
        ("[[solver]]\nname = \"fake\"\n", "", "no [[solver]]: an experiment needs at least one"),
        (
            "[[formulation]]",
            "[formulation]",
            "line 9: formulation is a list: write [[formulation]] with double brackets",
        ),
        ("[limits]", "[[limits]]", "line 6: limits is a single table: write [limits] with single brackets"),
        (
            "[[solver]]",
            "[solver]\nname = \"gone\"\n[solver]",
            "line 15: a second [solver]: write [[solver]] with double brackets",
        ),
        ("instances = [\"*.instance.toml\"]", "[instances]\nfile = 1", "write instances = [...]"),
        ("instances = [\"*.instance.toml\"]", "[[instances]]\nfile = 1", "write instances = [...]"),
        ("\"C1-C4\"", "\"\"", "line 10: formulation \"\" is no name: give text of one line"),
        ("\"C1-C4\"", "\"C1-C4 \"", "line 10: formulation \"C1-C4 \" is no name"),
        ("\"fake\"", "\"fake\"\nlabel = \"a\\u0000b\"", "line 15: solver \"a\\0b\" is no name"),
        ("[\"*.instance.toml\"]", "[\"../\"]", "line 4: \"../\" is a folder; write \"../*.toml\" for its files"),
        ("\"A test\"", "true", "line 3: title is a text, not true"),
        ("\"A test\"", "2020-01-01", "line 3: title is a text, not the date 2020-01-01"),
        ("[\"*.instance.toml\"]", "\"tri.toml\"", "line 4: instances is a list of texts, not the text \"tri.toml\""),
        ("[\"*.instance.toml\"]", "[3.5]", "line 4: instances is a text, not the number 3.5"),
        ("title", "repeats = 0\ntitle", "line 3: repeats is at least 1, not 0"),
        ("title", "repeats = -0x1\ntitle", "line 3: "),
        ("title", "repeats = \"3\"\ntitle", "line 3: repeats is a whole number, not the text \"3\""),
        ("title", "warmup = 1.5\ntitle", "line 3: warmup is a whole number, not the number 1.5"),
        ("\"fake\"", "\"fake\"\nthreads = 5000", "line 15: solver.threads is at most 1024; this is too large"),
        ("\"fake\"", "\"fake\"\nthreads = 0", "line 15: solver.threads is at least 1, not 0"),
        (
            "name = \"C1-C4\"",
            "name = \"C1-C4\"\nobjective = \"nonne\"",
            "line 11: unknown formulation.objective \"nonne\"; did you mean \"none\"?",
        ),
        ("C1 C2 C3 C4", "C1 C2 C3 C44", "line 11: unknown family \"C44\" (did you mean C4?)"),
        (
            "\"fake\"",
            "\"fakke\"",
            "line 14: unknown solver \"fakke\"; did you mean \"fake\"? there is \"fake\", \"gone\"",
        ),
        (
            "[limits]",
            "[report]\ntables = [\"tmies\"]\n[limits]",
            "line 7: unknown report.tables \"tmies\"; did you mean \"times\"?",
        ),
        (
            "[limits]",
            "[report]\nplots = [\"tables\"]\n[limits]",
            "line 7: unknown report.plots \"tables\"; there is \"loops\"",
        ),
        (
            "[limits]",
            "[report]\nbaseline = \"C1-C5\"\n[limits]",
            "line 7: baseline \"C1-C5\" is no formulation, no solver and no \"formulation, solver\" of this config; did you \
             mean \"C1-C4\"? there is \"C1-C4\", \"fake\"",
        ),
        ("[limits]", "[report]\nbaseline = \"C1-C4, fakes\"\n[limits]", "line 7: baseline \"C1-C4, fakes\" is"),
        ("[limits]", "[report]\nbaseline = \"C1-C4, fakes\"\n[limits]", "did you mean \"fake\"?"),
        (
            "[limits]",
            "[report.published]\nfile = \"tri.toml\"\ntable = \"9\"\nlabel = \"x\"\n[limits]",
            "line 8: published figures: no table 9",
        ),
    ] {
        assert!(CONFIG.contains(from), "{from}");
        let mut bench = Bench::with(&CONFIG.replacen(from, to, 1));
        bench.options.vocabulary = Vocabulary {
            tables: vec!["times".to_owned(), "summary".to_owned()],
            plots: vec!["loops".to_owned()],
            check_published: Some(|_, wanted| Err(format!("no table {}", wanted.table))),
            ..Vocabulary::default()
        };
        let found = bench.refusal();
        assert!(found.contains(message), "{message}\n{found}");
    }
}

#[test]
fn all_that_does_not_fit_is_said_at_once_in_the_order_of_the_lines() {
    let message = refusal("title = \"A test\"", "titel = \"A test\"\nseeds = [-1]\nrepeats = true");
    let lines: Vec<&str> = message.lines().collect();
    let expected = ["unknown key `titel`", "seeds is at least 0", "repeats is a whole number"];
    assert_eq!(lines.len(), expected.len(), "{message}");
    for (number, (part, line)) in (3..).zip(expected.into_iter().zip(&lines)) {
        assert!(line.contains(&format!("config.toml, line {number}: {part}")), "{part}: {message}");
    }
}

#[test]
fn a_profile_overrides_and_an_unknown_one_is_refused() {
    let config = format!(
        "{CONFIG}\n[profile.quick]\ntime = \"1s\"\nseeds = [5, 6]\nformulation.C1-C4.instances = [\"other.toml\"]\n\
         [profile.full]\nmemory = \"1GiB\"\n"
    );
    let mut bench = Bench::with(&config);
    bench.write("other.toml", &instance_text("unknown"));
    assert_eq!(bench.only().run(0).limits.time_s, Some(20.0));

    bench.options.profile = Some("quick".into());
    let quick = bench.only();
    assert_eq!(quick.len(), 2);
    assert_eq!(quick.run(0).limits.time_s, Some(1.0));
    assert_eq!(quick.run(0).instance.instance.name, "other");

    bench.write("config.toml", &config.replace("[5, 6]", "[5, 6000]").replace("*.instance.toml", "tri.toml"));
    bench.refused(&["line 18", "seed 6000"]);
    bench.write("config.toml", &config.replace("*.instance.toml", "tri.toml"));

    bench.options.profile = Some("full".into());
    let limits = bench.only().run(0).limits;
    assert_eq!((limits.time_s, limits.memory_b), (Some(20.0), Some(1 << 30)));

    bench.options.profile = Some("fast".into());
    bench.refused(&["fast", "\"full\"", "\"quick\""]);
}

#[test]
fn run_ids_do_not_depend_on_names_and_do_on_everything_else() {
    let id = |from: &str, to: &str| Bench::with(&CONFIG.replacen(from, to, 1)).only().run(0).run_id;
    let base = id("C1-C4", "C1-C4");
    assert_eq!(base.to_string().len(), 16);
    assert_eq!(id("\"C1-C4\"", "\"other\""), base);
    assert_eq!(id("\"fake\"", "\"fake\"\nlabel = \"other\""), base);
    assert_eq!(id("C1 C2 C3 C4", "C4 C3 C2 C1"), base);
    for (from, to) in [
        ("C1 C2 C3 C4", "C1 C2 C3 C4 C5"),
        ("\"C1-C4\"", "\"C1-C4\"\nobjective = \"none\""),
        ("title", "seeds = [2]\ntitle"),
        ("title", "defaults.solver.threads = 2\ntitle"),
        ("20s", "21s"),
        ("\"20s\"", "\"20s\"\nmemory = \"1GiB\""),
        ("\"fake\"", "\"fake\"\noptions = { presolve = \"off\" }"),
        ("\"fake\"", "\"gone\""),
    ] {
        assert_ne!(id(from, to), base, "{to}");
    }
}

#[test]
fn run_ids_do_not_depend_on_what_is_installed() {
    let bench = Bench::with(&CONFIG.replacen("\"fake\"", "\"gone\"", 1));
    let absent = bench.only().run(0).run_id;
    let versions: [runner::Probe; 2] = [|_, _| Ok("1.0".to_owned()), |_, _| Ok("2.0".to_owned())];
    for version in versions {
        let plans = bench.plan_where(version).expect("a sound plan");
        assert_eq!(plans[0].run(0).run_id, absent);
        assert!(plans[0].run(0).solver.available.is_ok());
    }
}

#[test]
fn one_run_under_two_names_is_refused() {
    let message = refusal("\"fake\"", "\"fake\"\n[[solver]]\nname = \"fake\"\nlabel = \"twin\"");
    assert!(message.contains("tri C1-C4 fake seed 1") && message.contains("tri C1-C4 twin seed 1"), "{message}");
}

#[test]
fn filters_keep_what_matches() {
    let mut bench = Bench::new(12);
    bench.filter(&["seed=1*", "instance=t?i"]);
    let mut seeds: Vec<u64> = bench.only().runs().map(|run| run.seed).collect();
    seeds.sort_unstable();
    assert_eq!(seeds, [1, 10, 11, 12]);
    bench.filter(&["seed=2,1[12]"]);
    assert_eq!(bench.only().len(), 3);
    bench.filter(&["seed=1*", "instance=t?i"]);
    assert_eq!(bench.only().asked().len(), 12, "the plan as a whole does not depend on filters");
    bench.options.filters.push("challenge=4".parse().expect("a filter"));
    assert!(bench.refusal().contains("no run passes"));
}

#[test]
fn the_order_is_shuffled_and_repeatable() {
    let seeds = |bench: &Bench| bench.only().runs().map(|run| run.seed).collect::<Vec<_>>();
    let bench = Bench::new(20);
    assert_eq!(seeds(&bench), seeds(&bench));
    assert!(!seeds(&bench).is_sorted());
    let shown = bench.preview();
    assert!(shown.contains("20 runs, 1 at a time: at most about 6 min 40 s"), "{shown}");
    assert!(shown.contains(&bench.only().run(0).run_id.to_string()), "{shown}");
}

#[test]
fn instances_are_matched_once_each() {
    let patterns = r#"["*.instance.toml", "n*.toml", "*ri.toml"]"#;
    let bench = Bench::with(&CONFIG.replacen(r#"["*.instance.toml"]"#, patterns, 1));
    bench.write("n10.toml", &instance_text("solvable").replace("0, 1]", "1, -1]"));
    bench.write("n9.toml", &instance_text("solvable").replace("repeated", "distinct"));
    let mut names: Vec<String> = bench.only().runs().map(|run| run.instance.instance.name.clone()).collect();
    names.sort_unstable();
    assert_eq!(names, ["n10", "n9", "tri"]);
}
