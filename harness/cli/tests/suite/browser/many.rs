//! Ten thousand runs.

use std::fs;

use record::{Appender, IterationRow, PlanRow, ResultsDir, RunRow, Status, write_table};

use super::chromium::Chromium;
use super::{READY, address, choose, column, is_clean, numbers, report, reported};
use crate::bench::Bench;

/// The results a hundred times and more: other seeds, other times.
fn many(bench: &Bench, number: u64) {
    let files = ResultsDir::new(bench.path("out/page"));
    let runs = files.read_runs().expect("rows");
    let solves = files.read_iterations().expect("rows");
    let (mut all, mut iterations): (Vec<RunRow>, Vec<IterationRow>) = (Vec::new(), Vec::new());
    for index in 0..number {
        let of = &runs[usize::try_from(index).expect("small") % runs.len()];
        let run_id = format!("{:016x}", index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let time = f64::from(u16::try_from(index * 7919 % 10_007).expect("small")) / 100.0;
        let mine: Vec<_> = solves.iter().filter(|solve| solve.run_id == of.run_id).collect();
        let first = iterations.len();
        iterations.extend(mine.iter().map(|solve| IterationRow { run_id: run_id.clone(), ..(*solve).clone() }));
        iterations[first..].iter_mut().for_each(|row| row.solve.time_s = time / mine.len() as f64);
        all.push(RunRow { run_id, seed: index, solve_time_s: Some(time), wall_time_s: Some(time + 1.0), ..of.clone() });
    }
    fs::remove_file(files.runs()).expect("a file");
    fs::remove_file(files.iterations()).expect("a file");
    Appender::<RunRow>::open(&files.runs()).expect("a file").append(&all).expect("written");
    Appender::<IterationRow>::open(&files.iterations()).expect("a file").append(&iterations).expect("written");
    let plan = all.iter().map(|run| PlanRow {
        run_id: run.run_id.clone(),
        instance: run.instance.clone(),
        formulation: run.formulation.clone(),
        solver: run.solver.clone(),
        seed: run.seed,
        repeat: run.repeat,
    });
    write_table(&files.plan(), plan).expect("written");
}

#[test]
fn ten_thousand_runs_are_few_rows() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    many(&bench, 10_008);
    report(&bench);
    page.open(&address(&bench, ""), READY);
    assert_eq!(page.text(".found"), "10,008 runs");
    let rows = "document.querySelectorAll('#runs-box tr').length";
    let few = |page: &mut Chromium| {
        let shown = page.value(rows).as_u64().expect("a number");
        assert!((5..200).contains(&shown), "{shown} rows");
    };
    few(&mut page);
    page.click("#runs-box th[data-column=\"solve_time_s\"] button");
    let times = numbers(&column(&mut page, "solve_time_s"));
    assert!(times.is_sorted() && times[0] < 0.1, "{times:?}");
    // To the end by a key, as readers do.
    page.value("document.querySelector('#runs-box tr[data-at=\"0\"] a').focus()");
    page.key("End");
    page.wait("document.activeElement.closest('tr')?.dataset.at === '10007'");
    let times = numbers(&column(&mut page, "solve_time_s"));
    assert!(times.is_sorted() && *times.last().expect("rows") > 99.0, "{times:?}");
    assert_eq!(page.value("document.activeElement.closest('tr').ariaRowIndex"), "10009");
    assert_eq!(page.value("document.querySelector('#runs-box table').ariaRowCount"), "10009");
    few(&mut page);
    choose(&mut page, "solver", "cadical");
    page.wait("document.querySelector('.found').textContent === '5,004 of 10,008 runs'");
    choose(&mut page, "status", Status::Infeasible.name());
    page.wait("document.querySelector('.found').textContent === '1,668 of 10,008 runs'");
    few(&mut page);
    page.click("#runs-box tr[data-at=\"3\"] td");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    page.key("Escape");
    is_clean(&page);
}
