//! What each constraint family contributes, from formulations that differ in it alone.

use crate::analysis::effect::{Effect, effects, families_of, shown};
use crate::analysis::{Analysis, caveats};
use crate::figures::{self, Cell, Grid};
use crate::stats::{LEAST_UNITS, LEVEL, float};

type Column = figures::Column<'static, Effect>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let effects = effects(analysis);
    // Two formulations that differ by a family are no ablation yet, unless a config names its tables.
    let families = families_of(&effects).len();
    if families == 0 || (families == 1 && !analysis.names_tables()) {
        return Vec::new();
    }
    let has_bounds = effects.iter().any(|effect| effect.root.is_some());
    // The setting is named where there are several.
    let unnamed = usize::from(effects.iter().all(|effect| effect.setting.is_empty()));
    let labels = |e: &Effect| [e.setting, &e.solver, &e.family][unnamed..].iter().map(|l| (*l).to_owned()).collect();
    let mut grid =
        Grid::of::<_, String>(&["setting", "solver", "family"][unnamed..], labels, &columns(has_bounds), &effects);
    grid.rule_between(2 - unnamed);
    vec![Grid {
        // The plot has the name of the table.
        key: "families".to_owned(),
        caption: "What each constraint family contributes: with it, compared to without it".to_owned(),
        notes: notes(has_bounds),
        caveats: caveats::of_shown(shown(analysis, &effects), false),
        ..grid
    }]
}

fn columns(has_bounds: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::new("", "pairs", |e| Cell::number(e.contexts)),
        Column::new("", "cases", |e| Cell::number(e.cases)),
        Column::new("solved", "with", |e| Cell::number(e.of.solved[0])),
        Column::new("solved", "without", |e| Cell::number(e.of.solved[1])),
        Column::new("solved", "both", |e| Cell::number(e.of.solved[2])),
        Column::new("boards", "gained", |e| Cell::number(e.of.gained)),
        Column::new("boards", "lost", |e| Cell::number(e.of.lost)),
        Column::new("boards", "McNemar", |e| Cell::p(e.of.mcnemar)),
        Column::new("time, with over without", "mean", |e| Cell::ratio(e.of.time.mean)),
        Column::new("time, with over without", "from", |e| Cell::ratio(e.of.time.interval.map(|interval| interval.0))),
        Column::new("time, with over without", "to", |e| Cell::ratio(e.of.time.interval.map(|interval| interval.1))),
        Column::new("Wilcoxon", "p", |e| Cell::p(e.of.wilcoxon)),
        Column::new("Wilcoxon", "Holm", |e| Cell::p(e.holm).bold_if(e.may_lead && e.holm.is_some_and(|p| p <= LEVEL))),
        Column::new("with over without", "iterations", |e| Cell::ratio(e.iterations.mean)),
        Column::new("with over without", "nodes", |e| Cell::ratio(e.nodes.mean)),
    ];
    if has_bounds {
        let mean = |e: &Effect, side: usize| Cell::ratio(e.root.as_ref().and_then(|root| Some(root.means?[side])));
        columns.extend([
            Column::new("root bound", "with", move |e| mean(e, 0)),
            Column::new("root bound", "without", move |e| mean(e, 1)),
            Column::new("root bound", "raised", |e| Cell::count(e.root.as_ref().map(|root| float(root.raised)))),
            Column::new("root bound", "n", |e| Cell::count(e.root.as_ref().map(|root| float(root.cases)))),
        ]);
    }
    columns
}

fn notes(has_bounds: bool) -> Vec<String> {
    let mut notes = vec![
        "Pairs: of formulations that differ in the family alone, one with it and one without. Cases: instances that both of a \
         pair were run on, over all pairs; several seeds and repeats of an instance count as one, with their medians"
            .to_owned(),
        "With over without: geometric means of quotients over all cases; below 1 the family saves. Of times what was not \
         solved counts as twice its limit (PAR-2). Of iterations and nodes (counted one higher, since there may be none) what \
         was not solved counts as the other side where that is more, and as no difference where neither side solved it"
            .to_owned(),
        format!("From, to: 95 % interval over boards by bootstrap (none for fewer than {LEAST_UNITS})"),
        "Boards gained and lost: solved in more cases with the family than without, and in fewer; McNemar: exact test of \
         these"
            .to_owned(),
        format!(
            "Wilcoxon: signed-rank test of the mean logarithms of the boards; Holm: corrected for the rows of this table; \
             bold: at most {LEVEL}, where something was solved both with it and without it, no run was lost, and time is not \
             saved by losing boards"
        ),
    ];
    notes.extend(has_bounds.then(|| {
        "Root bound: means over the n cases in which both are known, as far as they are finite; raised: in how many of these \
         it is higher with the family"
            .to_owned()
    }));
    notes
}
