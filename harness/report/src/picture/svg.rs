//! Scenes as SVG: single ones, the shapes that several have in common, and animations.

use std::collections::HashMap;
use std::fmt::Write;

use puzzle::scene::{Item, Point, Rgb, Scene, Style};

use crate::text::{trimmed, xml};

/// The fonts as pictures name them: the embedded one first.
pub const FONTS: &str = "DejaVu Sans, sans-serif";

/// Pixels to the unit of a scene. Coordinates are scaled up, since browsers draw tiny fonts badly.
const SCALE: f64 = 40.0;

/// Pixels that a picture is wide at least, where a browser shows it as it is.
const LEAST_WIDTH: f64 = 640.0;

/// Renders a scene as a complete SVG document.
#[must_use]
pub fn render_svg(scene: &Scene) -> String {
    let content: String = scene.items.iter().map(|item| rendered(item) + "\n").collect();
    document(scene, &content)
}

/// The shapes of several pictures, each once, numbered in the order in which they were met.
#[derive(Default)]
pub struct Shapes {
    items: Vec<Item>,
    /// The numbers of the shapes that begin at a point; they are few, and to compare them is faster than to render one.
    by_start: HashMap<[u64; 2], Vec<usize>>,
}

impl Shapes {
    pub fn number(&mut self, item: &Item) -> usize {
        let start = match item {
            Item::Polygon { points, .. } | Item::Polyline { points, .. } => points.first().copied(),
            Item::Arc { from: at, .. } | Item::Circle { center: at, .. } | Item::Text { at, .. } => Some(*at),
        };
        let start = start.map(|Point { x, y }| [x.to_bits(), y.to_bits()]).unwrap_or_default();
        let known = self.by_start.entry(start).or_default();
        let found = known.iter().copied().find(|number| self.items[*number] == *item);
        found.unwrap_or_else(|| {
            known.push(self.items.len());
            self.items.push(item.clone());
            self.items.len() - 1
        })
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The shapes as SVG, each to be put into a document of the size of its scene.
    pub fn rendered(&self) -> Vec<String> {
        self.items.iter().map(rendered).collect()
    }
}

/// A scene of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What it shows.
    pub scene: Scene,
    /// For how long, in seconds.
    pub seconds: f64,
}

/// Renders frames, all of one size, as an SVG document that shows one after the other, again and again.
///
/// Each frame is a group that CSS shows in its turn. Where animations are not played, or not wanted
/// (`prefers-reduced-motion`), the last frame stands still. Each shape is written once and used by number.
#[must_use]
pub fn render_animation(frames: &[Frame]) -> String {
    let Some(last) = frames.last() else { return document(&Scene::default(), "") };
    let mut shapes = Shapes::default();
    let of_frame = |frame: &Frame| frame.scene.items.iter().map(|item| shapes.number(item)).collect();
    let drawn: Vec<Vec<usize>> = frames.iter().map(of_frame).collect();
    let with_id = |(number, shape): (usize, String)| shape.replacen(' ', &format!(" id=\"i{number}\" "), 1) + "\n";
    let shared: String = shapes.rendered().into_iter().enumerate().map(with_id).collect();
    let mut durations: Vec<f64> = frames.iter().map(|frame| frame.seconds).collect();
    let total: f64 = durations.iter().sum();
    durations.sort_by(f64::total_cmp);
    durations.dedup();
    let (mut groups, mut begin) = (String::new(), 0.0);
    // Writing to a string cannot fail.
    for (index, (frame, items)) in frames.iter().zip(&drawn).enumerate() {
        let hidden = if index + 1 < frames.len() { " visibility=\"hidden\"" } else { "" };
        // A delay that is over already: the animation begins in the middle, when this frame's turn is still to come.
        let delay = trimmed(begin - total, 3);
        let turn = durations.partition_point(|duration| *duration < frame.seconds);
        let _ = writeln!(groups, "<g class=\"frame t{turn}\" style=\"animation-delay:{delay}s\"{hidden}>");
        for shape in items {
            let _ = writeln!(groups, "<use href=\"#i{shape}\"/>");
        }
        groups.push_str("</g>\n");
        begin += frame.seconds;
    }
    let style = style(total, &durations);
    document(&last.scene, &format!("{style}<defs>\n{shared}</defs>\n{groups}"))
}

