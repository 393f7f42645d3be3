//! How long runs will take, by rows of the past and by limits.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use record::{HARD_LIMIT, RunRow, SOFT_LIMIT, Status};

use crate::plan::Parts;

/// What is said of the time that some runs will take.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Forecast {
    /// Runs to be done.
    pub runs: usize,
    /// How many of them past rows tell of.
    pub known: usize,
    /// Seconds that those take together, one after the other.
    pub known_s: f64,
    /// Seconds that all take at most; `None` if some have no limit.
    pub limit_s: Option<f64>,
}

/// Runs that are left to be done, by kind, and what rows say of their kinds. What there is to say is kept up to date run by run;
/// the memory grows with the number of kinds that are left and not with that of rows.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    /// Rows of one kind.
    exact: HashMap<u64, Mean>,
    /// Rows of a formulation and a solver.
    rough: HashMap<u64, Mean>,
    /// Rows of whatever kind.
    any: Mean,
    /// Runs of one kind and limit; none are no entry.
    left: HashMap<(u64, u64), u32>,
    /// Those of them without rows of their kind, by formulation, solver and limit.
    unmeasured: HashMap<(u64, u64), usize>,
    /// The others, and the seconds that they will take.
    measured: usize,
    measured_s: f64,
    /// All of them, by limit.
    limits: BTreeMap<u64, usize>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    rows: u32,
    sum_s: f64,
    /// How many of the rows their time limit ended, and their share of the sum.
    limited: u32,
    limited_s: f64,
}

/// How long a run took.
#[derive(Debug, Clone, Copy)]
struct Took {
    seconds: f64,
    /// Its time limit ended it, so under another limit it takes another time.
    limited: bool,
}

/// A kind of runs: all that differ by seed and repeat only.
#[derive(Debug, Clone, Copy)]
struct Kind {
    exact: u64,
    /// The same on any instance.
    rough: u64,
}

impl Kind {
    fn new(instance_hash: &str, formulation: &str, solver: &str) -> Self {
        let hash = |parts: &[&str]| {
            let mut hasher = DefaultHasher::new();
            parts.hash(&mut hasher);
            hasher.finish()
        };
        Self { exact: hash(&[instance_hash, formulation, solver]), rough: hash(&[formulation, solver]) }
    }

    fn of_row(row: &RunRow) -> Self {
        Self::new(&row.instance_hash, &row.formulation, &row.solver)
    }
}

/// A limit as part of a key; none is infinity.
fn bits(limit_s: Option<f64>) -> u64 {
    limit_s.unwrap_or(f64::INFINITY).to_bits()
}

/// How long a run took, if it was not interrupted.
fn took(row: &RunRow) -> Option<Took> {
    let limited = row.status == Status::Timeout && [SOFT_LIMIT, HARD_LIMIT].contains(&row.termination_reason.as_str());
    row.wall_time_s.filter(|_| row.status.is_final()).map(|seconds| Took { seconds, limited })
}

impl Mean {
    fn add(&mut self, took: Took) {
        self.rows += 1;
        self.sum_s += took.seconds;
        if took.limited {
            self.limited += 1;
            self.limited_s += took.seconds;
        }
    }

    fn get(self) -> f64 {
        self.sum_s / f64::from(self.rows)
    }

    /// The same under a limit, which may have changed since: what ran into the old one runs into this one, and it ends others
    /// earlier.
    fn within(self, limit: u64) -> f64 {
        let limit_s = f64::from_bits(limit);
        let limited_s = if limit_s.is_finite() { f64::from(self.limited) * limit_s } else { self.limited_s };
        ((self.sum_s - self.limited_s + limited_s) / f64::from(self.rows)).min(limit_s)
    }
}

impl Estimate {
    /// Learns from a row of an earlier session.
    pub fn note(&mut self, row: &RunRow) {
        let kind = Kind::of_row(row);
        self.enter(kind, -1);
        self.learn(kind, took(row));
        self.enter(kind, 1);
    }

    /// A run is to be done.
    pub fn add(&mut self, parts: Parts<'_>) {
        let name = parts.formulation.formulation.name();
        self.add_one(Kind::new(&parts.instance.hash, name, &parts.solver.label), bits(parts.limits.time_s));
    }

    fn add_one(&mut self, kind: Kind, limit: u64) {
        self.enter(kind, -1);
        *self.left.entry((kind.exact, limit)).or_default() += 1;
        *self.limits.entry(limit).or_default() += 1;
        self.enter(kind, 1);
    }

