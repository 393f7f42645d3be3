//! Plots of comparisons: the performance profile of Dolan and Moré, which share of the instances each solves within a multiple of the
//! best time; the cactus plot of the SAT competitions, how many instances each solves, and within which time (the survival plot with
//! the number across and the time upward); and time against time, a mark an instance. Also what all plots name and count alike.

use record::Category;

use crate::analysis::comparison::{Comparison, comparisons, labels};
use crate::analysis::{Analysis, Outcome, repeats};
use crate::figures::number::grouped;
use crate::figures::{Chart, Curve, Dimension, Guide, GuideAt, Kind, Point, Scale, Trace};
use crate::stats::{SHORTEST_S, Score, Step, float, profile, survival};
use crate::text::count;

/// Fewer instances than these show nothing of distributions, unless a config names the plot.
const LEAST_INSTANCES: usize = 5;

/// More curves than these cannot be followed.
const MOST_CURVES: usize = 16;

struct Compared<'a> {
    pub comparison: Comparison<'a>,
    pub labels: Vec<String>,
}

/// The comparisons that a plot shows, which the config may name.
fn compared(analysis: &Analysis, is_named: bool) -> Vec<Compared<'_>> {
    let least = if is_named { 1 } else { LEAST_INSTANCES };
    let solved = |c: &Comparison| c.scores.iter().flatten().any(|s| s.time_s.is_some());
    let shown = comparisons(analysis).into_iter().filter(|c| c.instances.len() >= least && solved(c));
    shown.map(|comparison| Compared { labels: labels(&comparison.configurations), comparison }).collect()
}

/// What an outcome is where a mark stands for it.
pub fn kind(outcome: &Outcome) -> Kind {
    let tally = &outcome.tally;
    if outcome.is_solved() {
        Kind::Ended
    } else if tally.judged(Category::Wrong) > 0 {
        Kind::Wrong
    } else if tally.judged(Category::Error) > 0 {
        Kind::Error
    } else if outcome.total_s.is_some() && !tally.is_limited() {
        Kind::Unsolved
    } else {
        Kind::Limit
    }
}

/// Says how many values are drawn at the shortest time, if any.
pub fn drawn_at(shortest_s: f64, times: impl Iterator<Item = f64>) -> Option<String> {
    let below = times.filter(|t| *t < shortest_s).count();
    (below > 0).then(|| format!("Drawn at {shortest_s} s: {} below that", count(below, "value")))
}

impl<'a> Compared<'a> {
    /// A chart of it without curves: title, axes, what its notes and caveats say whatever is drawn.
    pub fn chart(&self, title: &str, x: Dimension, y: Dimension) -> Chart {
        let comparison = &self.comparison;
        let mut notes = comparison.notes();
        notes.extend(repeats(&comparison.outcomes()));
        Chart {
            key: comparison.key.to_owned(),
            title: format!("{title}{}", comparison.of),
            x,
            y,
            notes,
            caveats: comparison.caveats(),
            ..Chart::default()
        }
    }

    pub fn numbers(&self, configuration: usize) -> (usize, usize) {
        self.comparison.configurations[configuration].numbers()
    }

    pub fn outcome(&self, configuration: usize, instance: usize) -> Option<&'a Outcome> {
        self.comparison.configurations[configuration].compared(&self.comparison.instances[instance].name)
    }

    /// What it is; solved only if it was within the limit that counts for all.
    pub fn kind(&self, configuration: usize, instance: usize) -> Kind {
        match self.outcome(configuration, instance).map_or(Kind::Limit, kind) {
            Kind::Ended if self.comparison.scores[configuration][instance].time_s.is_none() => Kind::Limit,
            kind => kind,
        }
    }

    /// The configurations that have a curve, and a sentence about the others. Of too many these are the baseline and those that
    /// solved the most, in the least time.
    pub fn shown(&self) -> (Vec<usize>, Option<String>) {
        let all = self.labels.len();
        let mut configurations: Vec<_> = (0..all).collect();
        if all <= MOST_CURVES {
            return (configurations, None);
        }
        let merit = |configuration: &usize| {
            let times = self.times(*configuration);
            (times.iter().flatten().count(), times.iter().flatten().sum::<f64>())
        };
        configurations[1..].sort_by(|a, b| {
            let (a, b) = (merit(a), merit(b));
            b.0.cmp(&a.0).then(a.1.total_cmp(&b.1))
        });
        configurations.truncate(MOST_CURVES);
        configurations.sort_unstable();
        let (most, others) = (MOST_CURVES - 1, all - 1);
        let note =
            format!("Shown: the first, and the {most} of {others} others that solved the most, in the least time");
        (configurations, Some(note))
    }

    pub fn times(&self, configuration: usize) -> Vec<Option<f64>> {
        self.comparison.scores[configuration].iter().map(|s| s.time_s).collect()
    }

    /// The time limits of what was not solved, as guides.
    pub fn limits(&self, guide: fn(f64) -> GuideAt) -> Vec<Guide> {
        let unsolved = self.comparison.scores.iter().flatten().filter(|s| s.time_s.is_none());
        let mut limits: Vec<_> = unsolved.filter_map(|s| s.limit_s).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let label = |limit: f64| format!("time limit {} s", grouped(&limit.to_string()));
        limits.into_iter().map(|limit| Guide { at: guide(limit), label: label(limit) }).collect()
    }

    pub fn without_any(&self) -> Option<String> {
        let solved = |configuration: &usize| self.comparison.scores[*configuration].iter().any(|s| s.time_s.is_some());
        let none: Vec<_> = (0..self.labels.len()).filter(|c| !solved(c)).map(|c| self.labels[c].as_str()).collect();
        (!none.is_empty()).then(|| format!("Solved none: {}", none.join("; ")))
    }
}

