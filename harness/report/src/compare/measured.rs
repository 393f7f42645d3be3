//! Times and memory of groups of runs, which no two measurements have the same: an interval for the ratio of a group, and what it
//! could have seen.

use std::collections::{BTreeMap, BTreeSet};

use record::CPU_LIMIT;
use serde::Serialize;

use super::finding::{Aspect, Finding, Options, Subject, Verdict};
use super::matching::{Group, Pair, hung, waited};
use super::runs::{has_wrong, is_finished, struck_by_time};
use crate::group::by_first;
use crate::results::Run;
use crate::stats::{self, Trimmed, float};
use crate::text::count;

/// The two figures of a pair that are compared, and how they came about.
#[derive(Debug, Clone, Copy)]
struct Figures {
    before: f64,
    after: f64,
    /// One of them is the limit of a run that had not ended by then: the true ratio is further from 1.
    at_limit: bool,
    /// CPU times, since a run waited.
    on_cpu: bool,
}

/// What is measured, and what is added to it before ratios are taken.
struct Quantity {
    aspect: Aspect,
    name: &'static str,
    shift: f64,
    shift_text: &'static str,
    /// `None`: the pair says nothing. The flag: whether the machine was busy on a side.
    of: fn(&Pair, bool) -> Option<Figures>,
    /// Whether pairs count only if both sides were measured under the same circumstances.
    alike: bool,
}

const TIME: Quantity =
    Quantity { aspect: Aspect::Time, name: "time", shift: 0.001, shift_text: "1 ms", of: times, alike: true };

const MEMORY: Quantity = Quantity {
    aspect: Aspect::Memory,
    name: "peak memory",
    shift: 1_048_576.0,
    shift_text: "1 MiB",
    of: memory,
    alike: false,
};

/// Times without the start of the process, which on small boards is most of the wall time. Where a run waited, or any may have, CPU
/// times; of a run that a limit of time stopped, the limit. If it waited, it counts with its CPU time where that is more than the other's:
/// what it would have needed is further from it still. If it hung, it counts with the limit, and the other with its wall time.
fn times(pair: &Pair, busy: bool) -> Option<Figures> {
    let [base, new] = pair.runs();
    if has_wrong(pair) || !is_finished(base) && !is_finished(new) {
        return None;
    }
    let single = base.setting.threads == 1 && new.setting.threads == 1;
    // Of one that hung its CPU time says nothing.
    let hangs = |run: &Run| struck_by_time(run) && hung(run);
    let on_cpu = single && (busy || waited(base) || waited(new)) && !hangs(base) && !hangs(new);
    let figure = |run: &Run| match is_finished(run) {
        false if !struck_by_time(run) => None,
        _ if on_cpu => run.cpu_time_s,
        true => Some(run.build_time_s.unwrap_or(0.0) + run.solve_time_s?),
        false if run.termination_reason == CPU_LIMIT => run.cpu_limit_s,
        false => run.time_limit_s,
    };
    let (before, after) = (figure(base)?, figure(new)?);
    let at_limit = !is_finished(base) || !is_finished(new);
    let stopped_is_longer = if is_finished(base) { after >= before } else { before >= after };
    (!at_limit || stopped_is_longer).then_some(Figures { before, after, at_limit, on_cpu })
}

fn memory(pair: &Pair, _: bool) -> Option<Figures> {
    let [base, new] = pair.runs();
    let how = |run: &Run| (run.setting.isolation.clone(), run.setting.memory_source.clone());
    if how(base) != how(new) || has_wrong(pair) || !is_finished(base) || !is_finished(new) {
        return None;
    }
    let (before, after) = (float(base.peak_memory_b?), float(new.peak_memory_b?));
    Some(Figures { before, after, at_limit: false, on_cpu: false })
}

