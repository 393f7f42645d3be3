//! `tilebench generate fixed` and `generate bounded`.

use puzzle::{Instance, Known};

use crate::bench::{Bench, words};

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    let bench = Bench::new();
    for (shape, n) in [("round", 20), ("spur", 20), ("blob", 9), ("row", 4)] {
        for (seed, name) in [(3, "a.toml"), (3, "b.toml"), (4, "c.toml")] {
            let line = format!("generate fixed --shape {shape} --challenge {n} --seed {seed} --force -o {name}");
            assert_eq!(bench.run(&words(&line)).ok().out, format!("{name}\n"));
        }
        assert_eq!(bench.read("a.toml"), bench.read("b.toml"), "{shape}");
        assert_ne!(bench.read("a.toml"), bench.read("c.toml"), "the seed is part of the source");
        let instance = Instance::load(&bench.path("a.toml")).expect("an instance");
        assert_eq!((instance.facts().places, instance.known), (Some(n), Known::Unknown));
        // The file says how to make it again.
        let (_, recipe) = instance.source.split_once("tilebench ").expect("a command");
        let again = format!("{} --force -o again.toml", recipe.split(';').next().expect("a command"));
        bench.run(&words(&again)).ok();
        assert_eq!(bench.read("again.toml"), bench.read("a.toml"));
    }
}

#[test]
fn colour_and_tiles_are_as_asked_for() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 15 --tiles distinct --colour red -o d.toml")).ok();
    let facts = Instance::load(&bench.path("d.toml")).expect("an instance").facts();
    assert_eq!((facts.colour.as_deref(), facts.challenge), (Some("red"), Some(15)));
    assert!(bench.read("d.toml").contains("tiles = \"distinct\""));
}

#[test]
fn bad_recipes_are_refused() {
    let bench = Bench::new();
    for (line, message) in [
        ("--shape cube --challenge 5", "shapes: round, spur, blob, row"),
        ("--shape round --challenge 2", "a whole number from 3 to 10000"),
        ("--shape round --challenge 31 --tiles distinct", "only tiles 1 to 30 are known"),
        ("--shape round --challenge 5 --colour green", "no green line"),
        ("--shape round --challenge 10001", "a whole number from 3 to 10000"),
        ("--shape round --challenge 99999999999999999999", "a whole number from 3 to 10000"),
        ("--shape round --challenge x", "a whole number from 3 to 10000"),
        ("--shape round --challenge 16 --tiles distinct", "colours that all its tiles have: red"),
    ] {
        bench.run(&words(&format!("generate fixed {line} -o x.toml"))).refused(&[message]);
    }
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}

#[test]
fn a_bounded_board_is_made_from_its_type_and_size() {
    let bench = Bench::new();
    for (flags, first, places) in [
        ("--type A --places 19 --challenge 10", "[0, 0],\n    [1, 0],\n    [0, 1],", 19),
        ("--type A --places 19 --challenge 10 --numbering rows", "[-2, 2],\n    [-1, 2],\n    [0, 2],", 19),
        ("--type B --places 27 --challenge 15 --colour blue", "[0, 0],\n    [1, 0],\n    [0, 1],", 27),
        ("--type B --places 12 --challenge 12 --tiles distinct", "[0, 0],\n", 12),
    ] {
        let ran = bench.run(&words(&format!("generate bounded {flags} --force -o a.toml"))).ok();
        assert_eq!(ran.out, "a.toml\n");
        let instance = Instance::load(&bench.path("a.toml")).expect("an instance");
        assert_eq!((instance.puzzle.kind(), instance.facts().places), ("tantrix-bounded", Some(places)));
        assert_eq!(instance.known, Known::Unknown);
        assert!(bench.read("a.toml").contains(&format!("places = [\n    {first}")), "{}", bench.read("a.toml"));
        // The file says how to make it again.
        assert!(instance.source.starts_with(&format!("tilebench generate bounded {flags}; ")), "{}", instance.source);
    }
    for (kind, rings, places) in [("A", 1, 7), ("A", 3, 37), ("B", 1, 3), ("B", 4, 48)] {
        for (size, name) in [(format!("--rings {rings}"), "rings.toml"), (format!("--places {places}"), "places.toml")]
        {
            bench.run(&words(&format!("generate bounded --type {kind} {size} --challenge 3 --force -o {name}"))).ok();
        }
        assert_eq!(bench.read("rings.toml"), bench.read("places.toml"), "{kind} {rings}");
    }
}

