//! The command line.

mod formulation;
mod generate;
mod values;

use std::path::PathBuf;
use std::thread;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, ColorChoice, Parser, Subcommand, ValueEnum};
use cluster::{Engine, Slurm};
use model::Holes;
use record::Category;
use report::compare::Aspect;
use report::{Format, Pictures};
use runner::{Filter, Retry, Setting, Shard};

use crate::completions;
use values::{
    SEEDS, THREADS, TimeLimit, Words, frame_time, key_value, level, ratio, task_time, time_limit, whole, words,
};

pub use formulation::{Model, named};
pub use generate::{Board, Generate, GenerateList, GenerateSoku, GenerateSuite, ListBounded, ListFixed, ListOf};

/// Experiment harness and benchmark suite for tile puzzles: Tantrix on fixed boards, bounded boards and the open plane; 3SoKu and
/// IcoSoKu.
///
/// Exit codes: 0 done; 1 a check failed; 2 bad usage, config or input; 3 the machine refused (a full disk, a directory that
/// cannot be written, processes that cannot be started, other work on its cores); 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "tilebench", version, max_term_width = 110)]
pub struct Args {
    /// Colours: on a terminal (auto, which NO_COLOR, CLICOLOR and CLICOLOR_FORCE decide too), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: ColorChoice,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the experiments of config files and keep every row
    ///
    /// Exit code 1 if an answer is wrong, two runs contradict each other, a run of this session failed (crash, error, no
    /// answer; a missing solver is no failure) or ended as --fail-on names; 3 if results cannot be written, workers
    /// cannot be started, or other work keeps the cores busy.
    Run(Run),
    /// Write a folder from which an experiment runs on a cluster, in tasks of 10 to 60 minutes
    ///
    /// The folder holds copies of the program, the config and all that it reads, the script of a task, and a README that says how to
    /// start, look, go on and merge. Nothing is started without --start.
    Submit(Submit),
    /// Say what has become of the tasks of a folder that submit has written
    ///
    /// Rows are believed, exit codes of engines are not. A task that its engine does not know is lost when nothing was written for 90 s.
    Status(Status),
    /// Solve one instance and verify the answer
    ///
    /// Exit code 1 if the answer is wrong, the solve failed, or it ended as --fail-on names; 2 if the solver is missing or cannot
    /// do what was asked; else 0, whether or not a solution was found.
    Solve(Solve),
    /// Check a solution against every rule of its puzzle
    Verify(Verify),
    /// Count all solutions of an instance (Tantrix: 3 to 30 tiles, slow above 20)
    Count(Count),
    /// Draw an instance or a solution
    Show(Show),
    /// Draw a search for a solution step by step as an animated SVG
    ///
    /// A frame is a step of the search: tiles placed or removed (one at a time by the strategy walk). If there are more steps
    /// than frames, a third of the frames show the first steps, a third the last ones, which lead to the solution, and a third
    /// steps spread evenly in between. Equal calls show equal searches.
    Animate(Animate),
    /// Generate instances
    #[command(subcommand)]
    Generate(Generate),
    /// Solve all boards of IcoSoKu, and check solutions of them
    #[command(subcommand)]
    Soku(Soku),
    /// Write the model of an instance as an LP, MPS, OPB, DIMACS, MiniZinc or ASP file; suites of them; results for programs of others
    Export(Export),
    /// Report results as tables, plots, pictures and an HTML page
    ///
    /// With --splice, renew the marked parts of a document instead: the lines between `<!-- tilebench: table NAME -->` (or
    /// figure NAME to=FOLDER, or facts EXPERIMENT...) and `<!-- /tilebench -->`, each on a line of its own. NAME is the name of the
    /// file in a report without its ending. A table may have columns="A, B" and rows="C, D". In LaTeX (FILE.tex) the lines are
    /// `% tilebench: table NAME` and `% /tilebench`: tables are a tabular, figures a PDF, for captions of your own.
    Report(Report),
    /// Print tables of results
    ///
    /// Without a name: what was reproduced of published results, and the tables that a report begins with.
    Table(Table),
    /// Compare results with earlier ones: what is wrong, fails, or is slower now
    ///
    /// Runs are matched by what determines them; names and versions do not count. Prints Markdown for a comment on a pull
    /// request. Exit code 1 at a regression, or if NEW lacks runs of BASE. Differences between two measurements of one program (a
    /// run stopped by a limit, times of few instances) are shown and are no regression.
    ///
    /// With --run, BASE and NEW are two builds of tilebench, which measure the same configs in turns, instance by instance, on this
    /// machine: what drifts from one hour to the next then meets both alike.
    Compare(Compare),
    /// Put results of one plan together: those of shards, of copies, of machines
    ///
    /// Takes all results at or below the folders, also while sessions go on in them. Of each run one attempt is kept. Of each folder
    /// the latest counts; of these one that ended goes before others, then one that is not unsupported, then the highest number of an
    /// attempt, then the earliest start. Done again, it renews what it made, if no ended run is lost, and replaces nothing else.
    /// Exit code 1 if an answer is wrong, two rows contradict each other or a run failed.
    Merge(Merge),
    /// Write a config with comments; what the options leave open is asked on a terminal
    NewConfig(NewConfig),
    /// List the instances, configs or results below a folder
    ///
    /// Of results: when they were measured last, under which profile, how many of the planned runs have ended, how many answers are wrong.
    List(List),
    /// List the solvers: versions, kinds, what each can do, how to install what is missing
    Solvers(Solvers),
    /// Say what this machine lacks for which solver, and what of it disturbs measurements
    Doctor,
    /// List the constraint families and the named formulations
    Formulations,
    /// Print the JSON schema of config files, for editors
    ///
    /// A config that begins with `#:schema ./schema.json` is checked and completed by editors for TOML; configs/schema.json
    /// is this schema, and docs/reference/config.md lists every key.
    Schema,
    /// Print the script by which a shell completes command lines, with the names of solvers, formulations and files
    ///
    /// Bash: `source <(tilebench completions bash)` in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit; fish: `tilebench
    /// completions fish | source` in ~/.config/fish/config.fish.
    Completions {
        /// The shell
        #[arg(value_parser = PossibleValuesParser::new(completions::shells()))]
        shell: String,
    },
    /// Write the manual pages, for packages
    #[command(hide = true)]
    Man {
        /// Folder to write them into
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Wait for the end of a runner and kill what its workers left behind (used by run)
    #[command(hide = true)]
    Guard {
        /// What the marks of its workers begin with
        runner: String,
    },
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("earlier").args(["resume", "done"]).multiple(true))]
pub struct Run {
    /// Config files, one experiment each
    #[arg(required = true, value_name = "CONFIG", add = completions::toml())]
    pub configs: Vec<PathBuf>,
    /// Directory for results: one directory in it for each experiment
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    #[command(flatten)]
    pub planning: Planning,
    /// Let workers run on any CPU instead of giving each cores of its own
    #[arg(long)]
    pub no_pin: bool,
    /// Use process groups and polling only, even where control groups could be used
    #[arg(long)]
    pub no_cgroup: bool,
    /// Disk space of a run for temporary files and its proof
    #[arg(long, value_name = "SIZE", value_parser = runner::parse_bytes, default_value = "64GiB")]
    pub disk_limit: u64,
    /// Only runs with this property: instance, challenge, formulation, kind, solver (its label), seed or colour; V may
    /// hold *, ? and [...], and commas between several of which one must fit; may be repeated, all must hold
    #[arg(long, value_name = "K=V")]
    pub filter: Vec<Filter>,
    /// Only part I of N: whole instances, dealt out by their time limits; `tilebench merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Continue an earlier session: run only what is missing
    #[arg(long)]
    pub resume: bool,
    /// Leave out what has a row in results of the experiment at or below this folder; may be repeated
    #[arg(long, value_name = "DIR")]
    pub done: Vec<PathBuf>,
    /// With --resume or --done: also repeat finished runs of these statuses: crash, error, memout, timeout, unsupported; and outdated, those
    /// that were measured with another version of their solver
    #[arg(long, value_name = "STATUS,...", value_delimiter = ',', requires = "earlier")]
    pub retry: Vec<Retry>,
    /// Also exit with code 1 if a run of this session ends unsolved (no answer within its limits, or one that proves nothing) or
    /// unsupported (a solver that is missing or cannot do what was asked)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT,...")]
    pub fail_on: Vec<FailOn>,
    /// Print the plan and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Show no progress, only failures, wrong answers and the summary
    #[arg(long)]
    pub quiet: bool,
}

