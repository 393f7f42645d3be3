//! What the scripts must know first: which experiments there are, and where their data stand.

use std::collections::BTreeMap;
use std::fs;

use serde::Serialize;

use super::payload::{DETAIL_SIZE, solve_columns};
use crate::ReportError;
use crate::page::Page;
use crate::render::Options;
use crate::results::Experiment;

/// Version of the data, for those who read it elsewhere.
const FORMAT: u32 = 2;

#[derive(Serialize)]
pub struct Head {
    format: u32,
    generator: String,
    /// The names of what the list of a solve holds.
    solve_columns: Vec<&'static str>,
    experiments: Vec<About>,
}

#[derive(Serialize)]
struct About {
    name: String,
    title: String,
    stem: String,
    config: String,
    host: Vec<String>,
    runs: usize,
    detail_size: usize,
    chunks: Names,
    pictures_left_out: usize,
}

/// The names of the chunks of an experiment.
#[derive(Debug, Serialize)]
pub struct Names {
    pub runs: String,
    pub charts: String,
    /// Of each [`DETAIL_SIZE`] runs.
    pub details: Vec<String>,
    /// Of each instance with pictures of solves.
    pub pictures: BTreeMap<String, String>,
}

impl Head {
    pub fn new(options: &Options) -> Self {
        let revision = options.revision.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
        let generator = format!("tilebench {}{revision}", env!("CARGO_PKG_VERSION"));
        Self { format: FORMAT, generator, solve_columns: solve_columns(), experiments: Vec::new() }
    }

    pub fn add(&mut self, experiment: &Experiment, page: &Page, chunks: Names, pictures_left_out: usize) {
        // A directory without a config (a reference, say) has none to show.
        let path = experiment.files().config();
        let is_file = fs::symlink_metadata(&path).is_ok_and(|facts| facts.is_file());
        let config = if is_file { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        self.experiments.push(About {
            name: experiment.name().to_owned(),
            title: page.title.clone(),
            stem: page.stem.clone(),
            config: String::from_utf8_lossy(&config).into_owned(),
            host: page.facts.clone(),
            runs: experiment.len(),
            detail_size: DETAIL_SIZE,
            chunks,
            pictures_left_out,
        });
    }

    /// The element that holds it.
    pub fn script(&self) -> Result<String, ReportError> {
        let json = serde_json::to_string(self)?;
        // Within strings only, and there it means the same.
        let json = json.replace('<', "\\u003c");
        Ok(format!("<script type=\"application/json\" id=\"head\">{json}</script>\n"))
    }
}
