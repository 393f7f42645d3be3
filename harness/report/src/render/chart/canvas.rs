//! A canvas for plotters that writes SVG: text stays text, lines may be dashed, and what belongs together stands in a group
//! with attributes of its own, which the HTML page reads.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendStyle, BackendTextStyle, DrawingErrorKind};

use crate::picture::{FONTS, escape};

/// A place in pixels: from the left, from the top.
pub type At = (i32, i32);

/// Lengths in pixels that are drawn and left out in turn, as SVG has them; empty for a line without gaps.
pub type Dash = &'static str;

/// plotters measures a font of size `OVERSIZE` where SVG has one of size 1.
const OVERSIZE: f64 = 1.24;

pub struct Canvas {
    area: DrawingArea<Backend, Shift>,
    written: Rc<RefCell<Written>>,
    /// Whether groups are written.
    has_groups: bool,
}

#[derive(Default)]
struct Written {
    svg: String,
    dash: Dash,
    /// What went wrong first.
    failed: Option<String>,
}

impl Canvas {
    /// A white one of that size, with the title that readers hear who cannot see it; `has_groups`: whether parts of the picture
    /// are to be told apart.
    pub fn new((width, height): (i32, i32), title: &str, has_groups: bool) -> Self {
        let written = Rc::new(RefCell::new(Written::default()));
        let size = [width, height].map(|side| side.unsigned_abs());
        let backend = Backend { size: size.into(), written: Rc::clone(&written) };
        let canvas = Self { area: backend.into_drawing_area(), written, has_groups };
        let _ = write!(
            canvas.written.borrow_mut().svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            escape(title)
        );
        canvas
    }

    pub fn finish(self) -> Result<String, String> {
        let Written { mut svg, failed, .. } = self.written.take();
        svg.push_str("</svg>\n");
        failed.map_or(Ok(svg), Err)
    }

    /// Whether parts of the picture are told apart.
    pub fn has_groups(&self) -> bool {
        self.has_groups
    }

    /// Draws something in a group with these attributes.
    pub fn group(&self, attributes: &[(&str, &str)], draw: impl FnOnce()) {
        if !self.has_groups {
            return draw();
        }
        let attributes: String =
            attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape_lines(value))).collect();
        self.write(format_args!("<g{attributes}>\n"));
        draw();
        self.write(format_args!("</g>\n"));
    }

    /// An area that is not seen but can be pressed, where parts are told apart.
    pub fn pressed(&self, (left, top): At, (width, height): (i32, i32)) {
        if self.has_groups {
            self.write(format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" pointer-events=\"all\"/>\n"
            ));
        }
    }

    pub fn polygon(&self, corners: &[At], colour: RGBColor) {
        self.draw(&Polygon::new(corners.to_vec(), colour.filled()));
    }

    pub fn line(&self, points: &[At], style: ShapeStyle) {
        self.draw(&PathElement::new(points.to_vec(), style));
    }

    /// The same, dashed.
    pub fn dashed(&self, points: &[At], style: ShapeStyle, dash: Dash) {
        self.written.borrow_mut().dash = dash;
        self.line(points, style);
        self.written.borrow_mut().dash = "";
    }

    /// A circle, filled or not as the style says.
    pub fn circle(&self, at: At, radius: i32, style: ShapeStyle) {
        self.draw(&Circle::new(at, radius, style));
    }

    /// Text that begins, ends or has its middle at a place, half above and half below it.
    pub fn text(&self, text: &str, at: At, size: f64, align: HPos) {
        self.draw(&Text::new(text, at, style(size, align)));
    }

    /// The same, upright from below.
    pub fn upright(&self, text: &str, at: At, size: f64, align: HPos) {
        self.draw(&Text::new(text, at, style(size, align).transform(FontTransform::Rotate270)));
    }

    fn draw<'a, E>(&self, element: &'a E)
    where
        &'a E: PointCollection<'a, At>,
        E: Drawable<Backend>,
    {
        if let Err(error) = self.area.draw(element) {
            self.written.borrow_mut().failed.get_or_insert_with(|| error.to_string());
        }
    }

    fn write(&self, text: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.written.borrow_mut().svg.write_fmt(text);
    }
}

/// A text of several lines as the value of an attribute.
fn escape_lines(text: &str) -> String {
    text.split('\n').map(escape).collect::<Vec<_>>().join("&#10;")
}

/// Makes the embedded font known to plotters, once.
pub fn register_fonts() -> Result<(), String> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let register = || register_font(FONTS, FontStyle::Normal, dejavu::sans::regular()).is_ok();
    if *REGISTERED.get_or_init(register) { Ok(()) } else { Err("the embedded font cannot be read".to_owned()) }
}

fn style(size: f64, align: HPos) -> TextStyle<'static> {
    TextStyle::from(font(size)).pos(Pos::new(align, VPos::Center)).color(&BLACK)
}

fn font(size: f64) -> FontDesc<'static> {
    (FONTS, size * OVERSIZE).into_font()
}

/// Width of a line of text in pixels.
pub fn width(text: &str, size: f64) -> i32 {
    font(size).layout_box(text).map_or(0, |((left, _), (right, _))| right - left)
}

/// Breaks text into lines of at most `limit` pixels; a word longer than a line is cut off with `…`.
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

/// The text, or as much of it as fits, with `…`.
pub fn cut(text: &str, size: f64, limit: i32) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while short.pop().is_some() && width(&format!("{short}…"), size) > limit {}
    short + "…"
}

/// The name, or its beginning and its end with `…` between: names often differ at their end.
pub fn cut_name(name: &str, size: f64, limit: i32) -> String {
    if width(name, size) <= limit {
        return name.to_owned();
    }
    let letters: Vec<_> = name.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
    };
    (0..letters.len()).rev().map(cut).find(|text| width(text, size) <= limit).unwrap_or_default()
}

/// What plotters draws on.
struct Backend {
    size: (u32, u32),
    written: Rc<RefCell<Written>>,
}

type Drawn = Result<(), DrawingErrorKind<std::fmt::Error>>;

impl Backend {
    fn write(&self, text: std::fmt::Arguments) -> Drawn {
        self.written.borrow_mut().svg.write_fmt(text).map_err(DrawingErrorKind::DrawingError)
    }
}

impl DrawingBackend for Backend {
    type ErrorType = std::fmt::Error;

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
        let colour = hex(colour);
        self.write(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" fill=\"{colour}\"/>\n"))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: At, to: At, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = At>>(&mut self, path: I, style: &S) -> Drawn {
        let dash = match self.written.borrow().dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let (colour, width, points) = (hex(style.color()), style.stroke_width(), points(path));
        self.write(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>\n"
        ))
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): At, radius: u32, style: &S, fill: bool) -> Drawn {
        let (colour, width) = (hex(style.color()), style.stroke_width());
        let paint = match fill {
            true => format!("fill=\"{colour}\""),
            false => format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""),
        };
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>\n"))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = At>>(&mut self, corners: I, style: &S) -> Drawn {
        let (colour, points) = (hex(style.color()), points(corners));
        self.write(format_args!("<polygon points=\"{points}\" fill=\"{colour}\"/>\n"))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): At) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Right => "end",
            HPos::Center => "middle",
        };
        let turn = match style.transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(270 {x} {y})\""),
            _ => String::new(),
        };
        let (size, colour, text) = (style.size() / OVERSIZE, hex(style.color()), escape(text));
        self.write(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{colour}\"{turn}>{text}</text>\n"
        ))
    }
}

fn points(path: impl IntoIterator<Item = At>) -> String {
    path.into_iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

fn hex(BackendColor { rgb: (red, green, blue), .. }: BackendColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
