//! Results directories of any size, always the same for a size: two formulations, five solvers, ten seeds, some ten iterations a
//! run (a million in 100,000 runs). For measurements; the benchmarks share this file.

use std::fs;
use std::path::Path;

use record::{
    Category, HARD_LIMIT, HostFacts, IterationRow, Manifest, PlanRow, ReportSpec, ResultsDir, RunRow, SCHEMA_VERSION,
    SOFT_LIMIT, SessionFacts, Solve, SolveStatus, SolverFacts, Status, write_table,
};

const FORMULATIONS: [(&str, &str); 2] = [("basic", "C1 C2 C3 C4 C5"), ("colour", "C1 C2' C4c C5x C6x C7 C8 C9")];
const SOLVERS: [&str; 5] = ["highs", "cbc", "microlp", "scip", "glpk"];
const SEEDS: u64 = 10;

/// Solves of a run that comes to its end.
const ITERATIONS: u64 = 11;

/// Runs of an instance.
pub const OF_INSTANCE: u64 = FORMULATIONS.len() as u64 * SOLVERS.len() as u64 * SEEDS;

const LIMIT_S: f64 = 600.0;

/// Well mixed bits of a number (splitmix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number from 0 to 1 that belongs to a number.
fn share(number: u64) -> f64 {
    (mixed(number) >> 11) as f64 / (1u64 << 53) as f64
}

/// One run of the directory, by its number in the order of the plan.
#[derive(Clone, Copy)]
struct Planned {
    number: u64,
    instance: u64,
    formulation: usize,
    solver: usize,
    seed: u64,
}

impl Planned {
    fn new(number: u64) -> Self {
        let (instance, rest) = (number / OF_INSTANCE, number % OF_INSTANCE);
        let (pair, seed) = (rest / SEEDS, rest % SEEDS + 1);
        let place = |number: u64| usize::try_from(number).expect("small");
        let (formulation, solver) = (place(pair / SOLVERS.len() as u64), place(pair % SOLVERS.len() as u64));
        Self { number, instance, formulation, solver, seed }
    }

    fn run_id(self) -> String {
        format!("{:016x}", mixed(self.number))
    }

    fn challenge(self) -> u64 {
        20 + 5 * (self.instance / 20)
    }

    fn instance(self) -> String {
        format!("n{}-b{}", self.challenge(), self.instance % 20)
    }

    fn plan(self) -> PlanRow {
        PlanRow {
            run_id: self.run_id(),
            instance: self.instance(),
            formulation: FORMULATIONS[self.formulation].0.to_owned(),
            solver: SOLVERS[self.solver].to_owned(),
            seed: self.seed,
            repeat: 1,
        }
    }

    /// Times of its solves: of four orders of magnitude, longer for slower solvers and the weaker formulation, and later.
    fn times(self) -> Vec<f64> {
        let hard = 0.01 * 1000f64.powf(share(self.instance ^ 0xb0a2d));
        let slow = [1.0, 2.5, 9.0, 1.6, 14.0][self.solver] * [2.0, 1.0][self.formulation];
        let lucky = 0.4 + 2.0 * share(self.number ^ 0x5eed);
        let time = |i| hard * slow * lucky * (0.5 + share(self.number * ITERATIONS + i)) * (1.0 + i as f64 / 4.0);
        // To the nanosecond, as clocks tell it.
        (0..ITERATIONS).map(|i| (time(i) * 1e9).round() / 1e9).collect()
    }

    /// Its rows, the run's last.
    fn rows(self) -> (Vec<IterationRow>, RunRow) {
        let (run_id, places) = (self.run_id(), self.challenge());
        let (mut solves, mut spent) = (Vec::new(), 0.0);
        for (iteration, time_s) in (0..).zip(self.times()) {
            let last = iteration + 1 == ITERATIONS;
            let timeout = spent + time_s > LIMIT_S;
            let time_s = if timeout { LIMIT_S - spent } else { time_s };
            spent += time_s;
            let loops = if last { 1 } else { 2 + mixed(self.number ^ iteration) % 3 };
            let bits = mixed(self.number + iteration);
            let ended = match timeout {
                true => Solve::of(SolveStatus::Timeout, "ReachedTimeLimit"),
                false => Solve::of(SolveStatus::Optimal, "Optimal"),
            };
            let solve = Solve {
                iteration,
                time_s,
                cumulative_s: spent,
                loops: (!timeout).then_some(loops),
                loop_lengths: (!timeout).then(|| {
                    format!("{} {}", places - 3 * (loops - 1), "3 ".repeat(usize::try_from(loops - 1).expect("few")))
                        .trim_end()
                        .to_owned()
                }),
                holes: (!timeout).then_some(0),
                cuts_added: if last || timeout { 0 } else { loops },
                objective_value: (!timeout).then_some(0.0),
                bound: Some(0.0),
                gap: (!timeout).then_some(0.0),
                nodes: Some(1 + bits % 997),
                simplex_iterations: Some(100 + bits % 99_991),
                variables: Some(places * places * 6),
                constraints: Some(places * 40 + 3 * iteration),
                ..ended
            };
            solves.push(IterationRow { run_id: run_id.clone(), attempt: 1, solve });
            if timeout {
                break;
            }
        }
        let run = self.run(&solves, spent);
        (solves, run)
    }

