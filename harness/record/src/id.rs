//! What determines a run, and its identity: a hash of columns that a row itself carries, so that it can be worked out from any row.

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
    /// The first 64 bits of the BLAKE3 hash of these columns, each on a line with its name and its length. Empty ones are left
    /// out: a column that comes to determine runs later, and is empty where it says nothing new, changes no identity.
    #[must_use]
    pub fn id(&self) -> RunId {
        let texts = [
            ("instance_hash", self.instance_hash),
            ("kind", self.kind),
            ("families", self.families),
            ("objective", self.objective),
            ("subloops", self.subloops),
            ("hole_treatment", self.hole_treatment),
            ("backend", self.backend),
            ("options", self.options),
        ];
        let figures = [
            ("threads", Some(self.threads.to_string())),
            ("seed", Some(self.seed.to_string())),
            ("repeat", Some(self.repeat.to_string())),
            ("time_limit_s", self.time_limit_s.map(|limit| limit.to_string())),
            ("cpu_limit_s", self.cpu_limit_s.map(|limit| limit.to_string())),
            ("memory_limit_b", self.memory_limit_b.map(|limit| limit.to_string())),
        ];
        let mut hasher = blake3::Hasher::new();
        let figures = figures.iter().filter_map(|(name, figure)| Some((*name, figure.as_deref()?)));
        for (name, value) in texts.into_iter().chain(figures).filter(|(_, value)| !value.is_empty()) {
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
