//! `tilebench generate suite`, and the suites of the repository.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use puzzle::{Instance, Known, Puzzle, Solution, verify};

use crate::bench::{Bench, is_shipped, words, workspace};

const LIST: &str = r#"
[[board]]
name = "five"
shape = "round"
challenge = 5
seed = 1
known = "solvable"

[[board]]
name = "line"
shape = "row"
challenge = 3
seed = 1
colour = "yellow"
known = "unsolvable"
"#;

#[test]
fn a_suite_is_made_from_its_list_and_proven() {
    let bench = Bench::new();
    bench.write("suite.toml", LIST);
    let unproven = bench.run(&words("generate suite suite.toml"));
    assert_eq!(unproven.code, 1, "{unproven:?}");
    assert!(unproven.err.contains("no valid solution beside the list for five"), "{unproven:?}");

    bench.run(&words("solve five.toml --solution five.solution.json")).ok();
    let ran = bench.run(&words("generate suite suite.toml --out made")).ok();
    assert!(ran.out.contains("solution verified") && ran.out.contains("known to be unsolvable"), "{ran:?}");
    for name in ["five.toml", "line.toml"] {
        assert_eq!(bench.read(name), bench.read(&format!("made/{name}")));
    }
    let colour = Instance::load(&bench.path("line.toml")).expect("an instance").facts().colour;
    assert_eq!(colour.as_deref(), Some("yellow"));

    // One of them is named as in configs.
    let ran = bench.run(&words("list instances suite.toml")).ok();
    assert!(
        ran.out.lines().any(|row| row.split_whitespace().eq("line tantrix-fixed 3 3 unsolvable".split(' '))),
        "{ran:?}"
    );
    bench.run(&words("verify suite.toml/five five.solution.json")).ok();
    bench.write("some.suite.toml", LIST);
    for (wrong, told) in [
        ("n5", "error: n5: there is no such file; an instance is a file, or one of a suite: NAME.suite.toml/INSTANCE"),
        ("some/five", "error: some/five: there is no such file; did you mean \"some.suite.toml/five\"?"),
        ("suit.toml", "error: suit.toml: there is no such file; did you mean \"suite.toml\"?"),
    ] {
        bench.run(&["solve", wrong]).refused(&[told]);
    }
    bench.run(&words("solve suite.toml/five.toml --picture five.svg")).ok();
    assert_eq!(bench.run(&words("count suite.toml/line")).ok().out.lines().next(), Some("0 solutions of line"));
    bench.run(&words("export suite.toml/line -o line.lp")).ok();
    bench.run(&words("show suite.toml/line -o line.svg")).ok();
    bench.run(&words("solve suite.toml/five --solution suite.toml")).refused(&["suite.toml is the file that is read"]);
    bench.run(&words("solve suite.toml/fife")).refused(&["suite.toml: there is no instance", "did you mean \"five\"?"]);
    bench.run(&words("solve suite.toml")).refused(&["suite.toml: this is a suite of instances", "suite.toml/NAME"]);
    bench.run(&words("run suite.toml")).refused(&["suite.toml, line 1: this is a suite of instances", "new-config"]);
    bench.run(&words("run five.toml")).refused(&["five.toml, line 1: this is an instance", "tilebench solve"]);

    bench.write("five.solution.json", &bench.read("five.solution.json").replace("\"tile\": 5", "\"tile\": 4"));
    assert_eq!(bench.run(&words("generate suite suite.toml")).code, 1, "a solution that is none proves nothing");
    assert!(bench.path("five.solution.json").exists());
    bench.write("suite.toml", &LIST.replace("\"row\"", "\"cube\""));
    bench.run(&words("generate suite suite.toml")).refused(&["suite.toml: line", "cube"]);
}

/// One entry of each kind.
const KINDS: &str = r#"
[[board]]
name = "five"
shape = "round"
challenge = 5
seed = 1
known = "unknown"

[[board]]
name = "on12"
type = "B"
places = 12
challenge = 5
known = "unknown"

[[board]]
name = "on7"
type = "A"
places = 7
numbering = "rows"
challenge = 3
colour = "red"
known = "unsolvable"

[[board]]
name = "plane"
kind = "tantrix-natural"
challenge = 6
known = "unknown"
"#;

