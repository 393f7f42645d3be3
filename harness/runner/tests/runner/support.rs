//! A folder with an instance and a config, and workers that are shell scripts.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use model::FormulationKind;
use puzzle::{Instance, Placement, Solution};
use record::{ResultsDir, RunRow};
use runner::protocol::Job;
use runner::{
    Ended, ExperimentPlan, Interrupt, Lack, RunOptions, RunnerError, SolverInfo, Summary, Unavailable, Worker,
    WorkplaceOptions, Workplaces, execute, plan, preview, run,
};
use tempfile::TempDir;

pub const COMMIT: &str = "0123abc";
pub const STARTED: &str = r#"{"event":"started","solver_version":"1.0"}"#;
pub const BUILT: &str = r#"{"event":"built","variables":9,"constraints":8,"nonzeros":7,"build_time_s":0.25}"#;

/// Text of the instance file: three tiles in a triangle.
pub fn instance_text(known: &str) -> String {
    format!(
        "kind = \"tantrix-fixed\"\nchallenge = 3\ntiles = \"repeated\"\nplaces = [[0, 0], [1, 0], [0, 1]]\n\
         known = \"{known}\"\nsource = \"a test\"\n"
    )
}

pub fn instance(known: &str) -> Instance {
    Instance::parse(&instance_text(known), Path::new("tri.toml")).expect("a sound instance")
}

/// A solution of the triangle, found by trying.
pub fn solution() -> &'static Solution {
    static FOUND: OnceLock<Solution> = OnceLock::new();
    FOUND.get_or_init(|| {
        let instance = instance("solvable");
        let tiles = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
        let turns = (0..216).map(|n| [n / 36 + 1, n / 6 % 6 + 1, n % 6 + 1]);
        tiles
            .iter()
            .flat_map(|tiles| turns.clone().map(move |turns| placed(*tiles, turns)))
            .find(|solution| puzzle::verify(&instance, solution).is_valid())
            .expect("the triangle can be solved")
    })
}

fn placed(tiles: [usize; 3], turns: [usize; 3]) -> Solution {
    let placements = (0..3).map(|i| Placement { place: i + 1, tile: tiles[i], orientation: turns[i] }).collect();
    Solution::on_places("tri", placements)
}

/// The solution with one tile turned, which breaks rules.
pub fn broken_solution() -> Solution {
    let mut solution = solution().clone();
    let turned = &mut solution.placements[0];
    turned.orientation = turned.orientation % 6 + 1;
    solution
}

