//! `tilebench show`.

use std::fs;

use crate::bench::{Bench, words};

#[test]
fn instances_and_solutions_are_drawn() {
    let bench = Bench::new();
    bench.run(&words("solve tri.toml --solution tri.json")).ok();
    // Places; whether there are tiles; whether there is a line of the designated colour.
    let drawn = |name: &str| {
        let svg = bench.read(name);
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        (
            svg.matches("class=\"place\"").count(),
            svg.contains("class=\"tile-number\""),
            svg.contains("class=\"designated\""),
        )
    };
    assert_eq!(bench.run(&words("show tri.toml -o board.svg")).ok().out, "board.svg\n");
    bench.run(&words("show tri.json -o solved.svg")).ok();
    assert_eq!(drawn("board.svg"), (3, false, false));
    assert_eq!(drawn("solved.svg"), (3, true, true));
    bench.run(&words("show tri.json --instance tri.toml -o again.svg")).ok();
    assert_eq!(bench.read("solved.svg"), bench.read("again.svg"));
}

#[test]
fn a_png_has_the_width_that_was_asked_for() {
    let bench = Bench::new();
    bench.run(&words("show tri.toml -o tri.png --width 321")).ok();
    let png = fs::read(bench.path("tri.png")).expect("the picture");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..20], 321u32.to_be_bytes(), "the width stands in the header");
    bench.run(&words("show tri.toml -o wide.png --width 99999")).refused(&["99999", "from 16 to 16384"]);
}

#[test]
fn a_pdf_is_a_page() {
    let bench = Bench::new();
    bench.run(&words("show tri.toml -o tri.pdf")).ok();
    let pdf = fs::read(bench.path("tri.pdf")).expect("the picture");
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bench = Bench::new();
    bench.run(&words("show tri.toml -o tri.gif")).refused(&["tri.gif: a picture's name ends in .svg, .png or .pdf"]);
    // Cuts that lie nowhere are left out.
    bench.write("odd.json", r#"{"instance": "tri", "placements": [], "cuts": [[[0, 9], [1, 0], [99, 1]]]}"#);
    bench.run(&words("show odd.json -o odd.svg")).ok();
    for name in ["odd.json", "odd.svg"] {
        fs::remove_file(bench.path(name)).expect("there");
    }
    bench.write("lost.json", "{\"instance\": \"nowhere\", \"placements\": []}");
    bench
        .run(&words("show lost.json -o lost.svg"))
        .refused(&["its instance nowhere.toml", "tilebench show INSTANCE lost.json"]);
    assert_eq!(bench.names(), ["lost.json", "row.toml", "tri.toml"]);
}

#[test]
fn solutions_of_3soku_are_tables_and_instructions_too() {
    let bench = Bench::new();
    bench.write(
        "small.toml",
        "kind = \"soku\"\nfaces = [[\"A\", \"B\", \"C\"], [\"A\", \"C\", \"B\"]]\ntiles = [[0, 1, 2], [0, 0, 3]]\n\
         capacity = {A = 3, B = 1, C = 2}\n",
    );
    let placements = r#"[{"face": 1, "tile": 1, "rotation": 0}, {"face": 2, "tile": 2, "rotation": 1}]"#;
    bench.write("small.json", &format!("{{\"instance\": \"small\", \"placements\": {placements}}}"));
    bench.run(&words("show small.json -o small.txt")).ok();
    let instructions = "Put tile (0 1 2) on face (A, B, C).\nPut tile (3 0 0) on face (A, C, B).\n";
    assert_eq!(bench.read("small.txt"), instructions);
    bench.run(&words("show small.json -o small.tex")).ok();
    let tables = bench.read("small.tex");
    assert!(
        tables.contains("A & B & C\\\\\n\\midrule\n0 & 1 & 2\\\\") && tables.contains("\\end{document}"),
        "{tables}"
    );
    let shown = bench.run(&words("show small.toml -o small.txt")).ok();
    assert!(bench.read("small.txt").starts_with("Vertex A has capacity 3.\n"));
    assert!(!shown.err.contains("note"), "{shown:?}");
    let turned =
        "kind='soku'\nfaces=[['A','B','C'],['B','C','D']]\ncapacity={A=1,B=0,C=0,D=1}\ntiles=[[0,0,1],[0,0,1]]\n";
    bench.write("turned.toml", turned);
    let shown = bench.run(&words("show turned.toml -o turned.txt")).ok();
    assert!(shown.err.contains("note: faces 1 and 2 both go from B to C"), "{shown:?}");
    bench.run(&words("show small.json -o small.svg")).ok();
    assert_eq!(bench.read("small.svg").matches("class=\"tile\"").count(), 2);
    for name in ["tri.tex", "tri.txt"] {
        let refused = ["puzzles of kind tantrix-fixed are shown as pictures only", ".svg, .png or .pdf"];
        bench.run(&["show", "tri.toml", "-o", name]).refused(&[name, refused[0], refused[1]]);
        bench.run(&["solve", "tri.toml", "--picture", name]).refused(&[name, refused[0]]);
    }
}

#[test]
fn an_instance_and_a_solution_are_drawn_in_either_order_and_the_instance_is_found() {
    let bench = Bench::new();
    bench.run(&words("solve tri.toml --solution tri.json")).ok();
    bench.run(&words("show tri.json -o beside.svg")).ok();
    for folder in ["instances", "instances/deep", "instances/other", "out"] {
        fs::create_dir(bench.path(folder)).expect("a folder");
    }
    fs::rename(bench.path("tri.toml"), bench.path("instances/deep/tri.toml")).expect("moved");
    fs::rename(bench.path("tri.json"), bench.path("out/tri.json")).expect("moved");
    for line in [
        "show out/tri.json",
        "show instances/deep/tri.toml out/tri.json",
        "show out/tri.json instances/deep/tri.toml",
        "show out/tri.json --instance instances/deep/tri.toml",
    ] {
        bench.run(&words(&format!("{line} -o again.svg"))).ok();
        assert_eq!(bench.read("again.svg"), bench.read("beside.svg"), "{line}");
    }
    fs::copy(bench.path("instances/deep/tri.toml"), bench.path("instances/other/tri.toml")).expect("a copy");
    bench
        .run(&words("show out/tri.json -o again.svg"))
        .refused(&["instances/deep/tri.toml or instances/other/tri.toml"]);
    bench.run(&words("show out/tri.json out/tri.json -o x.svg")).refused(&["both solutions"]);
}
