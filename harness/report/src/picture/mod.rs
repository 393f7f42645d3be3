//! Pictures: scenes to SVG, SVG to PNG and PDF. Plots take the same way to PNG and PDF.

mod animation;
mod pdf;
mod png;
mod svg;

pub use animation::{Frame, render_animation};
pub use pdf::svg_to_pdf;
pub use png::{render_png, svg_to_png};
pub use svg::{escape, render_svg, shape, size};

/// The fonts as pictures name them: the embedded one first.
pub const FONTS: &str = "DejaVu Sans, sans-serif";
