//! Data of the page: JSON in compressed chunks, each of which the page unpacks when it is needed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::{Serialize, Serializer};

use crate::ReportError;

/// How hard to compress: beyond it twice the time saves no tenth of the bytes.
const COMPRESSION: Compression = Compression::new(3);

/// JSON that was compressed.
pub struct Chunk {
    pub name: String,
    /// zlib in base64.
    pub text: String,
}

impl Chunk {
    /// Compresses data.
    pub fn of(name: String, data: &(impl Serialize + ?Sized)) -> Result<Self, ReportError> {
        let mut encoder = ZlibEncoder::new(Vec::new(), COMPRESSION);
        serde_json::to_writer(std::io::BufWriter::with_capacity(1 << 16, &mut encoder), data)?;
        let bytes = encoder.finish().map_err(serde_json::Error::io)?;
        Ok(Self { name, text: STANDARD.encode(bytes) })
    }
}

/// Whole numbers below it are exact in JavaScript.
pub const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A number as JavaScript reads it: `null` for what is none, without a fraction where it is whole.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if value.fract() == 0.0 && value.abs() < WHOLE {
            serializer.serialize_i64(value as i64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}
