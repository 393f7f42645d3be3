//! Tables and plots are lifted from their page: each says by itself what its own rows mix.

use std::collections::BTreeMap;
use std::fs;

use record::{Category, HostFacts, RunRow, Status};
use report::Format;
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, PRIMED, grid, has_all, write};
use crate::tables::page;

/// Two formulations with two runs each, of which those of the second can be changed.
fn two_formulations(change: impl Fn(&mut RunRow)) -> Fixture {
    let mut fixture = Fixture::new("two");
    for formulation in [BASIC, PRIMED] {
        fixture.run("n5", formulation, "highs", 0).solves(&[(1.0, 1)]);
        fixture.run("n10", formulation, "highs", 0).solves(&[(2.0, 1)]);
    }
    change(&mut fixture.runs[3]);
    let tables = ["times", "iterations", "summary", "model-size"];
    fixture.manifest.report.tables = tables.map(ToOwned::to_owned).to_vec();
    fixture.manifest.report.plots = vec!["loops".to_owned(), "total-time".to_owned()];
    fixture
}

/// The files of a report, in every format.
fn files(fixture: &mut Fixture) -> BTreeMap<String, String> {
    let out = TempDir::new().expect("a directory");
    let written = write(&[fixture.load()], out.path(), &Format::ALL).expect("a report");
    let text = |path: &std::path::PathBuf| String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned();
    let name = |path: &std::path::PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    written.iter().map(|path| (name(path), text(path))).collect()
}

/// The part of a page from a heading of a table to the next table.
fn part<'a>(page: &'a str, from: &str) -> &'a str {
    let rest = &page[page.find(from).unwrap_or_else(|| panic!("no {from} in\n{page}"))..];
    let next = ["\n**Solve time", "\n**Total", "\n**Runs", "\n**Size", "\n<a id=", "\n\\begin{longtable}"];
    &rest[..next.iter().filter_map(|n| rest.find(n)).min().unwrap_or(rest.len())]
}

#[test]
fn only_what_a_table_shows_counts() {
    let mut fixture = two_formulations(|run| run.jobs = 4);
    let files = files(&mut fixture);
    let mixed = "mixed rows: 1 and 4 jobs at a time";
    let (md, tex) = (&files["two.md"], &files["two.tex"]);
    // The page says it once, in one line.
    let top = "> **Warning:** mixed rows, not to be compared without care: 1 and 4 jobs at a time\n";
    assert_eq!(md.matches(top).count(), 1, "{md}");
    for (text, clean, own) in [
        (md, "formulation basic (", "formulation c2'\\_50% ("),
        (tex, "formulation basic (", "formulation c2$'$\\_50\\% ("),
    ] {
        assert!(!part(text, clean).contains("mixed"), "{text}");
        assert_eq!(part(text, own).matches(mixed).count(), 1, "{text}");
    }
    // Under the table, not above it.
    assert!(part(md, "Total time").ends_with(&format!("|\n\n**Warning:** {mixed}.\n")), "{md}");
    let end = format!("\\end{{longtable}}\n\\noindent\\textbf{{Warning:}} {mixed}.\\par\n}}");
    assert!(part(tex, "Total time").contains(&end), "{tex}");
    let line = format!("# warning: {mixed}\n");
    for name in ["two-iterations-c2p_50.csv", "two-times.csv", "two-summary.csv", "two-model-size.csv"] {
        assert!(files[name].starts_with(&line), "{name}: {}", files[name]);
        assert_eq!(files[name].matches("# ").count(), 1, "{name}: {}", files[name]);
    }
    assert!(!files["two-iterations-basic.csv"].contains('#'), "{}", files["two-iterations-basic.csv"]);
    for plot in ["total-time", "loops"] {
        assert!(files[&format!("two-{plot}.svg")].contains(&format!("Warning: {mixed}")), "{plot}");
        assert!(files[&format!("two-{plot}-curves.csv")].starts_with(&line), "{plot}");
    }
}

