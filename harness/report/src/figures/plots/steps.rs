//! Stepped curves over all instances: the performance profile of Dolan and Moré, which share of the instances each solves within a
//! multiple of the best time; and the cactus plot of the SAT competitions, how many instances each solves, and within which time
//! (the survival plot with the number across and the time upward).

use super::compared::{Compared, compared, shortest};
use crate::analysis::Analysis;
use crate::figures::{Chart, Curve, Dimension, Guide, GuideAt, Point, Scale, Trace};
use crate::stats::{SHORTEST_S, float, profile, survival};

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
    let most = profiles.iter().flatten().map(|step| step.0).fold(1.0, f64::max);
    // All lines end at the same ratio; something is to be seen also where all were equally fast.
    let end = if most > 1.0 { most } else { 2.0 };
    let ratios = ratios(&times);
    let (shown, note) = compared.shown();
    chart.notes.extend(note);
    for configuration in shown {
        let steps = &profiles[configuration];
        let places = Places::of(&ratios[configuration]);
        let points = steps.iter().filter_map(|(ratio, share)| {
            let instances = places.at(*ratio);
            (!instances.is_empty()).then(|| point(compared, configuration, &instances, (*ratio, *share)))
        });
        let line = steps.iter().copied().chain(steps.last().map(|step| (end, step.1)));
        chart.curves.push(curve(compared, configuration, points.collect(), line.collect()));
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
        let times = compared.times(configuration);
        let steps = survival(&times);
        let places = Places::of(&times);
        let points = steps.iter().map(|(t, count)| point(compared, configuration, &places.at(*t), (*count, *t)));
        // From the number that was solved before, level up to the number that is solved within that time.
        let before = std::iter::once(0.0).chain(steps.iter().map(|step| step.1));
        let line = before.zip(&steps).map(|(count, step)| (count, step.0));
        let line = line.chain(steps.last().map(|(time, count)| (*count, *time)));
        chart.curves.push(curve(compared, configuration, points.collect(), line.collect()));
    }
    chart.notes.extend(note);
    let instances = compared.comparison.instances.len();
    chart.guides = compared.limits(GuideAt::Y);
    chart.guides.push(Guide { at: GuideAt::X(float(instances)), label: format!("all {instances} instances") });
    chart.notes.push("What was not solved, for whatever reason, is in no curve".to_owned());
    chart.notes.extend(compared.without_any());
    chart.notes.extend(shortest(compared.comparison.scores.iter().flatten().filter_map(|s| s.time_s)));
    chart
}

fn curve(compared: &Compared, configuration: usize, points: Vec<Point>, line: Vec<(f64, f64)>) -> Curve {
    Curve {
        label: compared.labels[configuration].clone(),
        of: compared.numbers(configuration),
        points,
        line: line.into_iter().map(|(x, y)| (x, Some(y))).collect(),
        trace: Trace::Steps,
        ..Curve::default()
    }
}

/// A corner that stands for these instances: their names and runs.
fn point(compared: &Compared, configuration: usize, instances: &[usize], (x, y): (f64, f64)) -> Point {
    let names: Vec<_> = instances.iter().map(|i| compared.comparison.instances[*i].name.as_str()).collect();
    let outcomes = instances.iter().filter_map(|i| compared.outcome(configuration, *i));
    let members = outcomes.flat_map(|outcome| outcome.members.clone()).collect();
    Point { x, y, instance: names.join(", "), members, ..Point::default() }
}

/// The quotients behind a profile, by configuration and instance: those of [`profile`], of which these are the instances.
fn ratios(times: &[Vec<Option<f64>>]) -> Vec<Vec<Option<f64>>> {
    let time = |of: &[Option<f64>], instance: usize| of[instance].map(|t| t.max(SHORTEST_S));
    let best = |instance: usize| times.iter().filter_map(|of| time(of, instance)).reduce(f64::min);
    let ratio = |of: &Vec<Option<f64>>, instance: usize| Some(time(of, instance)? / best(instance)?);
    times.iter().map(|of| (0..of.len()).map(|instance| ratio(of, instance)).collect()).collect()
}

/// Instances by a value of theirs; a search for each step of a curve over all of them would take too long.
struct Places {
    sorted: Vec<(f64, usize)>,
}

impl Places {
    fn of(values: &[Option<f64>]) -> Self {
        let mut sorted: Vec<_> =
            values.iter().enumerate().filter_map(|(place, value)| Some(((*value)?, place))).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self { sorted }
    }

    fn at(&self, value: f64) -> Vec<usize> {
        let start = self.sorted.partition_point(|(found, _)| found.total_cmp(&value).is_lt());
        self.sorted[start..].iter().take_while(|(found, _)| found.total_cmp(&value).is_eq()).map(|(_, i)| *i).collect()
    }
}
