//! SVG to PDF, for LaTeX: vectors, with the glyphs of the embedded fonts as text that can be found and copied. No date and
//! no identifier is in it, so that the same picture is the same file.
//!
//! It draws what our pictures are made of: paths and text in plain colours, with opacity and dashes. Anything else
//! (gradients, clips, masks, filters, images) is refused by name and never left out.

mod fonts;
mod paint;

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref};
use resvg::usvg::Transform;

use super::png::parse;
use crate::ReportError;
use fonts::Fonts;
use paint::Painter;

/// Points to the pixel of CSS: 72 points and 96 pixels are an inch.
const POINTS: f32 = 0.75;

/// Writes an SVG document as a PDF of one page of its size.
///
/// # Errors
/// A text that is no valid SVG, or one with what this does not draw.
pub fn svg_to_pdf(svg: &str) -> Result<Vec<u8>, ReportError> {
    let tree = parse(svg)?;
    let (width, height) = (tree.size().width() * POINTS, tree.size().height() * POINTS);
    let mut painter = Painter::new(Fonts::new(tree.fontdb()));
    // The y axis of PDF points upward.
    painter.group(tree.root(), Transform::from_row(POINTS, 0.0, 0.0, -POINTS, 0.0, height), 1.0)?;
    let (content, opacities, fonts) = painter.finish();

    let mut next = (1..).map(Ref::new);
    let mut new = || next.next().unwrap_or(Ref::new(i32::MAX));
    let (catalog, pages, page, stream) = (new(), new(), new(), new());
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let states: Vec<_> = opacities.iter().map(|opacity| (new(), opacity)).collect();
    let faces = fonts.write(&mut pdf, &mut new)?;
    let mut sheet = pdf.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(stream);
    let mut resources = sheet.resources();
    let mut dictionary = resources.ext_g_states();
    for (index, (id, _)) in states.iter().enumerate() {
        dictionary.pair(Name(paint::state_name(index).as_bytes()), *id);
    }
    dictionary.finish();
    let mut dictionary = resources.fonts();
    for (index, id) in faces.iter().enumerate() {
        dictionary.pair(Name(fonts::name(index).as_bytes()), *id);
    }
    dictionary.finish();
    resources.finish();
    sheet.finish();
    for (id, opacity) in states {
        pdf.ext_graphics(id).non_stroking_alpha(*opacity).stroking_alpha(*opacity);
    }
    pdf.stream(stream, &compressed(&content)?).filter(Filter::FlateDecode);
    Ok(pdf.finish())
}

/// Bytes as a stream with the filter `FlateDecode` holds them.
fn compressed(bytes: &[u8]) -> Result<Vec<u8>, ReportError> {
    let failed = |e: std::io::Error| ReportError::Picture(format!("a PDF that cannot be compressed: {e}"));
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).map_err(failed)?;
    encoder.finish().map_err(failed)
}
