//! Curves can be told apart in grey print and by the colour-blind: by the samples in the legends of plots.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use crate::drawing::attribute;
use crate::fixture::Fixture;

/// Curves that look alike but for their colour differ by more than this in every vision, grey included: in CIELAB, where 2.3 is just
/// noticeable.
const LEAST: f64 = 8.0;

/// The same of any two colours of curves, in grey excepted.
const LEAST_COLOURED: f64 = 15.0;

/// The least contrast of what must be seen with what is beside it (WCAG 2.2, criterion 1.4.11).
const LEAST_CONTRAST: f64 = 3.0;

type Colour = [u8; 3];
type Matrix = [[f64; 3]; 3];

/// What linear red, green and blue of sRGB add to luminance.
const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// A curve in a legend: its shapes without their place and colour, and its colour.
#[derive(Debug, Clone, PartialEq)]
struct Sample {
    look: String,
    colour: Colour,
}

/// The samples of the curves of a plot, for runs of these formulations and solvers on one board, three of each.
fn samples(plot: &str, formulations: usize, solvers: usize) -> Vec<Sample> {
    let mut fixture = Fixture::new("apart");
    for (formulation, solver) in (0..formulations).flat_map(|f| (0..solvers).map(move |s| (f, s))) {
        for seed in 0..3 {
            let (formulation, solver) = (format!("f{formulation}"), format!("s{solver}"));
            fixture.run("n5", (&formulation, "C1"), &solver, seed).solves(&[(1.0, 1)]);
        }
    }
    let out = fixture.report(&[]);
    let svg = fs::read_to_string(out.path().join(format!("apart-{plot}.svg"))).expect("a plot");
    legend(&svg)
}

/// The samples before labels such as `f1`, `s2` and `f1, s2`.
fn legend(svg: &str) -> Vec<Sample> {
    let is_name = |word: &str| word.strip_prefix(['f', 's']).is_some_and(|number| number.parse::<usize>().is_ok());
    let (mut found, mut shapes) = (Vec::new(), Vec::new());
    for tag in svg.lines() {
        let Some(text) = tag.strip_prefix("<text").and_then(|text| text.split_once('>')) else {
            shapes.push(tag);
            continue;
        };
        if text.1.trim_end_matches("</text>").split(", ").all(is_name) && !shapes.is_empty() {
            found.push(Sample { look: shapes.iter().map(|shape| look(shape)).collect(), colour: colour(&shapes) });
        }
        shapes.clear();
    }
    found
}

/// A shape without its place and colour.
fn look(tag: &str) -> String {
    let name = tag.split(' ').next().unwrap_or_default();
    let points = attribute(tag, "points").unwrap_or_default().split([' ', ',']).filter(|number| !number.is_empty());
    let numbers: Vec<i32> = points.map(|number| number.parse().expect("a number")).collect();
    let from_first: Vec<_> = numbers.chunks(2).map(|at| [at[0] - numbers[0], at[1] - numbers[1]]).collect();
    let rest = ["r", "stroke-width", "stroke-dasharray"].map(|name| attribute(tag, name));
    format!("{name} {from_first:?} {rest:?} ")
}

/// The one colour of these shapes but white.
fn colour(shapes: &[&str]) -> Colour {
    let paints = shapes.iter().flat_map(|tag| ["fill", "stroke"].map(|name| attribute(tag, name)));
    let found: HashSet<_> = paints.flatten().filter(|paint| !["none", "#ffffff"].contains(paint)).collect();
    assert_eq!(found.len(), 1, "{shapes:?}");
    found.into_iter().next().and_then(rgb).expect("a colour")
}

fn rgb(text: &str) -> Option<Colour> {
    let part = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    Some([part(1)?, part(3)?, part(5)?])
}

