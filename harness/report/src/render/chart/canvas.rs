//! A canvas on which plotters draws its elements as SVG: text stays text, lines may be dashed, and what belongs together is a group
//! with attributes of its own, which the HTML page reads. plotters measures texts in the embedded font.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{Pos, VPos};
use plotters_backend::{BackendColor, BackendStyle, BackendTextStyle, DrawingErrorKind};
use puzzle::scene::Rgb;

use crate::picture::{FONTS, escape, hex};

/// Which end of a text is at its place.
pub use plotters::style::text_anchor::HPos as Anchor;

/// A place in pixels: from the left, from the top.
pub type At = (i32, i32);

/// Lengths in pixels that are drawn and left out in turn, as SVG has them; empty for a line without gaps.
pub type Dash = &'static str;

pub const BLACK: Rgb = Rgb(0, 0, 0);
pub const WHITE: Rgb = Rgb(255, 255, 255);

/// What a line is drawn with; the width in pixels.
#[derive(Clone, Copy)]
pub struct Pen {
    pub colour: Rgb,
    pub width: u32,
    pub dash: Dash,
}

impl Pen {
    /// A pen for lines without gaps.
    pub fn new(colour: Rgb, width: u32) -> Self {
        Self { colour, width, dash: "" }
    }
}

pub struct Canvas {
    area: DrawingArea<Backend, Shift>,
    backend: Rc<RefCell<Backend>>,
    /// Whether groups are written, for the HTML page.
    has_groups: bool,
}

impl Canvas {
    /// A white one of that size, with a title for screen readers.
    pub fn new((width, height): (i32, i32), title: &str, has_groups: bool) -> Self {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            escape(title)
        );
        let size = (width.unsigned_abs(), height.unsigned_abs());
        let backend = Rc::new(RefCell::new(Backend { size, svg, dash: "" }));
        Self { area: DrawingArea::from(&backend), backend, has_groups }
    }

    pub fn finish(self) -> String {
        std::mem::take(&mut self.backend.borrow_mut().svg) + "</svg>\n"
    }

    pub fn has_groups(&self) -> bool {
        self.has_groups
    }

    /// Draws something in a group with these attributes.
    pub fn group(&mut self, attributes: &[(&str, &str)], draw: impl FnOnce(&mut Self)) {
        if !self.has_groups {
            return draw(self);
        }
        let lines = |text: &str| text.split('\n').map(escape).collect::<Vec<_>>().join("&#10;");
        let attributes: String =
            attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", lines(value))).collect();
        self.write(&format!("<g{attributes}>\n"));
        draw(self);
        self.write("</g>\n");
    }

    /// An area that is not seen but can be pressed, where groups are written.
    pub fn pressed(&mut self, (left, top): At, (width, height): (i32, i32)) {
        if self.has_groups {
            self.write(&format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" pointer-events=\"all\"/>\n"
            ));
        }
    }

    pub fn polygon(&mut self, corners: &[At], colour: Rgb) {
        self.draw(&Polygon::new(corners, rgb(colour).filled()));
    }

    pub fn line(&mut self, corners: &[At], Pen { colour, width, dash }: Pen) {
        self.backend.borrow_mut().dash = dash;
        self.draw(&PathElement::new(corners, Color::stroke_width(&rgb(colour), width)));
        self.backend.borrow_mut().dash = "";
    }

    /// The outline of an area: the first side is drawn twice, or the last corner would be open.
    pub fn outline(&mut self, corners: &[At], pen: Pen) {
        self.line(&[corners, &corners[..2.min(corners.len())]].concat(), pen);
    }

    pub fn disc(&mut self, at: At, radius: i32, colour: Rgb) {
        self.draw(&Circle::new(at, radius, rgb(colour).filled()));
    }

    pub fn ring(&mut self, at: At, radius: i32, Pen { colour, width, .. }: Pen) {
        self.draw(&Circle::new(at, radius, Color::stroke_width(&rgb(colour), width)));
    }

    /// Text at a place, half above and half below it.
    pub fn text(&mut self, text: &str, at: At, size: f64, anchor: Anchor) {
        self.draw(&Text::new(text, at, style(size, anchor)));
    }

    /// Text upright from below.
    pub fn upright(&mut self, text: &str, at: At, size: f64, anchor: Anchor) {
        self.draw(&Text::new(text, at, style(size, anchor).transform(FontTransform::Rotate270)));
    }

    fn draw<'a, E>(&mut self, element: &'a E)
    where
        &'a E: PointCollection<'a, At>,
        E: Drawable<Backend>,
    {
        self.area.draw(element).expect("writing to a string does not fail, and the font is embedded");
    }

    fn write(&self, text: &str) {
        self.backend.borrow_mut().svg += text;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the picture has a few hundred pixels")]
pub fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// A number of lines or names in a picture.
pub fn count(things: usize) -> i32 {
    i32::try_from(things).unwrap_or(i32::MAX / 100)
}

/// plotters measures a font of size `OVERSIZE` where SVG has one of size 1: widths are taken 6.5 % too large, since a browser may
/// show another font.
const OVERSIZE: f64 = 1.24;

fn font(size: f64) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        assert!(register_font(FONTS, FontStyle::Normal, dejavu::sans::regular()).is_ok(), "the embedded font is one");
    });
    (FONTS, size * OVERSIZE).into_font()
}

