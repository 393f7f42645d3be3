//! IcoSoKu in the sheet of a run: flat, folded up into a solid, turned.

use std::collections::BTreeSet;
use std::fs;

use puzzle::soku::{ICOSAHEDRON, named};
use record::{Appender, IterationRow, ResultsDir};
use serde_json::{Value, json};

use super::chromium::Chromium;
use super::{READY, address, is_clean, ran, report};
use crate::bench::Bench;

const CONFIG: &str = r#"
experiment = "page"
title = "Games to fold and others"
instances = ["ico.toml", "strip.toml", "tri.toml"]

[limits]
time = "60s"

[[formulation]]
name = "search"
kind = "search"

[[solver]]
name = "search"
"#;

/// A game on the icosahedron, one with as many faces and vertices, and a board of Tantrix, with a report of their runs. That on the
/// icosahedron has two iterations, of which the first laid a single tile.
fn reported() -> (Bench, Vec<String>) {
    let instances = [("soku/icosoku/ico-001.toml", "ico.toml"), ("soku/fields/bipyramid-f20-1.toml", "strip.toml")];
    let bench = ran(CONFIG, &instances);
    let files = ResultsDir::new(bench.path("out/page"));
    let rows = files.read_runs().expect("rows");
    let runs = ["ico", "strip", "tri"].map(|name| rows.iter().find(|row| row.instance == name).expect("a run"));
    let runs: Vec<String> = runs.into_iter().map(|row| row.run_id.clone()).collect();
    let solves = files.read_iterations().expect("rows");
    let mut second: IterationRow = solves.into_iter().find(|row| row.run_id == runs[0]).expect("an iteration");
    second.solve.iteration = 1;
    Appender::<IterationRow>::open(&files.iterations()).expect("a file").append(&[second]).expect("written");
    fs::rename(files.solution(&runs[0], 0), files.solution(&runs[0], 1)).expect("a solution");
    let first = json!({"instance": "ico", "placements": [{"face": 1, "tile": 2, "rotation": 0}]});
    fs::write(files.solution(&runs[0], 0), first.to_string()).expect("written");
    report(&bench);
    (bench, runs)
}

const BUTTON: &str = ".steps [data-solid]";

/// The faces that can be seen, by number, with the places of their corners on the screen.
const FACES: &str = "[...document.querySelectorAll('.picture svg .facet')]
  .filter((facet) => facet.getClientRects().length > 0)
  .map((facet) => {
    const outline = facet.querySelector('polygon');
    const place = (point) => { const { x, y } = point.matrixTransform(outline.getScreenCTM()); return [x, y]; };
    return [Number(facet.dataset.face), [...outline.points].map(place)];
  })";

type Face = (usize, [[f64; 2]; 3]);

fn faces(page: &mut Chromium) -> Vec<Face> {
    serde_json::from_value(page.value(FACES)).expect("faces")
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// That what can be seen is the near side of an icosahedron within its picture: faces that look at the reader and meet at their edges,
/// and one peg at each vertex on that side.
#[track_caller]
fn is_closed(page: &mut Chromium) {
    let seen = faces(page);
    assert!((8..=12).contains(&seen.len()), "{} faces", seen.len());
    let field = named(ICOSAHEDRON).expect("a field");
    let mut edges = 0;
    for (index, (face, places)) in seen.iter().enumerate() {
        let [a, b, c] = *places;
        assert!((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]), "face {face} shows its back");
        for (other, others) in &seen[index + 1..] {
            let corners = field.faces()[face - 1].iter().zip(places);
            let common = corners.filter_map(|(vertex, at)| {
                let there = field.faces()[other - 1].iter().position(|of_other| of_other == vertex)?;
                Some(apart(*at, others[there]))
            });
            let common: Vec<f64> = common.collect();
            assert!(common.iter().all(|gap| *gap < 0.5), "between the faces {face} and {other}: {common:?}");
            edges += usize::from(common.len() == 2);
        }
    }
    assert!(edges >= seen.len() - 1, "{edges} edges between {} faces", seen.len());
    let vertices = page.value(
        "[...document.querySelectorAll('.picture svg .stand')].filter((stand) => stand.getClientRects().length > 0)
           .map((stand) => stand.querySelector('text.vertex').textContent)",
    );
    let vertices: Vec<String> = serde_json::from_value(vertices).expect("names");
    let of_faces = seen.iter().flat_map(|(face, _)| field.corners(face - 1));
    let of_faces: BTreeSet<String> = of_faces.map(str::to_owned).collect();
    let different: BTreeSet<String> = vertices.iter().cloned().collect();
    assert!(different.len() == vertices.len() && different.is_subset(&of_faces), "{vertices:?} on {of_faces:?}");
    assert!((4..=8).contains(&vertices.len()), "{vertices:?}");
    let frame = page.value(
        "(() => { const box = document.querySelector('.picture svg').getBoundingClientRect();
       return [box.left, box.top, box.right, box.bottom]; })()",
    );
    let [left, top, right, bottom]: [f64; 4] = serde_json::from_value(frame).expect("a box");
    let within = |[x, y]: [f64; 2]| (left..=right).contains(&x) && (top..=bottom).contains(&y);
    assert!(
        seen.iter().flat_map(|(_, places)| places).all(|at| within(*at)),
        "{seen:?} in {left} {top} {right} {bottom}"
    );
}