    /// Every run to be done is known: forgets kinds of which none is.
    pub fn settle(&mut self) {
        let left: HashSet<u64> = self.left.keys().map(|(exact, _)| *exact).collect();
        self.exact.retain(|exact, _| left.contains(exact));
        self.exact.shrink_to_fit();
    }

    /// A run was done.
    pub fn done(&mut self, row: &RunRow) {
        self.one_done(Kind::of_row(row), bits(row.time_limit_s), took(row));
    }

    fn one_done(&mut self, kind: Kind, limit: u64, took: Option<Took>) {
        self.enter(kind, -1);
        if let Entry::Occupied(mut left) = self.left.entry((kind.exact, limit)) {
            *left.get_mut() -= 1;
            if *left.get() == 0 {
                left.remove();
            }
            if let Some(runs) = self.limits.get_mut(&limit) {
                *runs -= 1;
            }
        }
        self.learn(kind, took);
        self.enter(kind, 1);
        if !self.limits.keys().any(|limit| self.left.contains_key(&(kind.exact, *limit))) {
            self.exact.remove(&kind.exact);
        }
    }

    /// What is to be said of the runs that are left.
    pub fn forecast(&self) -> Forecast {
        let limited = self.limits.iter().filter(|(_, runs)| **runs > 0);
        let limit_s: f64 = limited.map(|(limit, runs)| f64::from_bits(*limit) * *runs as f64).sum();
        let mut forecast = Forecast {
            runs: self.limits.values().sum(),
            known: self.measured,
            // What was added up and taken away again may leave a trace.
            known_s: if self.measured > 0 { self.measured_s.max(0.0) } else { 0.0 },
            limit_s: limit_s.is_finite().then_some(limit_s),
        };
        for ((rough, limit), runs) in &self.unmeasured {
            if let Some(mean) = self.rough.get(rough) {
                forecast.known += runs;
                forecast.known_s += mean.within(*limit) * *runs as f64;
            }
        }
        forecast
    }

    /// Mean of all rows, for runs of which none tells.
    pub fn of_any(&self) -> Option<f64> {
        (self.any.rows > 0).then(|| self.any.get())
    }

    /// Seconds that are left of so many that runs were expected to take, where a share of the runs has been going on for `busy_s`
    /// seconds together; `None` if those are all there are and take longer than expected.
    pub fn rest(&self, expected_s: f64, share: f64, busy_s: f64) -> Option<f64> {
        let begun_s = expected_s * share;
        if busy_s <= begun_s {
            return Some(expected_s - busy_s);
        }
        // Those that are left will take as much longer than was expected as everything so far.
        let longer = (self.any.sum_s + busy_s) / (self.any.sum_s + begun_s).max(f64::MIN_POSITIVE);
        (share < 1.0).then_some((expected_s - begun_s) * longer)
    }

    fn learn(&mut self, kind: Kind, took: Option<Took>) {
        let Some(took) = took else { return };
        self.exact.entry(kind.exact).or_default().add(took);
        self.rough.entry(kind.rough).or_default().add(took);
        self.any.add(took);
    }

