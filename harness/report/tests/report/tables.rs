//! Files of tables against stored ones; `BLESS=1` stores anew.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use record::{Category, EngineFacts, HostFacts, SessionFacts, Status};
use report::{Format, grids};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, PRIMED, grid, has_all, row, write};

pub fn expect(found: &Path) {
    let name = found.file_name().expect("a name");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/expected").join(name);
    let found = fs::read_to_string(found).expect("a file that was written");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&stored, &found).expect("stored");
    }
    let expected = fs::read_to_string(&stored).unwrap_or_default();
    assert!(found == expected, "{} differs; found:\n{found}", stored.display());
}

#[test]
fn every_kind_of_cell_in_every_format() {
    let out = TempDir::new().expect("a directory");
    // Pages for browsers take pictures and logs from the directory.
    let mut fixture = Fixture::of_everything();
    let files = write(&[fixture.load()], out.path(), &Format::ALL).expect("a report");
    for name in ["table2.md", "table2.tex", "table2-iterations-basic.csv", "table2-times.csv", "report.tex"] {
        assert!(files.contains(&out.path().join(name)), "{name} is not among {files:?}");
        expect(&out.path().join(name));
    }
    // Whatever was reported is there, and nothing else.
    assert!(files.iter().all(|f| f.is_file()));
    assert_eq!(fs::read_dir(out.path()).expect("readable").count(), files.len());
}

#[test]
fn the_same_rows_make_the_same_files_in_whatever_order() {
    let outs = [false, true].map(|reversed| {
        let mut fixture = Fixture::of_everything();
        if reversed {
            fixture.runs.reverse();
            // The last solves first: those of a run do not follow each other.
            fixture.iterations.sort_by_key(|row| Reverse(row.solve.iteration));
        }
        let out = TempDir::new().expect("a directory");
        // The page for browsers names the directory, which is another one; it has a test of its own.
        let formats = [Format::Md, Format::Latex, Format::Csv];
        let files = write(&[fixture.load()], out.path(), &formats).expect("a report");
        files.iter().map(|f| (f.file_name().map(ToOwned::to_owned), fs::read(f).expect("a file"))).collect::<Vec<_>>()
    });
    assert_eq!(outs[0].len(), outs[1].len());
    for (one, other) in outs[0].iter().zip(&outs[1]) {
        assert!(one == other, "{:?} differs", one.0);
    }
}

#[test]
fn the_index_holds_all_experiments_and_their_warnings() {
    let out = TempDir::new().expect("a directory");
    let experiments = [Fixture::of_everything().load(), Fixture::of_everything().load()];
    write(&experiments, out.path(), &[Format::Md]).expect("a report");
    let index = fs::read_to_string(out.path().join("index.md")).expect("an index");
    for text in
        ["](#table2)", "](#table2-2)", "WRONG answers", "another directory holds the same experiment", "Machine: box"]
    {
        assert!(index.contains(text), "no {text} in\n{index}");
    }
    assert!(!out.path().join("report.tex").exists());
}

#[test]
fn a_comparison_counts_what_is_solved() {
    let mut fixture = Fixture::new("cmp");
    for (instance, highs, cbc) in [("n5", 1.0, 3.0), ("n10", 7.0, 15.0)] {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(highs, 1)]);
        fixture.run(instance, BASIC, "cbc", 0).solves(&[(cbc, 1)]);
        fixture.run(instance, PRIMED, "cbc", 0).solves(&[(0.5, 2)]).ends(Status::Optimal, Category::Unknown);
    }
    let table = grid(&fixture.load(), "times");
    assert_eq!(row(&table, "n5"), ["**1.00**", "3.00", "0.50 (2 loops)"]);
    assert_eq!(row(&table, "n10"), ["**7.00**", "15.00", "0.50 (2 loops)"]);
    assert_eq!(row(&table, "solved"), ["2/2", "2/2", "0/2"]);
    assert_eq!(row(&table, "ratio"), ["1.00", "2.33", "—"]);
}

pub fn page(fixture: &mut Fixture) -> String {
    let out = fixture.report(&[Format::Md]);
    fs::read_to_string(out.path().join(format!("{}.md", fixture.manifest.experiment))).expect("a page")
}

