//! Which of several attempts at a run a merge keeps, and with what; which directories it refuses.

use std::fs;
use std::path::Path;

use record::{
    IterationRow, Manifest, Merge, Merged, Origin, PlanRow, RecordError, ReportSpec, ResultsDir, RunRow,
    SCHEMA_VERSION, SessionFacts, Solve, SolveStatus, Status, write_table,
};
use tempfile::TempDir;

const RUN: &str = "00000000000000aa";
const OTHER: &str = "00000000000000bb";

/// An attempt: its number, what became of it, and the second at which it began.
type Attempt = (u32, Status, u32);

/// The attempts in each directory, and of the kept one its directory, its number and the second at which it began.
type Case<'a> = (&'a [&'a [Attempt]], (&'a str, u32, u32));

fn solve() -> Solve {
    Solve { time_s: 0.5, cumulative_s: 0.5, ..Solve::of(SolveStatus::Optimal, "optimal") }
}

/// A directory with attempts at a run, and another run of the plan that nobody has begun. Its name stands in its solution.
fn source(folder: &Path, name: &str, attempts: &[Attempt]) -> ResultsDir {
    let dir = ResultsDir::new(folder.join(name));
    for folder in ["solutions", "logs", "instances"] {
        fs::create_dir_all(dir.root().join(folder)).expect("a folder");
    }
    let plan = [RUN, OTHER].map(|run_id| PlanRow {
        run_id: run_id.to_owned(),
        instance: "tri".to_owned(),
        formulation: "all".to_owned(),
        solver: "highs".to_owned(),
        seed: 1,
        repeat: 1,
    });
    write_table(&dir.plan(), plan).expect("a plan");
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: "test".to_owned(),
        title: String::new(),
        description: String::new(),
        profile: None,
        planned: 2,
        plan: "0123".to_owned(),
        formulations: vec!["all".to_owned()],
        solvers: Vec::new(),
        report: ReportSpec::default(),
        sessions: vec![SessionFacts {
            started_at: name.to_owned(),
            shard: "1/2".to_owned(),
            ..SessionFacts::default()
        }],
    };
    fs::write(dir.manifest(), serde_json::to_vec(&manifest).expect("json")).expect("a manifest");
    let row = |&(attempt, status, second): &Attempt| RunRow {
        attempt,
        status,
        instance: "tri".to_owned(),
        started_at: format!("2026-01-02T03:04:{second:02}.000Z"),
        ..RunRow::unmeasured(RUN)
    };
    write_table(&dir.runs(), attempts.iter().map(row)).expect("rows");
    let solves =
        attempts.iter().map(|(attempt, ..)| IterationRow { run_id: RUN.to_owned(), attempt: *attempt, solve: solve() });
    write_table(&dir.iterations(), solves).expect("rows");
    fs::write(dir.solution(RUN, 0), name).expect("a solution");
    fs::write(dir.instance("tri"), "a board").expect("an instance");
    dir
}

fn merged(sources: &[ResultsDir], out: &ResultsDir) -> Result<Merged, RecordError> {
    fs::create_dir_all(out.root()).expect("a folder");
    Merge::of(sources)?.write(out, &mut |_| {})
}

#[test]
fn the_attempt_that_is_kept_depends_on_no_answer() {
    use Status::{Crash, Infeasible, Interrupted, Lost, Optimal, Timeout, Unsupported};
    let cases: [Case<'_>; 11] = [
        (&[&[(1, Optimal, 5)]], ("0", 1, 5)),
        // Of two copies the one that began first, whatever they found.
        (&[&[(1, Optimal, 6)], &[(1, Timeout, 5)]], ("1", 1, 5)),
        (&[&[(1, Timeout, 6)], &[(1, Optimal, 5)]], ("1", 1, 5)),
        (&[&[(1, Infeasible, 5)], &[(1, Crash, 5)]], ("0", 1, 5)),
        // Who repeats counts on, be it in the same directory or in another.
        (&[&[(1, Timeout, 5), (2, Optimal, 6)], &[(1, Optimal, 1)]], ("0", 2, 6)),
        (&[&[(1, Optimal, 5)], &[(2, Timeout, 6)]], ("1", 2, 6)),
        // What never came to its end gives way to what did.
        (&[&[(1, Lost, 1), (2, Interrupted, 2)], &[(1, Timeout, 3)]], ("1", 1, 3)),
        (&[&[(1, Lost, 1)], &[(2, Interrupted, 2)]], ("1", 2, 2)),
        // And what had no solver to what had one.
        (&[&[(1, Unsupported, 1)], &[(1, Timeout, 3)]], ("1", 1, 3)),
        (&[&[(1, Timeout, 1)], &[(2, Unsupported, 3)]], ("0", 1, 1)),
        // As when it is resumed: in a directory the latest counts, also if it was interrupted.
        (&[&[(1, Timeout, 1), (2, Interrupted, 2)]], ("0", 2, 2)),
    ];
    for (attempts, expected) in cases {
        let folder = TempDir::new().expect("a folder");
        let sources: Vec<_> = attempts
            .iter()
            .enumerate()
            .map(|(at, attempts)| source(folder.path(), &at.to_string(), attempts))
            .collect();
        let out = ResultsDir::new(folder.path().join("out"));
        let found = merged(&sources, &out).expect("a merge");
        let rows = out.read_runs().expect("sound rows");
        let [row] = &rows[..] else { panic!("{attempts:?}: {rows:?}") };
        let name = fs::read_to_string(out.solution(RUN, 0)).expect("a solution");
        let second = row.started_at[17..19].parse().expect("a number");
        assert_eq!((name.as_str(), row.attempt, second), expected, "{attempts:?}");
        let solves = out.read_iterations().expect("sound rows");
        assert_eq!(solves.iter().map(|solve| solve.attempt).collect::<Vec<_>>(), [row.attempt], "{attempts:?}");

        assert_eq!(found.unsupported, 0, "{attempts:?}");
        let all = attempts.concat();
        let finals = all.iter().filter(|(_, status, _)| status.is_final()).count() as u64;
        let ended = u64::from(row.status.is_final());
        assert_eq!((found.planned, found.ended, found.repeated), (2, ended, finals - ended), "{attempts:?}");
        assert_eq!(found.unfinished, all.len() as u64 - finals - (1 - ended), "{attempts:?}");
        assert_eq!(found.missing.get(&Origin::Shard("1/2".to_owned())), Some(&(2 - ended)), "{attempts:?}");
        assert_eq!(found.rows.iter().map(|(rows, _)| rows).sum::<u64>(), all.len() as u64);
        assert_eq!(found.first_missing.last().map(|row| row.run_id.as_str()), Some(OTHER));
    }
}