    /// Takes the runs of a kind into the sums, or with -1 out of them.
    fn enter(&mut self, kind: Kind, sign: isize) {
        for limit in self.limits.keys() {
            let Some(&runs) = self.left.get(&(kind.exact, *limit)) else { continue };
            let signed = sign * runs as isize;
            if let Some(mean) = self.exact.get(&kind.exact) {
                self.measured = self.measured.saturating_add_signed(signed);
                self.measured_s += mean.within(*limit) * signed as f64;
            } else if let Entry::Occupied(mut entry) = self.unmeasured.entry((kind.rough, *limit)) {
                *entry.get_mut() = entry.get().saturating_add_signed(signed);
                if *entry.get() == 0 {
                    entry.remove();
                }
            } else {
                self.unmeasured.insert((kind.rough, *limit), runs as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn kind(instance: usize, solver: usize) -> Kind {
        Kind::new(&format!("{instance:016x}"), "C1-C4", &format!("solver {solver}"))
    }

    fn whole(seconds: f64) -> Took {
        Took { seconds, limited: false }
    }

    /// The same from scratch, by the runs that are left and the rows.
    fn counted(left: &[(usize, usize, u64)], rows: &[(usize, usize, f64)]) -> Forecast {
        let mut forecast = Forecast { runs: left.len(), limit_s: Some(0.0), ..Forecast::default() };
        for &(instance, solver, limit) in left {
            let mean = |exact: bool| {
                let of_kind = rows.iter().filter(|row| row.1 == solver && (!exact || row.0 == instance));
                let times: Vec<f64> = of_kind.map(|row| row.2).collect();
                (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
            };
            let limit_s = f64::from_bits(limit);
            if let Some(mean) = mean(true).or_else(|| mean(false)) {
                forecast.known += 1;
                forecast.known_s += mean.min(limit_s);
            }
            forecast.limit_s = forecast.limit_s.map(|sum| sum + limit_s).filter(|sum| sum.is_finite());
        }
        forecast
    }

    #[test]
    fn sums_that_are_kept_are_those_that_would_be_counted() {
        let limits = [bits(Some(4.0)), bits(Some(9.0)), bits(None)];
        let mut left: Vec<(usize, usize, u64)> =
            (0..60).map(|n| (n % 5, n % 3, limits[if n % 20 == 7 { 2 } else { n % 2 }])).collect();
        let mut rows = vec![(1, 1, 6.0), (4, 2, 2.0), (77, 0, 3.0)];
        let mut estimate = Estimate::default();
        for (instance, solver, seconds) in &rows {
            estimate.learn(kind(*instance, *solver), Some(whole(*seconds)));
        }
        for (instance, solver, limit) in &left {
            estimate.add_one(kind(*instance, *solver), *limit);
        }
        estimate.settle();
        assert!(!estimate.exact.contains_key(&kind(77, 0).exact), "no run of that kind is left");
        for n in 0.. {
            let (found, expected) = (estimate.forecast(), counted(&left, &rows));
            assert_eq!((found.runs, found.known), (expected.runs, expected.known), "after {n} runs");
            assert!((found.known_s - expected.known_s).abs() < 1e-6, "after {n} runs: {found:?} for {expected:?}");
            assert_eq!(found.limit_s, expected.limit_s, "after {n} runs");
            if left.is_empty() {
                break;
            }
            let (instance, solver, limit) = left.swap_remove(n * 7 % left.len());
            // Some say nothing of their time.
            let seconds = (n % 4 > 0).then_some(n as f64 / 5.0);
            estimate.one_done(kind(instance, solver), limit, seconds.map(whole));
            rows.extend(seconds.map(|seconds| (instance, solver, seconds)));
        }
        assert!(estimate.left.is_empty() && estimate.exact.is_empty() && estimate.unmeasured.is_empty());
    }

    #[test]
    fn what_ran_into_its_limit_runs_into_another() {
        for (limit, expected) in [(Some(60.0), 32.0), (Some(10.0), 7.0), (None, 12.0)] {
            let mut estimate = Estimate::default();
            estimate.learn(kind(0, 0), Some(whole(4.0)));
            estimate.learn(kind(0, 0), Some(Took { seconds: 20.0, limited: true }));
            estimate.add_one(kind(0, 0), bits(limit));
            assert_eq!(estimate.forecast().known_s, expected, "{limit:?}");
        }
    }

    #[test]
    fn runs_that_take_longer_than_expected_lengthen_the_rest() {
        let mut estimate = Estimate::default();
        estimate.learn(kind(0, 0), Some(whole(2.0)));
        let rest = |share, busy_s| estimate.rest(20.0, share, busy_s);
        assert_eq!((rest(0.0, 0.0), rest(0.1, 1.5)), (Some(20.0), Some(18.5)));
        // 8 s in place of 4 s so far, so 36 s in place of 18 s.
        assert_eq!(rest(0.1, 6.0), Some(36.0));
        assert_eq!(rest(1.0, 21.0), None);
    }

    #[test]
    #[ignore = "prints what it measures"]
    fn a_million_kinds() {
        let mut estimate = Estimate::default();
        let kinds: Vec<Kind> = (0..1_000_000).map(|n| kind(n / 1000, n % 1000)).collect();
        let start = Instant::now();
        kinds.iter().for_each(|kind| estimate.add_one(*kind, bits(Some(60.0))));
        estimate.settle();
        eprintln!("added in {:?}", start.elapsed());
        let start = Instant::now();
        kinds[..100_000].iter().for_each(|kind| estimate.one_done(*kind, bits(Some(60.0)), Some(whole(1.0))));
        eprintln!("each of 100000 runs done in {:?}", start.elapsed() / 100_000);
        let start = Instant::now();
        let forecast = estimate.forecast();
        eprintln!("{forecast:?} in {:?}", start.elapsed());
    }
}