pub fn profiles(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    compared(analysis, is_named).iter().map(profile_chart).collect()
}

pub fn cactus(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    compared(analysis, is_named).iter().map(cactus_chart).collect()
}

fn profile_chart(compared: &Compared) -> Chart {
    let x = Dimension::new("time / least time of all", Scale::Ratios);
    let y = Dimension::new("share of instances solved", Scale::Shares);
    let mut chart = compared.chart("performance profile", x, y);
    let times: Vec<_> = (0..compared.labels.len()).map(|configuration| compared.times(configuration)).collect();
    let profiles = profile(&times);
    let most = profiles.iter().flatten().map(|step| step.at).fold(1.0, f64::max);
    // All lines end at the same ratio; something is to be seen also where all were equally fast.
    let end = if most > 1.0 { most } else { 2.0 };
    let (shown, note) = compared.shown();
    chart.notes.extend(note);
    for configuration in shown {
        let steps = &profiles[configuration];
        let corners = steps.iter().filter(|step| !step.instances.is_empty());
        let points = corners.map(|step| corner(compared, configuration, step, (step.at, step.level)));
        let line = steps.iter().map(|step| (step.at, step.level)).chain(steps.last().map(|step| (end, step.level)));
        chart.curves.push(stepped_curve(compared, configuration, points.collect(), line.collect()));
    }
    chart.notes.push("Not solved, for whatever reason: infinitely slow; instances that nobody solved count".to_owned());
    chart
}

fn cactus_chart(compared: &Compared) -> Chart {
    let x = Dimension::new("instances solved", Scale::Counts);
    let y = Dimension::new("time per instance (s)", Scale::Seconds);
    let mut chart = compared.chart("cactus plot", x, y);
    let (shown, note) = compared.shown();
    for configuration in shown {
        let steps = survival(&compared.times(configuration));
        let points = steps.iter().map(|step| corner(compared, configuration, step, (step.level, step.at)));
        // From the number that was solved before, level up to the number that is solved within that time.
        let before = std::iter::once(0.0).chain(steps.iter().map(|step| step.level));
        let line = before.zip(&steps).map(|(count, step)| (count, step.at));
        let line = line.chain(steps.last().map(|step| (step.level, step.at)));
        chart.curves.push(stepped_curve(compared, configuration, points.collect(), line.collect()));
    }
    chart.notes.extend(note);
    let instances = compared.comparison.instances.len();
    chart.guides = compared.limits(GuideAt::Y);
    chart.guides.push(Guide { at: GuideAt::X(float(instances)), label: format!("all {instances} instances") });
    chart.notes.push("What was not solved, for whatever reason, is in no curve".to_owned());
    chart.notes.extend(compared.without_any());
    chart.notes.extend(drawn_at(SHORTEST_S, compared.comparison.scores.iter().flatten().filter_map(|s| s.time_s)));
    chart
}

fn stepped_curve(compared: &Compared, configuration: usize, points: Vec<Point>, line: Vec<(f64, f64)>) -> Curve {
    Curve {
        label: compared.labels[configuration].clone(),
        of: compared.numbers(configuration),
        points,
        line: line.into_iter().map(|(x, y)| (x, Some(y))).collect(),
        trace: Trace::Steps,
        ..Curve::default()
    }
}

/// The corner of a step: it stands for its instances, their names and runs.
fn corner(compared: &Compared, configuration: usize, Step { instances, .. }: &Step, (x, y): (f64, f64)) -> Point {
    let names: Vec<_> = instances.iter().map(|i| compared.comparison.instances[*i].name.as_str()).collect();
    let outcomes = instances.iter().filter_map(|i| compared.outcome(configuration, *i));
    let members = outcomes.flat_map(|outcome| outcome.members.clone()).collect();
    Point { x, y, instance: names.join(", "), members, ..Point::default() }
}