fn style(size: f64, anchor: Anchor) -> TextStyle<'static> {
    TextStyle::from(font(size)).pos(Pos::new(anchor, VPos::Center))
}

/// Width of a line of text in pixels.
pub fn width(text: &str, size: f64) -> i32 {
    font(size).layout_box(text).map_or(0, |((left, _), (right, _))| right - left)
}

/// Breaks text into lines of at most `limit` pixels; a word longer than a line is cut.
pub fn wrap(text: &str, size: f64, limit: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, size, limit);
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= limit => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Breaks a name into lines of at most `limit` pixels: at spaces, and behind `-`, `_`, `,`, `/` and `+`. None if it takes more
/// than `most` lines, or has a part that is longer than a line.
pub fn wrap_name(name: &str, size: f64, limit: i32, most: usize) -> Option<Vec<String>> {
    let mut lines: Vec<String> = vec![String::new()];
    for part in name.split_inclusive([' ', '-', '_', ',', '/', '+']) {
        let line = lines.last().map_or(String::new(), |line| format!("{line}{part}"));
        if width(line.trim_end(), size) <= limit {
            lines.pop();
            lines.push(line);
        } else if width(part.trim_end(), size) <= limit {
            lines.push(part.to_owned());
        } else {
            return None;
        }
    }
    lines.retain(|line| !line.is_empty());
    (lines.len() <= most).then(|| lines.into_iter().map(|line| line.trim_end().to_owned()).collect())
}

/// The text, or its beginning and its end with `…` between: names often differ at their end.
pub fn cut(text: &str, size: f64, limit: i32) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let letters: Vec<_> = text.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
    };
    (0..letters.len()).rev().map(cut).find(|text| width(text, size) <= limit).unwrap_or_default()
}

/// What plotters draws on.
struct Backend {
    size: (u32, u32),
    /// What is drawn.
    svg: String,
    /// Of the lines that are drawn now.
    dash: Dash,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Backend {
    fn write(&mut self, text: std::fmt::Arguments) -> Drawn {
        self.svg.write_fmt(text).expect("writing to a string does not fail");
        Ok(())
    }
}

impl DrawingBackend for Backend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): At, colour: BackendColor) -> Drawn {
        self.write(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" fill=\"{}\"/>\n", ink(colour)))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = At>>(&mut self, path: I, style: &S) -> Drawn {
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let (colour, width, points) = (ink(style.color()), style.stroke_width(), points(path));
        self.write(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>\n"
        ))
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): At, radius: u32, style: &S, fill: bool) -> Drawn {
        let (colour, width) = (ink(style.color()), style.stroke_width());
        let paint = match fill {
            true => format!("fill=\"{colour}\""),
            false => format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""),
        };
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>\n"))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = At>>(&mut self, corners: I, style: &S) -> Drawn {
        self.write(format_args!("<polygon points=\"{}\" fill=\"{}\"/>\n", points(corners), ink(style.color())))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): At) -> Drawn {
        let anchor = match style.anchor().h_pos {
            Anchor::Left => "start",
            Anchor::Right => "end",
            Anchor::Center => "middle",
        };
        let turn = match style.transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(270 {x} {y})\""),
            _ => String::new(),
        };
        let (size, colour, text) = (style.size() / OVERSIZE, ink(style.color()), escape(text));
        self.write(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{colour}\"{turn}>{text}</text>\n"
        ))
    }
}

fn points(path: impl IntoIterator<Item = At>) -> String {
    path.into_iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

fn rgb(Rgb(red, green, blue): Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

fn ink(BackendColor { rgb: (red, green, blue), .. }: BackendColor) -> String {
    hex(Rgb(red, green, blue))
}
