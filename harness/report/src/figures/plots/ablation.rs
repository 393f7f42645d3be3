//! What each constraint family contributes to the time, with its interval.

use crate::analysis::effect::{Effect, effects, families_of, shown};
use crate::analysis::{Analysis, caveats};
use crate::figures::{Chart, Curve, Dimension, Guide, GuideAt, Point, Scale, Spread};
use crate::stats::{LEAST_UNITS, float};

/// As the table of the same name, it is shown for one family only if the config names any plots.
pub fn build(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let all = effects(analysis);
    let effects: Vec<_> = all.iter().filter(|effect| effect.of.time.mean.is_some()).cloned().collect();
    let families = families_of(&effects);
    let chosen = !analysis.experiment.manifest().report.plots.is_empty();
    if families.is_empty() || (families.len() == 1 && !chosen) {
        return Vec::new();
    }
    let mut notes = vec![
        "Geometric means over all cases, of which what was not solved counts as twice its limit; below 1 the family saves time"
            .to_owned(),
    ];
    if effects.iter().any(|effect| effect.of.time.interval.is_some()) {
        notes.push(format!("Bars: 95 % interval over instances (none for fewer than {LEAST_UNITS})"));
    }
    let missing: Vec<_> = families_of(&all).into_iter().filter(|family| !families.contains(family)).collect();
    if !missing.is_empty() {
        notes.push(format!("Not shown, as what was not solved had no limit: {}", missing.join(", ")));
    }
    // One curve a setting and solver, without a line: families have no order.
    let of_one = effects.chunk_by(|a, b| (a.setting, &a.solver) == (b.setting, &b.solver));
    let curve = |(number, of_one): (usize, &[Effect])| {
        let Effect { setting, solver, .. } = &of_one[0];
        let label = if setting.is_empty() { solver.clone() } else { format!("{solver}, {setting}") };
        let points = of_one.iter().filter_map(|effect| point(effect, &families)).collect();
        Curve { label, of: (0, number), points, ..Curve::default() }
    };
    vec![Chart {
        title: "what each constraint family contributes".to_owned(),
        curves: of_one.enumerate().map(curve).collect(),
        x: Dimension::named("constraint family", families.iter().copied()),
        y: Dimension::new("time with / time without", Scale::Ratios),
        guides: vec![Guide { at: GuideAt::Y(1.0), label: "no effect".to_owned() }],
        notes,
        caveats: caveats::of_shown(shown(analysis, &effects), false),
        ..Chart::default()
    }]
}

fn point(effect: &Effect, families: &[&str]) -> Option<Point> {
    let (range, runs) = (effect.of.time.interval, effect.cases);
    Some(Point {
        x: float(families.iter().position(|family| *family == effect.family)?),
        y: effect.of.time.mean?,
        members: effect.members.clone(),
        spread: Some(Spread { range, open: false, runs, counted: false, disturbed: false }),
        ..Point::default()
    })
}
