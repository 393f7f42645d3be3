//! What each constraint family contributes, from formulations that differ in it alone.

use super::Table;
use crate::analysis::ablation::{Effect, RootBounds, effects, families_of};
use crate::analysis::{Analysis, caveats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::stats::{LEAST_UNITS, float};

/// The table.
pub const ABLATION: Table = Table {
    name: "ablation",
    shows: "what each constraint family contributes: time with and without it, solved, iterations, nodes, root bound",
    build,
};

fn build(analysis: &Analysis) -> Vec<Grid> {
    let effects = effects(analysis);
    // Two formulations that differ by a family are no ablation yet, unless a config names its tables.
    let chosen = analysis.names_tables();
    let families = families_of(&effects).len();
    if families == 0 || (families == 1 && !chosen) {
        return Vec::new();
    }
    vec![grid(analysis, &effects)]
}

fn grid(analysis: &Analysis, effects: &[Effect]) -> Grid {
    let settings = effects.iter().any(|effect| !effect.setting.is_empty());
    let bounds = effects.iter().any(|effect| effect.root.is_some());
    let mut rows: Vec<_> = effects.iter().map(|effect| row(effect, settings, bounds)).collect();
    let labels = if settings { 2 } else { 1 };
    for index in 1..rows.len() {
        rows[index].ruled = rows[index].labels[..labels] != rows[index - 1].labels[..labels];
    }
    let stubs = ["setting", "solver", "family"];
    let mut groups = vec![
        Group::new("", ["pairs", "cases"]),
        Group::new("solved", ["with", "without", "both"]),
        Group::new("time, with over without", ["mean", "from", "to"]),
        Group::new("with over without", ["iterations", "nodes"]),
    ];
    groups.extend(bounds.then(|| Group::new("root bound", ["with", "without", "raised", "n"])));
    let is_compared = |index: u32| effects.iter().any(|effect: &Effect| effect.members.binary_search(&index).is_ok());
    let compared = analysis.aggregates().outcomes.iter().filter(|o| o.members.iter().any(|m| is_compared(*m)));
    Grid {
        // The plot has the name of the table.
        key: "families".to_owned(),
        caption: "What each constraint family contributes: with it, compared to without it".to_owned(),
        notes: notes(bounds),
        caveats: caveats::of_shown(compared, false),
        stubs: stubs[usize::from(!settings)..].iter().map(|stub| (*stub).to_owned()).collect(),
        groups,
        rows,
        ..Grid::default()
    }
}

fn row(effect: &Effect, settings: bool, bounds: bool) -> Row {
    let setting = settings.then(|| effect.setting.to_owned());
    let labels = setting.into_iter().chain([effect.solver.clone(), effect.family.clone()]);
    let (low, high) = effect.interval.unzip();
    let counts = [effect.contexts, effect.cases].into_iter().chain(effect.solved);
    let mut cells: Vec<_> = counts.map(|count| Cell::count(Some(float(count)))).collect();
    // Either way: the interval leaves out 1.
    let clear = low.is_some_and(|low| low > 1.0) || high.is_some_and(|high| high < 1.0);
    cells.push(Cell::ratio(effect.time).bold_if(clear));
    cells.extend([low, high, effect.iterations, effect.nodes].map(Cell::ratio));
    if bounds {
        cells.extend(root_bounds(effect.root.as_ref()));
    }
    Row::new(labels, cells)
}

fn root_bounds(root: Option<&RootBounds>) -> [Cell; 4] {
    let Some(RootBounds { cases, raised, means }) = root else { return [Cell::DASH; 4] };
    let [with, without] = means.map_or([None; 2], |means| means.map(Some));
    let count = |number: u64| Cell::count(Some(float(number)));
    [Cell::ratio(with), Cell::ratio(without), count(*raised), count(*cases)]
}

fn notes(bounds: bool) -> Vec<String> {
    let mut notes = vec![
        "Pairs: of formulations that differ in the family alone, one with it and one without. Cases: instances that both of a \
         pair were run on, over all pairs; several seeds and repeats of an instance count as one, with their medians"
            .to_owned(),
        "With over without: geometric means of quotients, over the cases that were solved both ways; what was not solved has \
         no part in them. Below 1 the family saves time. Nodes are counted one higher, since there may be none"
            .to_owned(),
        format!(
            "From, to: 95 % bootstrap interval over instances (none for fewer than {LEAST_UNITS}); bold: 1 lies outside of it"
        ),
    ];
    notes.extend(bounds.then(|| {
        "Root bound: means over the n cases in which both are known, as far as they are finite; raised: in how many of these \
         it is higher with the family"
            .to_owned()
    }));
    notes
}