#[test]
fn a_list_may_mix_kinds() {
    let bench = Bench::new();
    bench.write("suite.toml", KINDS);
    let ran = bench.run(&words("generate suite suite.toml")).ok();
    assert_eq!(ran.out.lines().count(), 4, "{ran:?}");
    for (name, kind, places, colour) in [
        ("five", "tantrix-fixed", Some(5), "red"),
        ("on12", "tantrix-bounded", Some(12), "red"),
        ("on7", "tantrix-bounded", Some(7), "red"),
        ("plane", "tantrix-natural", None, "blue"),
    ] {
        let instance = Instance::load(&bench.path(&format!("{name}.toml"))).expect("an instance");
        let facts = instance.facts();
        assert_eq!((instance.puzzle.kind(), facts.places, facts.colour.as_deref()), (kind, places, Some(colour)));
    }
    // The list and the command make the same file.
    bench.run(&words("generate bounded --type B --places 12 --challenge 5 -o other.toml")).ok();
    assert_eq!(bench.read("other.toml"), bench.read("on12.toml"));
    bench.run(&words("generate fixed --shape round --challenge 5 --seed 1 --force -o other.toml")).ok();
    assert_eq!(bench.read("other.toml"), bench.read("five.toml"));
}

#[test]
fn bad_lists_are_refused_with_entry_and_key() {
    for (old, new, message) in [
        (
            "type = \"B\"",
            "type = \"C\"",
            "on12: type: unknown board type \"C\"; types: A (around a place), B (around a corner)",
        ),
        ("places = 12", "places = 13", "on12: places: no type B board has 13 places; the nearest have 12 and 27"),
        ("places = 12\n", "", "on12: places: missing, and tantrix-bounded needs it"),
        (
            "type = \"B\"\n",
            "",
            "on12: kind: an entry has shape (a fixed board), type (a bounded board) or kind = \"tantrix-natural\" (no board)",
        ),
        (
            "type = \"B\"",
            "type = \"B\"\nseed = 1",
            "on12: seed: it is for tantrix-fixed, and this is tantrix-bounded; leave it out",
        ),
        (
            "type = \"B\"",
            "type = \"B\"\nshape = \"round\"",
            "on12: type: shape makes this a fixed board, type a bounded one; leave one out",
        ),
        (
            "numbering = \"rows\"",
            "numbering = \"spiral\"",
            "on7: numbering: unknown numbering \"spiral\"; numberings: rings, rows",
        ),
        ("shape = \"round\"", "shape = \"cube\"", "five: shape: unknown shape \"cube\""),
        ("seed = 1\n", "", "five: seed: missing, and tantrix-fixed needs it"),
        (
            "seed = 1",
            "seed = 1\nplaces = 5",
            "five: places: it is for tantrix-bounded, and this is tantrix-fixed; leave it out",
        ),
        (
            "\"tantrix-natural\"",
            "\"tantrix-natural\"\nplaces = 7",
            "plane: places: it is for tantrix-bounded, and this is tantrix-natural; leave it out",
        ),
        (
            "\"tantrix-natural\"",
            "\"tantrix-wild\"",
            "plane: kind: unknown kind \"tantrix-wild\"; known kinds: \"tantrix-fixed\", \"tantrix-bounded\", \"tantrix-natural\"",
        ),
        ("\"tantrix-natural\"", "\"tantrix-bounded\"", "plane: type: missing, and tantrix-bounded needs it"),
        ("\"plane\"", "\"five\"", "five: name: five is on the list already; each instance has a file of its own"),
        ("name = \"plane\"", "nome = \"plane\"", "unknown field `nome`"),
    ] {
        let bench = Bench::new();
        assert!(KINDS.contains(old), "{old}");
        bench.write("suite.toml", &KINDS.replace(old, new));
        bench.run(&words("generate suite suite.toml")).refused(&["error: suite.toml: ", message]);
        assert_eq!(bench.names(), ["row.toml", "suite.toml", "tri.toml"], "{new}: nothing is written");
    }
}

/// Games of 3SoKu beside a board for Tantrix.
const GAMES: &str = r#"
[[board]]
name = "five"
shape = "round"
challenge = 5
seed = 1
known = "unknown"

[[game]]
name = "ico"
call = "random --seed 7 --count 2"

[[game]]
name = "tetra"
call = "shifted --field tetrahedron --greatest 9 --multiple 3"
"#;

