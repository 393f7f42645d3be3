//! What changes a time: what each constraint family contributes, from formulations that differ in it alone, and claims with
//! what was measured and the verdict. Both have a table and a plot.

use record::{Measure, Selection, Test};

use super::grid;
use crate::analysis::Analysis;
use crate::analysis::claims::{Finding, NO_EFFECT, Verdicts, findings};
use crate::analysis::effect::{Basis, Effect, effects, families_of};
use crate::figures::{Cell, Chart, Curve, Dimension, Grid, Guide, GuideAt, Kind, Point, Scale, Spread};
use crate::group::by_first;
use crate::stats::{LEAST_UNITS, LEVEL, float};
use crate::text::joined;

type EffectColumn = grid::Column<'static, Effect>;

pub fn ablation_table(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let effects = effects(analysis);
    // Two formulations that differ by a family are no ablation yet, unless a config names its tables.
    let families = families_of(&effects).len();
    if families == 0 || (families == 1 && !is_named) {
        return Vec::new();
    }
    let has_bounds = effects.iter().any(|effect| effect.root.is_some());
    // Setting and objective are named where there are several.
    let stubs = ["setting", "solver", "objective", "family"];
    let labels = |e: &Effect| [e.setting, &e.solver, &e.objective, &e.family].map(ToOwned::to_owned);
    let named: Vec<_> = (0..stubs.len()).filter(|at| effects.iter().any(|e| !labels(e)[*at].is_empty())).collect();
    let mut grid = Grid::of(
        &named.iter().map(|at| stubs[*at]).collect::<Vec<_>>(),
        |effect| named.iter().map(|at| labels(effect)[*at].clone()).collect(),
        &ablation_columns(has_bounds),
        &effects,
    );
    grid.rule_between(named.len() - 1);
    vec![Grid {
        // The plot has the name of the table.
        key: "families".to_owned(),
        caption: "What each constraint family contributes: with it, compared to without it".to_owned(),
        notes: ablation_notes(has_bounds).into_iter().chain(alike(&effects)).collect(),
        caveats: Basis::caveats(analysis, effects.iter().map(|effect| &effect.basis)),
        ..grid
    }]
}

fn ablation_columns(has_bounds: bool) -> Vec<EffectColumn> {
    let mut columns = vec![
        EffectColumn::new("", "pairs", |e| Cell::number(e.contexts)),
        EffectColumn::new("", "cases", |e| Cell::number(e.cases)),
        EffectColumn::new("solved", "with", |e| Cell::number(e.of.solved[0])),
        EffectColumn::new("solved", "without", |e| Cell::number(e.of.solved[1])),
        EffectColumn::new("solved", "both", |e| Cell::number(e.of.solved[2])),
        EffectColumn::new("boards", "gained", |e| Cell::number(e.of.gained)),
        EffectColumn::new("boards", "lost", |e| Cell::number(e.of.lost)),
        EffectColumn::new("boards", "McNemar", |e| Cell::p(e.of.mcnemar)),
        EffectColumn::new("time, with over without", "mean", |e| Cell::ratio(e.of.time.mean)),
        EffectColumn::new("time, with over without", "from", |e| {
            Cell::ratio(e.of.time.interval.map(|interval| interval.0))
        }),
        EffectColumn::new("time, with over without", "to", |e| {
            Cell::ratio(e.of.time.interval.map(|interval| interval.1))
        }),
        EffectColumn::new("Wilcoxon", "p", |e| Cell::p(e.of.wilcoxon)),
        EffectColumn::new("Wilcoxon", "Holm", |e| {
            Cell::p(e.holm).bold_if(e.may_lead && e.holm.is_some_and(|p| p <= LEVEL))
        }),
        EffectColumn::new("with over without", "iterations", |e| Cell::ratio(e.iterations.mean)),
        EffectColumn::new("with over without", "nodes", |e| Cell::ratio(e.nodes.mean)),
    ];
    if has_bounds {
        let mean = |e: &Effect, side: usize| Cell::ratio(e.root.as_ref().and_then(|root| Some(root.means?[side])));
        columns.extend([
            EffectColumn::new("root bound", "with", move |e| mean(e, 0)),
            EffectColumn::new("root bound", "without", move |e| mean(e, 1)),
            EffectColumn::new("root bound", "raised", |e| Cell::count(e.root.as_ref().map(|root| float(root.raised)))),
            EffectColumn::new("root bound", "n", |e| Cell::count(e.root.as_ref().map(|root| float(root.cases)))),
        ]);
    }
    columns
}