/// A quantity of a group, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tested {
    /// The group; without names: all of them together.
    pub subject: Subject,
    /// Time or memory.
    pub aspect: Aspect,
    /// Instances that were compared (together with the group, where all groups are).
    pub instances: usize,
    /// Pairs of runs behind them.
    pub runs: usize,
    /// Pairs that say nothing: an answer is wrong, a side has no figure, a limit stopped both, or it stopped a run that waited too early to tell.
    pub left_out: usize,
    /// Pairs of which a limit of time stopped one run: it counts as that limit.
    pub at_limit: usize,
    /// Pairs compared by their CPU times, since a run waited.
    pub on_cpu: usize,
    /// exp of the trimmed mean over the instances of the logarithm of (NEW + shift) / (BASE + shift).
    pub ratio: f64,
    /// The interval in which the ratios of all groups lie at once, but for the probability alpha on each side; `None`: too few
    /// instances, or so few that it would reach further than a factor of 100.
    pub interval: Option<(f64, f64)>,
    /// The ratio over that of the other groups on the same instances, with its interval: what an instance had in common with all
    /// its runs of a session is not in it. `None`: too few groups or instances.
    pub beside: Option<(f64, (f64, f64))>,
    /// The least ratio that would have been called slower here, in this group alone.
    pub seen: Option<f64>,
    /// How many intervals share alpha.
    pub intervals: usize,
    /// Whether all pairs were measured under the same circumstances.
    pub comparable: bool,
    /// Whether it is worse or better; `None`: no more than chance.
    pub verdict: Option<Verdict>,
}

impl Tested {
    /// A test of which nothing is counted yet.
    fn new(subject: Subject, aspect: Aspect, comparable: bool) -> Self {
        Self {
            subject,
            aspect,
            instances: 0,
            runs: 0,
            left_out: 0,
            at_limit: 0,
            on_cpu: 0,
            ratio: 1.0,
            interval: None,
            beside: None,
            seen: None,
            intervals: 0,
            comparable,
            verdict: None,
        }
    }

    /// Why no slowdown would have been noticed here, if none would have been.
    pub fn blind(&self) -> Option<&'static str> {
        let why = if self.instances < Trimmed::LEAST { "too few instances" } else { "too wide an interval" };
        self.seen.is_none().then_some(why)
    }
}

/// What is compared of a group: the logarithms of its ratios, one an instance, by the hash of the instance; and what is said of
/// them, of which the statistics come last.
struct Sample<'a> {
    logs: Vec<(&'a str, f64)>,
    tested: Tested,
}

/// An interval that reaches further than this factor from its ratio says nothing, and is none.
const WIDEST: f64 = 100.0;

/// Compares the times of all groups, then their peak memory; gives what was found of each, and what of it is a difference. On a
/// machine that was busy times are CPU times.
pub fn measured(groups: &[Group], busy: bool, options: &Options) -> (Vec<Tested>, Vec<Finding>) {
    let (mut all, mut findings) = (Vec::new(), Vec::new());
    for quantity in [&TIME, &MEMORY] {
        let tests = tested(groups, quantity, busy, options);
        findings.extend(tests.iter().filter_map(|test| finding(test, quantity)));
        all.extend(tests);
    }
    (all, findings)
}

fn tested(groups: &[Group], quantity: &Quantity, busy: bool, options: &Options) -> Vec<Tested> {
    let mut samples: Vec<_> = groups.iter().map(|group| Sample::of(group, quantity, busy)).collect();
    samples.retain(|sample| !sample.logs.is_empty());
    let mut means = moderated(&samples, Sample::values);
    let mut beside = moderated(&samples, |sample| sample.beside(&samples));
    if let Some(all) = Sample::together(&samples) {
        means.push(Trimmed::of(&all.values()));
        beside.push(None);
        samples.push(all);
    }
    let intervals = means.iter().chain(&beside).flatten().count();
    let found = samples.into_iter().zip(means.into_iter().zip(beside));
    found.map(|(sample, (mean, beside))| sample.judged(mean, beside, intervals, options)).collect()
}

/// The trimmed means of values of all samples, with the variances that they lend each other; `None` where there are too few.
fn moderated<'a>(samples: &[Sample<'a>], values: impl Fn(&Sample<'a>) -> Vec<f64>) -> Vec<Option<Trimmed>> {
    let mut means: Vec<_> = samples.iter().map(|sample| Trimmed::of(&values(sample))).collect();
    // What was measured elsewhere lends nothing.
    for comparable in [true, false] {
        let of = means.iter_mut().zip(samples).filter(|(_, sample)| sample.tested.comparable == comparable);
        let own: Vec<_> = of.filter_map(|(mean, _)| mean.as_mut()).collect();
        let lent = stats::moderated(&own.iter().map(|mean| **mean).collect::<Vec<_>>());
        own.into_iter().zip(lent).for_each(|(mean, lent)| *mean = lent);
    }
    means
}

