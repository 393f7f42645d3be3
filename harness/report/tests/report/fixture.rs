//! Small results directories, made with the row types of `record`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use record::{
    Appender, Category, HostFacts, IterationRow, Manifest, PlanRow, Published, ReportSpec, ResultsDir, RunRow,
    SCHEMA_VERSION, SessionFacts, Solve, SolveStatus, SolverFacts, Status, write_table,
};
use report::{Analysis, Cell, Format, Grid, Options, ReportError, Row, grids};
use tempfile::TempDir;

pub const BASIC: (&str, &str) = ("basic", "C1 C2 C3 C4 C5");
pub const PRIMED: (&str, &str) = ("c2'_50%", "C5 C4 C3 C2' C1");

/// Writes a report in these formats.
pub fn write(analyses: &[Analysis], out: &Path, formats: &[Format]) -> Result<Vec<PathBuf>, ReportError> {
    report::write(analyses, out, &Options { formats: formats.to_vec(), ..Options::default() })
}

/// An experiment in the making.
pub struct Fixture {
    pub dir: TempDir,
    pub manifest: Manifest,
    pub runs: Vec<RunRow>,
    pub iterations: Vec<IterationRow>,
    /// The runs of `plan.csv`, by their ids; none: no such file.
    pub plan: Vec<String>,
}

impl Fixture {
    pub fn new(experiment: &str) -> Self {
        let solver =
            |name: &str| SolverFacts { name: name.to_owned(), backend: name.to_owned(), version: "1.0".to_owned() };
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            experiment: experiment.to_owned(),
            title: "Re-solving & all".to_owned(),
            description: String::new(),
            profile: Some("quick".to_owned()),
            planned: 0,
            plan: String::new(),
            formulations: vec![BASIC.0.to_owned(), PRIMED.0.to_owned()],
            solvers: vec![solver("highs"), solver("cbc")],
            report: ReportSpec::default(),
            sessions: vec![SessionFacts {
                started_at: "2026-01-02T03:04:05.000Z".to_owned(),
                git_commit: "abc1234".to_owned(),
                jobs: 1,
                pinned: false,
                isolation: "process-group".to_owned(),
                order_seed: 1,
                runs: 0,
                host: HostFacts {
                    host: "box".to_owned(),
                    cpu_model: "CPU 1".to_owned(),
                    cpus: 2,
                    ..HostFacts::default()
                },
                ..SessionFacts::default()
            }],
        };
        let dir = TempDir::new().expect("a directory");
        Self { dir, manifest, runs: Vec::new(), iterations: Vec::new(), plan: Vec::new() }
    }

    /// Every kind of cell: solved, re-solved, killed, wrong, crashed, repeated, not measured.
    pub fn of_everything() -> Self {
        let mut fixture = Self::new("table2");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 2), (0.25, 1)]);
        fixture.run("n20", BASIC, "cbc", 0).solves(&[(0.5, 2)]).limited("hard-limit");
        fixture.run("n25", BASIC, "highs", 0).infeasible(1234.5).ends(Status::Infeasible, Category::Wrong);
        fixture.run("n25", BASIC, "cbc", 0).stops(20.003).limited("soft-limit");
        fixture.run("n20-spur", BASIC, "highs", 0).solves(&[(0.0042, 1)]);
        fixture.run("n20-spur", BASIC, "cbc", 0).ends(Status::Crash, Category::Error);
        fixture.run("n20", PRIMED, "highs", 0).solves(&[(1.0, 1)]);
        fixture.run("n20", PRIMED, "highs", 1).solves(&[(0.5, 2), (2.5, 1)]);
        fixture.run("n20", PRIMED, "highs", 2).solves(&[(4.0, 3)]).limited("hard-limit");
        fixture.publish(include_str!("../fixtures/published.csv"), "2");
        fixture
    }

    /// Adds a run, so far without any solves; the row can be changed through `runs`.
    pub fn run(&mut self, instance: &str, formulation: (&str, &str), solver: &str, seed: u64) -> Run<'_> {
        let run_id = format!("{instance} {} {solver} {seed}", formulation.0);
        let digits: String =
            instance.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        self.runs.push(RunRow {
            experiment: self.manifest.experiment.clone(),
            instance: instance.to_owned(),
            instance_hash: format!("hash of {instance}"),
            challenge: digits.parse().ok(),
            formulation: formulation.0.to_owned(),
            kind: "mip".to_owned(),
            families: formulation.1.to_owned(),
            objective: "virtual".to_owned(),
            subloops: "resolve".to_owned(),
            hole_treatment: "report".to_owned(),
            solver: solver.to_owned(),
            solver_version: "1.0".to_owned(),
            seed,
            time_limit_s: Some(20.0),
            status: Status::Optimal,
            category: Category::Correct,
            variables: Some(1200),
            constraints: Some(90),
            nonzeros: Some(14_000),
            build_time_s: Some(0.0),
            isolation: "process-group".to_owned(),
            host: "box".to_owned(),
            cpu_model: "CPU 1".to_owned(),
            git_commit: "abc1234".to_owned(),
            git_dirty: Some(false),
            started_at: "2026-01-02T03:04:06.007Z".to_owned(),
            ..RunRow::unmeasured(run_id)
        });
        Run { fixture: self }
    }

    /// Shows the rows of these sources only.
    pub fn show_sources(&mut self, sources: &[&str]) {
        let published = self.manifest.report.published.as_mut().expect("published figures");
        published.sources = sources.iter().map(|s| (*s).to_owned()).collect();
    }

    pub fn publish(&mut self, csv: &str, table: &str) {
        fs::write(self.files().published(), csv).expect("written");
        let (file, label) = ("published.csv".to_owned(), "Kino & Uno 2012".to_owned());
        self.manifest.report.published = Some(Published { file, table: table.to_owned(), label, sources: Vec::new() });
    }

    pub fn files(&self) -> ResultsDir {
        ResultsDir::new(self.dir.path())
    }

    /// Writes the directory; the plan holds the runs that have rows unless it was set.
    pub fn save(&mut self) -> &Path {
        if self.manifest.planned == 0 {
            self.manifest.planned = self.runs.len() as u64;
        }
        let files = self.files();
        fs::write(files.manifest(), serde_json::to_string(&self.manifest).expect("json")).expect("written");
        let mut planned = self.plan.clone();
        if planned.is_empty() {
            let mut seen = HashSet::new();
            planned.extend(self.runs.iter().map(|row| row.run_id.clone()).filter(|id| seen.insert(id.clone())));
        }
        if !planned.is_empty() {
            let row = |id: &String| {
                let row = self.runs.iter().find(|r| r.run_id == *id).expect("a run of the plan");
                PlanRow {
                    run_id: id.clone(),
                    instance: row.instance.clone(),
                    formulation: row.formulation.clone(),
                    solver: row.solver.clone(),
                    seed: row.seed,
                    repeat: row.repeat,
                }
            };
            write_table(&files.plan(), planned.iter().map(row)).expect("written");
        }
        Appender::open(&files.runs()).and_then(|mut a| a.append(&self.runs)).expect("written");
        Appender::open(&files.iterations()).and_then(|mut a| a.append(&self.iterations)).expect("written");
        self.dir.path()
    }

    pub fn load(&mut self) -> Analysis {
        Analysis::load(self.save()).expect("a good directory")
    }

    /// A report of it in these formats, in a folder of its own.
    pub fn report(&mut self, formats: &[Format]) -> TempDir {
        let out = TempDir::new().expect("a directory");
        write(&[self.load()], out.path(), formats).expect("a report");
        out
    }
}