#[test]
fn a_list_may_have_games_of_3soku() {
    let bench = Bench::new();
    bench.write("suite.toml", GAMES);
    let ran = bench.run(&words("generate suite suite.toml --out made")).ok();
    let answers: Vec<&str> =
        ran.out.lines().filter_map(|line| line.split_once("  ")).map(|(_, end)| end.trim()).collect();
    let expected = ["5 red     unknown", "20 solution verified", "20 solution verified", "4 known to be unsolvable"];
    assert_eq!(answers, expected, "{ran:?}");
    bench.run(&words("generate soku random --seed 8 -o ico-2.toml")).ok();
    for name in ["ico-2.toml", "ico-2.solution.json"] {
        assert_eq!(bench.read(name), bench.read(&format!("made/{name}")), "the list and the command make the same");
    }
    for (old, new, message) in [
        ("random", "rendom", "ico: call: error: unrecognized subcommand 'rendom'"),
        ("--seed 7", "--seed seven", "ico: call: error: invalid value 'seven'"),
        ("--count 2", "-o elsewhere.toml", "ico: call: error: the argument '--output <OUT.toml>' cannot be used"),
        ("\"tetra\"", "\"ico-1\"", "ico-1: name: ico-1 is on the list already"),
        ("\"tetra\"", "\"five\"", "five: name: five is on the list already"),
        ("tetrahedron", "cube", "field: no field has the name \"cube\""),
        ("name = \"tetra\"\n", "", "missing field `name`"),
    ] {
        assert!(GAMES.contains(old), "{old}");
        bench.write("suite.toml", &GAMES.replace(old, new));
        bench.run(&words("generate suite suite.toml --out other")).refused(&[message]);
    }
    bench.write("suite.toml", "");
    bench.run(&words("generate suite suite.toml")).refused(&["suite.toml: no entries; a list has [[board]] (Tantrix)"]);
}

/// The folders of the repository that hold instances, each with its list.
fn suites() -> Vec<PathBuf> {
    let folders = ["tantrix", "soku"].map(|kind| fs::read_dir(workspace().join("instances").join(kind)));
    let folders = folders.into_iter().flat_map(|folders| folders.expect("the instances"));
    let folders = folders.map(|entry| entry.expect("an entry").path());
    folders.filter(|folder| folder.is_dir() && !files(folder, ".toml").is_empty()).collect()
}

/// Files in a folder whose names end so, without the list.
fn files(folder: &PathBuf, ending: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let names =
        paths.filter(|path| is_shipped(path)).filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    names.filter(|name| name != "suite.toml" && name.ends_with(ending)).collect()
}

#[test]
fn the_instances_of_the_configs_are_those_of_their_lists() {
    assert!(suites().len() >= 10);
    for folder in suites() {
        let (bench, list) = (Bench::new(), folder.join("suite.toml"));
        bench.run(&["generate".as_ref(), "suite".as_ref(), list.as_os_str(), "--out".as_ref(), "made".as_ref()]).ok();
        let made = files(&bench.path("made"), ".toml");
        // Others are drawn by hand, and say who did.
        for name in files(&folder, ".toml").difference(&made) {
            let instance = Instance::load(&folder.join(name)).expect("sound");
            let source = instance.source;
            assert!(!source.is_empty() && !source.starts_with("tilebench generate"), "{name} is on no list");
        }
        // And the solutions of games, which are made with them.
        for name in files(&bench.path("made"), "") {
            let [made, kept] = [bench.path("made"), folder.clone()].map(|f| fs::read(f.join(&name)).expect("a file"));
            assert!(made == kept, "{}", folder.join(&name).display());
        }
    }
}

#[test]
fn the_solutions_of_the_repository_are_valid_and_each_content_has_one_name() {
    let mut contents = HashMap::new();
    for folder in suites() {
        let mut solved = BTreeSet::new();
        for name in files(&folder, ".toml") {
            let instance = Instance::load(&folder.join(&name)).expect("an instance");
            let solution = folder.join(format!("{}.solution.json", instance.name));
            assert_eq!(solution.exists(), instance.known == Known::Solvable, "{}", solution.display());
            if solution.exists() {
                let solution = Solution::load(&solution).expect("a solution");
                assert_eq!(verify(&instance, &solution).violations, [], "{}", instance.name);
                solved.insert(format!("{}.solution.json", instance.name));
            }
            if let Some(other) = contents.insert(instance.canonical(), name.clone()) {
                panic!("{name} is the same as {other}");
            }
        }
        assert_eq!(files(&folder, ".json"), solved, "every solution has its instance");
    }
}

/// Boards of one shape, three of them by their seeds.
const SEEDS: &str = r#"
[[board]]
name = "n7-round"
shape = "round"
challenge = 7
seeds = [1, 2, 4]
known = "unknown"
"#;

