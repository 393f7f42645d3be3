//! Pictures: scenes to SVG, SVG to PNG. Plots take the same way to PNG.

mod png;
mod svg;

pub use png::{render_png, svg_to_png};
pub use svg::{escape, render_svg};

/// The fonts as pictures name them: the embedded one first.
pub const FONTS: &str = "DejaVu Sans, sans-serif";
