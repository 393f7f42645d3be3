//! The keys of a config file and what may stand at them. The comments are what editors show; what the keys mean is worked out beside
//! this file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use model::{FormulationKind, KEYS, Key, Values};
use record::Measure;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use toml::Spanned;

/// What names something in tables, in files of rows and on the console: text of one line without blanks at its ends.
const NAME: &str = r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$";

/// An experiment: which formulations are solved on which instances by which solvers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Experiment of tilebench")]
pub(super) struct ConfigFile {
    /// Name of the experiment and of its results directory: a-z, 0-9 and - only.
    pub experiment: At<ExperimentName>,
    /// One line for headings.
    pub title: String,
    /// What the experiment is about, for reports.
    #[serde(default)]
    pub description: String,
    /// Instance files or patterns for them, relative to the config. A suite (`suite.toml`, `NAME.suite.toml`) stands for all its
    /// instances, `SUITE/PATTERN` for some. Formulations with instances of their own do not use these.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub instances: Patterns,
    /// Seeds of the solvers, as a list or as the first and the last: each combination is run with each of them. Left
    /// out: [1].
    pub seeds: Option<At<Seeds>>,
    /// How often each run is done, with the same seed. Left out: 1.
    pub repeats: Option<Repeats>,
    /// Throw-away runs of each solver before the first measured one, for each worker. Left out: 0.
    pub warmup: Option<Warmup>,
    /// What a run may use.
    #[serde(default)]
    pub limits: LimitsFile,
    /// What the machine must be; on others nothing is run.
    #[serde(default)]
    pub require: RequireFile,
    /// What formulations and solvers have in common; the single ones may differ.
    #[serde(default)]
    pub defaults: DefaultsFile,
    /// Variations of the experiment for `--profile NAME`. What a profile names replaces what the rest of the config
    /// says.
    #[serde(default)]
    pub profile: BTreeMap<String, ProfileFile>,
    /// The formulations: each is solved on every instance.
    #[schemars(length(min = 1))]
    pub formulation: Vec<At<FormulationFile>>,
    /// The solvers: each solves every formulation that does not name others.
    #[schemars(length(min = 1))]
    pub solver: Vec<At<SolverFile>>,
    /// Runs that are not to be done: those that have all the properties.
    #[serde(default)]
    pub exclude: Vec<At<ExcludeFile>>,
    /// Runs beside the combinations of all with all, which excludes do not touch.
    #[serde(default)]
    pub include: Vec<At<IncludeFile>>,
    /// Claims that the runs test.
    #[serde(default)]
    pub claim: Vec<At<ClaimFile>>,
    /// How the results are shown.
    #[serde(default)]
    pub report: ReportFile,
}

/// What a run may use.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsFile {
    /// Wall time of a run, over all its iterations. Left out: no limit.
    pub time: Option<At<Time>>,
    /// CPU time of a run's worker and of what it starts, over all iterations. Left out: no limit.
    pub cpu: Option<At<Time>>,
    /// Memory of a run's worker and of what it starts. Left out: no limit.
    pub memory: Option<At<Memory>>,
}

/// What the machine must be; on others nothing is run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequireFile {
    /// A part of the name of its CPU model; case does not matter. Left out: any.
    pub cpu_model: Option<At<ModelPart>>,
}

/// What formulations and solvers have in common.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DefaultsFile {
    /// For every formulation that says nothing else.
    #[serde(default)]
    pub formulation: FormulationDefaults,
    /// For every solver that says nothing else.
    #[serde(default)]
    pub solver: SolverDefaults,
}

/// For every solver that says nothing else.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolverDefaults {
    /// Threads of every solver that says nothing else. Left out: 1.
    pub threads: Option<Threads>,
}

