//! What determines a run, and its identity: a hash of columns that a row itself carries, so that it can be worked out from any row.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::RunRow;

/// Identity of a run: a hash, shown as 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for RunId {
    type Err = String;

    /// Reads what the column `run_id` shows.
    fn from_str(text: &str) -> Result<Self, String> {
        let hex = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let id = hex.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        id.map(Self).ok_or_else(|| format!("\"{text}\" is no run id: 16 hex digits"))
    }
}

/// First 16 hex digits of the BLAKE3 hash of a text.
#[must_use]
pub fn short_hash(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// What determines a run, each as the column of that name says it. Not among it are names, labels and paths, which may change
/// without making it another run, and all that is so of the machine: which version of the solver it has, or whether it has it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each is a column of runs.csv, where it is described")]
pub struct RunKey<'a> {
    pub instance_hash: &'a str,
    pub kind: &'a str,
    pub families: &'a str,
    pub objective: &'a str,
    pub subloops: &'a str,
    pub hole_treatment: &'a str,
    pub backend: &'a str,
    pub options: &'a str,
    pub threads: u32,
    pub seed: u64,
    pub repeat: u32,
    pub time_limit_s: Option<f64>,
    pub cpu_limit_s: Option<f64>,
    pub memory_limit_b: Option<u64>,
}

impl RunKey<'_> {
    /// Each column with its name; empty where there is nothing to say.
    fn columns(&self) -> [(&'static str, Cow<'_, str>); 14] {
        fn figure<'a>(of: Option<impl ToString>) -> Cow<'a, str> {
            of.map(|figure| figure.to_string()).unwrap_or_default().into()
        }
        [
            ("instance_hash", self.instance_hash.into()),
            ("kind", self.kind.into()),
            ("families", self.families.into()),
            ("objective", self.objective.into()),
            ("subloops", self.subloops.into()),
            ("hole_treatment", self.hole_treatment.into()),
            ("backend", self.backend.into()),
            ("options", self.options.into()),
            ("threads", figure(Some(self.threads))),
            ("seed", figure(Some(self.seed))),
            ("repeat", figure(Some(self.repeat))),
            ("time_limit_s", figure(self.time_limit_s)),
            ("cpu_limit_s", figure(self.cpu_limit_s)),
            ("memory_limit_b", figure(self.memory_limit_b)),
        ]
    }

    /// The columns in which another run differs, as people call them, each with the values of both: `time limit`, `3 s` and `4 s`.
    #[must_use]
    pub fn differences(&self, other: &RunKey<'_>) -> Vec<(String, [String; 2])> {
        let pairs = self.columns().into_iter().zip(other.columns());
        let differing = pairs.filter(|((_, here), (_, there))| here != there);
        let words = |((column, here), (_, there)): ((&'static str, Cow<'_, str>), (_, Cow<'_, str>))| {
            let name = column.trim_end_matches("_s").trim_end_matches("_b").replace('_', " ");
            (name, [here, there].map(|value| in_words(column, &value)))
        };
        differing.map(words).collect()
    }

    /// The first 64 bits of the BLAKE3 hash of these columns, each on a line with its name and its length. Empty ones are left
    /// out: a column that comes to determine runs later, and is empty where it says nothing new, changes no identity.
    #[must_use]
    pub fn id(&self) -> RunId {
        let mut hasher = blake3::Hasher::new();
        for (name, value) in self.columns().into_iter().filter(|(_, value)| !value.is_empty()) {
            hasher.update(format!("{name} {} {value}\n", value.len()).as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        RunId(u64::from_be_bytes(first))
    }

    /// The identity of what is asked of which solver, whatever the seed, the repeat and the limits.
    #[must_use]
    pub fn question(&self) -> RunId {
        let unlimited = Self { time_limit_s: None, cpu_limit_s: None, memory_limit_b: None, ..*self };
        Self { seed: 0, repeat: 0, ..unlimited }.id()
    }
}

/// What a column has, with its unit.
fn in_words(column: &str, value: &str) -> String {
    match column.rsplit_once('_').map(|(_, unit)| unit) {
        _ if value.is_empty() => "none".to_owned(),
        Some("s") => format!("{value} s"),
        Some("b") => value.parse().map_or_else(|_| value.to_owned(), bytes),
        _ => value.to_owned(),
    }
}

/// A number of bytes that is mostly one of MiB.
#[must_use]
pub fn bytes(number: u64) -> String {
    match number.is_multiple_of(1 << 20) {
        true => format!("{} MiB", number >> 20),
        false => format!("{number} B"),
    }
}

impl RunRow {
    /// What determines the run, as its columns say it.
    #[must_use]
    pub fn key(&self) -> RunKey<'_> {
        RunKey {
            instance_hash: &self.instance_hash,
            kind: &self.kind,
            families: &self.families,
            objective: &self.objective,
            subloops: &self.subloops,
            hole_treatment: &self.hole_treatment,
            backend: &self.backend,
            options: &self.options,
            threads: self.threads,
            seed: self.seed,
            repeat: self.repeat,
            time_limit_s: self.time_limit_s,
            cpu_limit_s: self.cpu_limit_s,
            memory_limit_b: self.memory_limit_b,
        }
    }
}