/// What `run` and the tasks of `submit` are told alike.
#[derive(Debug, clap::Args)]
pub struct Planning {
    /// Runs at a time
    #[arg(long, value_name = "N", value_parser = whole(THREADS), default_value = "1")]
    pub jobs: usize,
    /// Profile of the configs, such as quick or full
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Give a key of the configs another value, as in limits.time=5s or seeds=1-3; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Do the runs too that the profile leaves out, since earlier ones took longer than their limit (`effort` in the config)
    #[arg(long)]
    pub also_long: bool,
    /// Measure although other work keeps the cores busy, and record it
    #[arg(long)]
    pub anyway: bool,
}

#[derive(Debug, clap::Args)]
pub struct Submit {
    /// Config file
    #[arg(required_unless_present = "missing", value_name = "CONFIG", add = completions::toml())]
    pub config: Option<PathBuf>,
    /// Who runs the tasks
    #[arg(long, value_parser = words(ENGINES), required_unless_present = "missing")]
    pub engine: Option<MakeEngine>,
    /// Folder to write; default: results/cluster/EXPERIMENT
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Hand the tasks to the engine
    #[arg(long)]
    pub start: bool,
    /// Go on in a folder: only tasks that lack rows and that nobody has
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "config", "engine", "out", "task_time", "jobs", "profile", "set", "also_long", "anyway", "throttle", "exclusive",
            "constraint", "sbatch"
        ]
    )]
    pub missing: Option<PathBuf>,
    /// How long a task may last by the limits of its runs, from 10m to 60m; an instance with longer runs is a task of its own
    #[arg(long, value_name = "TIME", value_parser = task_time, default_value = "30m")]
    pub task_time: f64,
    #[command(flatten)]
    pub planning: Planning,
    /// Slurm: at most so many tasks at a time
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub throttle: Option<u32>,
    /// Slurm: a node for each task alone
    #[arg(long)]
    pub exclusive: bool,
    /// Slurm: features that nodes must have, such as the name of a CPU
    #[arg(long, value_name = "FEATURES")]
    pub constraint: Option<String>,
    /// Slurm: a further option of sbatch, such as --sbatch=--partition=long; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
}

