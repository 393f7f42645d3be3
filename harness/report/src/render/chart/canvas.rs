//! A canvas that writes SVG: text stays text, lines may be dashed, and what belongs together is a group with attributes of its own,
//! which the HTML page reads. Texts are measured in the embedded font.

use std::fmt::Write;
use std::sync::OnceLock;

use puzzle::scene::Rgb;
use ttf_parser::Face;

use crate::picture::{FONTS, escape, hex};

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

/// Which end of a text is at its place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

pub struct Canvas {
    svg: String,
    /// Whether groups are written, for the HTML page.
    has_groups: bool,
}

impl Canvas {
    /// A white one of that size, with the title that readers hear who cannot see it.
    pub fn new((width, height): (i32, i32), title: &str, has_groups: bool) -> Self {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            escape(title)
        );
        Self { svg, has_groups }
    }

    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
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
        self.write(format_args!("<g{attributes}>\n"));
        draw(self);
        self.write(format_args!("</g>\n"));
    }

    /// An area that is not seen but can be pressed, where groups are written.
    pub fn pressed(&mut self, (left, top): At, (width, height): (i32, i32)) {
        if self.has_groups {
            self.write(format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" pointer-events=\"all\"/>\n"
            ));
        }
    }

    pub fn polygon(&mut self, corners: &[At], colour: Rgb) {
        self.write(format_args!("<polygon points=\"{}\" fill=\"{}\"/>\n", points(corners), hex(colour)));
    }

    pub fn line(&mut self, corners: &[At], Pen { colour, width, dash }: Pen) {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let (points, colour) = (points(corners), hex(colour));
        self.write(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>\n"
        ));
    }

    /// The outline of an area: the first side is drawn twice, or the last corner would be open.
    pub fn outline(&mut self, corners: &[At], pen: Pen) {
        self.line(&[corners, &corners[..2.min(corners.len())]].concat(), pen);
    }

    pub fn disc(&mut self, (x, y): At, radius: i32, colour: Rgb) {
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/>\n", hex(colour)));
    }

    pub fn ring(&mut self, (x, y): At, radius: i32, Pen { colour, width, .. }: Pen) {
        let stroke = format!("stroke=\"{}\" stroke-width=\"{width}\"", hex(colour));
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" {stroke}/>\n"));
    }

    /// Text at a place, half above and half below it.
    pub fn text(&mut self, text: &str, at: At, size: f64, anchor: Anchor) {
        self.turned_text(text, at, size, anchor, "");
    }

    /// Text upright from below.
    pub fn upright(&mut self, text: &str, (x, y): At, size: f64, anchor: Anchor) {
        self.turned_text(text, (x, y), size, anchor, &format!(" transform=\"rotate(270 {x} {y})\""));
    }

    fn turned_text(&mut self, text: &str, (x, y): At, size: f64, anchor: Anchor, turn: &str) {
        let text = escape(text);
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.write(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"#000000\"{turn}>{text}</text>\n"
        ));
    }

    fn write(&mut self, text: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(text);
    }
}

fn points(path: &[At]) -> String {
    path.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

#[expect(clippy::cast_possible_truncation, reason = "the picture has a few hundred pixels")]
pub fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// A number of lines or names in a picture.
pub fn count(things: usize) -> i32 {
    i32::try_from(things).unwrap_or(i32::MAX / 100)
}

/// Height of a font from ascender to descender, as a multiple of its size. That of DejaVu Sans is 1.164: widths are taken 6.5 % too
/// large, since a browser may show another font.
const HEIGHT: f64 = 1.24;

/// Width of a line of text in pixels.
#[expect(clippy::cast_possible_truncation, reason = "a line has a few thousand pixels")]
pub fn width(text: &str, size: f64) -> i32 {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    let face = FACE.get_or_init(|| Face::parse(dejavu::sans::regular(), 0).ok());
    let Some(face) = face else { return 0 };
    let scale = (size * HEIGHT) as f32 / (f32::from(face.ascender()) - f32::from(face.descender()));
    let (mut width, mut before) = (0.0, None);
    for glyph in text.chars().map(|c| face.glyph_index(c).unwrap_or_default()) {
        width += scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or_default());
        let mut tables =
            face.tables().kern.iter().flat_map(|kern| kern.subtables).filter(|t| t.horizontal && !t.variable);
        let kerning = before.and_then(|before| tables.find_map(|table| table.glyphs_kerning(before, glyph)));
        width += scale * f32::from(kerning.unwrap_or_default());
        before = Some(glyph);
    }
    width as i32
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