fn ablation_notes(has_bounds: bool) -> Vec<String> {
    let mut notes = vec![
        "Pairs: of formulations that differ in the family alone, one with it and one without. Cases: instances that both of a \
         pair were run on, over all pairs; several seeds and repeats of an instance count as one, with their medians"
            .to_owned(),
        "With over without: geometric means of quotients over all cases; below 1 the family saves. Of times what was not \
         solved counts as twice its limit (PAR-2). Of iterations, and of nodes plus one, \
         what was not solved counts as the other side where that is more, and as no difference where neither side solved it"
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

/// In how many cases each family leaves the size of the first model as it is.
fn alike(effects: &[Effect]) -> Option<String> {
    let of_family = |(family, effects): (&str, Vec<&Effect>)| {
        let sum = |of: fn(&Effect) -> u64| effects.iter().map(|effect| of(effect)).sum::<u64>();
        let alike = sum(|effect| effect.alike);
        (alike > 0).then(|| format!("{family} {alike} of {}", sum(|effect| effect.cases)))
    };
    let families = by_first(effects.iter().map(|effect| (effect.family.as_str(), effect)));
    let found: Vec<_> = families.into_iter().filter_map(of_family).collect();
    (!found.is_empty()).then(|| {
        let found = found.join(", ");
        format!("Cases in which the first model is of one size with the family and without, as where it adds no rows: {found}")
    })
}

/// As the table of the same name, it is shown for one family only if the config names it.
pub fn ablation_plot(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    let all = effects(analysis);
    let effects: Vec<_> = all.iter().filter(|effect| effect.of.time.mean.is_some()).cloned().collect();
    let families = families_of(&effects);
    if families.is_empty() || (families.len() == 1 && !is_named) {
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
    // One curve a setting, solver and objective, without a line: families have no order.
    let name = |effect: &Effect| {
        let parts = [effect.solver.as_str(), effect.setting, &effect.objective];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    };
    let of_one = effects.chunk_by(|a, b| name(a) == name(b));
    let curve = |(number, of_one): (usize, &[Effect])| {
        let label = name(&of_one[0]);
        let points = of_one.iter().filter_map(|effect| effect_point(effect, &families)).collect();
        Curve { label, of: (0, number), points, ..Curve::default() }
    };
    vec![Chart {
        title: "what each constraint family contributes".to_owned(),
        curves: of_one.enumerate().map(curve).collect(),
        x: Dimension::named("constraint family", families.iter().copied()),
        y: Dimension::new("time with / time without", Scale::Ratios),
        guides: vec![Guide { at: GuideAt::Y(1.0), label: "no effect".to_owned() }],
        notes,
        caveats: Basis::caveats(analysis, effects.iter().map(|effect| &effect.basis)),
        ..Chart::default()
    }]
}

fn effect_point(effect: &Effect, families: &[&str]) -> Option<Point> {
    let (range, runs) = (effect.of.time.interval, effect.cases);
    Some(Point {
        x: float(families.iter().position(|family| *family == effect.family)?),
        y: effect.of.time.mean?,
        members: effect.basis.members.clone(),
        spread: Some(Spread { range, open: false, runs, counted: false, disturbed: false }),
        ..Point::default()
    })
}

type FindingColumn<'a> = grid::Column<'a, Finding<'a>>;

pub fn claims_table(analysis: &Analysis, _: bool) -> Vec<Grid> {
    let findings = findings(analysis);
    if findings.is_empty() {
        return Vec::new();
    }
    let labels = |finding: &Finding| {
        let claim = finding.claim;
        [claim.id.clone(), joined([&claim.source, &claim.place], ", "), claim.text.clone()].to_vec()
    };
    let figure = |of: fn(&Finding) -> Option<f64>| move |finding: &Finding| Cell::ratio(of(finding));
    let solved =
        |of: fn((u64, u64, Option<f64>)) -> Cell| move |finding: &Finding| finding.solved.map_or(Cell::DASH, of);
    let columns: Vec<FindingColumn> = vec![
        FindingColumn::new("", "verdict", |finding| Cell::text(finding.verdict.name())),
        FindingColumn::new("", "claimed", |finding| claimed(finding).map_or(Cell::DASH, Cell::text)),
        FindingColumn::new("", "published", figure(|finding| finding.claim.published)),
        FindingColumn::new("measured", "figure", figure(|finding| Some(finding.figure?.value))),
        FindingColumn::new("measured", "from", figure(|finding| Some(finding.figure?.interval.0))),
        FindingColumn::new(
            "measured",
            "to",
            figure(|finding| finding.figure.filter(|f| f.unsolved == 0).map(|f| f.interval.1)),
        ),
        FindingColumn::new("", "boards", |finding| Cell::number(finding.boards as u64)),
        FindingColumn::new("", "figure", |finding| what(finding).map_or(Cell::DASH, Cell::text)),
        FindingColumn::new("", "solver", |finding| text(&finding.solvers.join(", "))),
        FindingColumn::new("", "runs", |finding| Cell::number(finding.runs)),
        FindingColumn::new("solved by", "first only", solved(|(first, ..)| Cell::number(first))),
        FindingColumn::new("solved by", "second only", solved(|(_, second, _)| Cell::number(second))),
        FindingColumn::new("solved by", "McNemar", solved(|(.., p)| Cell::p(p))),
        FindingColumn::new("", "reason", |finding| text(&finding.reason)),
    ];
    let grid = Grid::of(&["claim", "source", "what is claimed"], labels, &columns, &findings);
    vec![Grid {
        // The plots have the name of the table.
        key: "verdicts".to_owned(),
        caption: format!("Claims, and what the runs say of them: {}", Verdicts::of(&findings).text()),
        notes: claims_notes(),
        caveats: Basis::caveats(analysis, findings.iter().map(|finding| &finding.basis)),
        ..grid
    }]
}

fn text(text: &str) -> Cell {
    if text.is_empty() { Cell::BLANK } else { Cell::text(text) }
}

/// `time, C2 over C2'`, `holes, basic less B6`, `growth of C2`.
fn what(finding: &Finding) -> Option<String> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    // The column beside it names the solvers where they are the same.
    let solvers = test.against.as_ref().is_some_and(|against| against.solver != test.of.solver);
    let name = |of: &Selection| match &of.solver {
        Some(solver) if solvers => format!("{} ({solver})", of.formulation),
        _ => of.formulation.clone(),
    };
    let word = test.measure.name();
    Some(match (&test.against, test.measure.is_share()) {
        (None, _) => format!("{word} of {}", name(&test.of)),
        (Some(against), false) => format!("{word}, {} over {}", name(&test.of), name(against)),
        (Some(against), true) => format!("{word}, {} less {}", name(&test.of), name(against)),
    })
}

fn claimed(finding: &Finding) -> Option<String> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    match (test.above, test.below) {
        (Some(above), Some(below)) => Some(format!("{above} to {below}")),
        (Some(above), None) => Some(format!("above {above}")),
        (None, below) => Some(format!("below {}", below?)),
    }
}

fn claims_notes() -> Vec<String> {
    vec![
        "Figure: over boards, the geometric mean of the quotient of both sides (over), or a share, or the difference of two \
         (less). In times what was not solved counts as twice its limit; seeds and repeats of a board count once"
            .to_owned(),
        "From, to: 95 % interval over boards".to_owned(),
        format!(
            "Verdict: confirmed if the interval is in the claimed range; partly if not so for each solver by itself, and \
             each number of tiles with enough boards, or if the faster side solves fewer boards; contradicted if it is outside; no effect if it holds 1 and is within {} to {}. \
             All rules: chapter Statistics of the book",
            NO_EFFECT.0, NO_EFFECT.1
        ),
    ]
}

/// One chart of quotients and factors, one of times and one of shares, of the claims that have a figure.
pub fn claims_plots(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let findings = findings(analysis);
    let charts = [
        ("factors", "quotient or factor", Scale::Ratios, Some((1.0, "no effect"))),
        ("times", "time (s)", Scale::Seconds, None),
        ("shares", "share", Scale::Shares, None),
    ];
    let shown =
        |key| findings.iter().filter(move |f| f.figure.is_some() && group(f) == key).cloned().collect::<Vec<_>>();
    let differences: Vec<_> = shown(None).iter().map(|finding| finding.claim.id.clone()).collect();
    let mut charts: Vec<_> = charts
        .into_iter()
        .filter_map(|(key, label, scale, guide)| {
            let of = shown(Some(key));
            (!of.is_empty()).then(|| claims_chart(analysis, key, &of, Dimension::new(label, scale), guide))
        })
        .collect();
    if let (Some(last), false) = (charts.last_mut(), differences.is_empty()) {
        last.notes
            .push(format!("Not shown: differences of shares, which are in the table: {}", differences.join(", ")));
    }
    charts
}

/// The chart that a claim is in. Differences of shares may be negative and are in the table only.
fn group(finding: &Finding) -> Option<&'static str> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    match (test.measure.is_share(), &test.against) {
        (false, None) if matches!(test.measure, Measure::Time | Measure::FirstSolve) => Some("times"),
        (false, _) => Some("factors"),
        (true, None) => Some("shares"),
        (true, Some(_)) => None,
    }
}

