//! Scenes that follow each other, as pictures made of pixels: GIF and animated PNG.
//!
//! Of each frame only the rectangle that differs from the frame before is kept, and in it what stays is transparent.

use std::iter;

use resvg::tiny_skia::Pixmap;

use super::film::Frame;
use super::png::pixels;
use super::svg::render_svg;
use crate::ReportError;

/// A rectangle of pixels, four bytes each, to be laid over what was there before.
struct Patch {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    seconds: f64,
}

/// Renders frames, all of one size, as a GIF of the given width in pixels that plays again and again.
///
/// # Errors
/// No frames, or a picture of more than 16,384 pixels on a side.
pub fn render_gif(frames: &[Frame], width: u32) -> Result<Vec<u8>, ReportError> {
    let mut patches = patches(frames, width);
    let first = patches.next().unwrap_or_else(nothing)?;
    let failed = |e: gif::EncodingError| ReportError::Picture(e.to_string());
    let mut bytes = Vec::new();
    let side = |pixels: u32| pixels.try_into().unwrap_or(u16::MAX);
    let mut encoder = gif::Encoder::new(&mut bytes, side(first.width), side(first.height), &[]).map_err(failed)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
    for patch in iter::once(Ok(first)).chain(patches) {
        let mut patch = patch?;
        let frame = gif::Frame::from_rgba_speed(side(patch.width), side(patch.height), &mut patch.rgba, 10);
        encoder
            .write_frame(&gif::Frame {
                left: side(patch.left),
                top: side(patch.top),
                // Players take less than two hundredths for a mistake.
                delay: (100.0 * patch.seconds).round().clamp(2.0, 65_535.0) as u16,
                dispose: gif::DisposalMethod::Keep,
                ..frame
            })
            .map_err(failed)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Renders frames, all of one size, as an animated PNG of the given width in pixels that plays again and again.
///
/// # Errors
/// As [`render_gif`].
pub fn render_apng(frames: &[Frame], width: u32) -> Result<Vec<u8>, ReportError> {
    let mut patches = patches(frames, width);
    let first = patches.next().unwrap_or_else(nothing)?;
    let failed = |e: png::EncodingError| ReportError::Picture(e.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, first.width, first.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(frames.len() as u32, 0).map_err(failed)?;
    encoder.set_dispose_op(png::DisposeOp::None).map_err(failed)?;
    encoder.set_blend_op(png::BlendOp::Over).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for patch in iter::once(Ok(first)).chain(patches) {
        let patch = patch?;
        // Back to a corner first: a size is checked against the position that was set before.
        writer.set_frame_position(0, 0).map_err(failed)?;
        writer.set_frame_dimension(patch.width, patch.height).map_err(failed)?;
        writer.set_frame_position(patch.left, patch.top).map_err(failed)?;
        let thousandths = (1000.0 * patch.seconds).round().clamp(1.0, 65_535.0) as u16;
        writer.set_frame_delay(thousandths, 1000).map_err(failed)?;
        writer.write_image_data(&patch.rgba).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// The first frame whole, of the others what changes.
fn patches(frames: &[Frame], width: u32) -> impl Iterator<Item = Result<Patch, ReportError>> {
    let mut before: Option<Pixmap> = None;
    frames.iter().map(move |frame| {
        let now = pixels(&render_svg(&frame.scene), width)?;
        let patch = patch(before.as_ref(), &now, frame.seconds);
        before = Some(now);
        Ok(patch)
    })
}

fn nothing<T>() -> Result<T, ReportError> {
    Err(ReportError::Picture("no frames to show".to_owned()))
}

fn patch(before: Option<&Pixmap>, now: &Pixmap, seconds: f64) -> Patch {
    let (width, height) = (now.width(), now.height());
    let changed = |x: u32, y: u32| before.is_none_or(|before| before.pixel(x, y) != now.pixel(x, y));
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&(x, y)| changed(x, y)) {
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if right == 0 {
        // Nothing changes; a frame has at least one pixel.
        (left, top, right, bottom) = (0, 0, 1, 1);
    }
    let mut rgba = Vec::with_capacity(4 * ((right - left) * (bottom - top)) as usize);
    for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
        let shown = now.pixel(x, y).filter(|_| changed(x, y)).map(|pixel| pixel.demultiply());
        rgba.extend(shown.map_or([0; 4], |c| [c.red(), c.green(), c.blue(), c.alpha()]));
    }
    Patch { left, top, width: right - left, height: bottom - top, rgba, seconds }
}
