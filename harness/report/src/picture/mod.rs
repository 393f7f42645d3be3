//! Pictures: scenes to SVG, SVG to PNG and PDF, with the embedded fonts and no others, so that every machine makes the same picture.
//! Plots take the same way to PNG and PDF.

mod pdf;
mod svg;

use std::sync::{Arc, OnceLock};

use resvg::{tiny_skia, usvg};

use crate::ReportError;

pub use pdf::svg_to_pdf;
pub use svg::{FONTS, Frame, Shapes, escape, hex, length, render_animation, render_svg};

/// Larger pictures are taken for a mistake.
const MAX_SIDE: u32 = 16_384;

/// Renders an SVG document as PNG of the given width in pixels.
///
/// # Errors
/// A text that is no valid SVG; a width of 0 or a picture of more than 16,384 pixels on a side.
pub fn svg_to_png(svg: &str, width: u32) -> Result<Vec<u8>, ReportError> {
    encode(&pixels(svg, width)?).map_err(|e| ReportError::Picture(e.to_string()))
}

/// How hard to compress. With it, and with rows as they are, plots and boards take a third of the time of the usual settings
/// (level 6, the best filter for each row) and four fifths of the bytes: flat areas repeat to the letter.
const COMPRESSION: png::DeflateCompression = png::DeflateCompression::Level(5);

fn encode(pixels: &tiny_skia::Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_deflate_compression(COMPRESSION);
    let colours = || pixels.pixels().iter().map(|pixel| pixel.demultiply());
    let data: Vec<u8> = if colours().all(|c| c.is_opaque()) {
        encoder.set_color(png::ColorType::Rgb);
        colours().flat_map(|c| [c.red(), c.green(), c.blue()]).collect()
    } else {
        encoder.set_color(png::ColorType::Rgba);
        colours().flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]).collect()
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

/// The pixels of an SVG document at the given width.
fn pixels(svg: &str, width: u32) -> Result<tiny_skia::Pixmap, ReportError> {
    let tree = parse(svg)?;
    let size = tree.size().to_int_size();
    let size = size.scale_to_width(width).filter(|s| s.width() <= MAX_SIDE && s.height() <= MAX_SIDE);
    let size = size.ok_or_else(|| {
        let bad = format!("{width} pixels of width make no picture of 1 to {MAX_SIDE} pixels on a side");
        ReportError::Picture(bad)
    })?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| ReportError::Picture(format!("no memory for {} x {} pixels", size.width(), size.height())))?;
    let scale_x = f64::from(size.width()) / f64::from(tree.size().width());
    let scale_y = f64::from(size.height()) / f64::from(tree.size().height());
    #[expect(clippy::cast_possible_truncation, reason = "a scale needs no more digits than f32 has")]
    let transform = tiny_skia::Transform::from_scale(scale_x as f32, scale_y as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    Ok(pixels)
}

/// The document as a tree of simple shapes, with its texts laid out.
fn parse(svg: &str) -> Result<usvg::Tree, ReportError> {
    let options = usvg::Options { font_family: "DejaVu Sans".to_owned(), fontdb: fonts(), ..usvg::Options::default() };
    usvg::Tree::from_str(svg, &options).map_err(|e| ReportError::Picture(e.to_string()))
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut database = usvg::fontdb::Database::new();
        database.load_font_data(dejavu::sans::regular().to_vec());
        database.load_font_data(dejavu::sans::bold().to_vec());
        database.set_sans_serif_family("DejaVu Sans");
        Arc::new(database)
    };
    Arc::clone(FONTS.get_or_init(load))
}