/// A profile: what it names replaces what the rest of the config says.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileFile {
    /// Wall time of a run.
    pub time: Option<At<Time>>,
    /// CPU time of a run's worker and of what it starts.
    pub cpu: Option<At<Time>>,
    /// Memory of a run's worker and of what it starts.
    pub memory: Option<At<Memory>>,
    /// Instances instead of those of the experiment. Formulations with instances of their own keep them.
    #[schemars(length(min = 1))]
    pub instances: Option<Patterns>,
    /// Seeds of the solvers.
    pub seeds: Option<At<Seeds>>,
    /// How often each run is done.
    pub repeats: Option<Repeats>,
    /// Throw-away runs of each solver for each worker.
    pub warmup: Option<Warmup>,
    /// Folder of earlier results, relative to the config: runs that did not end there within the time limit are left out, and the others
    /// begin with the shortest.
    pub effort: Option<At<String>>,
    /// Only these formulations, by name or pattern.
    #[schemars(length(min = 1))]
    pub formulations: Option<Vec<At<String>>>,
    /// Only these solvers, by label or pattern.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Single formulations, by name or pattern: `formulation.NAME.instances = [...]`.
    #[serde(default)]
    pub formulation: BTreeMap<At<String>, FormulationOverride>,
}

/// What a profile changes of a formulation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FormulationOverride {
    /// The formulation's instances in this profile.
    #[schemars(length(min = 1))]
    pub instances: Patterns,
}

/// How the results are shown.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportFile {
    /// Names of tables. Left out: the default set.
    #[schemars(length(min = 1))]
    #[serde(default)]
    pub tables: Vec<String>,
    /// Names of plots. Left out: the default set.
    #[schemars(length(min = 1))]
    #[serde(default)]
    pub plots: Vec<String>,
    /// Who the others are compared with: a formulation, a solver, or `formulation, solver`. In the table pairs a formulation is compared
    /// with under each solver, a solver with each formulation. Left out: the first of the
    /// config.
    pub baseline: Option<At<String>>,
    /// Published figures to show beside the measured ones.
    pub published: Option<PublishedFile>,
}

/// Published figures.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedFile {
    /// CSV file, relative to the config.
    pub file: At<String>,
    /// Which of its rows: the value of the column `table`.
    pub table: At<String>,
    /// How headings name the source.
    pub label: String,
    /// Which of its rows: values of the column `source`, the one that the label names first. Left out: all.
    #[serde(default)]
    pub sources: Vec<String>,
}

/// A formulation: what a solver is given, and what to do about subloops and holes.
#[derive(Debug, JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "kebab-case", transform = add_keys)]
pub(super) struct FormulationFile {
    /// How tables and plots name it.
    #[schemars(regex(pattern = NAME))]
    pub name: At<String>,
    /// What a solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), a
    /// program in MiniZinc or for answer set solvers (minizinc, asp). Left out:
    /// mip.
    pub kind: Option<KindWord>,
    /// Values of [`KEYS`].
    #[schemars(skip)]
    pub keys: BTreeMap<String, At<OptionValue>>,
    /// Instances instead of those of the experiment.
    pub instances: Option<Patterns>,
    /// Only these solvers, by label or pattern. Left out: all.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Families, all of them listed: the formulation as it is, and once without each of them, named as in
    /// `colour -C7`.
    pub drop_one: Option<At<Families>>,
    /// Families: the formulation without all of them, and once with each of them, named as in `colour +C7`.
    pub add_one: Option<At<Families>>,
}

fn add_keys(schema: &mut Schema) {
    if let Some(Value::Object(own)) = schema.get_mut("properties") {
        own.extend(properties(&[]));
    }
}

impl<'de> Deserialize<'de> for FormulationFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entry)
    }
}

/// Reads a [`FormulationFile`]. That there are no other keys, the schema has seen to.
struct Entry;