#[test]
fn bad_bounded_boards_are_refused() {
    let bench = Bench::new();
    for (line, message) in [
        (
            "--type A --places 20 --challenge 10",
            "error: places: no type A board has 20 places; the nearest have 19 and 37\n",
        ),
        ("--type A --places 3 --challenge 3", "places: type A boards have at least 7 places, not 3"),
        (
            "--type A --places 7 --challenge 10",
            "x.toml: places: 7 places for 10 tiles; a bounded board has at least one",
        ),
        (
            "--type C --places 7 --challenge 3",
            "unknown board type \"C\"; types: A (around a place), B (around a corner)",
        ),
        (
            "--type A --places 7 --challenge 3 --numbering spiral",
            "unknown numbering \"spiral\"; numberings: rings, rows",
        ),
        ("--type A --challenge 3", "--places <M>"),
        ("--type A --places 7 --rings 1 --challenge 3", "cannot be used with"),
        ("--type A --rings 0 --challenge 3", "a whole number from 1 to 10000"),
        ("--type B --rings 58 --challenge 3", "more than the 10000"),
        ("--type A --places 10001 --challenge 3", "a whole number from 1 to 10000"),
        ("--type A --places 7 --challenge 2", "a whole number from 3 to 10000"),
        ("--type A --places 7 --challenge 5 --colour green", "no green line"),
    ] {
        bench.run(&words(&format!("generate bounded {line} -o x.toml"))).refused(&[message]);
    }
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}

#[test]
fn an_instance_is_replaced_on_request_only_and_with_it_a_solution_that_does_not_fit() {
    let bench = Bench::new();
    let five = "generate bounded --type A --places 7 --challenge 5 -o five.toml";
    bench.run(&words(five)).ok();
    bench.run(&words("solve five.toml --solution five.solution.json")).ok();
    let (instance, solution) = (bench.read("five.toml"), bench.read("five.solution.json"));
    let other = "generate bounded --type A --places 19 --challenge 10 -o five.toml";
    for line in [other, "generate soku unsat -o five.toml", "generate soku random -o five.toml"] {
        bench.run(&words(line)).refused(&["five.toml: there is such a file already", "--force"]);
        assert_eq!((bench.read("five.toml"), bench.read("five.solution.json")), (instance.clone(), solution.clone()));
    }
    let ran = bench.run(&words(&format!("{other} --force"))).ok();
    assert!(
        ran.err.contains("five.solution.json") && !bench.names().contains(&"five.solution.json".to_owned()),
        "{ran:?}"
    );
    // What is there already and the same is no reason to stop.
    bench.run(&words(other)).ok();

    // A solution alone may be that of something else too.
    bench.write("new.solution.json", &solution);
    let new = "generate bounded --type B --places 12 --challenge 10 -o new.toml";
    bench.run(&words(new)).refused(&["new.solution.json: this is no solution of the instance"]);
    assert!(!bench.path("new.toml").exists());
    bench.run(&words(&format!("{new} --force"))).ok();
    assert!(!bench.path("new.solution.json").exists());
}

#[test]
fn of_a_batch_or_a_list_nothing_is_written_where_one_is_in_the_way() {
    let bench = Bench::new();
    bench.write("u-3.toml", "mine");
    bench.run(&words("generate soku unsat --count 3 -o u.toml")).refused(&["u-3.toml: there is such a file already"]);
    bench.write(
        "suite.toml",
        "[[board]]\nname = \"a\"\nshape = \"round\"\nchallenge = 5\nseed = 1\nknown = \"unknown\"\n\
         [[board]]\nname = \"u-3\"\nshape = \"round\"\nchallenge = 5\nseed = 1\nknown = \"unknown\"\n",
    );
    bench.run(&words("generate suite suite.toml")).refused(&["u-3.toml: there is such a file already"]);
    assert_eq!(bench.names(), ["row.toml", "suite.toml", "tri.toml", "u-3.toml"]);
    bench.run(&words("generate suite suite.toml --force")).ok();
    bench.run(&words("generate suite suite.toml")).ok();
}
