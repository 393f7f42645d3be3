//! Pictures of plots: nothing is drawn outside of the axes, and no two texts overlap.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::fixture::Fixture;

const FORMULATIONS: [(&str, &str); 3] =
    [("basic", "C1 C2"), ("a formulation with a long name", "C1 C3"), ("all of them", "C1 C2 C3")];
const SOLVERS: [&str; 4] = ["highs", "cbc", "cadical", "a solver with options"];

/// Every kind of plot: solved, at the limit, with several iterations and seeds, from microseconds to the limit.
fn everything(instances: u32) -> TempDir {
    let mut fixture = Fixture::new("everything");
    let mut random = 1_u32;
    for instance in 0..instances {
        for formulation in FORMULATIONS {
            for solver in SOLVERS {
                for seed in 0..3 {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let time = 10_f64.powf(f64::from(random >> 16) / 65_536.0 * 7.0 - 5.0);
                    let run = fixture.run(&format!("n{}-board", 5 + 3 * instance), formulation, solver, seed);
                    if time > 20.0 {
                        run.stops(20.0).limited("soft-limit");
                    } else {
                        run.solves(&[(time / 4.0, 3), (time / 4.0, 2), (time / 2.0, 1)]);
                    }
                }
            }
        }
    }
    fixture.publish(include_str!("../fixtures/published.csv"), "2");
    fixture.report(&[])
}

fn pictures(dir: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path());
    let mut svgs: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "svg")).collect();
    svgs.sort();
    svgs.into_iter().map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a picture"))).collect()
}

/// The value of an attribute of a tag.
pub fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).and_then(|text| text.parse().ok()).expect("a number")
}

/// The corners of a line, polygon or circle, without its radius.
fn corners(tag: &str) -> Vec<(f64, f64)> {
    if tag.starts_with("<circle") {
        return vec![(number(tag, "cx"), number(tag, "cy"))];
    }
    let points = attribute(tag, "points").unwrap_or_default().split_whitespace();
    points.filter_map(|p| p.split_once(',')).map(|(x, y)| (x.parse().expect("x"), y.parse().expect("y"))).collect()
}

/// Left, right, top and bottom of the plot's area: the two axes are one black line of three corners.
pub fn area(svg: &str) -> [f64; 4] {
    let axes = |tag: &&str| tag.starts_with("<polyline") && tag.contains("#000000") && corners(tag).len() == 3;
    let axes = corners(svg.lines().find(axes).expect("axes"));
    [axes[1].0, axes[2].0, axes[0].1, axes[1].1]
}

#[test]
fn nothing_is_drawn_outside_of_the_axes() {
    for instances in [5, 12] {
        let dir = everything(instances);
        let pictures = pictures(dir.path());
        let names: Vec<_> = pictures.iter().map(|p| p.0.as_str()).collect();
        assert!(names.len() >= 8, "{names:?}");
        for (name, svg) in pictures {
            let [left, right, top, bottom] = area(&svg);
            // The legend is below the labels of the axis.
            let shapes = svg.lines().filter(|t| ["<circle", "<poly"].iter().any(|s| t.starts_with(s)));
            let plotted = shapes.map(corners).filter(|c| c.iter().any(|(_, y)| *y < bottom - 1.0));
            let mut count = 0;
            for (x, y) in plotted.flatten() {
                // Ticks stand out by 5 pixels.
                assert!((left - 5.0..=right).contains(&x) && (top..=bottom + 5.0).contains(&y), "{name}: {x}, {y}");
                count += 1;
            }
            assert!(count > 50, "{name}: {count}");
        }
    }
}

#[test]
fn no_two_texts_overlap() {
    for instances in [5, 12] {
        for (name, svg) in pictures(everything(instances).path()) {
            let texts = svg.lines().filter(|line| line.starts_with("<text")).filter_map(|line| line.split_once('>'));
            let texts = texts.map(|(tag, content)| (tag, content.trim_end_matches("</text>")));
            let boxes: Vec<_> = texts.map(|(tag, content)| (extent(tag, content), content)).collect();
            assert!(boxes.len() > 10, "{name}");
            for (index, (a, one)) in boxes.iter().enumerate() {
                for (b, other) in &boxes[index + 1..] {
                    let apart = a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
                    assert!(apart, "{name}: {one:?} at {a:?} and {other:?} at {b:?}");
                }
            }
        }
    }
}

/// Left, right, top and bottom of a text, by a low estimate of the width of letters.
fn extent(tag: &str, content: &str) -> [f64; 4] {
    let (x, y, size) = (number(tag, "x"), number(tag, "y"), number(tag, "font-size"));
    let long = 0.45 * size * f64::from(u32::try_from(content.chars().count()).expect("short"));
    let start = match attribute(tag, "text-anchor") {
        Some("start") => 0.0,
        Some("end") => -long,
        _ => -long / 2.0,
    };
    let half = 0.4 * size;
    if attribute(tag, "transform").is_some() {
        // Upright, from below.
        return [x - half, x + half, y - start - long, y - start];
    }
    [x + start, x + start + long, y - half, y + half]
}
