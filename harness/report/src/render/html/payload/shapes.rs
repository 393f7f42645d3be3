//! The shapes that pictures are made of, each once.

use std::collections::HashMap;

use puzzle::scene::{Item, Point, Rgb, Style};

use super::json;
use crate::picture::shape;

/// Shapes as SVG, numbered in the order in which they were met.
#[derive(Default)]
pub struct Shapes {
    svg: Vec<String>,
    known: HashMap<Box<[u64]>, usize>,
    key: Vec<u64>,
}

impl Shapes {
    /// The number of a shape.
    pub fn number(&mut self, item: &Item) -> usize {
        self.key.clear();
        key(item, &mut self.key);
        if let Some(number) = self.known.get(self.key.as_slice()) {
            return *number;
        }
        let number = self.svg.len();
        self.known.insert(self.key.as_slice().into(), number);
        self.svg.push(shape(item));
        number
    }

    /// All of them, as JSON.
    pub fn json(&self) -> Vec<u8> {
        let mut text = b"{\"shapes\":".to_vec();
        json::list(&self.svg, &mut text, |svg, text| json::text(svg, text));
        text.push(b'}');
        text
    }
}

/// Everything that is drawn of an item, as numbers: equal ones mean equal shapes. To render it only to find that it is known
/// would take most of the time.
fn key(item: &Item, key: &mut Vec<u64>) {
    match item {
        Item::Polygon { class, points, style } => {
            key.push(0);
            outline(class, points, Some(style), key);
        }
        Item::Arc { class, from, to, radius, clockwise, style } => {
            key.push(1);
            outline(class, &[*from, *to], Some(style), key);
            key.extend([radius.map_or(u64::MAX, f64::to_bits), u64::from(*clockwise)]);
        }
        Item::Polyline { class, points, style } => {
            key.push(2);
            outline(class, points, Some(style), key);
        }
        Item::Circle { class, center, radius, style } => {
            key.extend([3, radius.to_bits()]);
            outline(class, &[*center], Some(style), key);
        }
        Item::Text { class, at, size, text, bold, colour } => {
            key.extend([4, size.to_bits(), u64::from(*bold), self::colour(Some(*colour))]);
            outline(class, &[*at], None, key);
            self::text(text, key);
        }
    }
}

fn text(text: &str, key: &mut Vec<u64>) {
    key.push(text.len() as u64);
    key.extend(
        text.as_bytes().chunks(8).map(|bytes| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))),
    );
}

fn outline(class: &str, points: &[Point], style: Option<&Style>, key: &mut Vec<u64>) {
    text(class, key);
    corners(points, key);
    if let Some(style) = style {
        painted(style, key);
    }
}

fn corners(points: &[Point], key: &mut Vec<u64>) {
    key.push(points.len() as u64);
    key.extend(points.iter().flat_map(|point| [point.x.to_bits(), point.y.to_bits()]));
}

fn painted(style: &Style, key: &mut Vec<u64>) {
    let Style { fill, stroke, stroke_width, dash, opacity } = style;
    key.extend([colour(*fill), colour(*stroke), stroke_width.to_bits(), opacity.to_bits(), dash.len() as u64]);
    key.extend(dash.iter().map(|length| length.to_bits()));
}

fn colour(colour: Option<Rgb>) -> u64 {
    colour.map_or(u64::MAX, |Rgb(red, green, blue)| u64::from(red) << 16 | u64::from(green) << 8 | u64::from(blue))
}
