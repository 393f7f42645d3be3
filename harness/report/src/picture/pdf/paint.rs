//! The shapes and texts of a picture as PDF operators.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Str};
use resvg::tiny_skia::{PathSegment, Point};
use resvg::usvg::{
    BlendMode, Color, Fill, FillRule, Group, LineCap, LineJoin, Node, Paint, PaintOrder, Path, Stroke, Text, Transform,
};

use super::fonts::{self, Fonts};
use crate::ReportError;

/// The name of a graphics state, by its place among the opacities.
pub fn state_name(index: usize) -> String {
    format!("G{index}")
}

/// Writes operators and collects what they need.
pub struct Painter<'a> {
    content: Content,
    /// Each in use once.
    opacities: Vec<f32>,
    fonts: Fonts<'a>,
}

impl<'a> Painter<'a> {
    /// With nothing drawn yet.
    pub fn new(fonts: Fonts<'a>) -> Self {
        Self { content: Content::new(), opacities: Vec::new(), fonts }
    }

    /// The operators, the opacities by their places, and the fonts.
    pub fn finish(self) -> (Vec<u8>, Vec<f32>, Fonts<'a>) {
        (self.content.finish().into_vec(), self.opacities, self.fonts)
    }

    /// A group and what is in it. Its opacity is that of each of its parts: our pictures set it on single shapes.
    pub fn group(&mut self, group: &Group, outer: Transform, opacity: f32) -> Result<(), ReportError> {
        let unknown = [
            (group.clip_path().is_some(), "a clip path"),
            (group.mask().is_some(), "a mask"),
            (!group.filters().is_empty(), "a filter"),
            (group.blend_mode() != BlendMode::Normal, "a blend mode"),
        ];
        if let Some((_, what)) = unknown.iter().find(|(has, _)| *has) {
            return Err(refused(what));
        }
        let transform = outer.pre_concat(group.transform());
        let is_moved = !transform.is_identity();
        if is_moved {
            self.content.save_state().transform(matrix(transform));
        }
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, Transform::identity(), opacity)?,
                Node::Path(path) => self.path(path, opacity)?,
                Node::Text(text) => self.text(text, opacity)?,
                Node::Image(_) => return Err(refused("an image")),
            }
        }
        if is_moved {
            self.content.restore_state();
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, opacity: f32) -> Result<(), ReportError> {
        if !path.is_visible() {
            return Ok(());
        }
        let is_reversed = path.paint_order() == PaintOrder::StrokeAndFill;
        for is_fill in [!is_reversed, is_reversed] {
            if is_fill && let Some(fill) = path.fill() {
                self.set_fill(fill, opacity)?;
                self.outline(path);
                match fill.rule() {
                    FillRule::NonZero => self.content.fill_nonzero(),
                    FillRule::EvenOdd => self.content.fill_even_odd(),
                };
            }
            if !is_fill && let Some(stroke) = path.stroke() {
                self.set_stroke(stroke, opacity)?;
                self.outline(path);
                self.content.stroke();
            }
        }
        Ok(())
    }

    fn outline(&mut self, path: &Path) {
        let mut at = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    self.content.move_to(to.x, to.y);
                    at = to;
                }
                PathSegment::LineTo(to) => {
                    self.content.line_to(to.x, to.y);
                    at = to;
                }
                PathSegment::QuadTo(control, to) => {
                    // PDF has cubic curves only.
                    let toward = |end: Point| (end.x + (control.x - end.x) / 1.5, end.y + (control.y - end.y) / 1.5);
                    let ((x1, y1), (x2, y2)) = (toward(at), toward(to));
                    self.content.cubic_to(x1, y1, x2, y2, to.x, to.y);
                    at = to;
                }
                PathSegment::CubicTo(one, two, to) => {
                    self.content.cubic_to(one.x, one.y, two.x, two.y, to.x, to.y);
                    at = to;
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn text(&mut self, text: &Text, opacity: f32) -> Result<(), ReportError> {
        for span in text.layouted().iter().filter(|span| span.visible) {
            if span.stroke.is_some()
                || span.underline.is_some()
                || span.overline.is_some()
                || span.line_through.is_some()
            {
                return Err(refused("a text with more than a fill"));
            }
            let Some(fill) = &span.fill else { continue };
            self.set_fill(fill, opacity)?;
            self.content.begin_text();
            for glyph in &span.positioned_glyphs {
                let found = self.fonts.glyph(glyph)?;
                // The font has size 1: the transform of a glyph scales units of its design.
                let design = glyph.outline_transform().pre_scale(found.units_per_em, found.units_per_em);
                self.content.set_font(Name(fonts::name(found.font).as_bytes()), 1.0);
                self.content.set_text_matrix(matrix(design));
                self.content.show(Str(&found.code));
            }
            self.content.end_text();
        }
        Ok(())
    }

    fn set_fill(&mut self, fill: &Fill, opacity: f32) -> Result<(), ReportError> {
        let [red, green, blue] = colour(fill.paint())?;
        self.content.set_fill_rgb(red, green, blue);
        self.set_opacity(opacity * fill.opacity().get());
        Ok(())
    }

    fn set_stroke(&mut self, stroke: &Stroke, opacity: f32) -> Result<(), ReportError> {
        let [red, green, blue] = colour(stroke.paint())?;
        self.content.set_stroke_rgb(red, green, blue).set_line_width(stroke.width().get());
        self.content.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        self.content.set_line_join(match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
        });
        self.content.set_miter_limit(stroke.miterlimit().get());
        let dashes = stroke.dasharray().unwrap_or_default();
        self.content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
        self.set_opacity(opacity * stroke.opacity().get());
        Ok(())
    }

    fn set_opacity(&mut self, opacity: f32) {
        let known = self.opacities.iter().position(|known| known.total_cmp(&opacity).is_eq());
        let index = known.unwrap_or_else(|| {
            self.opacities.push(opacity);
            self.opacities.len() - 1
        });
        self.content.set_parameters(Name(state_name(index).as_bytes()));
    }
}

fn matrix(t: Transform) -> [f32; 6] {
    [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]
}

fn colour(paint: &Paint) -> Result<[f32; 3], ReportError> {
    match paint {
        Paint::Color(Color { red, green, blue }) => Ok([red, green, blue].map(|part| f32::from(*part) / 255.0)),
        _ => Err(refused("a gradient or pattern")),
    }
}

fn refused(what: &str) -> ReportError {
    ReportError::Picture(format!("{what} cannot be written as PDF: only paths and texts in plain colours can"))
}
