//! Pictures of scenes.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use puzzle::scene::{Item, Point, Rgb, Scene, Style};
use record::{Category, Status};
use report::{Format, render_svg, svg_to_png};

use crate::fixture::{BASIC, Fixture, has_all};

fn scene() -> Scene {
    let point = |x, y| Point { x, y };
    let dashed = Style { dash: vec![0.2, 0.1], opacity: 0.5, ..Style::line(Rgb(255, 128, 0), 0.1) };
    Scene {
        title: "a <tile> & its \"line\"".to_owned(),
        width: 4.0,
        height: 2.0,
        items: vec![
            Item::Polygon {
                class: "tile",
                points: vec![point(0.0, 0.0), point(2.0, 0.0), point(1.0, 1.5)],
                style: Style::area(Rgb(0, 0, 0), Some((Rgb(1, 2, 3), 0.05))),
            },
            Item::Arc {
                class: "line",
                from: point(0.5, 0.5),
                to: point(1.5, 0.5),
                radius: Some(0.75),
                clockwise: true,
                style: Style::line(Rgb(220, 0, 0), 0.2),
            },
            Item::Arc {
                class: "line",
                from: point(2.0, 1.0),
                to: point(4.0, 1.0),
                radius: None,
                clockwise: false,
                style: Style::line(Rgb(0, 0, 220), 0.2),
            },
            Item::Polyline { class: "cut", points: vec![point(0.0, 2.0), point(4.0, 0.0)], style: dashed },
            Item::Circle {
                class: "hole",
                center: point(3.0, 1.0),
                radius: 0.5,
                style: Style::area(Rgb(9, 9, 9), None),
            },
            Item::Text {
                class: "number",
                at: point(3.0, 1.0),
                size: 0.4,
                text: "<1>".to_owned(),
                bold: true,
                colour: Rgb(255, 255, 255),
            },
        ],
        solid: None,
    }
}

#[test]
fn a_scene_as_svg() {
    let svg = render_svg(&scene());
    has_all(
        &svg,
        &[
            "width=\"640\" height=\"320\" viewBox=\"0 0 160 80\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\"",
            "<title>a &lt;tile&gt; &amp; its &quot;line&quot;</title>",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            "<polygon class=\"tile\" points=\"0,0 80,0 40,60\" fill=\"#000000\" stroke=\"#010203\" stroke-width=\"2\"",
            "d=\"M 20 20 A 30 30 0 0 1 60 20\" fill=\"none\" stroke=\"#dc0000\" stroke-width=\"8\" stroke-linecap=\"round\"",
            "d=\"M 80 40 L 160 40\"",
            "stroke-dasharray=\"8 4\" opacity=\"0.5\"",
            "<circle class=\"hole\" cx=\"120\" cy=\"40\" r=\"20\" fill=\"#090909\"/>",
            "font-size=\"16\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#ffffff\">&lt;1&gt;</text>",
        ],
    );
}

#[test]
fn a_scene_as_png_of_the_width_asked_for() {
    let png = svg_to_png(&render_svg(&scene()), 320).expect("a picture");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
    assert_eq!((number(16), number(20)), (320, 160));
    assert!(png.len() > 1_000, "{} bytes", png.len());
}

#[test]
fn pictures_have_an_alpha_where_something_shows_through() {
    let drawn = |opacity: &str| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\">\
             <rect width=\"4\" height=\"2\" fill=\"#2060c0\" fill-opacity=\"{opacity}\"/></svg>"
        );
        let bytes = svg_to_png(&svg, 4).expect("a picture");
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let colour = reader.next_frame(&mut pixels).expect("an image").color_type;
        (colour, pixels)
    };
    assert_eq!(drawn("1"), (png::ColorType::Rgb, [0x20, 0x60, 0xc0].repeat(8)));
    let (colour, pixels) = drawn("0.6");
    assert_eq!((colour, pixels.len()), (png::ColorType::Rgba, 32));
    for pixel in pixels.chunks(4) {
        // Premultiplied in between, so that colours are rounded.
        let near = pixel.iter().zip([0x20_u8, 0x60, 0xc0, 153]).all(|(found, right)| found.abs_diff(right) <= 1);
        assert!(near, "{pixel:?}");
    }
}

#[test]
fn what_is_no_picture_is_an_error() {
    assert!(svg_to_png("<svg", 100).is_err());
    assert!(svg_to_png(&render_svg(&scene()), 0).is_err());
    assert!(svg_to_png(&render_svg(&scene()), 100_000).is_err());
}

