//! Scores of formulations and solvers over all instances that they have in common: what each solved, PAR-2, shifted geometric
//! means, and what each contributes to the virtual best.

use record::Category;

use super::{Table, cells};
use crate::analysis::comparison::{Comparison, comparisons};
use crate::analysis::configurations::absent;
use crate::analysis::{Analysis, Outcome};
use crate::figures::{Cell, Grid, Group, Row};
use crate::stats::{Contribution, Score, contributions, float, par, shifted_geometric_mean, virtual_best};

/// Unsolved instances count as so many times the limit in the mean of PAR-2.
const PENALTY: f64 = 2.0;

/// Shifts of the geometric means, in seconds.
const SHIFTS_S: [f64; 2] = [1.0, 10.0];

/// The table.
pub const SCORES: Table = Table {
    name: "scores",
    shows: "formulations and solvers on their common instances: solved, PAR-2, shifted geometric means, virtual best",
    build,
};

fn build(analysis: &Analysis) -> Vec<Grid> {
    comparisons(analysis).iter().map(|comparison| grid(comparison, analysis)).collect()
}

fn grid(comparison: &Comparison, analysis: &Analysis) -> Grid {
    let several = comparison.has_kinds();
    let mut lines: Vec<Vec<Figures>> = comparison.scores.iter().map(|scores| figures(scores)).collect();
    let best = virtual_best(&comparison.scores);
    let base: Vec<_> = lines[0].iter().map(|f| f.value).collect();
    lines.push(figures(&best));
    for figures in &mut lines {
        for (figure, base) in figures.iter_mut().zip(&base) {
            figure.ratio = figure.value.zip(*base).map(|(value, base)| value / base).filter(|r| r.is_finite());
        }
    }
    let mut rows = Vec::new();
    for ((configuration, contribution), line) in
        comparison.configurations.iter().zip(contributions(&comparison.scores)).zip(&lines)
    {
        let of = |name: &str| configuration.outcome(name);
        let mut row = judged(comparison.instances.iter().filter_map(|i| of(&i.name))).to_vec();
        row.extend(cells_of(line));
        let Contribution { fastest, unique } = contribution;
        row.extend([fastest, unique].map(|n| Cell::count(Some(float(n)))));
        rows.push(Row::new(comparison.labels(configuration), row));
    }
    mark_least(&mut rows, &lines);
    if several {
        cells::rule_between_kinds(&mut rows);
    }
    rows.push(of_best(&best, lines.last().map_or(&[], Vec::as_slice), comparison.stubs().len()));
    let mut groups =
        vec![Group::new("instances", ["solved", "wrong", "unknown", "error"]), Group::new("PAR-2", ["s", "ratio"])];
    groups.extend(SHIFTS_S.map(|shift| Group::new(format!("mean, shift {shift} s"), ["s", "ratio"])));
    groups.push(Group::new("virtual best", ["fastest", "unique"]));
    let mut notes = vec![comparison.scope()];
    notes.extend(explained(comparison));
    notes.extend(absent(analysis));
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Scores over common instances{}", comparison.of),
        notes,
        caveats: comparison.caveats(),
        stubs: comparison.stubs(),
        groups,
        rows,
        ..Grid::default()
    }
}

/// How instances were counted, in words.
fn explained(comparison: &Comparison) -> Vec<String> {
    let unlimited = comparison.scores.iter().flatten().any(|s| s.time_s.is_none() && s.limit_s.is_none());
    let unlimited = if unlimited { ". No mean where there was no limit for what was not solved" } else { "" };
    vec![
        "Solved: every run of the instance is correct; its time is their median. Else wrong or error if any of them is, else \
         unknown"
            .to_owned(),
        format!(
            "PAR-2: mean time; what was not solved counts as twice the time limit. Mean, shift: shifted geometric mean of \
             the times; what was not solved counts as the time limit{unlimited}"
        ),
        format!("Ratio: to {}, of the same figures. Bold: the least of those that are compared", comparison.baseline()),
        "Virtual best: for each instance the least time of all. Fastest: instances solved in that time. Unique: solved by no \
         other"
            .to_owned(),
    ]
}

/// A mean and its quotient to that of the baseline.
struct Figures {
    value: Option<f64>,
    ratio: Option<f64>,
}

fn figures(scores: &[Score]) -> Vec<Figures> {
    let limited: Option<Vec<_>> = scores.iter().map(|score| score.penalised(1.0)).collect();
    let shifted = SHIFTS_S.map(|shift| shifted_geometric_mean(limited.as_ref()?, shift));
    let values = std::iter::once(par(scores, PENALTY)).chain(shifted);
    values.map(|value| Figures { value, ratio: None }).collect()
}

fn cells_of(figures: &[Figures]) -> impl Iterator<Item = Cell> {
    figures.iter().flat_map(|f| [Cell::seconds(f.value), Cell::ratio(f.ratio)])
}

/// Makes the least of each mean bold.
fn mark_least(rows: &mut [Row], lines: &[Vec<Figures>]) {
    let first = judged(std::iter::empty()).len();
    for figure in 0..=SHIFTS_S.len() {
        let values = || rows.iter().zip(lines).map(|(_, line)| line[figure].value);
        let least = values().flatten().reduce(f64::min);
        let is_least: Vec<_> = values().map(|value| value.is_some() && value == least).collect();
        for (row, is_least) in rows.iter_mut().zip(is_least) {
            row.cells[first + 2 * figure].bold = is_least;
        }
    }
}

/// Instances by what became of them: solved, wrong, unknown, error.
fn judged<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> [Cell; 4] {
    let mut counts = [0; 4];
    for outcome in outcomes {
        let has = |category| outcome.tally.judged(category) > 0;
        let place = match () {
            () if outcome.is_solved() => 0,
            () if has(Category::Wrong) => 1,
            () if has(Category::Error) => 3,
            () => 2,
        };
        counts[place] += 1;
    }
    let mut cells = counts.map(|count| Cell::count(Some(float(count))));
    cells[1].bold = counts[1] > 0;
    cells
}

fn of_best(best: &[Score], figures: &[Figures], stubs: usize) -> Row {
    let solved = best.iter().filter(|score| score.time_s.is_some()).count() as u64;
    let mut cells = vec![Cell::count(Some(float(solved)))];
    cells.resize(judged(std::iter::empty()).len(), Cell::BLANK);
    cells.extend(cells_of(figures));
    cells.extend([Cell::BLANK, Cell::BLANK]);
    let mut labels = vec![String::new(); stubs];
    "virtual best".clone_into(&mut labels[0]);
    Row::new(labels, cells).ruled()
}