/// An engine with these options of Slurm.
type MakeEngine = fn(Slurm) -> Engine;

const ENGINES: Words<MakeEngine> = &[
    ("slurm", "An array of jobs", Engine::Slurm),
    ("hyperqueue", "A job file with an array of tasks", |_| Engine::Hyperqueue),
    ("script", "A command line for each task, for GNU parallel or ssh", |_| Engine::Script),
];

#[derive(Debug, clap::Args)]
pub struct Status {
    /// Folder that `submit` has written
    pub dir: PathBuf,
}

puzzle::words!(FailOn: Unsolved "unsolved", Unsupported "unsupported");

/// Ends of runs that count as failures only on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// No answer within the limits, an answer that proves nothing, or `infeasible` of an instance of which nothing is known
    Unsolved,
    /// A solver that is missing or cannot do what was asked
    Unsupported,
}

impl FailOn {
    /// Whether a run ended so.
    pub fn strikes(self, status: record::Status, category: Category) -> bool {
        match self {
            Self::Unsolved => category == Category::Unknown,
            Self::Unsupported => status == record::Status::Unsupported,
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct Solve {
    /// Instance file, or SUITE/NAME for one of a suite
    #[arg(add = completions::toml())]
    pub instance: PathBuf,
    #[command(flatten)]
    pub model: Model,
    /// Solver (see `tilebench solvers`); default: the first available one for the kind of the formulation
    #[arg(long, value_name = "NAME", add = completions::solvers())]
    pub solver: Option<String>,
    /// Option of the solver by its own name; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = key_value)]
    pub options: Vec<(String, String)>,
    /// Wall time over all iterations, or none
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "10m")]
    pub time_limit: TimeLimit,
    /// CPU time over all iterations
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration)]
    pub cpu_limit: Option<f64>,
    /// Memory of the worker and its descendants
    #[arg(long, value_name = "SIZE", value_parser = runner::parse_bytes)]
    pub memory_limit: Option<u64>,
    /// Use a process group and polling only, even where control groups could be used
    #[arg(long)]
    pub no_cgroup: bool,
    /// Random seed of the solver
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(SEEDS))]
    pub seed: u64,
    /// Threads of the solver
    #[arg(long, value_name = "N", value_parser = whole(THREADS), default_value = "1")]
    pub threads: usize,
    /// Write the solution as JSON
    #[arg(long, value_name = "OUT.json")]
    pub solution: Option<PathBuf>,
    /// Draw the solution; 3SoKu also as LaTeX tables (.tex) or instructions (.txt)
    #[arg(long, value_name = "OUT.svg|png|pdf|tex|txt")]
    pub picture: Option<PathBuf>,
    /// Write a proof (DRAT) if there is no solution, and beside it the formula that it refutes (.cnf)
    #[arg(long, value_name = "OUT.drat")]
    pub proof: Option<PathBuf>,
    /// Solve the linear relaxation of the model first and print its optimum (kind mip)
    #[arg(long)]
    pub root_bound: bool,
    /// Append what the solver prints to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Also exit with code 1 if the solve ends unsolved (no answer within its limits, or one that proves nothing) or unsupported (the
    /// solver cannot do what was asked)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT,...")]
    pub fail_on: Vec<FailOn>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct Verify {
    /// Instance file, or SUITE/NAME for one of a suite
    #[arg(add = completions::toml())]
    pub instance: PathBuf,
    /// Solution file
    pub solution: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct Count {
    /// Instance file, or SUITE/NAME for one of a suite
    #[arg(add = completions::toml())]
    pub instance: PathBuf,
    /// Stop after this many
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    pub limit: Option<u64>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration)]
    pub time_limit: Option<f64>,
    #[command(flatten)]
    pub threads: Threads,
    /// 3SoKu: memory for tables; what needs more is counted in cases, or refused
    #[arg(long, value_name = "SIZE", value_parser = runner::parse_bytes, default_value = "4GiB")]
    pub memory_limit: u64,
}