impl<'de> Visitor<'de> for Entry {
    type Value = FormulationFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a formulation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FormulationFile, A::Error> {
        let (mut name, mut kind, mut keys) = (None, None, BTreeMap::new());
        let (mut instances, mut solvers, mut drop_one, mut add_one) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => name = Some(map.next_value()?),
                "kind" => kind = Some(map.next_value()?),
                "instances" => instances = Some(map.next_value()?),
                "solvers" => solvers = Some(map.next_value()?),
                "drop-one" => drop_one = Some(map.next_value()?),
                "add-one" => add_one = Some(map.next_value()?),
                _ => drop(keys.insert(key, map.next_value()?)),
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(FormulationFile { name, kind, keys, instances, solvers, drop_one, add_one })
    }
}

/// A solver with its threads and options.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolverFile {
    /// Name of the backend; `tilebench solvers` lists them.
    pub name: At<String>,
    /// How tables and plots name it. Left out: the name.
    #[schemars(regex(pattern = NAME))]
    pub label: Option<At<String>>,
    /// Threads. Left out: those of `[defaults.solver]`.
    pub threads: Option<Threads>,
    /// Whether proofs of infeasibility are kept, for solvers that can write them. Left out: false.
    #[serde(default)]
    pub proof: bool,
    /// Options by the solver's own names.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// Runs that are not to be done: those that have all of these properties.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExcludeFile {
    /// Names of instances (their files without the ending), or patterns for them.
    pub instance: Option<At<Alternatives>>,
    /// Challenge numbers.
    pub challenge: Option<At<Alternatives>>,
    /// Designated colours.
    pub colour: Option<At<Alternatives>>,
    /// Names of formulations, or patterns for them.
    pub formulation: Option<At<Alternatives>>,
    /// Kinds of formulations: mip, sat, cp, search, minizinc, asp.
    pub kind: Option<At<Alternatives>>,
    /// Labels of solvers, or patterns for them.
    pub solver: Option<At<Alternatives>>,
    /// Seeds.
    pub seed: Option<At<Alternatives>>,
    /// Only under these profiles. Left out: under every profile and without one.
    #[schemars(length(min = 1))]
    pub profiles: Option<Vec<At<String>>>,
}

/// Further runs. An include that names its profiles goes before them: in its formulations, solvers, limits, seeds and repeats.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct IncludeFile {
    /// Names of formulations, or patterns for them. Left out: all.
    #[schemars(length(min = 1))]
    pub formulations: Option<Vec<At<String>>>,
    /// Labels of solvers, or patterns for them. Left out: those of each formulation.
    #[schemars(length(min = 1))]
    pub solvers: Option<Vec<At<String>>>,
    /// Instance files or patterns for them. Left out: those of each formulation.
    #[schemars(length(min = 1))]
    pub instances: Option<Patterns>,
    /// Seeds of the solvers. Left out: those of the experiment.
    pub seeds: Option<At<Seeds>>,
    /// How often each run is done. Left out: as in the experiment.
    pub repeats: Option<Repeats>,
    /// Wall time of a run. Left out: that of the experiment.
    pub time: Option<At<Time>>,
    /// CPU time of a run's worker and of what it starts. Left out: that of the experiment.
    pub cpu: Option<At<Time>>,
    /// Memory of a run's worker and of what it starts. Left out: that of the experiment.
    pub memory: Option<At<Memory>>,
    /// Only under these profiles. Left out: under every profile and without one.
    #[schemars(length(min = 1))]
    pub profiles: Option<Vec<At<String>>>,
}