/// Of other kinds than mip the column `families` has what matters to the puzzle alone.
#[test]
fn a_formulation_on_boards_of_two_settings_has_one_definition() {
    let mut fixture = Fixture::new("settings");
    fixture.run("n5", ("sat", "short-loops=7"), "cadical", 0).on(5).solves(&[(1.0, 1)]);
    fixture.run("n6", ("sat", "around-empty=5 short-loops=7"), "cadical", 0).on(9).solves(&[(1.0, 1)]);
    fixture.runs.iter_mut().for_each(|run| run.kind = "sat".to_owned());
    assert_eq!(grid(&fixture.load(), "summary").caveats, [""; 0]);
    fixture = Fixture::new("definitions");
    fixture.run("n5", ("sat", "short-loops=7"), "cadical", 0).on(5).solves(&[(1.0, 1)]);
    fixture.run("n6", ("sat", "short-loops=6"), "cadical", 0).on(6).solves(&[(1.0, 1)]);
    fixture.runs.iter_mut().for_each(|run| run.kind = "sat".to_owned());
    let caveats = grid(&fixture.load(), "summary").caveats.join(" ");
    assert!(caveats.contains("2 definitions of formulation sat"), "{caveats}");
}

/// What is done to a row.
type Change = fn(&mut RunRow);

/// Makes it one more run of the first instance.
fn again(run: &mut RunRow) -> &mut RunRow {
    (run.instance, run.instance_hash) = ("n5".to_owned(), "hash of n5".to_owned());
    run
}

#[test]
fn whatever_a_clean_comparison_has_the_same_is_compared() {
    let changes: [(Change, &str); 17] = [
        (|r| r.host = String::new(), "2 hosts (box, unknown)"),
        (|r| r.cpu_model = "CPU 2".to_owned(), "2 CPU models (CPU 1, CPU 2)"),
        (|r| r.jobs = 4, "1 and 4 jobs at a time"),
        (|r| r.cpus = Some("3".to_owned()), "pinned and not pinned"),
        (|r| r.isolation = "cgroup".to_owned(), "2 kinds of isolation (cgroup, process-group)"),
        (|r| r.git_commit = "def5678".to_owned(), "2 builds of tilebench (abc1234, def5678)"),
        (|r| r.git_dirty = Some(true), "2 builds of tilebench (abc1234, abc1234-dirty)"),
        (|r| r.solver_version = "2.0".to_owned(), "2 versions of highs (1.0, 2.0)"),
        (
            |r| r.objective = "none".to_owned(),
            "2 definitions of formulation c2'\\_50% (C5 C4 C3 C2' C1 \\| none \\| resolve \\| report, C5",
        ),
        (|r| (r.instance, r.instance_hash) = ("n5".to_owned(), "?".to_owned()), "2 files under the instance name n5"),
        (|r| again(r).time_limit_s = Some(60.0), "2 time limits for one and the same cell (20 s, 60 s)"),
        (|r| again(r).cpu_limit_s = Some(9.0), "2 CPU limits for one and the same cell (9 s, none)"),
        (|r| again(r).memory_limit_b = Some(1 << 30), "2 memory limits for one and the same cell (1024 MiB, none)"),
        (|r| again(r).options = "a=1".to_owned(), "2 options for one and the same cell (a=1, none)"),
        (
            |r| r.subloops = "report".to_owned(),
            "2 definitions of formulation c2'\\_50% (C5 C4 C3 C2' C1 \\| virtual \\| report \\| report, C5",
        ),
        (
            |r| r.hole_treatment = "resolve".to_owned(),
            "2 definitions of formulation c2'\\_50% (C5 C4 C3 C2' C1 \\| virtual \\| resolve \\| report, C5",
        ),
        (|r| again(r).threads = 2, "2 numbers of threads for one and the same cell (1, 2)"),
    ];
    let page = |change: &dyn Fn(&mut RunRow)| {
        let mut fixture = two_formulations(change);
        // The table of times says it all, and without challenges there are no plots to wait for.
        fixture.manifest.report.plots.clear();
        fixture.manifest.report.tables.clear();
        fixture.runs.iter_mut().for_each(|run| run.challenge = None);
        page(&mut fixture)
    };
    assert!(!page(&|_| ()).contains("Warning"));
    for (change, expected) in changes {
        let text = page(&change);
        assert!(part(&text, "**Total time").contains(&format!("**Warning:** mixed rows: {expected}")), "{text}");
    }
    // Of no run that was not even started was anything measured.
    let unsupported = |run: &mut RunRow| {
        (run.status, run.category, run.solver_version) = (Status::Unsupported, Category::Error, String::new());
    };
    assert!(!page(&unsupported).contains("mixed"));
    // Limits and threads may differ from cell to cell.
    let other_limit = |run: &mut RunRow| {
        (run.time_limit_s, run.threads, run.options) = (Some(60.0), 2, "a=1".to_owned());
        (run.cpu_limit_s, run.memory_limit_b) = (Some(9.0), Some(1 << 30));
    };
    assert!(!page(&other_limit).contains("mixed"));
}

