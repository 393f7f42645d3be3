//! `tilebench export`: the structure of the files; what solvers make of them is not asked here.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::bench::{Bench, TETRAHEDRON, TRIANGLE, leave_out, words};

/// Families with every kind of row: equations, one side, two sides.
const FAMILIES: &str = "C1 C2' C3 C4";

/// Rows of the triangle under them: C1 3, C2' 3, y 18, C3 12, C4 3.
const ROWS: usize = 39;

/// A triangle and a place beside it.
const PLACES: &str = "[[0, 0], [1, 0], [0, 1], [1, 1]]";

/// Exports the triangle.
fn exported(name: &str) -> String {
    let bench = Bench::new();
    let ran = bench.run(&["export", "tri.toml", "--families", FAMILIES, "-o", name]).ok();
    assert!(ran.out.starts_with(&format!("{name}: 72 variables, {ROWS} rows, ")), "{ran:?}");
    bench.read(name)
}

#[test]
fn lp_files_have_their_sections_and_rows() {
    let text = exported("tri.lp");
    let comments: Vec<&str> = text.lines().take_while(|line| line.starts_with("\\ ")).collect();
    assert!(comments[0].starts_with("\\ tri: C1 C2' C3 C4 (") && comments.len() == 3, "{comments:?}");
    let text: String = text.split_inclusive('\n').skip(comments.len()).collect();
    let sections: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).filter(|l| !l.is_empty()).collect();
    assert_eq!(sections, ["Minimize", "Subject To", "Bounds", "Generals", "Binaries", "End"]);
    let section = |from: &str, to: &str| {
        let from = text.find(&format!("{from}\n")).expect("there") + from.len() + 1;
        &text[from..text.find(&format!("{to}\n")).expect("there")]
    };
    assert_eq!(section("Minimize", "Subject To"), " obj:\n + 1 x_1_1_1\n");
    let rows: Vec<&str> = section("Subject To", "Bounds").lines().filter_map(|l| l.trim().strip_suffix(':')).collect();
    // C3 has two sides, each a row of its own.
    assert_eq!(rows.len(), ROWS + 12);
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "names differ");
    assert_eq!(section("Subject To", "Bounds").lines().filter(|l| l.contains(" = ")).count(), 3 + 3 + 18 + 3);
    assert_eq!(section("Bounds", "Generals").lines().filter(|l| l.starts_with(" 1 <= y_")).count(), 18);
    assert_eq!(section("Binaries", "End").lines().count(), 54);
    assert!(text.lines().all(|line| line.len() <= 510), "the format allows 510 characters a line");
}

#[test]
fn comments_say_what_every_variable_is() {
    let bench = Bench::new();
    let room = bench.read("tri.toml").replace("tantrix-fixed", "tantrix-bounded");
    bench.write("room.toml", &room.replace("places = [", "places = [[2, 0], "));
    for (instance, families) in [
        ("tri.toml", "C1 C2 C2o C3 C4 C4e SCF C5 C6"),
        ("tri.toml", "C1 C2' C4c MCF MTZ"),
        ("room.toml", "B1 B2 B3 B4 B5 B4+B5 C5"),
        ("room.toml", "B1 B3 B45c B6"),
    ] {
        bench.run(&["export", instance, "--families", families, "-o", "x.lp"]).ok();
        let text = bench.read("x.lp");
        let (comments, rows) = text.split_once("Minimize").expect("sections");
        let names = rows.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.contains('_'));
        let letters: BTreeSet<&str> = names.filter_map(|name| name.split('_').next()).collect();
        assert!(letters.len() > 2, "{families}: {letters:?}");
        // Names of rows begin with a capital.
        for letter in letters.iter().filter(|letter| letter.starts_with(|c: char| c.is_ascii_lowercase())) {
            assert!(comments.contains(&format!(" {letter}_")), "{letter} of {families}: {comments}");
        }
    }
}