/// How many tiles lie on faces that can be seen.
fn tiles(page: &mut Chromium) -> Value {
    page.value(
        "[...document.querySelectorAll('.picture svg polygon.tile')].filter((tile) => tile.getClientRects().length > 0).length",
    )
}

#[track_caller]
fn open(page: &mut Chromium, bench: &Bench, run: &str) {
    page.open(&address(bench, &format!("#run={run}")), READY);
    page.wait(&format!("document.querySelector('dialog.run').dataset.ready === '{run}'"));
    page.wait("document.querySelector('.picture svg')");
}

const IS_FLAT: &str = "document.querySelectorAll('.picture svg .facet').length === 0";

#[test]
fn an_icosahedron_is_folded_and_turned_by_keys_and_by_hand() {
    let Some(mut page) = Chromium::start() else { return };
    let (bench, runs) = reported();
    page.prefer("prefers-reduced-motion", "reduce");
    for (width, height, is_phone) in [(1200, 900, false), (360, 740, true)] {
        page.size(width, height, is_phone);
        open(&mut page, &bench, &runs[0]);
        assert_eq!(page.value(IS_FLAT), true);
        let flat = tiles(&mut page);
        assert_eq!(flat, 20);
        page.click(BUTTON);
        assert_eq!(page.value(&format!("document.querySelector('{BUTTON}').textContent")), "Flat");
        is_closed(&mut page);
        let widths =
            "[document.documentElement, document.querySelector('dialog.run .content')].map((box) => box.scrollWidth)";
        let widths: Vec<u32> = serde_json::from_value(page.value(widths)).expect("widths");
        assert!(widths.iter().all(|wide| *wide <= width), "{widths:?}: wider than {width}");
    }
    page.size(1200, 900, false);

    // Its keys are not those of the sheet while it has the focus.
    page.value(
        "document.querySelector('dialog.run').addEventListener('keydown', (event) => { document.title += event.key; })",
    );
    let title = page.value("document.title");
    page.value("document.querySelector('.picture svg').focus()");
    for key in ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown"] {
        let before = faces(&mut page);
        page.key(key);
        assert_ne!(faces(&mut page), before, "{key} turns it");
        is_closed(&mut page);
    }
    assert_eq!(page.value("document.title"), title);

    // What is pressed goes along with the pointer.
    let middle = page.value(
        "(() => { const box = document.querySelector('.picture svg').getBoundingClientRect();
       return [box.x + box.width / 2, box.y + box.height / 2]; })()",
    );
    let middle: [f64; 2] = serde_json::from_value(middle).expect("a place");
    let near = |faces: &[Face]| {
        let corners = faces.iter().flat_map(|(face, places)| places.iter().enumerate().map(|(at, p)| (*face, at, *p)));
        corners.min_by(|a, b| apart(a.2, middle).total_cmp(&apart(b.2, middle))).expect("a corner")
    };
    let (face, corner, from) = near(&faces(&mut page));
    page.drag(from, [from[0] + 40.0, from[1] + 25.0]);
    let after = faces(&mut page);
    let [x, y] = after.iter().find(|(number, _)| *number == face).expect("it is in front still").1[corner];
    assert!((25.0..55.0).contains(&(x - from[0])) && (15.0..35.0).contains(&(y - from[1])), "{from:?} to {x}, {y}");
    is_closed(&mut page);

    // Other iterations as a solid too, which keeps the focus.
    page.key("Home");
    page.wait("document.querySelector('dialog.run .words').textContent.startsWith('Iteration 0 (1 of 2)')");
    assert_eq!(page.value("document.activeElement === document.querySelector('.picture svg')"), true);
    is_closed(&mut page);
    assert!(tiles(&mut page).as_u64().is_some_and(|tiles| tiles <= 1));
    page.click(BUTTON);
    assert_eq!(page.value(IS_FLAT), true);
    assert_eq!(tiles(&mut page), 1);
    assert_eq!(page.value(&format!("document.querySelector('{BUTTON}').textContent")), "Solid");
    page.key("ArrowRight");
    page.wait("document.querySelector('dialog.run .words').textContent.startsWith('Iteration 1 (2 of 2)')");
    assert_eq!(tiles(&mut page), 20);

    for run in &runs[1..] {
        open(&mut page, &bench, run);
        assert_eq!(page.value(&format!("document.querySelector('{BUTTON}').checkVisibility()")), false, "no solid");
    }
    is_clean(&page);
}

#[test]
fn folding_is_shown_and_the_solid_turns_until_it_is_pressed() {
    let Some(mut page) = Chromium::start() else { return };
    let (bench, runs) = reported();
    page.prefer("prefers-reduced-motion", "no-preference");
    page.size(1200, 900, false);
    open(&mut page, &bench, &runs[0]);
    // All faces can be seen until the last gap closes.
    assert_eq!(page.value(&format!("(document.querySelector('{BUTTON}').click(), ({FACES}).length)")), 20);
    page.wait(&format!("({FACES}).length <= 12"));
    is_closed(&mut page);
    let before = page.value(FACES);
    page.wait(&format!("JSON.stringify({FACES}) !== '{before}'"));
    page.click(".picture svg");
    let frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
    let before = page.value(FACES);
    page.value(frames);
    assert_eq!(page.value(FACES), before, "it stands still");
    is_closed(&mut page);
    page.click(BUTTON);
    page.wait(IS_FLAT);
    assert_eq!(tiles(&mut page), 20);
    is_clean(&page);
}