/// What is done to a machine.
type MachineChange = fn(&mut HostFacts);

#[test]
fn a_machine_that_changed_between_sessions() {
    let page = |change: MachineChange, later: &str| {
        let mut fixture = two_formulations(|run| run.started_at = "2026-01-05T00:00:00.000Z".to_owned());
        fixture.manifest.report.plots.clear();
        fixture.manifest.report.tables.clear();
        fixture.runs.iter_mut().for_each(|run| run.challenge = None);
        let host = &mut fixture.manifest.sessions[0].host;
        (host.governor, host.kernel) = ("powersave".to_owned(), "Linux 6.1".to_owned());
        (host.os, host.memory_b, host.cores) = ("Debian 12".to_owned(), 8 << 30, 1);
        let mut second = fixture.manifest.sessions[0].clone();
        second.started_at = later.to_owned();
        change(&mut second.host);
        fixture.manifest.sessions.push(second);
        page(&mut fixture)
    };
    let changes: [(MachineChange, &str); 6] = [
        (|h| h.governor = "performance".to_owned(), "2 governors on box (performance, powersave)"),
        (|h| h.kernel = "Linux 6.5".to_owned(), "2 kernels on box (Linux 6.1, Linux 6.5)"),
        (|h| h.os = String::new(), "2 operating systems on box (Debian 12, unknown)"),
        (|h| h.memory_b = 4 << 30, "2 sizes of memory on box (4096 MiB, 8192 MiB)"),
        (|h| h.cpus = 1, "2 numbers of logical CPUs on box (1, 2)"),
        (|h| h.cores = 2, "2 numbers of cores on box (1, 2)"),
    ];
    for (change, expected) in changes {
        let text = page(change, "2026-01-04T00:00:00.000Z");
        let top = format!("**Warning:** mixed rows, not to be compared without care: {expected}\n");
        assert!(text.contains(&top), "no {top} in\n{text}");
        assert!(part(&text, "**Total time").contains(&format!("**Warning:** mixed rows: {expected}.")), "{text}");
        // No row is from the session with the change.
        let text = page(change, "2026-01-06T00:00:00.000Z");
        assert!(!text.contains("mixed"), "{text}");
    }
    // A little less memory after a new start, or another machine, is no change.
    let same: [MachineChange; 2] = [
        |h| h.memory_b -= 1 << 20,
        |h| {
            (h.host, h.governor) = ("laptop".to_owned(), "performance".to_owned());
        },
    ];
    for change in same {
        assert!(!page(change, "2026-01-04T00:00:00.000Z").contains("mixed"));
    }
}

#[test]
fn sources_of_memory_count_where_memory_is_shown() {
    let mut fixture = two_formulations(|_| ());
    for (run, source) in fixture.runs.iter_mut().zip(["cgroup", "cgroup", "VmHWM (worker)", "cgroup"]) {
        (run.peak_memory_b, run.memory_source) = (Some(64 << 20), Some(source.to_owned()));
    }
    fixture.manifest.report.tables = vec!["times".to_owned(), "health".to_owned()];
    let files = files(&mut fixture);
    let line = "# warning: mixed rows: 2 sources of memory figures (VmHWM (worker), cgroup)\n";
    assert!(files["two-health.csv"].starts_with(line), "{}", files["two-health.csv"]);
    assert!(!files["two-times.csv"].contains('#'), "{}", files["two-times.csv"]);
}

