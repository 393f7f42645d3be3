//! SVG to PDF, for LaTeX: vectors, with the glyphs of the embedded fonts as text that can be found and copied. No date and
//! no identifier is in it, so that the same picture is the same file.
//!
//! It draws what our pictures are made of: paths and text in plain colours, with opacity and dashes. Anything else
//! (gradients, clips, masks, filters, images) is refused by name and never left out.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use resvg::tiny_skia::{PathSegment, Point};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::layout::PositionedGlyph;
use resvg::usvg::{
    BlendMode, Color, Fill, FillRule, Group, LineCap, LineJoin, Node, Paint, PaintOrder, Path, Stroke, Text, Transform,
};
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

use super::parse;
use crate::ReportError;

/// Points to the pixel of CSS: 72 points and 96 pixels are an inch.
const POINTS: f32 = 0.75;

const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Writes an SVG document as a PDF of one page of its size.
///
/// # Errors
/// A text that is no valid SVG, or one with what this does not draw.
pub fn svg_to_pdf(svg: &str) -> Result<Vec<u8>, ReportError> {
    let tree = parse(svg)?;
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    let fonts = Fonts { database: tree.fontdb(), used: Vec::new() };
    let mut painter = Painter { content: Content::new(), opacities: Vec::new(), fonts };
    // The y axis of PDF points upward.
    painter.group(tree.root(), Transform::from_row(POINTS, 0.0, 0.0, -POINTS, 0.0, height), 1.0)?;
    let Painter { content, opacities, fonts } = painter;

    let mut next = (1..).map(Ref::new);
    let mut new = || next.next().unwrap_or(Ref::new(i32::MAX));
    let (catalog, pages, page, stream) = (new(), new(), new(), new());
    let mut pdf = Pdf::new();
    // It needs no later one, and LaTeX warns of those after 1.5.
    pdf.set_version(1, 5);
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let states: Vec<_> = opacities.iter().map(|opacity| (new(), opacity)).collect();
    let faces = fonts.write(&mut pdf, &mut new);
    let mut sheet = pdf.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(stream);
    let mut resources = sheet.resources();
    let named = states.iter().enumerate().map(|(index, (id, _))| (state_name(index), *id));
    named.fold(&mut resources.ext_g_states(), |all, (name, id)| all.pair(Name(name.as_bytes()), id));
    let named = faces.iter().enumerate().map(|(index, id)| (font_name(index), *id));
    named.fold(&mut resources.fonts(), |all, (name, id)| all.pair(Name(name.as_bytes()), id));
    resources.finish();
    sheet.finish();
    for (id, opacity) in states {
        pdf.ext_graphics(id).non_stroking_alpha(*opacity).stroking_alpha(*opacity);
    }
    pdf.stream(stream, &compressed(&content.finish())).filter(Filter::FlateDecode);
    Ok(pdf.finish())
}

/// Bytes as a stream with the filter `FlateDecode` holds them.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

/// The name in the resources of the page of a graphics state, by its place among the opacities.
fn state_name(index: usize) -> String {
    format!("G{index}")
}

fn font_name(index: usize) -> String {
    format!("F{index}")
}

/// Writes operators and collects what they need.
struct Painter<'a> {
    content: Content,
    /// Each once.
    opacities: Vec<f32>,
    fonts: Fonts<'a>,
}

