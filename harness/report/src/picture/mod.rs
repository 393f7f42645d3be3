//! Pictures: scenes to SVG, SVG to PNG and PDF. Plots take the same way to PNG and PDF.

mod film;
mod pdf;
mod png;
mod strip;
mod svg;

pub use film::{Frame, render_film};
pub use pdf::svg_to_pdf;
pub use png::{render_png, svg_to_png};
pub use strip::{render_apng, render_gif};
pub use svg::{escape, render_svg, shape, size};

/// The fonts as pictures name them: the embedded one first.
pub const FONTS: &str = "DejaVu Sans, sans-serif";