const CONFIG: &str = r#"
experiment = "many"
title = "Many boards"
instances = ["SUITE"]

[[formulation]]
name = "search"
kind = "search"

[[solver]]
name = "search"
"#;

/// Instances of the runs that a config with these instances plans.
fn planned(bench: &Bench, instances: &str) -> Vec<String> {
    bench.write("config.toml", &CONFIG.replace("SUITE", instances));
    let ran = bench.run(&words("run config.toml --dry-run")).ok();
    let names =
        ran.out.lines().filter(|line| line.contains(" search ")).filter_map(|line| line.split_whitespace().nth(1));
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn a_config_that_names_a_suite_gets_its_instances_without_files() {
    let bench = Bench::new();
    bench.write("boards.suite.toml", SEEDS);
    let all = ["n7-round-1", "n7-round-2", "n7-round-4"];
    assert_eq!(planned(&bench, "boards.suite.toml"), all);
    assert_eq!(planned(&bench, "*.suite.toml"), all);
    assert_eq!(planned(&bench, "boards.suite.toml/*-[24]"), all[1..]);
    assert_eq!(planned(&bench, "boards.suite.toml/n7-round-2.toml\", \"boards.suite.toml/*2"), all[1..2]);
    assert_eq!(planned(&bench, "tri.toml\", \"boards.suite.toml"), [all.as_slice(), &["tri"]].concat());
    assert!(!bench.path("n7-round-1.toml").exists());

    // What is run is what `generate` writes, byte for byte.
    bench.run(&words("generate suite boards.suite.toml --out made")).ok();
    bench.run(&words("generate fixed --shape round --challenge 7 --seed 4 -o seed.toml")).ok();
    planned(&bench, "boards.suite.toml");
    bench.run(&words("run config.toml --anyway")).ok();
    for name in all {
        assert_eq!(
            bench.read(&format!("results/many/instances/{name}.toml")),
            bench.read(&format!("made/{name}.toml"))
        );
    }
    assert_eq!(bench.read("made/n7-round-4.toml"), bench.read("seed.toml"));
}

#[test]
fn what_is_wrong_with_a_suite_is_said_with_the_line_of_the_config() {
    let hashed = |hash: &str| format!("hash = \"{hash}\"\n{SEEDS}");
    for (list, instances, words) in [
        (SEEDS.to_owned(), "boards.suite.toml/n7-rund-1", &["did you mean \"n7-round-1\"?"][..]),
        (SEEDS.to_owned(), "board.suite.toml/n7*", &["no file matches", "did you mean \"boards.suite.toml\"?"]),
        (SEEDS.replace("[1, 2, 4]", "[]"), "boards.suite.toml", &["n7-round: seeds: an empty list"]),
        (SEEDS.replace("seeds", "seed = 1\nseeds"), "boards.suite.toml", &["n7-round: seeds: there is seed too"]),
        (SEEDS.replace("4]", "2]"), "boards.suite.toml", &["n7-round-2 is on the list already"]),
        (SEEDS.replace("shape", "shap"), "boards.suite.toml", &["boards.suite.toml: line 4", "unknown field `shap`"]),
        (
            hashed("0123456789abcdef"),
            "boards.suite.toml",
            &["hash: the list makes other files", "not 0123456789abcdef"],
        ),
    ] {
        let bench = Bench::new();
        bench.write("boards.suite.toml", &list);
        bench.write("config.toml", &CONFIG.replace("SUITE", instances));
        let ran = bench.run(&crate::bench::words("run config.toml --dry-run"));
        assert!(ran.err.contains("config.toml, line 4: "), "{ran:?}");
        ran.refused(words);
    }
}

/// Solved boards of a size, half of them with places of two neighbours; the same call makes the same list.
#[test]
fn lists_of_boards_are_made_with_a_solver() {
    let bench = Bench::new();
    let call = "generate list fixed --challenge 20 --count 4 -o n20.suite.toml";
    bench.run(&words(call)).ok();
    let text = bench.read("n20.suite.toml");
    assert!(text.contains("solved-by = \"cadical "), "{text}");
    let names = planned(&bench, "n20.suite.toml");
    assert_eq!((names.len(), names.iter().filter(|name| name.contains("-c6-")).count()), (4, 2), "{names:?}");
    bench.run(&words(&format!("{call} --force"))).ok();
    assert_eq!(bench.read("n20.suite.toml"), text);
    bench.run(&words("generate suite n20.suite.toml --out made")).ok();
    for name in names {
        let file = format!("made/{name}.toml");
        assert_eq!(has_two_neighbours(&Instance::load(&bench.path(&file)).expect("sound")), name.contains("-c6-"));
        bench.run(&["solve", file.as_str(), "--solver", "search", "--fail-on", "unsolved"]).ok();
    }

    bench.run(&words("generate list bounded --challenges 8-10 -o some.suite.toml")).ok();
    // On 12 places 10 tiles have no solution.
    assert_eq!(planned(&bench, "some.suite.toml"), ["n10-m19", "n8-m12", "n8-m19", "n9-m12", "n9-m19"]);

    bench.write("other.suite.toml", "other");
    for (call, message) in [
        (
            "generate list bounded --challenges 8-9 -o other.suite.toml",
            "other.suite.toml: there is such a file already",
        ),
        (
            "generate list bounded --challenges 9-8 -o new.suite.toml",
            "the first and the last number, from 3 to 10000, for example 8-40",
        ),
        ("generate list fixed --challenge 20 --count 3 -o new.suite.toml", "count: 3; half of the boards"),
        ("generate list fixed --challenge 20 -o new.toml", "--output new.toml: a list of recipes is called"),
        ("generate list fixed --challenge 20 -o nowhere/x.suite.toml", "there is no folder nowhere"),
        ("generate list fixed --challenge 20 --solver cadicel -o new.suite.toml", "did you mean \"cadical\"?"),
        ("generate list fixed --challenge 2 -o new.suite.toml", "a whole number from 3 to 10000"),
        ("generate list bounded --challenges 3-10001 -o new.suite.toml", "from 3 to 10000"),
    ] {
        bench.run(&words(call)).refused(&[message]);
    }
    bench.run(&words("generate list fixed --challenge 10 --count 3 --corners 3 -o n10.suite.toml")).ok();
    let names = planned(&bench, "n10.suite.toml");
    assert_eq!((names.len(), names.iter().filter(|name| name.contains("-c6-")).count()), (3, 3), "{names:?}");
    bench
        .run(&words("generate list fixed --challenge 10 --count 3 --corners 4 -o new.suite.toml"))
        .refused(&["corners: 4"]);
    let few = bench.run(&words("generate list fixed --challenge 5 --tries 3 -o new.suite.toml"));
    assert!(few.code == 1 && few.err.contains("3 seeds from 1 on gave"), "{few:?}");
    assert!(!bench.path("new.suite.toml").exists());
}

fn has_two_neighbours(instance: &Instance) -> bool {
    let (Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle)) = &instance.puzzle else { return false };
    puzzle.board.numbers().any(|place| puzzle.board.inner_edges(place).count() == 2)
}

