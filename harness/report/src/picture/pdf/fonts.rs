//! The fonts of a picture: of each the glyphs in use, embedded as a TrueType font that is addressed by glyph.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::layout::PositionedGlyph;
use subsetter::GlyphRemapper;
use ttf_parser::{Face, GlyphId};

use super::compressed;
use crate::ReportError;

const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The name of a font in the resources of a page.
pub fn name(index: usize) -> String {
    format!("F{index}")
}

/// The fonts that a picture uses, in the order of their first glyphs.
pub struct Fonts<'a> {
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

/// A glyph as a page shows it.
pub struct Found {
    /// Place of its font.
    pub font: usize,
    /// Units of its design to the em.
    pub units_per_em: f32,
    /// How a string names it.
    pub code: [u8; 2],
}

impl<'a> Fonts<'a> {
    /// None used yet.
    pub fn new(database: &'a Database) -> Self {
        Self { database, used: Vec::new() }
    }

    /// The glyph in the subset of its font.
    pub fn glyph(&mut self, glyph: &PositionedGlyph) -> Result<Found, ReportError> {
        let font = match self.used.iter().position(|font| font.id == glyph.font) {
            Some(index) => index,
            None => {
                let units = self.of_face(glyph.font, |face, _| Ok(f32::from(face.units_per_em())))?;
                let (glyphs, texts) = (GlyphRemapper::new(), BTreeMap::new());
                self.used.push(Font { id: glyph.font, units_per_em: units, glyphs, texts });
                self.used.len() - 1
            }
        };
        let used = &mut self.used[font];
        let original = u16::try_from(glyph.id.0).map_err(|_| broken("has too many glyphs"))?;
        let code = used.glyphs.remap(original);
        used.texts.entry(code).or_insert_with(|| glyph.text.clone());
        Ok(Found { font, units_per_em: used.units_per_em, code: code.to_be_bytes() })
    }

    /// Writes the fonts; gives their references by place.
    pub fn write(self, pdf: &mut Pdf, new: &mut impl FnMut() -> Ref) -> Result<Vec<Ref>, ReportError> {
        let write = |font: &Font| self.of_face(font.id, |face, data| font.write(face, data, pdf, new));
        self.used.iter().map(write).collect()
    }

    fn of_face<T>(&self, id: ID, what: impl FnOnce(&Face, &[u8]) -> Result<T, ReportError>) -> Result<T, ReportError> {
        let of_data = |data: &[u8], index| {
            let face = Face::parse(data, index).map_err(|e| broken(&format!("cannot be read: {e}")))?;
            what(&face, data)
        };
        self.database.with_face_data(id, of_data).unwrap_or_else(|| Err(broken("is not there")))
    }
}

impl Font {
    fn write(
        &self,
        face: &Face,
        data: &[u8],
        pdf: &mut Pdf,
        new: &mut impl FnMut() -> Ref,
    ) -> Result<Ref, ReportError> {
        let [font, cid_font, descriptor, map, file] = [new(), new(), new(), new(), new()];
        let subset = subsetter::subset(data, 0, &self.glyphs).map_err(|e| broken(&format!("cannot be cut: {e}")))?;
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
        pdf.cmap(map, &compressed(&unicode.finish())?).filter(Filter::FlateDecode);
        pdf.stream(file, &compressed(&subset)?).filter(Filter::FlateDecode);
        Ok(font)
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

fn broken(what: &str) -> ReportError {
    ReportError::Picture(format!("a font {what}"))
}
