//! Pictures that move: what each format shows, taken apart again by independent means.

use std::io::Cursor;

use puzzle::scene::{Item, Point, Rgb, Style};
use puzzle::{Instance, Placement, Scene, Solution};
use report::{Frame, render_apng, render_film, render_gif, render_png, svg_to_png};

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

/// Lays a patch of RGBA pixels over a picture, where it is not transparent.
fn lay(canvas: &mut [u8], patch: &[u8], (left, top, width): (usize, usize, usize)) {
    for (index, pixel) in patch.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
        let at = 4 * ((top + index / width) * WIDTH as usize + left + index % width);
        canvas[at..at + 4].copy_from_slice(pixel);
    }
}

#[test]
fn an_animated_png_shows_every_frame_exactly() {
    let frames = frames(4);
    let bytes = render_apng(&frames, WIDTH).expect("a picture");
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().expect("a PNG");
    assert_eq!(reader.info().animation_control().map(|all| (all.num_frames, all.num_plays)), Some((4, 0)));
    let mut canvas = vec![0; (4 * WIDTH * reader.info().height) as usize];
    for frame in &frames {
        let mut patch = vec![0; canvas.len()];
        let size = reader.next_frame(&mut patch).expect("a frame");
        let control = *reader.info().frame_control().expect("its place and time");
        let seconds = f64::from(control.delay_num) / f64::from(control.delay_den);
        assert!((seconds - frame.seconds).abs() < 1e-9);
        patch.truncate(size.buffer_size());
        lay(&mut canvas, &patch, (control.x_offset as usize, control.y_offset as usize, control.width as usize));
        assert!(canvas == decoded(&render_png(&frame.scene, WIDTH).expect("a picture")), "{}", frame.scene.title);
    }
}

#[test]
fn a_gif_shows_every_frame_as_far_as_its_colours_go() {
    let frames = frames(4);
    let bytes = render_gif(&frames, WIDTH).expect("a picture");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(Cursor::new(&bytes)).expect("a GIF");
    assert_eq!((u32::from(reader.width()), reader.repeat()), (WIDTH, gif::Repeat::Infinite));
    let mut canvas = vec![0; 4 * WIDTH as usize * usize::from(reader.height())];
    for frame in &frames {
        let patch = reader.read_next_frame().expect("sound").expect("a frame");
        assert_eq!(f64::from(patch.delay), 100.0 * frame.seconds);
        lay(&mut canvas, &patch.buffer, (patch.left.into(), patch.top.into(), patch.width.into()));
        let drawn = decoded(&render_png(&frame.scene, WIDTH).expect("a picture"));
        let far = canvas.iter().zip(&drawn).filter(|(a, b)| a.abs_diff(**b) > 12).count();
        assert!(far * 200 < canvas.len(), "{}: {far} of {} differ", frame.scene.title, canvas.len());
    }
    assert!(reader.read_next_frame().expect("sound").is_none());
}

#[test]
fn an_svg_shows_one_frame_at_a_time_and_the_last_where_nothing_moves() {
    let mut frames = frames(5);
    frames[1].seconds += 0.5;
    let film = render_film(&frames);
    let last = render_png(&frames[4].scene, WIDTH).expect("a picture");
    assert!(decoded(&svg_to_png(&film, WIDTH).expect("a sound SVG")) == decoded(&last), "without animation");
    // What a browser does with it: each group is shown from the beginning of its animation for a part of the whole.
    let number = |text: &str, before: &str, after: &str| -> f64 {
        let text = text.split_once(before).unwrap_or_else(|| panic!("no {before}")).1;
        text.split_once(after).unwrap_or_else(|| panic!("no {after}")).0.parse().expect("a number")
    };
    let total = number(&film, "animation: ", "s step-end infinite");
    assert_eq!(total, 3.5);
    let shown = |group: &str| {
        let class = group.split_once("class=\"frame ").and_then(|(_, rest)| rest.split_once('"')).expect("a class").0;
        assert!(film.contains(&format!(".{class} {{ animation-name: {class} }}")), "{class}");
        let rule = film.split_once(&format!("@keyframes {class} ")).expect("a rule").1;
        number(rule, "visibility: visible } ", "% { visibility: hidden }") / 100.0 * total
    };
    let groups: Vec<&str> = film.lines().filter(|line| line.starts_with("<g ")).collect();
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
    assert!(film.contains("prefers-reduced-motion: no-preference"));
    assert_eq!(film.matches("class=\"ground\"").count(), 1, "what stays is written once");
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

#[test]
fn no_frames_make_no_picture() {
    for render in [render_apng, render_gif] {
        assert!(render(&[], WIDTH).expect_err("nothing to show").to_string().contains("no frames"));
    }
}