#[derive(Debug, clap::Args)]
pub struct Show {
    /// Instance file (.toml), SUITE/NAME for one of a suite, or solution file (.json)
    pub file: PathBuf,
    /// Solution of the instance (.json), where an instance stands first
    #[arg(conflicts_with = "instance")]
    pub solution: Option<PathBuf>,
    /// Picture to write; 3SoKu also as LaTeX tables (.tex) or instructions (.txt)
    #[arg(short, long, value_name = "OUT.svg|png|pdf|tex|txt")]
    pub output: PathBuf,
    /// Instance of the solution; default: <instance>.toml beside it, in ../instances, in its results directory, or the one of that name
    /// below the folder `instances` of the working directory
    #[arg(long, value_name = "FILE")]
    pub instance: Option<PathBuf>,
    /// Width of a PNG in pixels
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = whole(16..=16_384_u32))]
    pub width: u32,
}

#[derive(Debug, clap::Args)]
pub struct Animate {
    /// Instance file, or SUITE/NAME for one of a suite
    #[arg(add = completions::toml())]
    pub instance: PathBuf,
    /// Animation to write: an SVG that plays in browsers
    #[arg(short, long, value_name = "OUT.svg")]
    pub output: PathBuf,
    /// How to search: walk (plain backtracking along the line; Tantrix), propagate, parts (Tantrix with many tiles), least-capacity (3SoKu);
    /// default: walk, for 3SoKu propagate
    #[arg(long, value_name = "STRATEGY", value_parser = ["walk", "propagate", "parts", "least-capacity"])]
    pub strategy: Option<String>,
    /// Loops that enclose a hole: report (accept them) or resolve (search on); default: resolve, but for fixed boards, which have none
    #[arg(long, value_name = "WHAT", value_parser = Holes::ALL.map(Holes::name))]
    pub holes: Option<String>,
    /// Maximum number of frames
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = whole(3..=2_000_u32))]
    pub steps: u32,
    /// Time of each frame; the last one is shown 3 seconds longer
    #[arg(long, value_name = "SECONDS", default_value_t = 0.2, value_parser = frame_time)]
    pub seconds_per_frame: f64,
    /// Wall time of the search
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration, default_value = "60s")]
    pub time_limit: f64,
    /// Random seed of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(SEEDS))]
    pub seed: u64,
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("source").args(["instance", "suite", "results"]).required(true))]
pub struct Export {
    /// Instance file, or SUITE/NAME for one of a suite, of which a model is written
    #[arg(add = completions::toml())]
    pub instance: Option<PathBuf>,
    /// Write every instance of a list (suite.toml, NAME.suite.toml), or of a folder and the folders in it: a benchmark set with an
    /// index and checksums
    #[arg(long, value_name = "LIST|DIR")]
    pub suite: Option<PathBuf>,
    /// Write results for programs of others: a results directory, or a folder of several
    #[arg(long, value_name = "DIR", requires = "to")]
    pub results: Option<PathBuf>,
    /// With --suite: lp, mps, opb, cnf, mzn or asp; left out: all that there are of an instance. With --results: benchexec (XML that
    /// table-generator reads), bmf (Bencher Metric Format, metrics.json)
    #[arg(long, value_name = "FORMAT,...", value_delimiter = ',', conflicts_with = "instance")]
    pub to: Vec<String>,
    #[command(flatten)]
    pub model: Model,
    /// Seed of the random objective
    #[arg(long, value_name = "N", default_value_t = runner::DEFAULT_SEED, value_parser = whole(SEEDS), conflicts_with = "results")]
    pub seed: u64,
    /// Model file to write; its ending selects the format: .lp, .mps (free) and .opb (0-1 variables only) for kind mip, .cnf for kind sat,
    /// .mzn for kind minizinc, .asp for kind asp. With --suite and --results a new folder
    #[arg(short, long, value_name = "MODEL.lp|mps|opb|cnf|mzn|asp|DIR")]
    pub output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub struct Merge {
    /// Folders with results directories at or below them
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Directory for the merged results: one directory in it for each experiment
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
}

#[derive(Debug, clap::Args)]
pub struct NewConfig {
    /// Config file to write, which must not be there; the experiment has its name
    pub config: PathBuf,
    /// Instance files, patterns or suites, relative to the working directory
    #[arg(long, value_name = "PATTERN,...", value_delimiter = ',')]
    pub instances: Vec<String>,
    /// Solvers
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub solvers: Vec<String>,
    /// Named formulations, each for those of the solvers that solve its kind
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub formulations: Vec<String>,
    /// Wall time of a run
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
}

#[derive(Debug, clap::Args)]
pub struct List {
    /// What to list
    #[arg(value_enum)]
    pub what: Listed,
    /// Folder, or with `instances` a suite; default: the folder of that name in the working directory
    pub dir: Option<PathBuf>,
}

/// What a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    Instances,
    Configs,
    Results,
}