/// The run that was added last.
pub struct Run<'a> {
    fixture: &'a mut Fixture,
}

impl Run<'_> {
    /// A board with so many places.
    pub fn on(self, places: u64) -> Self {
        self.fixture.runs.last_mut().expect("a run").places = Some(places);
        self
    }

    /// Another id, for a further run of the same cell and seed; before its solves.
    pub fn named(self, run_id: &str) -> Self {
        self.fixture.runs.last_mut().expect("a run").run_id = run_id.to_owned();
        self
    }

    pub fn objective(self, objective: &str) -> Self {
        self.fixture.runs.last_mut().expect("a run").objective = objective.to_owned();
        self
    }

    /// Holes of the last solution.
    pub fn holes(self, holes: u64) -> Self {
        self.fixture.iterations.last_mut().expect("a solve").solve.holes = Some(holes);
        self
    }

    /// The only solve ends with a solution that is not proven to be optimal.
    pub fn feasible(mut self, time: f64, loops: u64) -> Self {
        self.solve(time, SolveStatus::Feasible, Some(loops));
        self.ends(Status::Feasible, Category::Correct)
    }

    /// Solves that took so long and left so many loops.
    pub fn solves(mut self, solves: &[(f64, u64)]) -> Self {
        for (time, loops) in solves {
            self.solve(*time, SolveStatus::Optimal, Some(*loops));
        }
        self
    }

    pub fn infeasible(mut self, time: f64) -> Self {
        self.solve(time, SolveStatus::Infeasible, None);
        self
    }

    /// A solve that noticed the limit itself and left a row.
    pub fn stops(mut self, time: f64) -> Self {
        self.solve(time, SolveStatus::Timeout, None);
        self
    }

    /// The limit, as the worker itself or as its parent saw it.
    pub fn limited(self, reason: &str) -> Self {
        let run = self.ends(Status::Timeout, Category::Unknown);
        run.fixture.runs.last_mut().expect("a run").termination_reason = reason.to_owned();
        run
    }

    pub fn ends(self, status: Status, category: Category) -> Self {
        let row = self.fixture.runs.last_mut().expect("a run");
        (row.status, row.category) = (status, category);
        self
    }

    fn solve(&mut self, time_s: f64, status: SolveStatus, loops: Option<u64>) {
        let run = self.fixture.runs.last().expect("a run");
        let earlier: Vec<_> = self.fixture.iterations.iter().filter(|i| i.run_id == run.run_id).collect();
        let solve = Solve {
            iteration: earlier.len() as u64,
            time_s,
            cumulative_s: earlier.iter().map(|i| i.solve.time_s).sum::<f64>() + time_s,
            native_status: None,
            loops,
            holes: loops.map(|_| 0),
            variables: Some(1200),
            constraints: Some(90),
            ..Solve::of(status, "")
        };
        let row = IterationRow { run_id: run.run_id.clone(), attempt: run.attempt, solve };
        self.fixture.iterations.push(row);
    }
}

/// Whether a text has all of these parts.
#[track_caller]
pub fn has_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

/// The only grid of a table.
pub fn grid(analysis: &Analysis, table: &str) -> Grid {
    let grids = grids(analysis, table);
    let count = grids.len();
    <[Grid; 1]>::try_from(grids).map(|[grid]| grid).unwrap_or_else(|_| panic!("{count} grids of {table}"))
}

/// The cells of the row of that name, those in bold as `**1.00**`.
pub fn row(grid: &Grid, name: &str) -> Vec<String> {
    let names: Vec<_> = grid.rows.iter().map(Row::name).collect();
    let row =
        grid.rows.iter().find(|row| row.name() == name).unwrap_or_else(|| panic!("no row {name} among {names:?}"));
    let text = |cell: &Cell| if cell.bold { format!("**{cell}**") } else { cell.to_string() };
    row.cells.iter().map(text).collect()
}