#[test]
fn what_stands_beside_the_rows_is_of_the_latest_session_and_sessions_are_joined() {
    let folder = TempDir::new().expect("a folder");
    let sources = ["b", "a"].map(|name| source(folder.path(), name, &[]));
    fs::write(sources[0].config(), "of b").expect("a config");
    fs::write(sources[0].published(), "figures").expect("figures");
    fs::write(sources[1].config(), "of a").expect("a config");
    let out = ResultsDir::new(folder.path().join("out"));
    merged(&sources, &out).expect("a merge");
    assert_eq!(fs::read_to_string(out.config()).expect("a config"), "of b");
    assert!(out.published().exists());
    let starts = |dir: &ResultsDir| {
        let sessions = dir.read_manifest().expect("a manifest").sessions;
        sessions.into_iter().map(|session| session.started_at).collect::<Vec<_>>()
    };
    assert_eq!(starts(&out), ["a", "b"]);
    // A merge of it and of what it is from knows each session once.
    let again = ResultsDir::new(folder.path().join("again"));
    merged(&[sources[1].clone(), out.clone(), sources[0].clone()], &again).expect("a merge");
    assert_eq!(starts(&again), ["a", "b"]);
    // What the latest session has no more is not kept.
    merged(&sources[1..], &out).expect("a merge");
    assert!(!out.published().exists() && starts(&out) == ["a"]);
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).expect("a file");
}

#[test]
fn rows_of_a_newer_version_are_not_merged() {
    let folder = TempDir::new().expect("a folder");
    let sources = ["a", "b"].map(|name| source(folder.path(), name, &[]));
    let out = ResultsDir::new(folder.path().join("out"));
    for file in [ResultsDir::runs as fn(&ResultsDir) -> _, ResultsDir::iterations] {
        replace(&file(&sources[1]), "\n", ",future\n");
        let error = merged(&sources, &out).expect_err("columns that are not known").to_string();
        assert!(error.contains("columns of a newer tilebench") && error.contains("future"), "{error}");
        assert!(!out.merged().exists() && !out.runs().exists(), "nothing was written");
        replace(&file(&sources[1]), ",future\n", "\n");
    }
}

#[test]
fn plans_are_told_apart_by_their_runs_where_manifests_are_too_old_to_say() {
    let folder = TempDir::new().expect("a folder");
    let sources = ["a", "b"].map(|name| source(folder.path(), name, &[(1, Status::Optimal, 1)]));
    for dir in &sources {
        replace(&dir.manifest(), "\"plan\":\"0123\"", "\"plan\":\"\"");
    }
    let out = ResultsDir::new(folder.path().join("out"));
    assert_eq!(merged(&sources, &out).expect("a merge").ended, 1);
    replace(&sources[1].plan(), OTHER, "00000000000000cc");
    let error = merged(&sources, &out).expect_err("other runs").to_string();
    assert!(error.contains("/b: holds results of plan ") && error.contains("only those of one plan"), "{error}");
}

#[test]
fn what_cannot_be_merged_whole_is_refused() {
    let refused = |change: &dyn Fn(&ResultsDir), parts: &[&str]| {
        let folder = TempDir::new().expect("a folder");
        let sources = ["a", "b"].map(|name| source(folder.path(), name, &[(1, Status::Optimal, 1)]));
        change(&sources[1]);
        let out = ResultsDir::new(folder.path().join("out"));
        let error = merged(&sources, &out).expect_err("it does not fit").to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(!out.runs().exists());
    };
    refused(
        &|dir| replace(&dir.manifest(), "\"plan\":\"0123\"", "\"plan\":\"4567\""),
        &["/b: ", "/a of plan 0123", "4567"],
    );
    refused(&|dir| replace(&dir.instance("tri"), "a board", "another"), &["b/instances/tri.toml", "/a: "]);
    let cut = |dir: &ResultsDir| {
        let text = fs::read_to_string(dir.iterations()).expect("rows");
        fs::write(dir.iterations(), format!("{text}{RUN},1\n")).expect("rows");
    };
    refused(&cut, &["b/iterations.csv, line 3", "2 cells"]);
    let twice = |dir: &ResultsDir| {
        let text = fs::read_to_string(dir.runs()).expect("rows");
        let row = text.lines().nth(1).expect("a row");
        fs::write(dir.runs(), format!("{text}{row}\n")).expect("rows");
    };
    refused(&twice, &["b/runs.csv, line 3", "second time"]);
}
