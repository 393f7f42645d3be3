//! What there is for people at a terminal: colours, the ranking at the end of a run, lists, new configs, reports that are watched.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use record::ResultsDir;

use crate::bench::{Bench, send, wait_for, words};
use crate::run::small;

/// A text without the codes of colours.
fn plain(text: &str) -> String {
    regex::Regex::new("\u{1b}\\[[0-9;]*m").expect("a pattern").replace_all(text, "").into_owned()
}

/// Runs the command on a terminal, with this typed; what it shows.
fn at_terminal(bench: &Bench, variables: &str, line: &str, typed: &str) -> String {
    let line = format!("env {variables} TERM=xterm {} {line}", env!("CARGO_BIN_EXE_tilebench"));
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(bench.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script of util-linux");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it reads");
    String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text").replace('\r', "")
}

#[test]
fn colours_are_for_terminals_and_for_who_asks() {
    let solve = "solve tri.toml --solution tri.json";
    let mut bench = Bench::new();
    bench.run(&words(solve)).ok();
    let verify = words("verify tri.toml tri.json");
    let without = bench.run(&verify).ok().out;
    let coloured = without.replacen("valid", "\u{1b}[1m\u{1b}[32mvalid\u{1b}[0m", 1);
    assert!(without.starts_with("valid: ") && coloured != without);
    assert_eq!(bench.run(&[&["--color", "always"][..], &verify].concat()).ok().out, coloured);
    assert_eq!(at_terminal(&bench, "-u NO_COLOR", "verify tri.toml tri.json", ""), coloured);
    for (variables, option) in [("NO_COLOR=1", ""), ("CLICOLOR=0", ""), ("-u NO_COLOR", "--color never")] {
        let shown = at_terminal(&bench, variables, &format!("verify tri.toml tri.json {option}"), "");
        assert_eq!(shown, without, "{variables} {option}");
    }
    // Names of files paint nothing, be they coloured or words that are.
    let call =
        "--color always new-config error.toml --instances tri.toml --solvers highs --formulations colour --time 1m";
    let made = bench.run(&words(call)).ok().out;
    assert!(made.starts_with("error.toml: 1 run\n\u{1b}[1m\u{1b}[36mnext\u{1b}[0m: "), "{made:?}");
    fs::rename(bench.path("tri.toml"), bench.path("\u{1b}[31mred.toml")).expect("renamed");
    let error = bench.run(&["--color", "always", "verify", "\u{1b}[31mred.toml", "none.json"]).err;
    assert!(error.starts_with("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: ") && !error.contains("\u{1b}[31mred"), "{error:?}");
    bench.set("CLICOLOR_FORCE", "1");
    let shown = bench.run(&words("verify row.toml tri.json"));
    assert!(shown.out.starts_with("\u{1b}[1m\u{1b}[31minvalid\u{1b}[0m: "), "{shown:?}");
    assert!(plain(&shown.out).starts_with("invalid: "));
}

#[test]
fn a_run_ends_with_a_ranking() {
    let bench = small();
    let ran = bench.run(&words("run small.toml --out out --filter instance=[tr]*")).ok();
    let (_, ranking) = ran.out.split_once("\nranking on ").unwrap_or_else(|| panic!("{ran:?}"));
    let mut times: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    let rows = ResultsDir::new(bench.path("out/small")).read_runs().expect("rows");
    let several = rows.iter().any(|row| row.formulation != rows[0].formulation);
    for row in &rows {
        let name = if several { format!("{}, {}", row.formulation, row.solver) } else { row.solver.clone() };
        let time = (row.build_time_s.expect("built") + row.solve_time_s.expect("solved")).max(1e-4);
        assert!(times.entry(name).or_default().insert(row.instance.clone(), time).is_none(), "one seed");
    }
    let line = regex::Regex::new(
        r"(?m)^  (\d)\. (.+): (\d+) solved(?:; (.+) was (\S+) times as fast on (\d+) that both solved)?$",
    );
    let lines: Vec<_> = line.expect("a pattern").captures_iter(ranking).collect();
    assert_eq!(lines.len(), times.len().min(5), "{ranking}");
    assert!(lines.iter().any(|line| line.get(4).is_some()), "{ranking}");
    for (rank, line) in lines.iter().enumerate() {
        assert_eq!((line[1].parse(), line[3].parse()), (Ok(rank + 1), Ok(times[&line[2]].len())), "{ranking}");
        let Some(first) = line.get(4).map(|first| first.as_str()) else { continue };
        assert_eq!(first, &lines[0][2]);
        let logs = times[first].iter().map(|(instance, time)| (times[&line[2]][instance] / time).ln());
        let mean = (logs.sum::<f64>() / times[first].len() as f64).exp();
        let said: f64 = line[5].parse().expect("a number");
        assert!((said / mean - 1.0).abs() < 0.06, "{mean}: {ranking}");
    }
    for words_of in [
        "run small.toml --out quiet --profile quick --quiet",
        "run small.toml --out one --profile quick --filter solver=highs --filter formulation=report",
    ] {
        assert!(!bench.run(&words(words_of)).ok().out.contains("ranking"), "{words_of}");
    }
}

