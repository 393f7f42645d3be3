//! Throw-away runs before the measured ones.

use runner::run;

use crate::support::{Bench, CONFIG, STARTED, answer, instance_text, say, solving, worker};

/// A bench of two instances and two solvers, and a script that notes of each job its instance, options and limit.
fn bench() -> (Bench, String) {
    let two = "\"fake\"\n[[solver]]\nname = \"fake\"\nlabel = \"other\"\noptions = { n = 1 }";
    let config = CONFIG.replacen("\"fake\"", two, 1).replace("*.instance.toml", "t*.toml");
    let mut bench = Bench::with(&config.replace("20s", "4s").replace("\"t*.toml\"", "\"tri.toml\", \"two.toml\""));
    // Whoever else has the cores is another matter.
    bench.options.places.pin = false;
    let larger = "challenge = 4\ntiles = \"repeated\"\nplaces = [[0, 0], [1, 0], [0, 1], [1, 1]]\n";
    let text = instance_text("solvable");
    let (kind, known) = (text.lines().next().expect("a line"), text.lines().nth(4).expect("a line"));
    bench.write("two.toml", &format!("{kind}\n{larger}{known}\nsource = \"a test\"\n"));
    let note = format!("cat >> '{0}'; echo >> '{0}'\n", bench.folder.path().join("jobs").display());
    (bench, note)
}

fn jobs(bench: &Bench) -> Vec<String> {
    let text = bench.read("jobs");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn each_slot_warms_up_with_the_smallest_run_of_each_solver() {
    let (bench, note) = bench();
    let mut plans = bench.plan().expect("a sound plan");
    plans[0].config.warmup = 3;
    let summary =
        run(plans, &bench.out(), &bench.options, &worker(&format!("{note}{}", solving()))).expect("a session");
    assert_eq!((summary.rows(), bench.rows().len()), (4, 4), "warm-up runs leave no rows: {summary}");
    assert_eq!(summary.warnings, [] as [String; 0]);
    let jobs = jobs(&bench);
    assert_eq!(jobs.len(), 6 + 4);
    for (options, name) in [("{}", "fake"), ("{\"n\":\"1\"}", "other")] {
        let warm = jobs[..6].iter().filter(|job| job.contains(&format!("\"options\":{options}"))).count();
        assert_eq!(warm, 3, "of {name}");
    }
    assert!(jobs[..6].iter().all(|job| job.contains("\"instance_name\":\"tri\"") && job.contains("\"log\":null")));
    assert!(jobs[..6].iter().all(|job| job.contains("\"time_limit_s\":4.0")));
}

#[test]
fn a_warm_up_is_short_and_its_failure_is_said_once() {
    let (mut bench, _) = bench();
    let config = bench.read("config.toml");
    bench.write("config.toml", &config.replace("4s", "1h"));
    bench.options.jobs = 2;
    let mut plans = bench.plan().expect("a sound plan");
    plans[0].config.warmup = 1;
    // Only a warm-up run has so short a limit, and no log.
    let warm = r#"*'"time_limit_s":5.0'*'"log":null'*"#;
    let script = format!(
        "job=$(cat); case $job in {warm}) echo cold >&2; exit 4;; esac\n{}",
        say(&[STARTED, &answer("timeout", None)])
    );
    let summary = run(plans, &bench.out(), &bench.options, &worker(&script)).expect("a session");
    assert_eq!((summary.rows(), bench.rows().len()), (4, 4), "{summary}");
    let of = |name: &str| summary.warnings.iter().filter(|w| w.contains(&format!("warm-up of {name} failed"))).count();
    assert_eq!((of("fake"), of("other")), (1, 1), "{summary}");
}