impl<'a> Sample<'a> {
    /// Other groups that an instance must have for a ratio beside them.
    const LEAST_OTHERS: usize = 2;

    /// Medians over the seeds and repeats of each instance: these are no independent sample.
    fn of(group: &Group<'a>, quantity: &Quantity, busy: bool) -> Self {
        let speaks = |pair: &Pair| (quantity.of)(pair, busy).is_some();
        let (pairs, comparable) = match quantity.alike {
            true => group.comparable(speaks),
            false => (group.pairs.iter().filter(|pair| speaks(pair)).collect(), true),
        };
        let mut tested = Tested::new(group.subject.clone(), quantity.aspect, comparable);
        tested.left_out = group.pairs.len() - pairs.len();
        let mut by_instance: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
        for pair in pairs {
            let Some(found) = (quantity.of)(pair, busy) else { continue };
            let values = by_instance.entry(&pair.new.run.setting.instance_hash).or_default();
            values[0].push(found.before);
            values[1].push(found.after);
            tested.runs += 1;
            tested.at_limit += usize::from(found.at_limit);
            tested.on_cpu += usize::from(found.on_cpu);
        }
        let log = |(instance, [before, after]): (_, [Vec<f64>; 2])| {
            let ratio = (stats::median(after)? + quantity.shift) / (stats::median(before)? + quantity.shift);
            Some((instance, ratio.ln()))
        };
        Self { logs: by_instance.into_iter().filter_map(log).collect(), tested }
    }

    /// All groups as one, if there are several, over several instances: groups of few instances may show together what none of them
    /// shows alone. Those that are not comparable have a part in it only if none is.
    fn together(samples: &[Self]) -> Option<Self> {
        let any = samples.iter().any(|sample| sample.tested.comparable);
        let parts: Vec<_> = samples.iter().filter(|sample| sample.tested.comparable || !any).collect();
        let sum = |of: fn(&Tested) -> usize| parts.iter().map(|sample| of(&sample.tested)).sum();
        let mut tested = Tested::new(Subject::default(), samples.first()?.tested.aspect, any);
        (tested.runs, tested.at_limit, tested.on_cpu) = (sum(|t| t.runs), sum(|t| t.at_limit), sum(|t| t.on_cpu));
        tested.left_out = samples.iter().map(|s| s.tested.runs + s.tested.left_out).sum::<usize>() - tested.runs;
        let all = Self { logs: parts.iter().flat_map(|s| s.logs.iter().copied()).collect(), tested };
        (parts.len() > 1 && all.instances() > 1).then_some(all)
    }

    fn instances(&self) -> usize {
        self.logs.iter().map(|(instance, _)| instance).collect::<BTreeSet<_>>().len()
    }

    fn values(&self) -> Vec<f64> {
        self.logs.iter().map(|(_, log)| *log).collect()
    }

    /// The logarithms over the medians of those of the other groups on the same instance.
    fn beside(&self, samples: &[Self]) -> Vec<f64> {
        let key = |sample: &Self| (sample.tested.subject.experiment.clone(), sample.tested.comparable);
        let others = samples.iter().filter(|o| o.tested.subject != self.tested.subject && key(o) == key(self));
        let mut of_instance: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (instance, log) in others.flat_map(|other| &other.logs) {
            of_instance.entry(instance).or_default().push(*log);
        }
        let one = |(instance, log): &(&str, f64)| {
            let others = of_instance.get(instance).filter(|others| others.len() >= Self::LEAST_OTHERS)?;
            Some(log - stats::median(others.clone())?)
        };
        self.logs.iter().filter_map(one).collect()
    }