#[test]
fn instances_configs_and_results_are_listed() {
    let bench = small();
    bench.run(&words("run small.toml --out out --profile quick --quiet --filter solver=highs")).ok();
    let line = |ran: &str, name: &str| -> Vec<String> {
        let line = ran.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {ran}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    let results = line(&bench.run(&words("list results out")).ok().out, "out/small ");
    let dir = ResultsDir::new(bench.path("out/small"));
    let (ended, planned) = (dir.read_runs().expect("rows").len(), dir.read_plan().expect("a plan").len());
    assert!(ended < planned);
    assert_eq!(results[2..6], ["quick".to_owned(), ended.to_string(), planned.to_string(), "0".to_owned()]);
    // Damaged ones do not hide the others.
    fs::create_dir(bench.path("out/broken")).expect("a folder");
    bench.write("out/broken/manifest.json", "{");
    bench.write("out/broken/runs.csv", "");
    let some = bench.run(&words("list results out")).ok();
    assert_eq!(line(&some.out, "out/small "), results);
    assert!(some.err.starts_with("warning: ") && some.err.contains("out/broken"), "{some:?}");
    assert_eq!(bench.run(&words("list results out/broken")).code, 2, "that is all that there is");
    fs::create_dir_all(bench.path("set/configs")).expect("a folder");
    fs::rename(bench.path("small.toml"), bench.path("set/configs/small.toml")).expect("moved");
    fs::copy(bench.path("tri.toml"), bench.path("set/tri.toml")).expect("copied");
    let instances = bench.run(&words("list instances set")).ok();
    assert_eq!(line(&instances.out, "set/tri.toml "), ["set/tri.toml", "tantrix-fixed", "3", "3", "solvable"]);
    assert!(instances.err.contains("warning: ") && instances.err.contains("small.toml"), "{instances:?}");
    let configs = bench.run(&words("list configs set")).ok().out;
    assert!(line(&configs, "set/configs/small.toml ")[1] == "small" && !configs.contains("tri.toml"), "{configs}");
    bench.run(&words("list results set")).refused(&["set holds no results"]);
    bench.run(&words("list results nowhere")).refused(&["nowhere"]);
}

#[test]
fn a_new_config_can_be_run() {
    let bench = Bench::new();
    fs::create_dir(bench.path("mine")).expect("a folder");
    let call = "new-config mine/two.toml --instances tri.toml,row.toml --solvers highs,cadical,search --time 20s \
                --formulations colour,sat,search";
    let made = bench.run(&words(call)).ok();
    assert_eq!(made.out, "mine/two.toml: 8 runs\nnext: tilebench run mine/two.toml\n");
    let plan = bench.run(&words("run mine/two.toml --dry-run")).ok().out;
    assert!(plan.contains("two") && plan.contains("20"), "{plan}");
    bench.run(&words(call)).refused(&["mine/two.toml: there is such a file already"]);
    for (wrong, said) in [
        ("--instances tri.toml --solvers highs --formulations colours --time 1m", "did you mean"),
        ("--instances none.toml --solvers highs --formulations colour --time 1m", "none.toml"),
        ("--instances tri.toml --solvers search --formulations colour --time 1m", "is of kind mip"),
        ("--instances tri.toml --solvers highs --formulations colour --time soon", "soon"),
        ("--instances tri.toml --solvers highs --formulations colour", "--time is missing"),
        ("--instances tri.toml --solvers highs --formulations colour --time 1m --time 2m", "--time"),
        ("--instances , --solvers highs --formulations colour --time 1m", "--instances: no answer"),
    ] {
        bench.run(&words(&format!("new-config other.toml {wrong}"))).refused(&[said]);
        assert!(!bench.path("other.toml").exists() && !bench.path("other.toml.new").exists(), "{wrong}");
    }
    // Enter takes what is proposed: the formulation that is usual for the solver.
    let shown = at_terminal(&bench, "-u NO_COLOR", "new-config asked.toml", "tri.toml\ncadical\n\n5s\n");
    assert!(shown.contains("asked.toml: 1 run\n"), "{shown}");
    let config: toml::Table = bench.read("asked.toml").parse().expect("TOML");
    assert_eq!(config["formulation"][0]["name"].as_str(), Some("sat"));
    assert_eq!(config["limits"]["time"].as_str(), Some("5s"));
    assert!(bench.run(&words("run asked.toml")).ok().out.starts_with("1 run in "));
    let shown = at_terminal(&bench, "-u NO_COLOR", "new-config none.toml", "tri.toml\n , \n");
    assert!(shown.contains("--solvers: no answer") && !bench.path("none.toml").exists(), "{shown}");
    let shown = at_terminal(&bench, "-u NO_COLOR", "new-config none.toml", "tri.toml\nhighs\n\nsoon enough\n");
    assert!(shown.contains("soon enough") && !bench.path("none.toml").exists(), "{shown}");
    // Of a suite, too, the kind of puzzle is known; and a time may have two words.
    let board = "[[board]]\nname = \"on12\"\ntype = \"B\"\nplaces = 12\nchallenge = 8\nknown = \"unknown\"\n";
    bench.write("some.suite.toml", board);
    at_terminal(&bench, "-u NO_COLOR", "new-config bounded.toml", "some.suite.toml\ncadical\n\n1m 20s\n");
    let config: toml::Table = bench.read("bounded.toml").parse().expect("TOML");
    assert_eq!(config["formulation"][0]["name"].as_str(), Some("bounded-sat"));
    assert_eq!(config["limits"]["time"].as_str(), Some("1m 20s"));
    // A name given twice counts once; a folder may be written as ./FOLDER, and a pattern may have none.
    let call =
        "new-config ./mine/again.toml --instances t*.toml --solvers highs,highs --formulations colour,colour --time 9s";
    assert!(bench.run(&words(call)).ok().out.starts_with("./mine/again.toml: 1 run\n"));
    let config: toml::Table = bench.read("mine/again.toml").parse().expect("TOML");
    assert_eq!(config["instances"][0].as_str(), Some("../t*.toml"));
}

#[test]
fn a_report_that_is_watched_follows_the_rows() {
    let bench = small();
    bench.run(&words("run small.toml --out out --profile quick --quiet --filter solver=highs")).ok();
    bench.run(&words("report out/small -o none --format md --open")).refused(&["--open", "--format html"]);
    assert!(!bench.path("none").exists());
    let watcher = bench.start(&words("report out/small -o plots --format html --watch"));
    let page = || fs::read_to_string(bench.path("plots/report.html")).unwrap_or_default();
    let reload = "<meta http-equiv=\"refresh\" content=\"5\">";
    wait_for(60, || page().contains(reload));
    let first = page();
    bench.run(&words("run small.toml --out out --profile quick --quiet --resume")).ok();
    wait_for(60, || page() != first);
    send("INT", watcher.id());
    let ran = crate::bench::Ran::of(watcher).ok();
    assert!(ran.out.matches("open plots/report.html in a browser").count() >= 3, "{ran:?}");
    // The last one stays: it is a report like others.
    bench.run(&words("report out/small -o again --format html")).ok();
    assert!(page() == bench.read("again/report.html") && !page().contains(reload));
}