#[test]
fn the_suites_of_the_repository_make_what_their_hashes_say() {
    let folder = workspace().join("instances/suites");
    let lists = fs::read_dir(&folder).expect("the suites").map(|entry| entry.expect("an entry").path());
    let lists: Vec<PathBuf> = lists.filter(|path| is_shipped(path)).collect();
    assert!(lists.len() >= 6, "{lists:?}");
    for list in lists {
        let bench = Bench::new();
        bench.run(&["generate".as_ref(), "suite".as_ref(), list.as_os_str(), "--out".as_ref(), "made".as_ref()]).ok();
        let text = fs::read_to_string(&list).expect("a list");
        assert!(text.contains("\nhash = ") && text.contains("\nsolved-by = "), "{}", list.display());
        let made = files(&bench.path("made"), ".toml");
        let made = made.iter().map(|name| Instance::load(&bench.path("made").join(name)).expect("sound"));
        let made: Vec<Instance> = made.collect();
        let name = list.file_name().expect("a file").to_string_lossy();
        let expected = match name.as_ref() {
            // No board of 10 tiles without such places is known to have a solution.
            "fixed-n10.suite.toml" => Some((20, 20)),
            // Chosen by no solver.
            "fixed-n60.suite.toml" => Some((40, 33)),
            _ => name.starts_with("fixed-n").then_some((20, 10)),
        };
        if let Some(expected) = expected {
            let corners = made.iter().filter(|instance| has_two_neighbours(instance)).count();
            assert_eq!((made.len(), corners), expected, "{name}");
        }
        let contents: BTreeSet<String> = made.iter().map(Instance::canonical).collect();
        assert_eq!(contents.len(), made.len(), "{}", list.display());
        assert!(made.iter().all(|instance| instance.obstacle().is_none()));
    }
}