#[test]
fn runs_that_the_machine_disturbed() {
    let times =
        |wall: f64, cpu: f64| move |run: &mut RunRow| (run.wall_time_s, run.cpu_time_s) = (Some(wall), Some(cpu));
    let text = page(&mut two_formulations(times(6.0, 5.0)));
    has_all(
        &text,
        &[
            "1 of 4 runs, single-threaded, took over 10 % and 0.5 s longer than their CPU time, so they waited or were disturbed: \
         n10 / c2'\\_50% / highs\n",
            " \\*: a run waited or was disturbed.",
            "| n5 | **1.00** | **1.00** |\n| n10 | **2.00** | **2.00\\*** |\n",
        ],
    );
    // Tables say it of the runs that they show.
    assert!(part(&text, "**Total time").contains("1 of 4 runs waited"), "{text}");
    assert!(part(&text, "**Solve time (s) by iteration, formulation c2'").contains("1 of 2 runs waited"), "{text}");
    assert!(!part(&text, "**Solve time (s) by iteration, formulation basic").contains("waited"), "{text}");
    let files = files(&mut two_formulations(times(6.0, 5.0)));
    for alone in ["two-times.csv", "two-total-time.svg"] {
        assert!(files[alone].contains("1 of 4 runs waited or were disturbed"), "{alone}: {}", files[alone]);
    }
    // Five cells are named.
    let mut fixture = Fixture::new("many");
    for seed in 0..14 {
        fixture.run(&format!("n{}", 5 + seed / 2), BASIC, "highs", seed).solves(&[(1.0, 1)]);
        times(6.0, if seed == 0 { 6.0 } else { 5.0 })(fixture.runs.last_mut().expect("a run"));
    }
    let text = page(&mut fixture);
    assert!(
        text.contains("disturbed: n10 / basic / highs, n11 / basic / highs, n5 / basic / highs (1 of 2), "),
        "{text}"
    );
    assert!(text.contains("n7 / basic / highs and 2 more cells\n"), "{text}");
    // Both the share and the seconds count.
    for (wall, cpu) in [(0.6, 0.2), (100.0, 95.0), (4.9, 5.0)] {
        let text = page(&mut two_formulations(times(wall, cpu)));
        assert!(!text.contains("waited") && !text.contains("their threads"), "{wall} {cpu}: {text}");
    }
    let text = page(&mut two_formulations(times(5.0, 9.0)));
    assert!(text.contains("1 of 4 runs took over 10 % and 0.5 s more CPU time than their threads can"), "{text}");
    let threads = |run: &mut RunRow| {
        times(5.0, 9.0)(run);
        run.threads = 2;
    };
    assert!(!page(&mut two_formulations(threads)).contains("their threads"));
}

#[test]
fn whatever_shows_times_of_several_cpu_models_says_so() {
    let mut fixture = Fixture::of_everything();
    for run in &mut fixture.runs {
        // One side of every comparison.
        if run.solver == "cbc" || run.formulation == PRIMED.0 {
            (run.host, run.cpu_model) = ("laptop".to_owned(), "CPU 2".to_owned());
        }
    }
    let shown = ["times", "summary", "health", "scores", "pairs", "solvers"];
    fixture.manifest.report.tables = shown.map(ToOwned::to_owned).to_vec();
    let files = files(&mut fixture);
    for name in shown {
        let table = &files[&format!("table2-{name}.csv")];
        assert!(table.contains("2 CPU models (CPU 1, CPU 2)"), "{name}: {table}");
    }
    let plots: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(".svg")).collect();
    assert!(!plots.is_empty());
    for (name, plot) in plots {
        assert!(plot.contains("2 CPU models (CPU 1, CPU 2)"), "{name}");
    }
}
