//! Animations: what a browser shows of them, and where nothing moves.

use std::io::Cursor;

use puzzle::scene::{Item, Point, Rgb, Style};
use puzzle::{Instance, Placement, Scene, Solution};
use report::{Frame, render_animation, render_svg, svg_to_png};

const WIDTH: u32 = 200;

/// A disc that wanders, on a ground that stays.
fn frames(count: usize) -> Vec<Frame> {
    let scene = |step: usize| {
        let corners = [(0.5, 0.5), (9.5, 0.5), (9.5, 4.5), (0.5, 4.5)].map(|(x, y)| Point { x, y });
        let ground = Style::area(Rgb(230, 230, 220), None);
        let disc = Style::area(Rgb(205, 35, 40), Some((Rgb(34, 34, 34), 0.1)));
        Scene {
            title: format!("step {step}"),
            width: 10.0,
            height: 5.0,
            items: vec![
                Item::Polygon { class: "ground", points: corners.to_vec(), style: ground },
                Item::Circle {
                    class: "disc",
                    center: Point { x: 2.0 + step as f64, y: 2.5 },
                    radius: 1.0,
                    style: disc,
                },
            ],
            solid: None,
        }
    };
    let seconds = |step| if step + 1 == count { 2.0 } else { 0.25 };
    (0..count).map(|step| Frame { scene: scene(step), seconds: seconds(step) }).collect()
}

fn decoded(picture: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(Cursor::new(picture));
    // What is opaque everywhere has no alpha in its file.
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("an image");
    pixels
}

#[test]
fn an_svg_shows_one_frame_at_a_time_and_the_last_where_nothing_moves() {
    let mut frames = frames(5);
    frames[1].seconds += 0.5;
    let animation = render_animation(&frames);
    let last = svg_to_png(&render_svg(&frames[4].scene), WIDTH).expect("a picture");
    assert!(decoded(&svg_to_png(&animation, WIDTH).expect("a sound SVG")) == decoded(&last), "without animation");
    // What a browser does with it: each group is shown from the beginning of its animation for a part of the whole.
    let number = |text: &str, before: &str, after: &str| -> f64 {
        let text = text.split_once(before).unwrap_or_else(|| panic!("no {before}")).1;
        text.split_once(after).unwrap_or_else(|| panic!("no {after}")).0.parse().expect("a number")
    };
    let total = number(&animation, "animation: ", "s step-end infinite");
    assert_eq!(total, 3.5);
    let shown = |group: &str| {
        let class = group.split_once("class=\"frame ").and_then(|(_, rest)| rest.split_once('"')).expect("a class").0;
        assert!(animation.contains(&format!(".{class} {{ animation-name: {class} }}")), "{class}");
        let rule = animation.split_once(&format!("@keyframes {class} ")).expect("a rule").1;
        number(rule, "visibility: visible } ", "% { visibility: hidden }") / 100.0 * total
    };
    let groups: Vec<&str> = animation.lines().filter(|line| line.starts_with("<g ")).collect();
    let visible = |time: f64| -> Vec<usize> {
        let is_visible = |group: &str| {
            let phase = (time - number(group, "animation-delay:", "s\"")).rem_euclid(total);
            phase < shown(group)
        };
        (0..groups.len()).filter(|&index| is_visible(groups[index])).collect()
    };
    for (time, frame) in [(0.1, 0), (0.3, 1), (0.9, 1), (1.1, 2), (1.4, 3), (1.6, 4), (3.4, 4), (3.6, 0)] {
        assert_eq!(visible(time), [frame], "at {time} s");
    }
    assert!(animation.contains("prefers-reduced-motion: no-preference"));
    assert_eq!(animation.matches("class=\"ground\"").count(), 1, "what stays is written once");
}

#[test]
fn stages_of_a_search_are_of_one_size() {
    let text = "kind = \"tantrix-natural\"\nchallenge = 3\ntiles = \"distinct\"\n";
    let instance = Instance::parse(text, "n3.toml".as_ref()).expect("a good instance");
    let stage = |places: &[usize]| Solution {
        placements: (1..).zip(places).map(|(tile, &place)| Placement { place, tile, orientation: 1 }).collect(),
        ..Solution::default()
    };
    let scenes = puzzle::stages(&instance, &[stage(&[1]), stage(&[1, 2]), stage(&[1, 4, 12])]);
    let tiles = |scene: &Scene| {
        scene.items.iter().filter(|item| matches!(item, Item::Circle { class: "tile-number", .. })).count()
    };
    assert_eq!(scenes.iter().map(tiles).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(scenes.iter().all(|scene| (scene.width, scene.height) == (scenes[0].width, scenes[0].height)));
}