fn claims_chart(
    analysis: &Analysis,
    key: &str,
    findings: &[Finding],
    y: Dimension,
    guide: Option<(f64, &str)>,
) -> Chart {
    let places = || findings.iter().enumerate();
    let measured = places().filter_map(|(place, finding)| {
        let figure = finding.figure?;
        let (range, runs) = (Some(figure.interval), finding.boards as u64);
        Some(Point {
            x: float(place as u64),
            y: figure.value,
            kind: if figure.unsolved > 0 { Kind::Limit } else { Kind::Ended },
            members: finding.basis.members.clone(),
            spread: Some(Spread { range, open: figure.unsolved > 0, runs, counted: false, disturbed: false }),
            ..Point::default()
        })
    });
    let published = places().filter_map(|(place, finding)| {
        Some(Point { x: float(place as u64), y: finding.claim.published?, kind: Kind::Published, ..Point::default() })
    });
    let (measured, published): (Vec<_>, Vec<_>) = (measured.collect(), published.collect());
    let mut notes = vec!["Bars: 95 % interval over boards".to_owned()];
    if findings.iter().any(|finding| finding.figure.is_some_and(|figure| figure.unsolved > 0)) {
        notes.push("The interval of a lower bound has no upper end".to_owned());
    }
    notes.push("The table of claims says what each figure is".to_owned());
    let ours = Curve { label: "measured".to_owned(), points: measured, ..Curve::default() };
    let theirs =
        Curve { label: "published".to_owned(), published: true, of: (0, 1), points: published, ..Curve::default() };
    Chart {
        key: key.to_owned(),
        title: "claims and what the runs say of them".to_owned(),
        curves: [ours, theirs].into_iter().filter(|curve| !curve.points.is_empty()).collect(),
        x: Dimension::named("claim", findings.iter().map(|finding| finding.claim.id.as_str())),
        y,
        guides: guide.map(|(at, label)| Guide { at: GuideAt::Y(at), label: label.to_owned() }).into_iter().collect(),
        notes,
        caveats: Basis::caveats(analysis, findings.iter().map(|finding| &finding.basis)),
    }
}