/// A change of a solution file.
type Change<'a> = &'a dyn Fn(&mut serde_json::Value);

/// A report of runs on the board of 3 places, with a solution file for each solve, the first one of a run changed: what its pictures
/// are called, and the page.
fn drawn(mut fixture: Fixture, (run, edit): (&str, Change)) -> (Vec<String>, String) {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix/fixed");
    let files = fixture.files();
    for folder in ["instances", "solutions"] {
        fs::create_dir_all(files.root().join(folder)).expect("created");
    }
    fs::copy(boards.join("n3-round.toml"), files.instance("n3-round")).expect("copied");
    let solution = fs::read_to_string(boards.join("n3-round.solution.json")).expect("a solution");
    for row in &fixture.iterations {
        fs::write(files.solution(&row.run_id, row.solve.iteration), &solution).expect("written");
    }
    let mut changed = serde_json::from_str(&solution).expect("json");
    edit(&mut changed);
    fs::write(files.solution(run, 0), changed.to_string()).expect("written");
    let out = fixture.report(&[Format::Md]);
    let written = fs::read_dir(out.path()).expect("readable").map(|entry| entry.expect("an entry").file_name());
    let name = |name: String| Some(name.strip_prefix("boards-n3-round-")?.strip_suffix(".svg")?.to_owned());
    let mut names: Vec<String> = written.filter_map(|file| name(file.into_string().ok()?)).collect();
    // In the order of the page.
    let text = fs::read_to_string(out.path().join("boards.md")).expect("a page");
    names.sort_by_key(|name| text.find(&format!("boards-n3-round-{name}.svg")));
    (names, text)
}

/// One run with that solution file: whether there is a picture, and the page.
fn report_with(change: Change, cuts: u64) -> (String, bool) {
    let mut fixture = Fixture::new("boards");
    fixture.run("n3-round", BASIC, "highs", 0).named("0123").solves(&[(1.0, 1)]);
    fixture.iterations[0].solve.cuts_added = cuts;
    let (names, text) = drawn(fixture, ("0123", change));
    (text, !names.is_empty())
}

#[test]
fn a_bad_solution_file_is_a_warning() {
    let (text, drawn) = report_with(&|_| {}, 0);
    assert!(drawn && !text.contains("Warning"), "{text}");
    let (text, drawn) = report_with(&|s| s["cuts"] = serde_json::json!([[[1, 2], [1, 6]]]), 1);
    assert!(drawn && !text.contains("Warning"), "{text}");

    let cut = "a cut crosses edge";
    let cases: [(Change, u64, &str); 7] = [
        (&|s| s["cuts"] = serde_json::json!([[[99, 1]]]), 1, cut),
        (&|s| s["cuts"] = serde_json::json!([[[0, 1]]]), 1, cut),
        (&|s| s["cuts"] = serde_json::json!([[[1, 0]]]), 1, cut),
        (&|s| s["cuts"] = serde_json::json!([[[1, 7]]]), 1, cut),
        (&|s| s["placements"][0]["place"] = 99.into(), 1, "range"),
        (&|s| s["instance"] = "n5".into(), 1, "instance"),
        (&|s| s["placements"][0]["orientation"] = 7.into(), 0, "range"),
    ];
    for (change, cuts, expected) in cases {
        let (text, drawn) = report_with(change, cuts);
        let warning = text.lines().find(|l| l.contains("no picture of n3-round")).unwrap_or_default();
        assert!(!drawn && warning.contains(expected) && warning.contains("0123.0.json"), "{warning}\n{text}");
    }
    let (text, drawn) = report_with(&|s| *s = "nothing".into(), 0);
    assert!(!drawn && text.contains("no picture of n3-round"), "{text}");
}

/// The pictures of two runs whose rows are changed, and the page.
fn pictures_of(change: impl Fn(&mut Fixture)) -> (Vec<String>, String) {
    pictures_with(change, ("0123", &|_| ()))
}

/// The same, with the first solution file of a run changed.
fn pictures_with(change: impl Fn(&mut Fixture), edit: (&str, Change)) -> (Vec<String>, String) {
    let mut fixture = Fixture::new("boards");
    fixture.run("n3-round", BASIC, "highs", 0).named("0123").solves(&[(2.0, 2), (1.0, 1)]);
    fixture.run("n3-round", BASIC, "cbc", 0).named("4567").solves(&[(1.0, 1)]);
    fixture.iterations[0].solve.cuts_added = 1;
    change(&mut fixture);
    drawn(fixture, edit)
}

