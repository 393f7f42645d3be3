//! Scores of formulations and solvers over all instances that they have in common: what each solved, PAR-2, shifted geometric
//! means, and what each contributes to the virtual best.

use record::{Category, Status};

use crate::analysis::comparison::{Comparison, Configuration, absent, comparisons, has_kinds};
use crate::analysis::{Analysis, Outcome};
use crate::figures::{self, Cell, Grid};
use crate::stats::{Contribution, Score, contributions, float, par, shifted_geometric_mean, virtual_best};
use crate::text::count;

/// Unsolved instances count as so many times the limit in the mean of PAR-2.
const PENALTY: f64 = 2.0;

/// Shifts of the geometric means, in seconds.
const SHIFTS_S: [f64; 2] = [1.0, 10.0];

/// PAR-2 and the shifted geometric means.
type Means = [Option<f64>; 1 + SHIFTS_S.len()];

/// A configuration, or the virtual best.
struct Line<'a> {
    labels: Vec<&'a str>,
    solved: u64,
    means: Means,
    /// What the virtual best has no part in.
    own: Option<Own>,
}

#[derive(Default)]
struct Own {
    wrong: u64,
    unknown: u64,
    error: u64,
    /// Parts of the mean time on what all solved, in seconds.
    build_s: Option<f64>,
    solve_s: Option<f64>,
    /// Whether its means may be called the least.
    may_lead: bool,
    contribution: Contribution,
}

type Column<'a> = figures::Column<'a, Line<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    comparisons(analysis).iter().map(|comparison| grid(comparison, analysis)).collect()
}

