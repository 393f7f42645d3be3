//! What may stand at a key: types of values, each with what the schema says of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::{FormulationKind, KEYS, Key, Values};
use record::Measure;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml::Spanned;

/// Most threads of a solver, and most workers at a time.
pub const MOST_THREADS: u32 = 1024;

/// A claim asks for no fewer boards: of fewer there is no interval.
const LEAST_BOARDS: u32 = 6;

/// Instance files, or patterns (`*`, `?`, `[...]`) for them, relative to the config.
pub(super) type Patterns = Vec<At<String>>;

/// A value and its place in the config.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub(super) struct At<T>(Spanned<T>);

impl<T> At<T> {
    /// The value.
    pub fn get(&self) -> &T {
        self.0.get_ref()
    }

    /// Where it stands.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.0.span()
    }

    /// The value alone.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A type of values in one line: what it wraps, and its schema.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $schema:tt;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(transparent)]
        pub(super) struct $name(pub $inner);

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

values! {
    /// A name that a directory may have.
    ExperimentName(String) = { "type": "string", "examples": ["table1"], "pattern": "^[a-z0-9-]+$" };
    /// A duration.
    Time(String) = {
        "type": "string",
        "examples": ["20s", "2h 30m"],
        "pattern": r"^\s*([0-9]+(\.[0-9]+)?\s*(h|min|ms|m|s)\s*)+$",
        "not": { "pattern": "^[^1-9]*$" }
    };
    /// An amount of memory.
    Memory(String) = {
        "type": "string",
        "examples": ["4GiB", "500MB"],
        "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*([KkMmGgTt][Ii]?)?[Bb]\s*$",
        "not": { "pattern": "^[^1-9]*$" }
    };
    /// A part of the name of a CPU model.
    ModelPart(String) = { "type": "string", "examples": ["EPYC 7763"], "pattern": r"\S" };
    /// Threads of a solver.
    Threads(u32) = { "type": "integer", "minimum": 1, "maximum": MOST_THREADS };
    /// How often each run is done.
    Repeats(u32) = { "type": "integer", "minimum": 1, "maximum": 1_000_000 };
    /// Throw-away runs.
    Warmup(u32) = { "type": "integer", "minimum": 0, "maximum": 1000 };
    /// Names of families, separated by spaces.
    Families(String) = { "type": "string", "examples": ["C1 C2' C3 C4 C5"], "pattern": families_pattern() };
    /// A kind of formulations.
    KindWord(FormulationKind) = { "type": "string", "enum": FormulationKind::WORDS };
    /// The value of a solver's option or of a key of formulations.
    OptionValue(toml::Value) = { "type": ["string", "number", "boolean"], "examples": ["off", 0.01, true] };
    /// For every formulation that says nothing else and whose kind has the key.
    #[derive(Default)]
    FormulationDefaults(BTreeMap<String, OptionValue>) = {
        "type": "object",
        "properties": properties(&["families"]),
        "additionalProperties": false
    };
    /// What a claim measures.
    MeasureWord(Measure) = { "type": "string", "enum": Measure::WORDS.map(|(word, _)| word) };
    /// On fewer boards there is no verdict.
    LeastBoards(u32) = { "type": "integer", "minimum": LEAST_BOARDS, "maximum": 1_000_000 };
    /// Seeds of a solver.
    Seeds(toml::Value) = {
        "type": ["array", "string"],
        "items": { "type": "integer", "minimum": 0, "maximum": i64::MAX },
        "minItems": 1,
        "uniqueItems": true,
        "pattern": "^[0-9]+-[0-9]+$",
        "examples": [[1, 2, 3], "1-100"]
    };
    /// One pattern, or several of which one must fit.
    Alternatives(toml::Value) = {
        "type": ["string", "integer", "array"],
        "items": { "type": ["string", "integer"] },
        "minItems": 1,
        "uniqueItems": true,
        "examples": ["n2*", 30, ["n10-round", "n15-*"]]
    };
}

impl Seeds {
    /// Every seed: they stand there one by one, or as the first and the last of a range.
    ///
    /// # Errors
    /// A text that is no range of seeds, or an empty or very long one.
    pub fn expand(&self) -> Result<Vec<u64>, String> {
        const MOST: u64 = 10_000_000;
        let text = match &self.0 {
            toml::Value::Array(seeds) => {
                let seed = |seed: &toml::Value| u64::try_from(seed.as_integer()?).ok();
                return seeds.iter().map(|value| seed(value).ok_or_else(|| format!("{value} is no seed"))).collect();
            }
            range => text(range),
        };
        let ends = text.split_once('-').and_then(|(first, last)| Some((parsed(first)?, parsed(last)?)));
        match ends {
            Some((first, last)) if first <= last && last - first < MOST => Ok((first..=last).collect()),
            Some((first, last)) if first <= last => Err(format!("{text} are more than {MOST} seeds")),
            Some(_) => Err(format!("\"{text}\" is no range of seeds: the smaller one stands first")),
            None => Err(format!("\"{text}\" is no range of seeds; write the first and the last, such as \"1-100\"")),
        }
    }
}

fn parsed(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|seed| digits && i64::try_from(*seed).is_ok())
}

impl Alternatives {
    /// The patterns as texts; numbers need no quotes.
    pub fn texts(&self) -> Vec<String> {
        match &self.0 {
            toml::Value::Array(several) => several.iter().map(text).collect(),
            one => vec![text(one)],
        }
    }
}

impl OptionValue {
    /// The value as solvers are given it.
    pub fn text(&self) -> String {
        text(&self.0)
    }
}

fn text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The properties of all keys but some, each with what it says.
pub(super) fn properties(without: &[&str]) -> Map<String, Value> {
    let property = |key: &Key| {
        let mut schema = schema_of(key);
        schema.insert("description".to_owned(), json!(key.about));
        (key.name.to_owned(), schema.to_value())
    };
    KEYS.iter().filter(|key| !without.contains(&key.name)).map(property).collect()
}

/// What the schema says of the values of a key of formulations.
fn schema_of(key: &Key) -> Schema {
    match key.values {
        Values::Families => json_schema!({
            "type": "string",
            "examples": ["C1 C2' C3 C4 C5"],
            "pattern": families_pattern()
        }),
        Values::Words(words) => json_schema!({ "type": "string", "enum": words }),
        Values::Whole(least, most) => json_schema!({ "type": "integer", "minimum": least, "maximum": most }),
        Values::Truth => json_schema!({ "type": "boolean" }),
    }
}

/// What a list of families looks like, with primes straight or typographic.
fn families_pattern() -> String {
    let escaped = |id: &str| {
        let plain = id.trim_end_matches('\'');
        let primes = match id.len() - plain.len() {
            0 => "",
            1 => "['\u{2032}\u{2019}]",
            _ => "(['\u{2032}\u{2019}]{2}|[\u{2033}\u{201d}])",
        };
        plain.replace('+', r"\+") + primes
    };
    let one = model::families().map(|family| escaped(family.id)).collect::<Vec<_>>().join("|");
    format!(r"^\s*({one})(\s+({one}))*\s*$")
}