#[derive(Debug, clap::Args)]
pub struct Solvers {
    /// Print one JSON list instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct Report {
    /// Results directories
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Directory of the report
    #[arg(short, long, value_name = "DIR", default_value = "plots")]
    pub output: PathBuf,
    /// Formats of tables and text: html, md, latex, csv. Plots and pictures are always written as SVG and PNG, for latex as PDF too
    #[arg(long, value_parser = words(FORMATS), value_delimiter = ',', value_name = "FORMAT", default_value = "html,md")]
    pub format: Vec<Format>,
    /// Open the page in the browser of this desktop (xdg-open)
    #[arg(long, conflicts_with = "splice")]
    pub open: bool,
    /// Write the report anew when rows are added, until Ctrl-C; the page loads itself again
    #[arg(long, conflicts_with = "splice")]
    pub watch: bool,
    /// Renew the marked parts of this document (Markdown, or LaTeX as .tex) and write nothing else; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format", "pictures"])]
    pub splice: Vec<PathBuf>,
    /// With --splice: write nothing; exit with code 1 if a document or one of its pictures would change
    #[arg(long, requires = "splice")]
    pub check: bool,
    /// Format html: which solves have a picture; default: all, else the last of each run, else none, so that pictures take at
    /// most about 20 MB per experiment
    #[arg(long, value_parser = words(PICTURES), value_name = "WHICH")]
    pub pictures: Option<Pictures>,
}