#[test]
fn mps_files_have_their_sections_and_rows() {
    let text = exported("tri.mps");
    let sections: Vec<&str> = text.lines().filter(|line| !line.starts_with([' ', '*'])).collect();
    assert_eq!(sections, ["NAME tri", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"]);
    let section = |from: &str, to: &str| -> Vec<Vec<&str>> {
        let lines = text.lines().skip_while(move |line| *line != from).skip(1);
        lines.take_while(move |line| *line != to).map(|line| line.split_whitespace().collect()).collect()
    };
    let rows = section("ROWS", "COLUMNS");
    assert_eq!(rows.len(), ROWS + 1);
    assert_eq!(rows[0], ["N", "obj"]);
    let named: BTreeSet<&str> = rows.iter().map(|row| row[1]).collect();
    let entries = section("COLUMNS", "RHS");
    assert!(entries.iter().all(|e| e[0] == "MARKER" || (e.len() == 3 && named.contains(e[1]))));
    let columns: BTreeSet<&str> = entries.iter().map(|e| e[0]).filter(|name| *name != "MARKER").collect();
    assert_eq!(columns.len(), 72);
    assert_eq!(section("RHS", "RANGES").len(), 3 + 3 + 12);
    assert_eq!(section("RANGES", "BOUNDS").len(), 12);
    assert_eq!(section("BOUNDS", "ENDATA").iter().filter(|bound| bound[0] == "BV").count(), 54);
}

#[test]
fn files_say_which_tiles_their_numbers_are() {
    let bench = Bench::new();
    bench.copy("tantrix/fixed/n15-round.toml", "n15.toml");
    for (families, is_noted) in [("C1 C2 C4c", true), ("C1 C2' C4c", false)] {
        bench.run(&["export", "n15.toml", "--families", families, "-o", "n15.mps"]).ok();
        let text = bench.read("n15.mps");
        assert_eq!(text.contains("\n* tile i is tile (i - 1) mod 10 + 1 of solution files\n"), is_noted, "{text}");
    }
}

#[test]
fn equal_models_give_equal_files() {
    assert_eq!(exported("a.lp"), exported("a.lp"));
}

#[test]
fn other_endings_are_refused() {
    let bench = Bench::new();
    for name in ["tri.txt", "tri", "lp"] {
        bench.run(&["export", "tri.toml", "-o", name]).refused(&[name, "ends in .lp or .mps"]);
    }
    bench.run(&words("export tri.toml -o nowhere/tri.lp")).refused(&["nowhere/tri.lp: there is no folder nowhere"]);
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}

#[test]
fn what_is_not_in_the_file_is_said() {
    let bench = Bench::new();
    for (families, note) in [
        ("C1 C2' C4c", "may have several designated loops"),
        ("C1 C2' C4c C5x", "are not in this file"),
        ("C1 C2 C2o C4c", "of solutions that are the same but for equal tiles, C2o keeps one"),
        (
            "C1 C2' C4e MTZ",
            "e_j_l_colour: edge l of place j and the edge beyond it show the colour; a_j_l: the loop leaves",
        ),
    ] {
        let ran = bench.run(&["export", "tri.toml", "--families", families, "-o", "x.mps"]).ok();
        let text = bench.read("x.mps");
        assert!(text.contains(note) && (note.starts_with("e_") || ran.out.contains(note)), "{ran:?}");
    }
    // Nothing is said of variables that the model does not have.
    assert!(!bench.read("x.mps").contains("y_j_l"));
    let board = format!("kind = \"tantrix-bounded\"\nchallenge = 3\ntiles = \"repeated\"\nplaces = {PLACES}\n");
    bench.write("bounded.toml", &board);
    let families = "B1 B3 B45c B6''";
    let note = "without solutions ruled out by B6'': infeasible says nothing of the puzzle";
    let ran = bench.run(&["export", "bounded.toml", "--families", families, "-o", "b.lp"]).ok();
    assert!(ran.out.contains(note) && bench.read("b.lp").contains(note), "{ran:?}");
}

#[test]
fn clauses_are_written_as_dimacs() {
    let bench = Bench::new();
    let ran = bench.run(&words("export tri.toml -o tri.cnf")).ok();
    let text = bench.read("tri.cnf");
    let header = text.lines().find_map(|line| line.strip_prefix("p cnf ")?.split_once(' ')).expect("a header");
    let size = format!("tri.cnf: {} variables, {} clauses, ", header.0, header.1);
    assert!(ran.out.starts_with(&size) && ran.out.contains("the clauses that cut off subloops"), "{ran:?}");
    assert!(text.starts_with("c tri: cardinality=totalizer short-loops="), "{}", text.lines().next().expect("a line"));
    let other = bench.run(&words("export tri.toml --cardinality adder --short-loops 0 -o other.cnf")).ok();
    assert_ne!(other.out.lines().next(), ran.out.lines().next());
    bench.run(&words("export tri.toml --kind sat -o tri.lp")).refused(&["a model of kind sat", "ends in .cnf"]);
    bench
        .run(&words("export tri.toml --formulation colour -o x.cnf"))
        .refused(&["a model of kind mip", ".lp or .mps or .opb"]);
    bench.run(&words("export tri.toml -o tri.sat")).refused(&["ends in .lp or .mps or .opb or .cnf"]);
}

#[test]
fn models_of_3soku_are_written_in_its_own_words() {
    let bench = Bench::new();
    bench.write("tetra.toml", TETRAHEDRON);
    let sorts = "x_s_f_r: a tile of sort s lies on face f and shows the least triple of its sort in rotation r";
    let lp = bench.run(&words("export tetra.toml -o tetra.lp")).ok();
    let text = bench.read("tetra.lp");
    assert!(lp.out.contains("note: solutions of the model are those of the puzzle"), "{lp:?}");
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("\\ ")).collect();
    assert!(head[0].starts_with("\\ tetra: S1 S2' S3 (") && head[1].ends_with(sorts), "{head:?}");
    assert_eq!(head[2], "\\ sort 1: 0 0 1, tiles 1 2");
    let cnf = bench.run(&words("export tetra.toml -o tetra.cnf")).ok();
    let text = bench.read("tetra.cnf");
    assert!(text.contains(&format!("c {sorts}\nc sort 1: 0 0 1, tiles 1 2\n")), "{cnf:?}");
    assert!(text.contains("c x_1_1_0 to x_1_1_2 = 1 to 3\n"), "{text}");
    let ran = bench.run(&words("export tetra.toml --objective random --seed 3 -o random.opb")).ok();
    assert!(ran.out.contains("note: the random objective is that of seed 3"), "{ran:?}");
    bench.run(&["export", "tetra.toml", "--formulation", "soku-distinct", "-o", "tetra.mps"]).ok();
    let text = bench.read("tetra.mps");
    assert!(
        text.contains("* x_t_f_r: tile t lies on face f in rotation r") && text.contains("S4 and S5 keep one"),
        "{text}"
    );
}

#[test]
fn programs_are_written_whole() {
    let bench = Bench::new();
    let game = "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 1, B = 2, C = 3, D = 4 }\n\
                tiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n";
    bench.write("game.toml", game);
    let minizinc = bench.run(&words("export game.toml -o game.mzn")).ok();
    assert!(minizinc.out.contains(" lines, which minizinc solves\nnote: solutions of the model are"), "{minizinc:?}");
    let text = bench.read("game.mzn");
    assert!(text.starts_with("% game: strategy=solver symmetry-breaking=true ("), "{text}");
    assert!(text.contains("\nsolve satisfy;\n") && text.contains("\ncapacity = [1, 2, 3, 4];\n"), "{text}");
    bench.run(&words("export game.toml --symmetry-breaking false -o game.asp")).ok();
    let text = bench.read("game.asp");
    assert!(text.starts_with("% game: symmetry-breaking=false (") && !text.contains("free(T)"), "{text}");
    assert!(text.contains("\ncapacity(4, 4).\n"), "{text}");
    bench.run(&words("export game.toml --kind asp -o game.lp")).refused(&["a model of kind asp", "ends in .asp"]);
    bench.run(&words("export tri.toml -o tri.mzn --strategy first-fail")).ok();
    let text = bench.read("tri.mzn");
    assert!(text.starts_with("% tri: strategy=first-fail (") && text.contains("circuit(next)"), "{text}");
    assert!(text.contains(":: int_search(lying, first_fail, indomain_min) satisfy;\n"), "{text}");
    bench.run(&words("export tri.toml -o tri.asp --subloops report")).ok();
    let text = bench.read("tri.asp");
    assert!(
        text.starts_with("% tri: none (") && !text.contains("reached(") && text.contains("\nnumber(3, 1).\n"),
        "{text}"
    );
    assert!(text.contains("\n% solutions may have several designated loops\n"), "{text}");
    bench
        .run(&words("export tri.toml -o x.mzn --one-variable true"))
        .refused(&["one-variable is for soku, and this is tantrix-fixed", "leave it out"]);
    bench.run(&words("export tri.toml -o x.asp --holes resolve")).refused(&["no room for holes"]);
}

#[test]
fn pseudo_boolean_solvers_find_the_solutions() {
    let bench = Bench::new();
    bench.write("tetra.toml", TETRAHEDRON);
    for way in ["fix-and-optimise", "loop-first", "places-first"] {
        let refused = bench.run(&words(&format!("export tri.toml --objective none --{way} true -o x.lp")));
        refused.refused(&[&format!("--{way}"), "a file holds the model alone"]);
    }
    bench.run(&["export", "tri.toml", "--families", FAMILIES, "-o", "tri.opb"]).refused(&["y_1_1 is a whole number"]);
    for name in ["tri", "tetra"] {
        bench.run(&words(&format!("export {name}.toml --objective none -o {name}.opb"))).ok();
        let counted = bench.run(&words(&format!("count {name}.toml"))).ok();
        let solutions = counted.out.split_whitespace().find_map(|word| word.parse::<u64>().ok()).expect("a number");
        // clasp, which reads OPB, is a part of clingo.
        let file = bench.path(&format!("{name}.opb"));
        let Ok(clasp) = Command::new("clingo").args(["--mode=clasp", "0"]).arg(file).output() else {
            leave_out("clingo", "apt-get install gringo");
            return;
        };
        let text = String::from_utf8_lossy(&clasp.stdout).into_owned();
        let models = text.lines().find_map(|line| line.strip_prefix("c Models         : ")).expect("a count");
        assert_eq!(models.parse(), Ok(solutions), "{name}: {text}");
    }
}

#[test]
fn a_suite_is_written_with_an_index_and_checksums() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("set/games")).expect("a folder");
    bench.write("set/tri.toml", TRIANGLE);
    bench.write("set/games/tetra.toml", &TETRAHEDRON.replace("\"solvable\"", "\"unsolvable\""));
    bench.write("set/none.toml", &TRIANGLE.replace("\"solvable\"", "\"unsolvable\""));
    bench.write("set/suite.toml", "is no instance");
    let ran = bench.run(&words("export --suite set -o out")).ok();
    assert_eq!(ran.out, "out/index.csv: 18 files of 3 instances\n", "{ran:?}");
    let sums = Command::new("sha256sum").args(["--strict", "-c", "SHA256SUMS"]).current_dir(bench.path("out")).output();
    let sums = String::from_utf8(sums.expect("coreutils").stdout).expect("text");
    assert_eq!(sums.lines().filter(|line| line.ends_with(": OK")).count(), 19, "{sums}");
    let index = bench.read("out/index.csv");
    let mut lines = index.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a header");
    let rows: Vec<_> = lines.collect();
    let column = |name: &str| head.iter().position(|found| *found == name).expect(name);
    let of = |name: &str, format: &str, wanted: &str| {
        let row = rows.iter().find(|row| row[column("instance")] == name && row[column("format")] == format);
        row.map(|row| row[column(wanted)].to_owned())
    };
    assert_eq!(of("tri", "opb", "expected").as_deref(), Some("sat"));
    assert_eq!(of("tetra", "asp", "expected").as_deref(), Some("unsat"));
    // A linear model of a board has no cuts; a program is whole.
    for (format, expected) in [("lp", ""), ("cnf", ""), ("mzn", "unsat"), ("asp", "unsat")] {
        assert_eq!(of("none", format, "expected").as_deref(), Some(expected), "{format}");
    }
    for format in ["lp", "mps", "opb", "cnf"] {
        let (file, sum) = (of("tri", format, "file").expect("written"), of("tri", format, "sha256").expect("a sum"));
        assert!(bench.read("out/SHA256SUMS").contains(&format!("{sum}  {file}\n")), "{file}");
        // The same as one file alone, and of the size that the index says.
        let alone = bench.run(&["export", "tri.toml", "-o", &format!("alone.{format}")]).ok();
        assert_eq!(bench.read(&format!("alone.{format}")), bench.read(&format!("out/{file}")));
        let size = format!(
            "{} variables, {} ",
            of("tri", format, "variables").expect("a size"),
            of("tri", format, "constraints").expect("a size")
        );
        assert!(alone.out.contains(&size), "{alone:?}");
    }
    bench.run(&words("export --suite set -o out")).refused(&["out exists and is not an empty folder"]);
    bench.run(&words("export --suite set --to bmf -o other")).refused(&["the formats of models are lp, mps, opb, cnf"]);
    bench.run(&words("export --suite set/games --families C1 --to opb -o other")).refused(&["none of these instances"]);
    assert!(!bench.path("other").exists());
    assert_eq!(bench.run(&words("export -o out.lp")).code, 2);
}
