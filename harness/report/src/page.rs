//! What is shown of one experiment, in order, before any format writes it.

use crate::boards::{Board, boards};
use crate::grid::Grid;
use crate::plots::Chart;
use crate::{Experiment, ReportError, plots, tables};

/// The report of one experiment.
#[derive(Debug, Clone)]
pub struct Page {
    /// Stem of its files.
    pub stem: String,
    /// Its heading.
    pub title: String,
    /// Free text of the config, may be empty.
    pub description: String,
    /// What a reader must know first.
    pub warnings: Vec<String>,
    /// How and where it was measured.
    pub facts: Vec<String>,
    /// The tables.
    pub tables: Vec<PageTable>,
    /// The plots.
    pub figures: Vec<Figure>,
    /// The pictures of instances.
    pub boards: Vec<PageBoard>,
}

/// One grid of one table, with the stem of its file.
#[derive(Debug, Clone)]
pub struct PageTable {
    /// Stem of its file.
    pub stem: String,
    /// The grid.
    pub grid: Grid,
}

/// One plot, with the stem of its files.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Stem of its files.
    pub stem: String,
    /// Name in the registry of plots.
    pub name: &'static str,
    /// What is drawn.
    pub chart: Chart,
}

/// One picture of an instance, with the stem of its files.
#[derive(Debug, Clone)]
pub struct PageBoard {
    /// Stem of its files.
    pub stem: String,
    /// The picture and what it shows.
    pub board: Board,
}

/// Builds the page of an experiment under the given file stem.
pub fn page(experiment: &Experiment, stem: &str) -> Result<Page, ReportError> {
    let manifest = experiment.manifest();
    let spec = &manifest.report;
    let mut warnings = experiment.warnings().to_vec();
    let mut shown = Vec::new();
    for table in tables::tables() {
        if !spec.tables.is_empty() && !spec.tables.iter().any(|t| t == table.name()) {
            continue;
        }
        let grids = table.build(experiment)?;
        if grids.is_empty() && !spec.tables.is_empty() {
            warnings.push(format!("there is nothing to show in table {} ({})", table.name(), table.shows()));
        }
        for grid in grids {
            let key = if grid.key.is_empty() { String::new() } else { format!("-{}", slug(&grid.key)) };
            shown.push((table.name(), PageTable { stem: format!("{stem}-{}{key}", table.name()), grid }));
        }
    }
    // The config's order is the order of the report.
    shown.sort_by_key(|(name, _)| spec.tables.iter().position(|t| t == name));
    let mut figures = Vec::new();
    for plot in plots::plots() {
        if !spec.plots.is_empty() && !spec.plots.iter().any(|p| p == plot.name()) {
            continue;
        }
        match plot.build(experiment) {
            Some(chart) => {
                figures.push(Figure { stem: format!("{stem}-{}", plot.name()), name: plot.name(), chart });
            }
            None if spec.plots.is_empty() => {}
            None => warnings.push(format!("there is nothing to draw in plot {} ({})", plot.name(), plot.shows())),
        }
    }
    figures.sort_by_key(|f| spec.plots.iter().position(|p| p == f.name));
    let boards = boards(experiment, &mut warnings)
        .into_iter()
        .map(|board| PageBoard { stem: format!("{stem}-{}", slug(&board.key)), board })
        .collect();
    let title = if manifest.title.is_empty() { &manifest.experiment } else { &manifest.title };
    Ok(Page {
        stem: stem.to_owned(),
        title: title.clone(),
        description: manifest.description.trim().to_owned(),
        warnings,
        facts: facts(experiment),
        tables: shown.into_iter().map(|s| s.1).collect(),
        figures,
        boards,
    })
}

/// A name that is safe as (part of) a file name and in a link.
pub fn slug(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let text: String = name.replace('\'', "p").chars().map(safe).collect();
    match text.trim_matches(['.', '-']) {
        "" => "experiment".to_owned(),
        text => text.to_owned(),
    }
}

fn facts(experiment: &Experiment) -> Vec<String> {
    let manifest = experiment.manifest();
    let host = &manifest.host;
    let mut machine: Vec<String> =
        [&host.host, &host.cpu_model].into_iter().filter(|t| !t.is_empty()).cloned().collect();
    if host.cpus > 0 {
        machine.push(format!("{} logical CPU{}", host.cpus, plural(u64::from(host.cpus))));
    }
    if host.memory_b > 0 {
        machine.push(format!("{} MiB of memory", host.memory_b >> 20));
    }
    if !host.kernel.is_empty() {
        machine.push(host.kernel.clone());
    }
    if !host.governor.is_empty() {
        machine.push(format!("governor {}", host.governor));
    }
    let solvers: Vec<_> = manifest.solvers.iter().map(|s| format!("{} {}", s.name, s.version)).collect();
    let profile = manifest.profile.as_deref().unwrap_or("none");
    let jobs = u64::from(manifest.jobs);
    let mut facts = Vec::new();
    if !machine.is_empty() {
        facts.push(format!("Machine: {}", machine.join(", ")));
    }
    if !solvers.is_empty() {
        facts.push(format!("Solvers: {}", solvers.join(", ")));
    }
    facts.push(format!(
        "Profile: {profile}; {jobs} job{} at a time; {} of {} runs; started {}; tilebench {}",
        plural(jobs),
        experiment.runs().len(),
        manifest.planned,
        manifest.started_at,
        manifest.git_commit,
    ));
    facts
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