#[test]
fn what_the_next_solve_forbids_is_shown_and_said() {
    let (names, text) = pictures_of(|_| {});
    assert_eq!(names, ["subloops", "solution"]);
    assert!(text.contains("2 loops, each with tiles of one shade; the next solve forbids the loops"), "{text}");

    let show = |f: &mut Fixture, holes, loops, subloops: &str, treatment: &str| {
        (f.iterations[0].solve.holes, f.iterations[0].solve.loops) = (Some(holes), Some(loops));
        (f.runs[0].subloops, f.runs[0].hole_treatment) = (subloops.to_owned(), treatment.to_owned());
    };
    let (names, text) = pictures_of(|f| show(f, 2, 1, "report", "resolve"));
    assert_eq!(names, ["holes", "solution"]);
    let caption = "iteration 0 of highs under basic: 2 holes, marked; the next solve forbids the holes";
    assert!(text.contains(caption), "{text}");

    let (_, text) = pictures_of(|f| show(f, 2, 1, "lazy:each", "resolve"));
    assert!(text.contains("2 holes, marked; from here on the solver forbids the holes"), "{text}");

    // Only what the formulation resolves is forbidden.
    let shades = "3 loops, each with tiles of one shade, and 1 hole, marked; the next solve forbids";
    for (subloops, treatment, name, what) in [
        ("resolve:each", "resolve", "subloops", "the loops and the holes"),
        ("resolve:each", "report", "subloops", "the loops"),
        ("report", "resolve", "holes", "the holes"),
    ] {
        let (names, text) = pictures_of(|f| show(f, 1, 3, subloops, treatment));
        assert_eq!(names, [name, "solution"]);
        let (_, said) = text.split_once(shades).unwrap_or_else(|| panic!("{text}"));
        assert!(said.trim_start().starts_with(what) && !said.starts_with(&format!(" {what} and")), "{text}");
    }

    // Cuts of subloops are drawn; those of holes are not.
    let cut: Change = &|s| s["cuts"] = serde_json::json!([[[1, 2], [1, 6]]]);
    let (_, text) = pictures_with(|f| f.iterations[0].solve.cuts_added = 2, ("0123", cut));
    let caption =
        "2 loops, each with tiles of one shade, and in orange 1 cut between the loops; the next solve forbids";
    assert!(text.contains(caption), "{text}");
}

#[test]
fn answers_whose_flaws_are_only_reported_are_shown() {
    let report = |f: &mut Fixture, run: usize, iteration: usize, holes, loops| {
        f.runs[run].category = Category::Unknown;
        (f.iterations[iteration].solve.holes, f.iterations[iteration].solve.loops) = (Some(holes), Some(loops));
    };
    let (names, text) = pictures_of(|f| report(f, 1, 2, 2, 1));
    assert_eq!(names, ["subloops", "reported", "solution"]);
    assert!(text.contains("the answer of cbc under basic, which only reports them: 2 holes, marked"), "{text}");

    // One picture for each instance: the one with more to see.
    let (names, text) = pictures_of(|f| {
        report(f, 0, 1, 1, 2);
        report(f, 1, 2, 0, 2);
    });
    assert_eq!(names, ["subloops", "reported"]);
    let caption =
        "highs under basic, which only reports them: 2 loops, each with tiles of one shade, and 1 hole, marked";
    assert!(text.contains(caption), "{text}");

    // Nothing to report, or no answer.
    let (names, _) = pictures_of(|f| report(f, 1, 2, 0, 1));
    assert_eq!(names, ["subloops", "solution"]);
    let (names, _) = pictures_of(|f| {
        report(f, 1, 2, 2, 1);
        f.runs[1].status = Status::Timeout;
    });
    assert_eq!(names, ["subloops", "solution"]);

    // Another rule than those that are reported on is broken.
    let turn: Change = &|s| {
        let orientation = s["placements"][0]["orientation"].as_u64().expect("a number");
        s["placements"][0]["orientation"] = (orientation % 6 + 1).into();
    };
    let (names, text) = pictures_with(|f| report(f, 1, 2, 2, 1), ("4567", turn));
    assert_eq!(names, ["subloops", "solution"]);
    assert!(text.contains("no picture of n3-round: solution file 4567.0.json: matching"), "{text}");
}