/// With more others than these, marks cannot be told apart: then the best of them stands for all.
const MOST_OTHERS: usize = 5;

pub fn scatter(analysis: &Analysis, is_named: bool) -> Vec<Chart> {
    compared(analysis, is_named).iter().map(scatter_chart).filter(|c| c.points().next().is_some()).collect()
}

/// A configuration, or several of which the best counts on each instance.
struct Other {
    label: String,
    configurations: Vec<usize>,
}

fn scatter_chart(compared: &Compared) -> Chart {
    let others = others(&compared.labels);
    let upward = if let [only] = others.as_slice() { only.label.as_str() } else { "the others" };
    let axis = |who: &str| Dimension::new(format!("time of {who} (s)"), Scale::Seconds);
    let baseline = compared.labels[0].as_str();
    let against = if others.len() == 1 { upward } else { "others" };
    let mut chart = compared.chart(&format!("{against} against {baseline}"), axis(baseline), axis(upward));
    chart.curves = others.iter().map(|other| curve(compared, other)).collect();
    chart.guides = vec![Guide { at: GuideAt::Equal, label: "equally fast".to_owned() }];
    let unsolved = chart.points().any(|p| p.kind != Kind::Ended);
    if unsolved {
        chart.guides.extend(compared.limits(GuideAt::X));
        chart.guides.extend(compared.limits(GuideAt::Y));
        chart.notes.push("Not solved, for whatever reason: drawn at the time limit, or at the time of the other where that is longer".to_owned());
    }
    if others.iter().any(|other| other.configurations.len() > 1) {
        chart
            .notes
            .push("On each instance the best of the others counts, which need not be the same on all".to_owned());
    }
    chart.notes.push(format!("Below the diagonal {baseline} was slower"));
    let pairs = compared.comparison.instances.len() * others.len();
    let missing = pairs - chart.points().count();
    if missing > 0 {
        let pairs = if others.len() > 1 { format!("{missing} of {pairs} pairs") } else { count(missing, "instance") };
        let unlimited = |score: &Score| score.time_s.is_none() && score.limit_s.is_none();
        let without = compared.comparison.scores.iter().flatten().any(unlimited);
        let or = if without { ", or one did not under no time limit" } else { "" };
        chart.notes.push(format!("Not shown: {pairs} that neither solved{or}"));
    }
    chart.notes.extend(drawn_at(SHORTEST_S, chart.points().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>().into_iter()));
    chart
}

fn others(labels: &[String]) -> Vec<Other> {
    if labels.len() > MOST_OTHERS + 1 {
        let count = labels.len() - 1;
        let label = format!("the best of {count} others");
        return vec![Other { label, configurations: (1..labels.len()).collect() }];
    }
    let others = labels.iter().enumerate().skip(1);
    others.map(|(number, label)| Other { label: label.clone(), configurations: vec![number] }).collect()
}

fn curve(compared: &Compared, other: &Other) -> Curve {
    let points = (0..compared.comparison.instances.len()).filter_map(|i| point(compared, other, i));
    Curve {
        label: other.label.clone(),
        of: other.configurations.first().map_or((0, 0), |first| compared.numbers(*first)),
        points: points.collect(),
        ..Curve::default()
    }
}

/// The mark of an instance; none if neither solved it.
fn point(compared: &Compared, other: &Other, instance: usize) -> Option<Point> {
    let score = |configuration: &usize| compared.comparison.scores[*configuration][instance];
    let time = |configuration: &usize| score(configuration).time_s.unwrap_or(f64::INFINITY);
    let best = *other.configurations.iter().min_by(|a, b| time(a).total_cmp(&time(b)))?;
    if score(&0).time_s.is_none() && score(&best).time_s.is_none() {
        return None;
    }
    // At its limit, or where the other took longer than that, there: the one that solved it was not the slower one.
    let shown = |score: Score, other: Score| {
        score.time_s.or(score.limit_s.map(|limit| limit.max(other.time_s.unwrap_or(limit))))
    };
    let outcomes = [0, best].map(|configuration| compared.outcome(configuration, instance));
    // One of both solved it, so that at most one has another kind.
    let kinds = [0, best].map(|configuration| compared.kind(configuration, instance));
    let kind = kinds.into_iter().rfind(|k| *k != Kind::Ended).unwrap_or(Kind::Ended);
    Some(Point {
        x: shown(score(&0), score(&best))?,
        y: shown(score(&best), score(&0))?,
        kind,
        instance: compared.comparison.instances[instance].name.clone(),
        members: outcomes.into_iter().flatten().flat_map(|o| o.members.clone()).collect(),
        spread: None,
    })
}