#[test]
fn facts_are_those_of_the_rows_and_their_session() {
    let mut fixture = Fixture::of_everything();
    fixture.manifest.sessions[0].host = HostFacts {
        cores: 1,
        memory_b: 1 << 30,
        kernel: "Linux 6".to_owned(),
        os: "Debian 12".to_owned(),
        governor: "performance".to_owned(),
        ..fixture.manifest.sessions[0].host.clone()
    };
    fixture.runs[0].started_at = "2026-01-05T00:00:00.000Z".to_owned();
    fixture.runs[0].git_commit = "def5678".to_owned();
    // Nothing was measured in it.
    let later = SessionFacts { started_at: "2027-01-01T00:00:00.000Z".to_owned(), jobs: 7, ..SessionFacts::default() };
    fixture.manifest.sessions.push(later);
    let text = page(&mut fixture);
    has_all(
        &text,
        &[
            "- Machine: box, CPU 1, 1 core, 2 logical CPUs, 1024 MiB of memory, Debian 12, Linux 6, governor performance\n",
            "- Solvers: highs 1.0, cbc 1.0\n",
            "- Profile quick; measured from 2026-01-02 to 2026-01-05; tilebench abc1234, def5678\n",
            "- Session: 1 job at a time, not pinned, isolation process-group\n",
        ],
    );
    assert!(!text.contains("2027") && !text.contains("7 jobs"), "{text}");

    // What a session says of another machine is not said of this one.
    let mut fixture = Fixture::of_everything();
    fixture.manifest.sessions[0].host.host = "laptop".to_owned();
    let text = page(&mut fixture);
    assert!(text.contains("- Machine: box, CPU 1\n") && !text.contains("- Session"), "{text}");
    let mut fixture = Fixture::of_everything();
    fixture.runs[0].host = "laptop".to_owned();
    let text = page(&mut fixture);
    assert!(text.contains("- Machine: box, CPU 1, 2 logical CPUs\n- Machine: laptop, CPU 1\n"), "{text}");
}

#[test]
fn sessions_that_differ_have_a_line_each() {
    let mut fixture = Fixture::of_everything();
    let first = fixture.manifest.sessions[0].clone();
    let at = |day: &str| format!("2026-01-{day}T00:00:00.000Z");
    let session = |day: &str| SessionFacts { started_at: at(day), jobs: 4, pinned: true, ..first.clone() };
    let mut laptop = session("09");
    laptop.host.host = "laptop".to_owned();
    laptop.host.governor = "powersave".to_owned();
    fixture.manifest.sessions.extend([session("05"), session("07"), laptop]);
    for (index, day, host) in [(1, "05", "box"), (2, "08", "box"), (3, "09", "laptop"), (4, "09", "box")] {
        let run = &mut fixture.runs[index];
        (run.started_at, run.host) = (at(day), host.to_owned());
        (run.jobs, run.cpus) = (4, Some("0".to_owned()));
    }
    fixture.runs[3].isolation = "cgroup".to_owned();
    let text = page(&mut fixture);
    has_all(
        &text,
        &[
            "- Machine: box, CPU 1, 2 logical CPUs\n- Machine: laptop, CPU 1, 2 logical CPUs, governor powersave\n",
            "- Session on 2026-01-02, 5 runs: 1 job at a time, not pinned, isolation process-group, on box\n",
            "- 2 sessions from 2026-01-05 to 2026-01-09, 3 runs: 4 jobs at a time, each pinned to CPUs of its own, \
         isolation process-group, on box\n",
            "- Session on 2026-01-09, 1 run: 4 jobs at a time, each pinned to CPUs of its own, isolation cgroup, on laptop\n",
        ],
    );
}

#[test]
fn sessions_of_one_job_and_machines_that_are_alike_have_a_line_together() {
    let session = |first: &SessionFacts, (number, host): (usize, &str)| {
        let engine = EngineFacts {
            engine: "slurm".to_owned(),
            job: "4711".to_owned(),
            task: (number + 1).to_string(),
            attempt: Some(u32::from(number == 9)),
            cpus: 2,
            memory_b: 400 << 20,
        };
        let host = HostFacts { host: host.to_owned(), ..first.host.clone() };
        SessionFacts { id: format!("{number:012x}"), host, engine, ..first.clone() }
    };
    // All began at once; each row names its own.
    let fixture = || {
        let mut fixture = Fixture::of_everything();
        let (first, of) = (fixture.manifest.sessions[0].clone(), [(0, "n1"), (1, "n2"), (9, "n1")]);
        fixture.manifest.sessions = of.map(|of| session(&first, of)).to_vec();
        for (run, (number, host)) in fixture.runs.iter_mut().zip(of.into_iter().cycle()) {
            (run.session, run.host) = (format!("{number:012x}"), host.to_owned());
        }
        fixture
    };
    let text = page(&mut fixture());
    has_all(
        &text,
        &[
            "- 2 machines: n1, n2, CPU 1, 2 logical CPUs\n",
            "- 3 sessions: 1 job at a time, not pinned, isolation process-group, slurm job 4711 with 2 CPUs and 400 MiB \
             allocated, on n1, n2, tasks 1, 2, 10\n",
        ],
    );
    // A session that nobody knows says nothing of the machine.
    let mut unknown = fixture();
    unknown.runs.iter_mut().for_each(|run| run.session = "unknown".to_owned());
    let text = page(&mut unknown);
    assert!(text.contains("- 2 machines: n1, n2, CPU 1\n") && !text.contains("sessions: "), "{text}");
}

