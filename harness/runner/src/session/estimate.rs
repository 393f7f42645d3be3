//! How long runs will take, by rows of the past and by limits.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use record::RunRow;

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

/// Runs that are left to be done, by kind, and what rows say of their kinds. The memory grows with the number of kinds
/// and not with that of rows.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    /// Rows of one instance, formulation and solver; of a formulation and a solver.
    past: HashMap<u64, Mean>,
    /// Rows of whatever kind.
    any: Mean,
    left: HashMap<(u64, u64), Left>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    rows: u32,
    sum_s: f64,
}

/// Runs of one kind with one limit.
#[derive(Debug)]
struct Left {
    kind: Kind,
    limit_s: Option<f64>,
    runs: usize,
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

/// A limit as part of a key.
fn bits(limit_s: Option<f64>) -> u64 {
    limit_s.unwrap_or(f64::INFINITY).to_bits()
}

impl Mean {
    fn add(&mut self, seconds: f64) {
        self.rows += 1;
        self.sum_s += seconds;
    }

    fn get(self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum_s / f64::from(self.rows))
    }
}

impl Estimate {
    /// Learns from a row.
    pub fn note(&mut self, row: &RunRow) {
        let Some(seconds) = row.wall_time_s.filter(|_| row.status.is_final()) else { return };
        let kind = Kind::of_row(row);
        for key in [kind.exact, kind.rough] {
            self.past.entry(key).or_default().add(seconds);
        }
        self.any.add(seconds);
    }

    /// Some runs of one kind are to be done.
    pub fn add(&mut self, parts: Parts<'_>, runs: usize) {
        let name = &parts.formulation.formulation.name;
        let kind = Kind::new(&parts.instance.hash, name, &parts.solver.label);
        let limit_s = parts.limits.time_s;
        self.left.entry((kind.exact, bits(limit_s))).or_insert(Left { kind, limit_s, runs: 0 }).runs += runs;
    }

    /// A run was done.
    pub fn done(&mut self, row: &RunRow) {
        if let Some(left) = self.left.get_mut(&(Kind::of_row(row).exact, bits(row.time_limit_s))) {
            left.runs = left.runs.saturating_sub(1);
        }
        self.note(row);
    }

    /// What is to be said of the runs that are left.
    pub fn forecast(&self) -> Forecast {
        let mut forecast = Forecast { limit_s: Some(0.0), ..Forecast::default() };
        for Left { kind, limit_s, runs } in self.left.values() {
            let past = [kind.exact, kind.rough].into_iter().find_map(|key| self.past.get(&key)?.get());
            forecast.runs += runs;
            forecast.known += if past.is_some() { *runs } else { 0 };
            // Limits may have changed since.
            forecast.known_s += past.unwrap_or(0.0).min(limit_s.unwrap_or(f64::INFINITY)) * *runs as f64;
            if *runs > 0 {
                forecast.limit_s = forecast.limit_s.zip(*limit_s).map(|(sum, limit)| sum + limit * *runs as f64);
            }
        }
        forecast
    }

    /// Mean of all rows, for runs of which none tells.
    pub fn of_any(&self) -> Option<f64> {
        self.any.get()
    }
}

/// Runs of a plan, counted by kind: a million of them are few kinds.
pub(super) fn by_kind<'a>(parts: impl Iterator<Item = Parts<'a>>) -> Vec<(Parts<'a>, usize)> {
    let mut kinds: HashMap<_, (Parts<'a>, usize)> = HashMap::new();
    for part in parts {
        let key = (
            std::ptr::from_ref(part.instance),
            std::ptr::from_ref(part.formulation),
            std::ptr::from_ref(part.solver),
            bits(part.limits.time_s),
        );
        kinds.entry(key).or_insert((part, 0)).1 += 1;
    }
    kinds.into_values().collect()
}