/// What is claimed, and which runs test it: the table `claims` gives each a verdict.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimFile {
    /// Its name in tables, such as KU-F-12.
    #[schemars(regex(pattern = NAME))]
    pub id: At<String>,
    /// Who claims it. Left out, as `place`: the claim is yours.
    #[serde(default)]
    pub source: String,
    /// Where: section, table, figure.
    #[serde(default)]
    pub place: String,
    /// The claim, in a sentence.
    pub text: String,
    /// The published figure, in the unit of the measure. Left out: there is none.
    pub published: Option<f64>,
    /// What is measured. time: seconds to build and to solve, what was not solved counting as twice its limit. first-solve: the
    /// same for the first solve alone. solves, nodes: their numbers (nodes plus one), of what was not solved at least so many. growth: the factor by
    /// which the time to an answer, whatever it is, grows with each tile; solves-growth: the same of the solves. spread: slowest over fastest run of a board. solved,
    /// subloops, holes: the share of boards that are solved, whose first solution has several loops, or has a hole. small-loops: of the
    /// boards whose first solution has several loops the share on which all but the longest have at most four tiles. later-solves: the
    /// share of the time that passes after the first solve, a mean over boards. What is no share is a geometric mean over boards.
    pub measure: Option<At<MeasureWord>>,
    /// Whose runs.
    pub of: Option<SideFile>,
    /// With whose runs they are compared, on the same boards: the figure is then the quotient of the two, of shares the difference.
    /// Needed for solves and nodes; growth, solves-growth, spread, small-loops and later-solves have none.
    pub against: Option<OtherSideFile>,
    /// The claim is that the figure is more than this.
    pub above: Option<At<f64>>,
    /// The claim is that the figure is less than this. With `above`: that it lies between the two, as where an effect is
    /// claimed to be absent.
    pub below: Option<At<f64>>,
    /// On fewer boards than this there is no verdict. Left out: 10.
    pub boards: Option<LeastBoards>,
    /// Numbers of tiles of the boards that count. Left out: all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub tiles: Vec<u64>,
    /// Why runs cannot test it. Then the claim has no measure and no runs.
    pub untestable: Option<String>,
}

/// Runs that a claim is about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SideFile {
    /// Name of the formulation.
    pub formulation: At<String>,
    /// Label of the solver. Left out: each that has runs of the formulation.
    pub solver: Option<At<String>>,
}

/// Runs that these are compared with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OtherSideFile {
    /// Name of the formulation. Left out: the same.
    pub formulation: Option<At<String>>,
    /// Label of the solver. Left out: the same.
    pub solver: Option<At<String>>,
}

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
    pub fn get(&self) -> &T {
        self.0.get_ref()
    }

    pub fn span(&self) -> std::ops::Range<usize> {
        self.0.span()
    }

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
    ExperimentName(String) = { "type": "string", "examples": ["table1"], "pattern": "^[a-z0-9-]{1,100}$" };
    Time(String) = {
        "type": "string",
        "examples": ["20s", "2h 30m"],
        "pattern": r"^\s*([0-9]+(\.[0-9]+)?\s*(h|min|ms|m|s)\s*)+$",
        "not": { "pattern": "^[^1-9]*$" }
    };
    Memory(String) = {
        "type": "string",
        "examples": ["4GiB", "500MB"],
        "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*([KkMmGgTt][Ii]?)?[Bb]\s*$",
        "not": { "pattern": "^[^1-9]*$" }
    };
    ModelPart(String) = { "type": "string", "examples": ["EPYC 7763"], "pattern": r"\S" };
    Threads(u32) = { "type": "integer", "minimum": 1, "maximum": MOST_THREADS };
    Repeats(u32) = { "type": "integer", "minimum": 1, "maximum": 1_000_000 };
    Warmup(u32) = { "type": "integer", "minimum": 0, "maximum": 1000 };
    /// Names of families, separated by spaces.
    Families(String) = { "type": "string", "examples": ["C1 C2' C3 C4 C5"], "pattern": families_pattern() };
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
    MeasureWord(Measure) = { "type": "string", "enum": Measure::WORDS };
    /// On fewer boards there is no verdict.
    LeastBoards(u32) = { "type": "integer", "minimum": LEAST_BOARDS, "maximum": 1_000_000 };
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
    pub fn text(&self) -> String {
        text(&self.0)
    }
}

fn text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The properties of all keys but some, each with what it says.
fn properties(without: &[&str]) -> Map<String, Value> {
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