    fn run(self, solves: &[IterationRow], spent: f64) -> RunRow {
        let timeout = solves.last().is_some_and(|s| s.solve.status == SolveStatus::Timeout);
        // One in fifty of those that take that long does not notice the limit.
        let killed = timeout && mixed(self.number).is_multiple_of(50);
        let places = self.challenge();
        let (formulation, families) = FORMULATIONS[self.formulation];
        let build_s = 0.001 * places as f64;
        let sum = |of: fn(&IterationRow) -> Option<u64>| solves.iter().map(of).sum();
        RunRow {
            experiment: "large".to_owned(),
            instance: self.instance(),
            instance_hash: format!("{:016x}", mixed(self.instance ^ 0x4a54)),
            challenge: Some(places),
            places: Some(places),
            colour: Some("red".to_owned()),
            formulation: formulation.to_owned(),
            kind: "mip".to_owned(),
            families: families.to_owned(),
            objective: "virtual".to_owned(),
            subloops: "resolve:each".to_owned(),
            hole_treatment: "report".to_owned(),
            solver: SOLVERS[self.solver].to_owned(),
            solver_version: "1.0".to_owned(),
            seed: self.seed,
            cpus: Some("0".to_owned()),
            jobs: 2,
            time_limit_s: Some(LIMIT_S),
            memory_limit_b: Some(4 << 30),
            status: if timeout { Status::Timeout } else { Status::Optimal },
            category: if timeout { Category::Unknown } else { Category::Correct },
            termination_reason: if killed {
                HARD_LIMIT
            } else if timeout {
                SOFT_LIMIT
            } else {
                "solved"
            }
            .to_owned(),
            native_status: solves.last().and_then(|s| s.solve.native_status.clone()),
            exit_code: (!killed).then_some(0),
            exit_signal: killed.then_some(9),
            objective_value: (!timeout).then_some(0.0),
            bound: Some(0.0),
            gap: (!timeout).then_some(0.0),
            root_bound: Some(0.0),
            loops: (!timeout).then_some(1),
            holes: (!timeout).then_some(0),
            iterations: Some(solves.len() as u64),
            cuts: Some(solves.iter().map(|s| s.solve.cuts_added).sum()),
            variables: Some(places * places * 6),
            constraints: Some(places * 40),
            nonzeros: Some(places * places * 60),
            build_time_s: Some(build_s),
            solve_time_s: Some(spent),
            wall_time_s: Some(build_s + spent + 0.02),
            cpu_time_s: Some(build_s + spent + 0.01),
            peak_memory_b: Some((20 + places) << 20),
            memory_source: Some("VmHWM (worker)".to_owned()),
            isolation: "process-group".to_owned(),
            nodes: sum(|s| s.solve.nodes),
            simplex_iterations: sum(|s| s.solve.simplex_iterations),
            host: "box".to_owned(),
            cpu_model: "CPU 1".to_owned(),
            git_commit: "0123456789ab".to_owned(),
            git_dirty: Some(false),
            started_at: format!("2026-01-{:02}T03:04:{:02}.007Z", 2 + self.number % 20, self.number % 60),
            message: killed.then(|| "no answer within 600 s and a grace of 30.25 s: killed".to_owned()),
            ..RunRow::unmeasured(self.run_id())
        }
    }
}

fn manifest(runs: u64) -> Manifest {
    let solver =
        |name: &str| SolverFacts { name: name.to_owned(), backend: name.to_owned(), version: "1.0".to_owned() };
    let host = HostFacts { host: "box".to_owned(), cpu_model: "CPU 1".to_owned(), cpus: 2, ..HostFacts::default() };
    Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: "large".to_owned(),
        title: "Many runs".to_owned(),
        description: String::new(),
        profile: None,
        planned: runs,
        plan: String::new(),
        formulations: FORMULATIONS.map(|(name, _)| name.to_owned()).to_vec(),
        solvers: SOLVERS.map(solver).to_vec(),
        report: ReportSpec::default(),
        sessions: vec![SessionFacts {
            started_at: "2026-01-02T03:04:00.000Z".to_owned(),
            git_commit: "0123456789ab".to_owned(),
            jobs: 2,
            pinned: true,
            isolation: "process-group".to_owned(),
            order_seed: 1,
            runs,
            host,
            ..SessionFacts::default()
        }],
    }
}

/// Fills a folder with the results of so many runs, a multiple of [`OF_INSTANCE`].
pub fn large(dir: &Path, runs: u64) {
    assert!(runs > 0 && runs.is_multiple_of(OF_INSTANCE), "{runs} runs");
    let files = ResultsDir::new(dir);
    // Of an odd step through all numbers, so that rows stand in no order, as after a shuffle.
    let shuffled = || (0..runs).map(|i| Planned::new(i * 7919 % runs));
    assert!(!runs.is_multiple_of(7919), "no run twice");
    fs::write(files.manifest(), serde_json::to_string(&manifest(runs)).expect("json")).expect("written");
    write_table(&files.plan(), (0..runs).map(|i| Planned::new(i).plan())).expect("written");
    write_table(&files.iterations(), shuffled().flat_map(|run| run.rows().0)).expect("written");
    write_table(&files.runs(), shuffled().map(|run| run.rows().1)).expect("written");
}