#[derive(Debug, clap::Args)]
pub struct Table {
    /// A results directory, or a folder of several
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// A table, such as times or summary, or the file name of one table in a report
    #[arg(add = completions::tables())]
    pub name: Option<String>,
}

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// What is compared with: a results directory, or a folder of several; with --run a program
    pub base: PathBuf,
    /// What is compared: the same, measured anew
    pub new: PathBuf,
    /// Measure these configs first, by both programs in turns
    #[arg(long, value_name = "CONFIG", num_args = 1.., add = completions::toml())]
    pub run: Vec<PathBuf>,
    /// With --run: profile of the configs
    #[arg(long, value_name = "NAME", requires = "run")]
    pub profile: Option<String>,
    /// With --run: only runs with this property, as for `run`
    #[arg(long, value_name = "K=V", requires = "run")]
    pub filter: Vec<Filter>,
    /// With --run: folder for the results, which become its folders `base` and `new`
    #[arg(long, value_name = "DIR", requires = "run", default_value = "results/compare")]
    pub out: PathBuf,
    /// With --run: measure although other work keeps the cores busy
    #[arg(long, requires = "run")]
    pub anyway: bool,
    /// With --run: go on with a comparison that was interrupted
    #[arg(long, requires = "run")]
    pub resume: bool,
    /// Which differences fail (`missing`: runs of BASE that NEW lacks); left out: all but memory. If `time` is named here, times fail
    /// also where they were measured under other circumstances (host, CPU model, governor, pinning, jobs); if `count` is, counts fail
    /// also where the solver has another version
    #[arg(long, value_parser = words(ASPECTS), value_delimiter = ',', value_name = "WHAT,...")]
    pub fail_on: Vec<Aspect>,
    /// Ratio of times (and of memory) from which on a group of runs is a regression, if its interval says so too
    #[arg(long, value_name = "RATIO", value_parser = ratio, default_value = "1.25")]
    pub time_threshold: f64,
    /// Ratio of counts above which a group of runs is a regression
    #[arg(long, value_name = "RATIO", value_parser = ratio, default_value = "1.1")]
    pub count_threshold: f64,
    /// Probability that the interval of any group leaves out the true ratio on one side, and level of McNemar's test of the runs that
    /// a limit stopped on one side only
    #[arg(long, value_name = "P", value_parser = level, default_value = "0.01")]
    pub alpha: f64,
    /// Write the Markdown to this file too
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write JSON; `-`: to standard output, instead of the Markdown
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Soku {
    /// Solve all boards of IcoSoKu, up to symmetry, and verify every solution
    ///
    /// There are 3,991,680 classes of boards that the symmetries of the icosahedron carry into each other. Each gets a solution,
    /// which is then checked against the rules by code that knows nothing of the search.
    VerifyAll(SokuVerifyAll),
    /// Check a file that verify-all wrote: every class is there, and every solution is valid
    ///
    /// Exit code 1 if the file was damaged, a solution is wrong, or a class is missing.
    Check(SokuCheck),
}

#[derive(Debug, clap::Args)]
pub struct SokuVerifyAll {
    /// File to write: twelve bytes for each class (48 MB in all)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    /// Random seed; equal seeds give equal files, for any number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(SEEDS))]
    pub seed: u64,
    /// Only the first so many classes, as a sample
    #[arg(
        long,
        value_name = "N",
        value_parser = whole(1..=combinatorics::soku::classes::CLASSES)
    )]
    pub classes: Option<u32>,
}

#[derive(Debug, clap::Args)]
pub struct SokuCheck {
    /// File to check
    pub file: PathBuf,
    #[command(flatten)]
    pub threads: Threads,
    /// Accept a file of the first so many classes too (see verify-all --classes)
    #[arg(long)]
    pub sample: bool,
}

#[derive(Debug, clap::Args)]
pub struct Threads {
    /// Threads; left out: one for each CPU
    #[arg(long, value_name = "N", value_parser = whole(THREADS))]
    threads: Option<usize>,
}

impl Threads {
    /// How many there are to be.
    pub fn number(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

const PICTURES: Words<Pictures> = &[
    ("all", "All", Pictures::All),
    ("last", "The last of each run", Pictures::Last),
    ("none", "None", Pictures::None),
];

const FORMATS: Words<Format> = &[
    ("md", "Markdown", Format::Md),
    ("latex", "LaTeX with booktabs", Format::Latex),
    ("csv", "Comma-separated values", Format::Csv),
    ("html", "One page for browsers, report.html, with every run, its solves and their pictures", Format::Html),
];

const ASPECTS: Words<Aspect> = &[
    ("wrong", "An answer that is wrong, or two answers of which one must be", Aspect::Wrong),
    ("failure", "A run that fails, or no longer solves its instance", Aspect::Failure),
    ("status", "Another status that is worth less, such as feasible for optimal", Aspect::Status),
    ("objective", "A worse objective value, or two different optima", Aspect::Objective),
    (
        "count",
        "More iterations, cuts, nodes, conflicts, ..., or larger models, where they depend on the program alone",
        Aspect::Count,
    ),
    ("time", "Longer times of a group of runs", Aspect::Time),
    ("memory", "More memory of a group of runs", Aspect::Memory),
    ("missing", "Runs that NEW does not have", Aspect::Missing),
];