impl Painter<'_> {
    /// A group and what is in it. Its opacity is that of each of its parts: our pictures set it on single shapes.
    fn group(&mut self, group: &Group, outer: Transform, opacity: f32) -> Result<(), ReportError> {
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
            let lines = [&span.underline, &span.overline, &span.line_through];
            if span.stroke.is_some() || lines.iter().any(|line| line.is_some()) {
                return Err(refused("a text with more than a fill"));
            }
            let Some(fill) = &span.fill else { continue };
            self.set_fill(fill, opacity)?;
            self.content.begin_text();
            for glyph in &span.positioned_glyphs {
                let (font, code) = self.fonts.glyph(glyph);
                // The font has size 1: the transform of a glyph scales units of its design.
                let units = self.fonts.used[font].units_per_em;
                self.content.set_font(Name(font_name(font).as_bytes()), 1.0);
                self.content.set_text_matrix(matrix(glyph.outline_transform().pre_scale(units, units)));
                self.content.show(Str(&code));
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

struct Fonts<'a> {
    database: &'a Database,
    used: Vec<Font>,
}

struct Font {
    id: ID,
    units_per_em: f32,
    glyphs: GlyphRemapper,
    /// What each glyph of the subset stands for.
    texts: BTreeMap<u16, String>,
}

impl Fonts<'_> {
    /// The font of a glyph by its place, and how a string names the glyph in the subset of that font.
    fn glyph(&mut self, glyph: &PositionedGlyph) -> (usize, [u8; 2]) {
        let known = self.used.iter().position(|font| font.id == glyph.font);
        let font = known.unwrap_or_else(|| {
            let units_per_em = self.of_face(glyph.font, |face, _| f32::from(face.units_per_em()));
            let (glyphs, texts) = (GlyphRemapper::new(), BTreeMap::new());
            self.used.push(Font { id: glyph.font, units_per_em, glyphs, texts });
            self.used.len() - 1
        });
        let used = &mut self.used[font];
        let original = u16::try_from(glyph.id.0).expect("fonts number their glyphs so");
        let code = used.glyphs.remap(original);
        used.texts.entry(code).or_insert_with(|| glyph.text.clone());
        (font, code.to_be_bytes())
    }

    /// Writes the fonts; gives their references by place.
    fn write(self, pdf: &mut Pdf, new: &mut impl FnMut() -> Ref) -> Vec<Ref> {
        let write = |font: &Font| self.of_face(font.id, |face, data| font.write(face, data, pdf, new));
        self.used.iter().map(write).collect()
    }

    fn of_face<T>(&self, id: ID, what: impl FnOnce(&Face, &[u8]) -> T) -> T {
        let of_data = |data: &[u8], index| what(&Face::parse(data, index).expect("the embedded fonts are some"), data);
        self.database.with_face_data(id, of_data).expect("texts are laid out in fonts of the database")
    }
}

impl Font {
    fn write(&self, face: &Face, data: &[u8], pdf: &mut Pdf, new: &mut impl FnMut() -> Ref) -> Ref {
        let [font, cid_font, descriptor, map, file] = [new(), new(), new(), new(), new()];
        let subset = subsetter::subset(data, 0, &self.glyphs).expect("the embedded fonts are some");
        let name = self.name(face);
        pdf.type0_font(font)
            .base_font(Name(name.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid_font)
            .to_unicode(map);

        let scale = 1000.0 / self.units_per_em;
        let mut cid = pdf.cid_font(cid_font);
        cid.subtype(CidFontType::Type2).base_font(Name(name.as_bytes())).system_info(IDENTITY);
        cid.font_descriptor(descriptor).default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let width = |glyph| f32::from(face.glyph_hor_advance(GlyphId(glyph)).unwrap_or_default()) * scale;
        cid.widths().consecutive(0, self.glyphs.remapped_gids().map(width));
        cid.finish();

        let bounds = face.global_bounding_box();
        let corners = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(|c| f32::from(c) * scale);
        pdf.font_descriptor(descriptor)
            .name(Name(name.as_bytes()))
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(corners[0], corners[1], corners[2], corners[3]))
            .italic_angle(0.0)
            .ascent(f32::from(face.ascender()) * scale)
            .descent(f32::from(face.descender()) * scale)
            .cap_height(f32::from(face.capital_height().unwrap_or(face.ascender())) * scale)
            .stem_v(80.0)
            .font_file2(file);

        let mut unicode = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (code, text) in &self.texts {
            unicode.pair_with_multiple(*code, text.chars());
        }
        pdf.cmap(map, &compressed(&unicode.finish())).filter(Filter::FlateDecode);
        pdf.stream(file, &compressed(&subset)).filter(Filter::FlateDecode);
        font
    }

    /// The name of a subset: six letters that stand for its glyphs, and the name of the font.
    fn name(&self, face: &Face) -> String {
        let mix = |hash: u64, glyph: u16| (hash ^ u64::from(glyph)).wrapping_mul(0x100_0000_01b3);
        let mut hash = self.glyphs.remapped_gids().fold(0xcbf2_9ce4_8422_2325, mix);
        let mut name = String::new();
        for _ in 0..6 {
            name.push(char::from(b'A' + u8::try_from(hash % 26).unwrap_or_default()));
            hash /= 26;
        }
        let bold = if face.is_bold() { "-Bold" } else { "" };
        format!("{name}+DejaVuSans{bold}")
    }
}
