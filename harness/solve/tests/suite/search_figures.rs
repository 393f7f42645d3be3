//! What the searches of our own take, measured (ignored: it takes minutes). `SEARCH_FIGURES` chooses instance files by
//! parts of their names, separated by spaces; `SEARCH_SECONDS` and `SEARCH_SEEDS` set the time limit and the number of seeds.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::{Instance, verify};
use solve::search::{End, Settings, explore};

fn instances(wanted: &[String]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix");
    let folders = ["fixed", "bounded", "natural"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let name = |path: &Path| path.strip_prefix(&root).expect("below").to_string_lossy().into_owned();
    let mut files: Vec<PathBuf> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with("suite.toml"))
        .filter(|path| wanted.iter().any(|part| name(path).contains(part.as_str())))
        .collect();
    files.sort_by_key(|path| Instance::load(path).ok().map(|i| (i.facts().places, i.facts().challenge)));
    files
}

#[test]
#[ignore = "a measurement"]
fn figures() {
    let number = |name: &str, default: u64| env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let wanted = env::var("SEARCH_FIGURES").unwrap_or_else(|_| "distinct-n".to_owned());
    let wanted: Vec<String> = wanted.split_whitespace().map(str::to_owned).collect();
    let strategy = if env::var("SEARCH_WALK").is_ok() { Strategy::Walk } else { Strategy::Propagate };
    for path in instances(&wanted) {
        let instance = Instance::load(&path).expect("a good instance");
        let mut formulation =
            Formulation::plain("search", FormulationKind::Search).with("strategy", strategy).expect("good");
        if instance.puzzle.kind() != puzzle::tantrix::FIXED && strategy == Strategy::Propagate {
            formulation = formulation.with("holes", Holes::Resolve).expect("good");
        }
        let mut line = format!("{:<28}", instance.name);
        for seed in 1..=number("SEARCH_SEEDS", 3) {
            let time_limit = Some(Duration::from_secs(number("SEARCH_SECONDS", 60)));
            let restarts = env::var("SEARCH_STEADY").is_err();
            let settings = Settings { seed, restarts, sum_check: true, time_limit };
            let start = Instant::now();
            let mut found = |solution: &puzzle::Solution| {
                let broken = verify(&instance, solution).violations;
                assert!(broken.is_empty() || strategy == Strategy::Walk, "{broken:?}");
                if let Ok(folder) = env::var("SEARCH_KEEP") {
                    let file = Path::new(&folder).join(format!("{}.solution.json", instance.name));
                    fs::write(file, solution.to_json()).expect("a file can be written");
                }
                false
            };
            let explored = explore(&instance, &formulation, settings, None, &mut found).expect("makes sense");
            let mark = match explored.end {
                End::Stopped => ' ',
                End::Exhausted => '-',
                End::OutOfTime => '*',
            };
            line += &format!("  {:>8.3} s{mark} {:>11} nodes", start.elapsed().as_secs_f64(), explored.nodes);
        }
        eprintln!("{line}");
    }
}