#[test]
fn figures_of_another_source_are_not_shown_as_the_papers() {
    let csv = "source,table,challenge,formulation,iteration,time_s\n\
               slides,1,3,C1 C2 C3 C4 C5,0,0.07\npaper,1,5,C1 C2 C3 C4 C5,0,0.5\nblog,1,9,C1 C2 C3 C4 C5,0,0.6\n";
    let mut fixture = Fixture::new("sources");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.publish(csv, "1");
    fixture.show_sources(&["paper", "slides"]);
    let table = grid(&fixture.load(), "iterations");
    assert_eq!(
        table.column_names(),
        ["challenge 3 / slides", "challenge 3 / highs", "challenge 5 / Kino & Uno 2012", "challenge 5 / highs"]
    );
    assert_eq!(row(&table, "0"), ["0.07", "—", "0.50", "1.00"]);
    assert!(table.notes.iter().any(|note| note.contains("challenge 3: slides")), "{:?}", table.notes);
    fixture.show_sources(&["paper"]);
    fs::remove_file(fixture.files().runs()).expect("removed");
    fs::remove_file(fixture.files().iterations()).expect("removed");
    let text = page(&mut fixture);
    assert!(!text.contains("slides") && !text.contains("0.07"), "{text}");
}

#[test]
fn a_bound_is_no_more_than_was_spent() {
    let mut fixture = Fixture::new("bounds");
    let mut built =
        |instance: &str, build_s: Option<f64>, solves: &[(f64, u64)], cut_off: Option<f64>, reason: &str| {
            let run = fixture.run(instance, BASIC, "highs", 0).solves(solves);
            let run = if let Some(time) = cut_off { run.stops(time) } else { run };
            run.limited(reason);
            fixture.runs.last_mut().expect("a run").build_time_s = build_s;
        };
    // The solver stopped at what was left of the limit.
    built("n3", Some(4.0), &[(1.0, 2)], Some(14.5), "soft-limit");
    // Nothing was left for another solve.
    built("n4", Some(4.0), &[(15.75, 2)], None, "soft-limit");
    // Killed during a solve.
    built("n5", Some(4.0), &[(1.0, 2)], None, "hard-limit");
    // Killed before a model stood.
    built("n6", None, &[], None, "hard-limit");
    // Several threads spent the CPU time within 7.5 s.
    built("n7", Some(4.0), &[(1.0, 2)], None, "cpu-limit");
    fixture.runs.last_mut().expect("a run").wall_time_s = Some(7.5);
    // The CPU time lasted to the end of the limit and beyond.
    fixture.run("n8", BASIC, "highs", 0).solves(&[(1.0, 2)]).limited("cpu-limit");
    fixture.runs.last_mut().expect("a run").wall_time_s = Some(20.5);
    // An option of the solver stopped it.
    fixture.run("n9", BASIC, "highs", 0).solves(&[(1.0, 2)]).limited("solver-limit");
    fixture.runs.last_mut().expect("a run").wall_time_s = Some(1.5);
    let table = grid(&fixture.load(), "iterations");
    for (name, cells) in [
        ("0", ["1.00", "15.75", "1.00", "timeout", "1.00", "1.00", "1.00"]),
        ("1", [">14.50 (timeout)", "—", ">15.00 (timeout)", "—", ">2.50 (timeout)", ">19.00 (timeout)", "—"]),
        ("build", ["4.00", "4.00", "4.00", "—", "4.00", "0.00", "0.00"]),
        // At a limit of wall time the limit, whatever was in progress.
        ("total", [">20.00", ">20.00", ">20.00", ">20.00", ">7.50", ">20.00", ">1.00"]),
    ] {
        assert_eq!(row(&table, name), cells, "{name}");
    }
}

#[test]
fn a_solve_of_unknown_time_is_a_bound_of_nothing() {
    let mut fixture = Fixture::new("bounds");
    fixture.run("n5", BASIC, "highs", 0).stops(20.0).limited("soft-limit");
    fixture.run("n5", BASIC, "highs", 1).limited("hard-limit");
    fixture.runs[1].build_time_s = None;
    let table = grid(&fixture.load(), "iterations");
    assert_eq!((&*row(&table, "0")[0], &*row(&table, "total")[0]), (">10.00 (timeout)", ">20.00"));
}