/// An answer line.
pub fn answer(status: &str, solution: Option<&Solution>) -> String {
    let solution = serde_json::to_string(&solution).expect("solutions have a JSON form");
    format!(r#"{{"event":"answer","status":"{status}","reason":"{status}","solution":{solution}}}"#)
}

/// An iteration line.
pub fn iteration(number: u64, solution: Option<&Solution>) -> String {
    let solution = serde_json::to_string(&solution).expect("solutions have a JSON form");
    format!(
        r#"{{"event":"iteration","iteration":{number},"time_s":0.5,"status":"optimal","cuts_added":2,"variables":9,"constraints":8,"nodes":10,"solution":{solution}}}"#
    )
}

/// A script that prints lines.
pub fn say<T: AsRef<str>>(lines: &[T]) -> String {
    lines.iter().map(|line| format!("printf '%s\\n' '{}'\n", line.as_ref())).collect()
}

/// A script that solves the triangle.
pub fn solving() -> String {
    say(&[STARTED, BUILT, &iteration(0, Some(solution())), &answer("optimal", Some(solution()))])
}

/// A script that solves the triangle, but for seed 2, where it fails, and seed 3, where its solution is wrong.
pub fn of_all_sorts() -> String {
    format!(
        "job=$(cat); case $job in *'\"seed\":2,'*) echo no licence >&2; exit 3;; *'\"seed\":3,'*) {}exit;; esac\n{}",
        say(&[STARTED, &answer("optimal", Some(&broken_solution()))]),
        solving()
    )
}

pub fn worker(script: &str) -> Worker {
    let args = vec!["-c".to_owned(), script.to_owned()];
    Worker {
        command: PathBuf::from("/bin/sh"),
        args,
        guard: None,
        git_commit: COMMIT.to_owned(),
        heard: Default::default(),
    }
}

/// Workplaces without anything that a machine may lack.
pub fn anywhere() -> Workplaces {
    Workplaces::prepare(1, 1, &WorkplaceOptions { pin: false, cgroups: false, ..WorkplaceOptions::default() })
}

pub const CONFIG: &str = r#"
experiment = "test"
title = "A test"
instances = ["*.instance.toml"]

[limits]
time = "20s"

[[formulation]]
name = "C1-C4"
families = "C1 C2 C3 C4"

[[solver]]
name = "fake"
"#;

const FOLDER: &str = "TILEBENCH_TEST_FOLDER";

/// This program as a process of its own that runs one ignored test on a folder.
pub fn this_program(test: &str, folder: &Path) -> Command {
    // Signals that the tests were started with ignored (nohup, a background job) would stay ignored in it.
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP,INT,TERM").arg(env::current_exe().expect("this program"));
    command.args(["--ignored", "--exact", "--nocapture", test]).env(FOLDER, folder).stdout(Stdio::null());
    // Where it is killed, there is no guard that would remove temporary files.
    command.env("TMPDIR", folder);
    command
}

/// What comes to be there within half a minute.
pub fn wait_for<T>(mut what: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(it) = what() {
            return it;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("nothing happened within half a minute");
}

/// A folder that goes with the bench, or stays.
pub enum Folder {
    Own(TempDir),
    Others(PathBuf),
}

impl Folder {
    pub fn path(&self) -> &Path {
        match self {
            Self::Own(folder) => folder.path(),
            Self::Others(path) => path,
        }
    }
}

/// Not pinned: tests beside each other, and other runners, would take each other's cores, which is warned of.
fn options() -> RunOptions {
    let places = WorkplaceOptions { pin: false, ..WorkplaceOptions::default() };
    RunOptions { quiet: true, places, ..RunOptions::default() }
}

/// A folder with a config and an instance.
pub struct Bench {
    pub folder: Folder,
    pub options: RunOptions,
}

impl Bench {
    /// A bench whose plan has one run for each seed.
    pub fn new(seeds: u64) -> Self {
        let seeds: Vec<String> = (1..=seeds).map(|seed| seed.to_string()).collect();
        Self::with(&CONFIG.replacen("title", &format!("seeds = [{}]\ntitle", seeds.join(", ")), 1))
    }

    pub fn with(config: &str) -> Self {
        let folder = Folder::Own(TempDir::new().expect("a temporary folder"));
        let bench = Self { folder, options: options() };
        bench.write("config.toml", &config.replace("*.instance.toml", "tri.toml"));
        bench.write("tri.toml", &instance_text("solvable"));
        bench
    }

    /// The bench that another process set up.
    pub fn of(folder: PathBuf) -> Self {
        Self { folder: Folder::Others(folder), options: options() }
    }

    /// The bench of the process that started this one by [`this_program`].
    pub fn of_parent() -> Option<Self> {
        env::var_os(FOLDER).map(|folder| Self::of(PathBuf::from(folder)))
    }

    /// Whether there is something in a file of the folder.
    pub fn says(&self, name: &str) -> bool {
        fs::metadata(self.folder.path().join(name)).is_ok_and(|file| file.len() > 0)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The plan on a machine that lacks the solver `gone`.
    pub fn plan(&self) -> Result<Vec<ExperimentPlan>, RunnerError> {
        self.plan_where(|_, options| {
            let (lack, message) = match options {
                _ if options.contains_key("expired") => (Lack::Licence, "not installed"),
                _ if options.contains_key("nonsense") => (Lack::Options, "options that make no sense"),
                _ => (Lack::Solver, "not installed"),
            };
            Err(Unavailable { lack, message: message.to_owned() })
        })
    }

    /// The plan on a machine where the solver `gone` says this when it is asked for its version.
    pub fn plan_where(&self, gone: runner::Probe) -> Result<Vec<ExperimentPlan>, RunnerError> {
        let check_options: runner::CheckOptions = |_, options, _, seed| match options.get("refused") {
            Some(value) => Err(format!("refused = {value} is no option of this solver")),
            None if seed > 1000 => Err("seeds end at 1000".to_owned()),
            None => Ok(()),
        };
        // `fake` solves all kinds but cp, `gone` is for linear models only.
        let check_formulation: runner::CheckFormulation = |name, formulation, _, proof| match (name, formulation.kind())
        {
            (_, FormulationKind::Mip) if proof => Err("no proofs of kind mip".to_owned()),
            (_, FormulationKind::Mip) => Ok(()),
            ("fake", kind) if kind != FormulationKind::Cp => Ok(()),
            (name, kind) => Err(format!("{name} is not for kind {kind}")),
        };
        let solver = |name: &str, version| SolverInfo {
            name: name.to_owned(),
            runs: &[],
            version,
            check_options,
            check_formulation,
        };
        let fake = solver("fake", |_, _| Ok("1.0".to_owned()));
        let gone = solver("gone", gone);
        plan(&[self.folder.path().join("config.toml")], &self.options, &[fake, gone])
    }

    pub fn run(&self, script: &str) -> Result<Summary, RunnerError> {
        run(self.plan()?, &self.out(), &self.options, &worker(script))
    }

    /// The plan of its one config.
    pub fn only(&self) -> ExperimentPlan {
        self.plan().expect("a sound plan").remove(0)
    }

    pub fn preview(&self) -> String {
        preview(&self.only(), &self.out(), &self.options).expect("a preview")
    }

    /// Lets only runs pass that fit all of these.
    pub fn filter(&mut self, filters: &[&str]) {
        self.options.filters = filters.iter().map(|filter| filter.parse().expect("a filter")).collect();
    }

    /// The job of the first run.
    pub fn job(&self) -> Job {
        self.only().run(0).job(COMMIT, None)
    }

    /// Planning ends in an error with these words.
    pub fn refused(&self, parts: &[&str]) {
        let message = self.refusal();
        for part in parts {
            assert!(message.contains(part), "{part:?} is missing: {message}");
        }
    }

    /// The error that planning ends in.
    pub fn refusal(&self) -> String {
        match self.plan() {
            Ok(plans) => panic!("planned: {plans:?}"),
            Err(error) => error.to_string(),
        }
    }

    /// Where sessions write to.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    pub fn results(&self) -> ResultsDir {
        ResultsDir::new(self.out().join("test"))
    }

    pub fn rows(&self) -> Vec<RunRow> {
        self.results().read_runs().expect("sound rows")
    }

    /// Runs a script as the worker of a single run, with limits.
    pub fn execute(&self, script: &str, time_limit_s: Option<f64>, memory_limit_b: Option<u64>) -> Ended {
        let mut job = self.job();
        (job.time_limit_s, job.memory_limit_b) = (time_limit_s, memory_limit_b);
        execute(&worker(script), &job, anywhere().slot(0), &mut |_| {}, &Interrupt::new())
    }
}

/// Whether a process is gone or at least dead; who reaps an orphan, and when, is not ours to say.
pub fn gone(pid: &str) -> bool {
    for _ in 0..100 {
        match fs::read_to_string(Path::new("/proc").join(pid).join("stat")) {
            Err(_) => return true,
            Ok(stat) if stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')) => return true,
            Ok(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
    false
}