fn grid<'a>(comparison: &Comparison<'a>, analysis: &Analysis) -> Grid {
    let by_all = comparison.solved_by_all();
    let all =
        comparison.configurations.iter().zip(&comparison.scores).zip(contributions(&comparison.scores)).enumerate();
    let line = |(number, ((configuration, scores), contribution)): (usize, ((&Configuration<'a>, &Vec<Score>), _))| {
        let solved_any = scores.iter().any(|score| score.time_s.is_some());
        let part = |of: fn(&Outcome) -> Option<f64>| {
            let values: Vec<_> = by_all.iter().filter_map(|i| of(configuration.compared(&i.name)?)).collect();
            (solved_any && !values.is_empty()).then(|| values.iter().sum::<f64>() / float(values.len()))
        };
        let may_lead = comparison.may_lead(number);
        let (build_s, solve_s) = (part(|o| o.build_s), part(|o| o.solve_s));
        let mut own = Own { build_s, solve_s, may_lead, contribution, ..Own::default() };
        let mut solved = 0;
        for (instance, score) in comparison.instances.iter().zip(scores) {
            if let Some(outcome) = configuration.compared(&instance.name) {
                *place(outcome, score, &mut solved, &mut own) += 1;
            }
        }
        Line { labels: comparison.labels(configuration), solved, means: means(scores), own: Some(own) }
    };
    let mut lines: Vec<_> = all.map(line).collect();
    // Who solved nothing is no measure.
    let base = if lines[0].solved > 0 { lines[0].means } else { Means::default() };
    let least = least(&lines);
    let best = virtual_best(&comparison.scores);
    let mut labels = vec![""; comparison.stubs().len()];
    labels[0] = "virtual best";
    let solved = best.iter().filter(|score| score.time_s.is_some()).count() as u64;
    lines.push(Line { labels, solved, means: means(&best), own: None });
    let mut grid = Grid::of(comparison.stubs(), |line| line.labels.clone(), &columns(base, least), &lines);
    if has_kinds(&comparison.configurations) {
        grid.rule_between(1);
    }
    if let Some(best) = grid.rows.last_mut() {
        best.ruled = true;
    }
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Scores over common instances{}", comparison.of),
        notes: notes(comparison, analysis, by_all.len()),
        caveats: comparison.caveats(),
        ..grid
    }
}

/// Beside each mean stands its ratio to the baseline's; the least of those that are compared is bold.
fn columns<'a>(base: Means, least: Means) -> Vec<Column<'a>> {
    let own = |line: &Line, of: fn(&Own) -> u64| line.own.as_ref().map_or(Cell::BLANK, |own| Cell::number(of(own)));
    let mut columns = vec![
        Column::new("instances", "solved", |line| Cell::number(line.solved)),
        Column::new("instances", "wrong", move |line| {
            own(line, |own| own.wrong).bold_if(line.own.as_ref().is_some_and(|own| own.wrong > 0))
        }),
        Column::new("instances", "unknown", move |line| own(line, |own| own.unknown)),
        Column::new("instances", "error", move |line| own(line, |own| own.error)),
    ];
    let shifted = SHIFTS_S.map(|shift| format!("mean, shift {shift} s"));
    for (index, name) in std::iter::once("PAR-2".to_owned()).chain(shifted).enumerate() {
        columns.push(Column::new(&name, "s", move |line: &Line| {
            let mean = line.means[index];
            let may_lead = line.own.as_ref().is_some_and(|own| own.may_lead);
            Cell::seconds(mean).bold_if(may_lead && mean.is_some() && mean == least[index])
        }));
        columns.push(Column::new(name, "ratio", move |line: &Line| {
            let ratio = line.means[index].zip(base[index]).map(|(mean, base)| mean / base);
            Cell::ratio(ratio.filter(|ratio| ratio.is_finite()))
        }));
    }
    let part =
        |line: &Line, of: fn(&Own) -> Option<f64>| line.own.as_ref().map_or(Cell::BLANK, |own| Cell::seconds(of(own)));
    columns.push(Column::new("solved by all", "build (s)", move |line| part(line, |own| own.build_s)));
    columns.push(Column::new("solved by all", "solve (s)", move |line| part(line, |own| own.solve_s)));
    columns.push(Column::new("virtual best", "fastest", move |line| own(line, |own| own.contribution.fastest)));
    columns.push(Column::new("virtual best", "unique", move |line| own(line, |own| own.contribution.unique)));
    columns
}

fn notes(comparison: &Comparison, analysis: &Analysis, by_all: usize) -> Vec<String> {
    let unlimited = comparison.scores.iter().flatten().any(|s| s.time_s.is_none() && s.limit_s.is_none());
    let unlimited = if unlimited { ". No mean where there was no limit for what was not solved" } else { "" };
    let mut notes = comparison.notes();
    notes.extend([
        "Solved: every run of the instance is correct; its time, of building and solving, is their median. Else wrong or error if \
         any of them is, else unknown"
            .to_owned(),
        format!(
            "PAR-2: mean time; what was not solved counts as twice the time limit. Mean, shift: shifted geometric mean of \
             the times; what was not solved counts as the time limit{unlimited}"
        ),
        format!(
            "Ratio: to {}, of the same figures; none where it solved nothing. Bold: the least of those that solved anything",
            comparison.baseline()
        ),
        format!(
            "Solved by all: the parts of the mean time on the {} that all who solved any have solved",
            count(by_all, "instance")
        ),
        "Virtual best: for each instance the least time of all. Fastest: instances solved in that time. Unique: solved by no \
         other"
            .to_owned(),
    ]);
    notes.extend(absent(analysis));
    notes
}

fn means(scores: &[Score]) -> Means {
    let limited: Option<Vec<_>> = scores.iter().map(|score| score.penalised(1.0)).collect();
    let [first, second] = SHIFTS_S.map(|shift| shifted_geometric_mean(limited.as_ref()?, shift));
    [par(scores, PENALTY), first, second]
}

/// The least means of those that may lead.
fn least(lines: &[Line]) -> Means {
    let may_lead = |line: &&Line| line.own.as_ref().is_some_and(|own| own.may_lead);
    std::array::from_fn(|index| lines.iter().filter(may_lead).filter_map(|line| line.means[index]).reduce(f64::min))
}

/// Where an instance counts by what became of it.
fn place<'a>(outcome: &Outcome, score: &Score, solved: &'a mut u64, own: &'a mut Own) -> &'a mut u64 {
    let tally = &outcome.tally;
    match () {
        () if score.time_s.is_some() => solved,
        () if tally.judged(Category::Wrong) > 0 => &mut own.wrong,
        // What a solver does not support is no error of its.
        () if tally.judged(Category::Error) > tally.ended_as(Status::Unsupported) => &mut own.error,
        () => &mut own.unknown,
    }
}