/// The rules by which frames of the class `t0`, `t1`, ... are shown for the first, the second, ... of these durations.
fn style(total: f64, durations: &[f64]) -> String {
    let (mut keyframes, mut classes) = (String::new(), String::new());
    // Writing to a string cannot fail.
    for (turn, shown) in durations.iter().enumerate() {
        let until = 100.0 * shown / total;
        let _ = writeln!(
            keyframes,
            "@keyframes t{turn} {{ 0% {{ visibility: visible }} {until:.4}% {{ visibility: hidden }} \
             100% {{ visibility: hidden }} }}"
        );
        let _ = writeln!(classes, ".t{turn} {{ animation-name: t{turn} }}");
    }
    format!(
        "<style>\n{keyframes}@media (prefers-reduced-motion: no-preference) {{\n\
         .frame {{ animation: {total}s step-end infinite }}\n{classes}}}\n</style>\n",
        total = trimmed(total, 3),
    )
}

/// A length of a scene as it is in documents and shapes.
pub fn length(value: f64) -> f64 {
    number(value).parse().unwrap_or_default()
}

/// An SVG document of the size and title of a scene.
fn document(scene: &Scene, content: &str) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let zoom = (LEAST_WIDTH / (scene.width * SCALE)).max(1.0);
    let [wide, high] = [scene.width, scene.height].map(|length| number(length * zoom));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         {content}</svg>\n",
        escape(&scene.title)
    )
}

/// Escapes text for XML, on one line.
pub fn escape(text: &str) -> String {
    xml(&text.replace(char::is_control, " "))
}

/// A shape, without the end of the line.
fn rendered(item: &Item) -> String {
    let (element, class, rest) = match item {
        Item::Polygon { class, points: corners, style } => {
            ("polygon", class, format!("points=\"{}\"{}/>", points(corners), attributes(style, "round")))
        }
        Item::Polyline { class, points: corners, style } => {
            ("polyline", class, format!("points=\"{}\"{}/>", points(corners), attributes(style, "round")))
        }
        Item::Arc { class, from, to, radius, clockwise, style } => {
            let (from, arc) = (format!("{} {}", number(from.x), number(from.y)), arc(*to, *radius, *clockwise));
            ("path", class, format!("d=\"M {from} {arc}\"{}/>", attributes(style, "round")))
        }
        Item::Circle { class, center, radius, style } => {
            let [x, y, radius] = [center.x, center.y, *radius].map(number);
            ("circle", class, format!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}/>", attributes(style, "butt")))
        }
        Item::Text { class, at, size, text, bold, colour } => {
            // A third of the size below the centre is where the baseline of digits and capitals lies.
            let [x, y, size] = [at.x, at.y + 0.36 * size, *size].map(number);
            let bold = if *bold { " font-weight=\"bold\"" } else { "" };
            let (colour, text) = (hex(*colour), escape(text));
            let place = format!("x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{bold} text-anchor=\"middle\"");
            ("text", class, format!("{place} fill=\"{colour}\">{text}</text>"))
        }
    };
    format!("<{element} class=\"{}\" {rest}", escape(class))
}

fn arc(to: Point, radius: Option<f64>, clockwise: bool) -> String {
    let end = format!("{} {}", number(to.x), number(to.y));
    match radius {
        Some(radius) => format!("A {r} {r} 0 0 {} {end}", u8::from(clockwise), r = number(radius)),
        None => format!("L {end}"),
    }
}

fn points(points: &[Point]) -> String {
    let pairs: Vec<_> = points.iter().map(|p| format!("{},{}", number(p.x), number(p.y))).collect();
    pairs.join(" ")
}

fn attributes(style: &Style, cap: &str) -> String {
    let paint = |colour: Option<Rgb>| colour.map_or_else(|| "none".to_owned(), hex);
    let mut text = format!(" fill=\"{}\"", paint(style.fill));
    if style.stroke.is_some() {
        let _ = write!(
            text,
            " stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"{cap}\" stroke-linejoin=\"round\"",
            paint(style.stroke),
            number(style.stroke_width)
        );
    }
    if !style.dash.is_empty() {
        let dashes: Vec<_> = style.dash.iter().map(|d| number(*d)).collect();
        let _ = write!(text, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    if style.opacity < 1.0 {
        let _ = write!(text, " opacity=\"{}\"", figure(style.opacity.max(0.0)));
    }
    text
}

pub fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn number(value: f64) -> String {
    figure(value * SCALE)
}

/// At most two decimals; a value that is none becomes 0, so that the document stays valid.
fn figure(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = trimmed(value, 2);
    if text == "-0" { "0".to_owned() } else { text }
}