    fn judged(self, mean: Option<Trimmed>, beside: Option<Trimmed>, intervals: usize, options: &Options) -> Tested {
        let tail = options.alpha / float(intervals.max(1));
        let [mean, beside] = [mean, beside].map(|mean| mean.filter(|mean| mean.margin(tail) <= WIDEST.ln()));
        let range = |mean: Trimmed| {
            let (low, high) = mean.interval(tail);
            (low.exp(), high.exp())
        };
        let interval = mean.map(range);
        let ratio = mean.map_or_else(|| stats::median(self.values()).unwrap_or(0.0), |mean| mean.mean).exp();
        let drift = if self.instances() < Options::FEW { Options::DRIFT_OF_FEW } else { Options::DRIFT };
        let margin = mean.iter().chain(&beside).map(|mean| mean.margin(tail)).reduce(f64::min);
        let seen = margin.map(|margin| (drift * margin.exp()).max(options.time_threshold));
        let beside = beside.map(|mean| (mean.mean.exp(), range(mean)));
        let mut ranges = interval.iter().chain(beside.iter().map(|(_, range)| range));
        let verdict = if ratio >= options.time_threshold && ranges.any(|(low, _)| *low > drift) {
            Some(Verdict::Worse)
        } else if ratio <= 1.0 / options.time_threshold && ranges.any(|(_, high)| *high < 1.0 / drift) {
            Some(Verdict::Better)
        } else {
            None
        };
        let is_judged = self.tested.comparable || options.insists_on(self.tested.aspect);
        let verdict = verdict.map(|verdict| if is_judged { verdict } else { Verdict::Changed });
        Tested { instances: self.logs.len(), ratio, interval, beside, seen, intervals, verdict, ..self.tested }
    }
}

fn finding(tested: &Tested, quantity: &Quantity) -> Option<Finding> {
    let interval = tested.interval.map(|(low, high)| format!(" [{low:.2}, {high:.2}]")).unwrap_or_default();
    let (name, ratio, instances) = (quantity.name, tested.ratio, tested.instances);
    let mut text =
        format!("{name} × {ratio:.2}{interval} over {} (shift {})", count(instances, "instance"), quantity.shift_text);
    if let Some((ratio, (low, high))) = tested.beside {
        text += &format!("; beside the other groups × {ratio:.2} [{low:.2}, {high:.2}]");
    }
    if tested.at_limit > 0 {
        text += &format!("; {} stopped by a limit on one side", count(tested.at_limit, "run"));
    }
    if tested.on_cpu > 0 {
        text += &format!("; CPU times for {}, since runs waited", count(tested.on_cpu, "run"));
    }
    if !tested.comparable {
        text += "; measured under other circumstances";
    }
    Some(Finding::new(quantity.aspect, tested.verdict?, tested.subject.clone(), text))
}

/// What times could not have shown, in a sentence without the full stop.
pub fn blindness(groups: &[Group], tests: &[Tested], options: &Options) -> Option<String> {
    let times: Vec<_> =
        tests.iter().filter(|t| t.aspect == Aspect::Time && !t.subject.formulation.is_empty()).collect();
    let hidden = |tested: &&&Tested| tested.seen.is_some_and(|seen| seen > options.time_threshold);
    let worst = times.iter().filter(hidden).filter_map(|tested| tested.seen).reduce(f64::max);
    let mut parts = Vec::new();
    for (why, groups) in by_first(times.iter().filter_map(|tested| Some((tested.blind()?, ())))) {
        parts.push(format!("{} of {} with {why}", groups.len(), count(times.len(), "group")));
    }
    parts.extend(worst.map(|worst| {
        let groups = times.iter().filter(hidden).count();
        let (least, all) = (options.time_threshold, times.len());
        format!(
            "in {groups} of {all} groups slowdowns above × {least} may go unnoticed, in the worst up to × {worst:.1}"
        )
    }));
    let solved = |group: &&Group| group.pairs.iter().any(|pair| is_finished(pair.base.run));
    let silent = |group: &&Group| times.iter().all(|tested| tested.subject != group.subject);
    let none: Vec<_> = groups.iter().filter(solved).filter(silent).map(|group| group.subject.name(false)).collect();
    if !none.is_empty() {
        parts.push(format!("no pair of runs whose times count in {}", none.join(", ")));
    }
    (!parts.is_empty()).then(|| format!("times: {}", parts.join("; ")))
}
