//! Runs near a limit, many of which fall over it at once: one by one that is chance, together it is none.

use std::collections::BTreeMap;

use super::answers::{is_comparable, over_a_limit};
use super::matching::Group;
use super::{Aspect, Finding, Options, Subject, Verdict};
use crate::stats;

/// How many instances fell over a limit that they kept before, and how many came back, in a group of runs.
struct Drift {
    subject: Subject,
    fell: u64,
    rose: u64,
    comparable: bool,
}

/// Groups of which more instances fell over their limits than came back (or the other way round), by McNemar's test with Holm's
/// correction over the groups; on a machine that was not quiet none is comparable.
pub fn drifts(groups: &[Group], quiet: bool, options: &Options) -> Vec<Finding> {
    let mut drifts: Vec<_> = groups.iter().map(|group| drift(group, quiet)).collect();
    drifts.retain(|drift| drift.fell + drift.rose > 0);
    drifts.extend(together(&drifts));
    let p: Vec<_> = drifts.iter().map(|drift| stats::mcnemar(drift.fell, drift.rose)).collect();
    let adjusted = stats::holm(&p);
    drifts.into_iter().zip(adjusted).filter_map(|(drift, p)| finding(drift, p?, options)).collect()
}

/// An instance counts once, by what most of its seeds and repeats did: these are no independent sample.
fn drift(group: &Group, quiet: bool) -> Drift {
    let mut by_instance: BTreeMap<&str, i64> = BTreeMap::new();
    let mut comparable = quiet;
    for pair in &group.pairs {
        let direction = over_a_limit(pair);
        if direction != 0 {
            *by_instance.entry(&pair.new.run.setting.instance_hash).or_default() += i64::from(direction);
            comparable &= is_comparable(pair);
        }
    }
    let count = |sign: i64| by_instance.values().filter(|sum| sum.signum() == sign).count() as u64;
    Drift { subject: group.subject.clone(), fell: count(-1), rose: count(1), comparable }
}

/// All groups as one, if there are several; those that are not comparable have a part in it only if none is.
fn together(drifts: &[Drift]) -> Option<Drift> {
    let any = drifts.iter().any(|drift| drift.comparable);
    let parts: Vec<_> = drifts.iter().filter(|drift| drift.comparable || !any).collect();
    (parts.len() > 1).then(|| Drift {
        subject: Subject::default(),
        fell: parts.iter().map(|drift| drift.fell).sum(),
        rose: parts.iter().map(|drift| drift.rose).sum(),
        comparable: any,
    })
}

fn finding(drift: Drift, p: f64, options: &Options) -> Option<Finding> {
    let Drift { subject, fell, rose, comparable } = drift;
    if p >= options.alpha {
        return None;
    }
    let judged = comparable || options.insists_on(Aspect::Time);
    let verdict = match fell > rose {
        _ if !judged => Verdict::Changed,
        true => Verdict::Worse,
        false => Verdict::Better,
    };
    let mut text = format!(
        "of the instances near a limit {fell} ran into it in NEW only, {rose} in BASE only, p {p:.2e}: together that is no chance"
    );
    if !comparable {
        text += "; measured under other circumstances or disturbed";
    }
    Some(Finding::of_group(Aspect::Time, verdict, subject, text, options))
}