/// The colour in the linear light of sRGB.
fn linear(colour: Colour) -> [f64; 3] {
    colour.map(|part| {
        let value = f64::from(part) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// The contrast of two colours, as WCAG 2.2 defines it.
fn contrast(a: Colour, b: Colour) -> f64 {
    let [a, b] = [a, b].map(|colour| times(&[LUMINANCE; 3], linear(colour))[0] + 0.05);
    a.max(b) / a.min(b)
}

/// Light of sRGB in CIELAB, for a white of D65.
fn lab(light: [f64; 3]) -> [f64; 3] {
    const TO_XYZ: Matrix = [[0.4124, 0.3576, 0.1805], LUMINANCE, [0.0193, 0.1192, 0.9505]];
    const WHITE: [f64; 3] = [0.9505, 1.0, 1.089];
    let xyz = times(&TO_XYZ, light.map(|part| part.clamp(0.0, 1.0)));
    let curve = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
    let [x, y, z] = [0, 1, 2].map(|i| curve(xyz[i] / WHITE[i]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn times(matrix: &Matrix, light: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(light).map(|(factor, part)| factor * part).sum())
}

/// The difference of two colours in CIELAB (CIE 1976) in each vision: all cones; without those for long, middle and short waves, by
/// the matrices of Machado, Oliveira and Fernandes (A Physiologically-based Model for Simulation of Color Vision Deficiency, 2009,
/// severity 1); and grey, by luminance.
fn differences(a: Colour, b: Colour) -> BTreeMap<&'static str, f64> {
    const SIGHTED: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const PROTANOPIA: Matrix =
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
    const DEUTERANOPIA: Matrix =
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
    const TRITANOPIA: Matrix =
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]];
    const GREY: Matrix = [LUMINANCE; 3];
    let visions = [
        ("all cones", SIGHTED),
        ("protanopia", PROTANOPIA),
        ("deuteranopia", DEUTERANOPIA),
        ("tritanopia", TRITANOPIA),
        ("grey", GREY),
    ];
    let difference = |vision: &Matrix| {
        let [a, b] = [a, b].map(|colour| lab(times(vision, linear(colour))));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    visions.iter().map(|(name, vision)| (*name, difference(vision))).collect()
}

#[test]
fn colours_are_measured_as_defined() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    let [l, a, b] = lab(linear([255, 0, 0]));
    // As tables have it for the red of sRGB.
    assert!((l - 53.24).abs() < 0.05 && (a - 80.09).abs() < 0.05 && (b - 67.20).abs() < 0.05, "{l} {a} {b}");
    let red_and_green = differences([200, 60, 60], [110, 120, 40]);
    assert!(red_and_green["all cones"] > 2.0 * red_and_green["deuteranopia"], "{red_and_green:?}");
}

#[test]
fn curves_are_told_apart_without_colour() {
    for (plot, formulations, solvers) in [
        ("total-time", 28, 1),
        ("total-time", 1, 28),
        ("total-time", 4, 7),
        ("total-time", 7, 4),
        ("total-time", 2, 14),
        ("total-time", 9, 3),
        ("box", 7, 1),
        ("box", 2, 3),
    ] {
        let samples = samples(plot, formulations, solvers);
        assert_eq!(samples.len(), formulations * solvers, "{samples:?}");
        let looks: HashSet<_> = samples.iter().map(|sample| &sample.look).collect();
        assert_eq!(looks.len(), samples.len(), "{plot} of {formulations} x {solvers}");
    }
}

#[test]
fn more_curves_are_told_apart_by_colours_that_differ_for_everybody() {
    for (plot, formulations, solvers) in [("total-time", 40, 1), ("box", 14, 1), ("box", 1, 14)] {
        let samples = samples(plot, formulations, solvers);
        assert_eq!(samples.len(), formulations * solvers);
        let mut alike = 0;
        for (index, one) in samples.iter().enumerate() {
            for other in samples[index + 1..].iter().filter(|other| other.look == one.look) {
                let differences = differences(one.colour, other.colour);
                assert!(differences.values().all(|d| *d > LEAST), "{plot}: {one:?} and {other:?}: {differences:?}");
                alike += 1;
            }
        }
        assert!(alike > 0, "{plot}: more curves than looks");
    }
    let many = samples("total-time", 14, 8);
    assert!(many.iter().enumerate().all(|(index, one)| !many[..index].contains(one)), "112 curves");
}

#[test]
fn colours_of_curves_differ_and_are_seen_on_light_and_dark_pages() {
    let styles = include_str!("../../assets/html/base.css");
    let back = styles.split_once("--back: light-dark(").expect("the background").1;
    let backs: Vec<_> = back.split([',', ')']).take(2).map(|c| rgb(c.trim()).expect("a colour")).collect();
    assert_eq!(backs[0], [255; 3], "that of files too");
    let colours: HashSet<_> = samples("total-time", 28, 1).iter().map(|sample| sample.colour).collect();
    let colours: Vec<_> = colours.into_iter().collect();
    assert!(colours.len() >= 5, "{colours:?}");
    for (index, colour) in colours.iter().enumerate() {
        for back in &backs {
            assert!(contrast(*colour, *back) >= LEAST_CONTRAST, "{colour:?} on {back:?}");
        }
        for other in &colours[index + 1..] {
            let mut differences = differences(*colour, *other);
            differences.remove("grey");
            assert!(differences.values().all(|d| *d > LEAST_COLOURED), "{colour:?}, {other:?}: {differences:?}");
        }
    }
}
