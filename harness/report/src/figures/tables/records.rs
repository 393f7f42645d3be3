//! Records: the largest board of each setting that each kind of formulation solved.

use super::solvers::size;
use crate::analysis::comparison::{Configuration, SETTINGS, configurations};
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{self, Cell, Grid};
use crate::results::Instance;

/// What a configuration solved.
struct Record<'a> {
    setting: &'static str,
    configuration: &'a Configuration<'a>,
    instance: &'a Instance,
    outcome: &'a Outcome,
}

type Column<'a> = figures::Column<'a, Record<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let configurations = configurations(analysis);
    // Elsewhere the table of solvers says what was largest.
    if !analysis.names_tables() {
        return Vec::new();
    }
    let instances = &analysis.experiment.catalog.instances;
    let mut records: Vec<Record> = Vec::new();
    for (setting, _, is) in SETTINGS {
        let solved = configurations.iter().flat_map(|configuration| {
            let found = |instance: &&Instance| is(instance) && instance.challenge.is_some();
            let of = move |instance| {
                let outcome = configuration.found(instance)?;
                Some(Record { setting, configuration, instance, outcome })
            };
            instances.iter().filter(found).filter_map(of)
        });
        let mut best: Vec<Record> = Vec::new();
        for record in solved {
            let kind = &record.configuration.formulation.kind;
            match best.iter_mut().find(|other| other.configuration.formulation.kind == *kind) {
                None => best.push(record),
                Some(other) if beats(&record, other) => *other = record,
                Some(_) => (),
            }
        }
        records.extend(best);
    }
    if records.is_empty() {
        return Vec::new();
    }
    let columns = [
        Column::new("", "tiles", |r| size(r.instance)),
        Column::new("", "time (s)", |r| super::cells::total(r.outcome)),
        Column::new("", "instance", |r| Cell::text(r.instance.name.clone())),
        Column::new("by", "formulation", |r| Cell::text(r.configuration.formulation.name.clone())),
        Column::new("by", "solver", |r| Cell::text(r.configuration.solver.to_owned())),
    ];
    let labels = |r: &Record| vec![r.setting.to_owned(), r.configuration.formulation.kind.clone()];
    vec![Grid {
        caption: "Records".to_owned(),
        notes: vec![
            "The largest board that each kind of formulation found a verified solution of, in all its runs; of equally large ones \
             that of the least time"
                .to_owned(),
        ],
        caveats: caveats::of_shown(records.iter().map(|r| r.outcome), false),
        ..Grid::of::<_, String>(&["setting", "kind"], labels, &columns, &records)
    }]
}

/// More tiles, then more places, then less time.
fn beats(record: &Record, other: &Record) -> bool {
    let size = |r: &Record| (r.instance.challenge, r.instance.places);
    let time = |r: &Record| r.outcome.total_s.unwrap_or(f64::INFINITY);
    size(record) > size(other) || size(record) == size(other) && time(record) < time(other)
}
