//! The data behind plots and runs: JSON in compressed chunks, each of which the page unpacks when it is needed.

mod charts;
mod command;
mod details;
mod json;
mod log;
mod pictures;
mod rows;
mod runs;
mod shapes;
mod solves;

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use super::head::Names;
use crate::ReportError;
use crate::page::Page;
use crate::render::Pictures;
use crate::results::Experiment;

pub use solves::columns as solve_columns;

/// Runs in a chunk of details.
pub const DETAIL_SIZE: usize = 256;

/// How hard to compress: beyond it twice the time saves no tenth of the bytes.
const COMPRESSION: Compression = Compression::new(3);

/// JSON that was compressed.
pub struct Chunk {
    name: String,
    /// zlib in base64.
    text: String,
}

impl Chunk {
    fn new(name: String, json: &[u8]) -> Self {
        let mut encoder = ZlibEncoder::new(Vec::with_capacity(json.len() / 4), COMPRESSION);
        // Neither writing to memory can fail.
        let _ = encoder.write_all(json);
        let bytes = encoder.finish().unwrap_or_default();
        Self { name, text: STANDARD.encode(bytes) }
    }

    /// The element that holds it, in pieces.
    pub fn element(&self) -> [&str; 5] {
        ["<script type=\"text/plain\" id=\"chunk-", &self.name, "\">", &self.text, "</script>\n"]
    }
}

/// The data of an experiment.
pub struct Payload {
    pub chunks: Vec<Chunk>,
    pub names: Names,
    /// What a reader must know of files that could not be read.
    pub warnings: Vec<String>,
    /// How many pictures of solves are not in it, to keep it small.
    pub pictures_left_out: usize,
}

/// Puts together the data of an experiment, whose chunks are named by its number.
pub fn payload(index: usize, experiment: &Experiment, page: &Page, wanted: Pictures) -> Result<Payload, ReportError> {
    let places = rows::Places::of(experiment);
    let runs = || runs::runs(experiment, &places).map(|runs| Chunk::new(format!("e{index}-runs"), &runs));
    let charts = || charts::charts(&page.figures).map(|charts| Chunk::new(format!("e{index}-charts"), &charts));
    let (solves, (runs, charts)) =
        rayon::join(|| solves::Solves::read(experiment, &places), || rayon::join(runs, charts));
    let (solves, mut chunks) = (solves?, vec![runs?, charts?]);
    let drawn = pictures::pictures(experiment, wanted);
    let commands = command::Commands::of(experiment);
    let details = (0..experiment.len().div_ceil(DETAIL_SIZE)).into_par_iter().map(|number| {
        let first = number * DETAIL_SIZE;
        let runs = first..experiment.len().min(first + DETAIL_SIZE);
        Chunk::new(
            format!("e{index}-d{number}"),
            &details::details(experiment, runs, &solves, &commands, &drawn.of_runs),
        )
    });
    let details: Vec<_> = details.collect();
    let instances = drawn.shapes.par_iter().enumerate();
    let instances = instances.map(|(number, (_, shapes))| Chunk::new(format!("e{index}-p{number}"), &shapes.json()));
    let instances: Vec<_> = instances.collect();
    let named = |chunk: &Chunk| chunk.name.clone();
    let names = Names {
        runs: named(&chunks[0]),
        charts: named(&chunks[1]),
        details: details.iter().map(named).collect(),
        pictures: drawn.shapes.iter().map(|s| s.0.clone()).zip(instances.iter().map(named)).collect::<BTreeMap<_, _>>(),
    };
    chunks.extend(details);
    chunks.extend(instances);
    Ok(Payload { chunks, names, warnings: drawn.warnings, pictures_left_out: drawn.left_out })
}
