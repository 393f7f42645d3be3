//! What each constraint family contributes to the time, with its interval.

use super::{Chart, Curve, Dimension, Guide, GuideAt, Kind, Plot, Point, Scale, Trace};
use crate::analysis::ablation::{Effect, effects, families_of};
use crate::analysis::{Analysis, caveats};
use crate::figures::Spread;
use crate::stats::{LEAST_UNITS, float};

/// The plot.
pub const PLOT: Plot = Plot { name: "ablation", shows: "what each constraint family contributes to the time", build };

fn build(analysis: &Analysis) -> Vec<Chart> {
    let all = effects(analysis);
    let effects: Vec<_> = all.iter().filter(|effect| effect.time.is_some()).cloned().collect();
    let families = families_of(&effects);
    // As the table of the same name.
    let chosen = !analysis.experiment.manifest().report.plots.is_empty();
    if families.is_empty() || (families.len() == 1 && !chosen) {
        return Vec::new();
    }
    let mut notes = vec![
        "Geometric means over the cases that were solved with the family and without it; below 1 the family saves time"
            .to_owned(),
    ];
    if effects.iter().any(|effect| effect.interval.is_some()) {
        notes.push(format!("Bars: 95 % bootstrap interval over instances (none for fewer than {LEAST_UNITS})"));
    }
    let missing: Vec<_> = families_of(&all).into_iter().filter(|family| !families.contains(family)).collect();
    if !missing.is_empty() {
        notes.push(format!("Not shown, as nothing was solved both ways: {}", missing.join(", ")));
    }
    let is_shown = |index: &u32| effects.iter().any(|effect| effect.members.binary_search(index).is_ok());
    let shown = analysis.aggregates().outcomes.iter().filter(|o| o.members.iter().any(is_shown));
    vec![Chart {
        key: String::new(),
        title: format!("{}: what each constraint family contributes", analysis.experiment.name()),
        x: Dimension {
            label: "constraint family".to_owned(),
            scale: Scale::Names(families.iter().map(|family| (*family).to_owned()).collect()),
        },
        y: Dimension { label: "time with / time without".to_owned(), scale: Scale::Ratios },
        curves: curves(&effects, &families),
        guides: vec![Guide { at: GuideAt::Y(1.0), label: "no effect".to_owned() }],
        notes,
        caveats: caveats::of_shown(shown, false),
    }]
}

/// One curve a setting and solver, without a line: families have no order.
fn curves(effects: &[Effect], families: &[&str]) -> Vec<Curve> {
    let of_one = effects.chunk_by(|a, b| (a.setting, &a.solver) == (b.setting, &b.solver));
    let curve = |(number, effects): (usize, &[Effect])| {
        let Effect { setting, solver, .. } = &effects[0];
        Curve {
            label: if setting.is_empty() { solver.clone() } else { format!("{solver}, {setting}") },
            published: false,
            of: (0, number),
            points: effects.iter().filter_map(|effect| point(effect, families)).collect(),
            line: Vec::new(),
            trace: Trace::Straight,
            boxes: Vec::new(),
        }
    };
    of_one.enumerate().map(curve).collect()
}

fn point(effect: &Effect, families: &[&str]) -> Option<Point> {
    let place = families.iter().position(|family| *family == effect.family)?;
    Some(Point {
        x: float(place as u64),
        y: effect.time?,
        kind: Kind::Ended,
        instance: String::new(),
        members: effect.members.clone(),
        spread: Some(Spread {
            range: effect.interval,
            open: false,
            runs: effect.solved[2],
            counted: false,
            disturbed: false,
        }),
    })
}