#[test]
fn the_limits_of_the_runs_are_a_fact() {
    let mut fixture = Fixture::of_everything();
    let fact = |fixture: &mut Fixture, text: &str| {
        let page = page(fixture);
        assert!(page.contains(&format!("\n- Limits of a run: {text}\n")), "no {text} in\n{page}");
    };
    fact(&mut fixture, "time 20 s; CPU time none; memory none");
    let mut fixture = Fixture::of_everything();
    fixture.runs[0].time_limit_s = Some(1200.0);
    fixture.runs[1].cpu_limit_s = Some(600.0);
    fixture.runs[1].memory_limit_b = Some(2 << 30);
    fixture.runs[2].memory_limit_b = Some(1000);
    fact(&mut fixture, "time 20 s, 1200 s; CPU time 600 s, none; memory 1000 B, 2048 MiB, none");
}

#[test]
fn build_times_are_medians_over_solvers() {
    let mut fixture = Fixture::new("sizes");
    for (solver, build_s) in [("highs", 2.0), ("cbc", 5.0)] {
        fixture.run("n5", BASIC, solver, 0).solves(&[(1.0, 1)]);
        fixture.runs.last_mut().expect("a run").build_time_s = Some(build_s);
    }
    let table = grid(&fixture.load(), "model-size");
    assert_eq!(row(&table, "n5 / basic / highs, cbc")[..4], ["1,200", "90", "14,000", "3.50"]);
}

#[test]
fn names_that_look_alike_have_files_of_their_own() {
    let mut fixture = Fixture::new("alike");
    for (formulation, time) in [(("C6 C9", "C6 C9"), 1.0), (("C6-C9", "C9 C6"), 2.0)] {
        fixture.run("n5", formulation, "highs", 0).solves(&[(time, 1)]);
    }
    fixture.manifest.report.tables = vec!["iterations".to_owned()];
    let out = TempDir::new().expect("a directory");
    let files = write(&[fixture.load()], out.path(), &Format::ALL).expect("a report");
    let distinct: std::collections::BTreeSet<_> = files.iter().collect();
    assert_eq!(distinct.len(), files.len(), "{files:?}");
    let read = |name: &str| fs::read_to_string(out.path().join(name)).expect("a table");
    assert!(read("alike-iterations-C6-C9.csv").contains("total,1\n"));
    assert!(read("alike-iterations-C6-C9-2.csv").contains("total,2\n"));
}

#[test]
fn the_index_marks_contradictions() {
    let mut fixture = Fixture::new("against");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n5", BASIC, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Unknown);
    let out = fixture.report(&[Format::Md]);
    let index = fs::read_to_string(out.path().join("index.md")).expect("an index");
    assert!(index.contains("**WRONG answers**"), "{index}");
}

#[test]
fn the_papers_table_1_has_its_smallest_challenge_from_the_slides() {
    let mut fixture = Fixture::new("table1");
    fixture.run("n3", ("C1-C4", "C1 C2 C3 C4"), "highs", 0).solves(&[(1.0, 1)]);
    fixture.publish(include_str!("../../../../results/papers/fixed_boards.csv"), "1");
    fixture.show_sources(&["kino-uno-2012", "kino-uno-slides"]);
    let table = grid(&fixture.load(), "iterations");
    assert!(table.notes.iter().any(|note| note.contains("challenge 3: K&U slides")), "{:?}", table.notes);
    let names = table.column_names();
    for name in ["challenge 3 / K&U slides", "challenge 5 / Kino & Uno 2012"] {
        assert!(names.iter().any(|column| column == name), "no {name} among {names:?}");
    }
}

#[test]
fn solutions_on_the_open_plane_may_have_holes_and_those_on_full_boards_not() {
    for (places, holes) in [(None, Some(["1"])), (Some(6), Some(["1"])), (Some(5), None)] {
        let mut fixture = Fixture::new("plane");
        let run = fixture.run("n5-a", BASIC, "highs", 0).solves(&[(1.0, 1)]).holes(1);
        if let Some(places) = places {
            run.on(places);
        }
        let table = grid(&fixture.load(), "iterations");
        let is_there = table.rows.iter().any(|row| row.name() == "holes");
        assert_eq!(is_there.then(|| row(&table, "holes")), holes.map(|cells| cells.map(str::to_owned).to_vec()));
    }
}

#[test]
fn boards_of_several_challenges_share_the_table_of_their_variant() {
    let mut fixture = Fixture::new("variants");
    for name in
        ["distinct-n12", "distinct-n14", "n14-c6-round", "n14-round", "n20-round", "n20-round-7", "n9", "ring12"]
    {
        fixture.run(name, BASIC, "highs", 0).solves(&[(1.0, 1)]);
    }
    let analysis = fixture.load();
    let mut found: Vec<_> =
        grids(&analysis, "iterations").into_iter().map(|grid| (grid.key, grid.groups.len())).collect();
    found.sort();
    let expected = [("basic", 2), ("basic-c6-round", 1), ("basic-distinct", 2), ("basic-round", 3)];
    assert_eq!(found, expected.map(|(key, columns)| (key.to_owned(), columns)));
}
