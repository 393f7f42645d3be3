//! A scene as SVG.

use std::fmt::Write;

use puzzle::scene::{Item, Point, Rgb, Scene, Style};

use crate::text::xml;

/// The fonts as pictures name them: the embedded one first.
pub const FONTS: &str = "DejaVu Sans, sans-serif";

/// Pixels to the unit of a scene. Coordinates are scaled up, since browsers draw tiny fonts badly.
const SCALE: f64 = 40.0;

/// Pixels that a picture is wide at least, where a browser shows it as it is.
const LEAST_WIDTH: f64 = 640.0;

/// Renders a scene as a complete SVG document.
#[must_use]
pub fn render_svg(scene: &Scene) -> String {
    let mut content = String::new();
    for item in &scene.items {
        render(item, &mut content);
    }
    document(scene, &content)
}

/// A shape by itself, to be put into a document of the [`size`] of its scene.
pub fn shape(item: &Item) -> String {
    let mut text = String::new();
    render(item, &mut text);
    text.truncate(text.trim_end().len());
    text
}

/// A point as [`shape`] writes it.
pub fn place(Point { x, y }: Point) -> [String; 2] {
    [x, y].map(number)
}

pub fn size(scene: &Scene) -> [String; 2] {
    [number(scene.width), number(scene.height)]
}

/// An SVG document of the size and title of a scene.
pub(super) fn document(scene: &Scene, content: &str) -> String {
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

pub(super) fn render(item: &Item, svg: &mut String) {
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
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "<{element} class=\"{}\" {rest}", escape(class));
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
        let _ = write!(text, " opacity=\"{}\"", trimmed(style.opacity.max(0.0)));
    }
    text
}

fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn number(value: f64) -> String {
    trimmed(value * SCALE)
}

/// At most two decimals; a value that is none becomes 0, so that the document stays valid.
fn trimmed(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
