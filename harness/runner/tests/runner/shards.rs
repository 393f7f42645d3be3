//! Shards of a plan: every run is in one, all of an instance in the same, and they take about as long.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use runner::{ExperimentPlan, Shard};

use crate::support::{Bench, instance_text};

/// Instances that a bench has at most: a triangle and a row in three colours.
const INSTANCES: usize = 6;

/// A bench of instances, each with so many seeds and a limit in seconds.
fn bench(groups: &[(u64, u64)]) -> Bench {
    let names: Vec<String> = (0..groups.len()).map(|at| format!("\"i{at}.toml\"")).collect();
    let include = |(at, (seeds, limit)): (usize, &(u64, u64))| {
        format!("[[include]]\ninstances = [\"i{at}.toml\"]\nseeds = \"1-{seeds}\"\ntime = \"{limit}s\"\n")
    };
    let includes: String = groups.iter().enumerate().map(include).collect();
    let bench = Bench::with(&format!(
        "experiment = \"test\"\ntitle = \"A test\"\ninstances = [{}]\nseeds = [100]\n[limits]\ntime = \"1s\"\n{includes}\
         [[formulation]]\nname = \"A\"\nfamilies = \"C1 C2 C3 C4\"\n[[solver]]\nname = \"fake\"\n",
        names.join(", ")
    ));
    for at in 0..groups.len() {
        let colour = ["red", "yellow", "blue"][at % 3];
        let text = instance_text("unknown").replace("tiles =", &format!("colour = \"{colour}\"\ntiles ="));
        let text = if at < 3 { text } else { text.replace("[0, 1]]", "[2, 0]]") };
        bench.write(&format!("i{at}.toml"), &text);
    }
    bench
}

/// The runs of a shard by their labels, and its plan.
fn shard(bench: &mut Bench, number: usize, of: usize) -> (BTreeSet<String>, ExperimentPlan) {
    bench.options.shard = Some(format!("{number}/{of}").parse().expect("a shard"));
    let plan = bench.only();
    bench.options.shard = None;
    (plan.runs().map(|run| run.label()).collect(), plan)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shards_are_parts_of_whole_instances_that_take_about_as_long(
        groups in proptest::collection::vec((1..6u64, 2..40u64), 1..=INSTANCES),
        of in 1..10usize,
    ) {
        let mut bench = bench(&groups);
        let whole = bench.only();
        prop_assert_eq!(whole.groups(), groups.len());
        let (numbers, seconds): (Vec<_>, Vec<_>) = whole.shard_loads(of).into_iter().unzip();
        let (mut seen, mut shard_of) = (BTreeSet::new(), BTreeMap::new());
        for number in 1..=of {
            let (runs, part) = shard(&mut bench, number, of);
            prop_assert_eq!(part.asked(), whole.asked(), "a shard is of the whole plan");
            prop_assert_eq!(part.runs().filter_map(|run| run.limits.time_s).sum::<f64>(), seconds[number - 1]);
            prop_assert_eq!(part.len(), numbers[number - 1]);
            for run in part.runs() {
                prop_assert_eq!(*shard_of.entry(run.instance.hash.clone()).or_insert(number), number);
            }
            let before = seen.len();
            seen.extend(runs.iter().cloned());
            prop_assert_eq!(seen.len(), before + runs.len(), "no run is in two shards");

            bench.filter(&["seed=100"]);
            let (filtered, _) = shard(&mut bench, number, of);
            bench.filter(&[]);
            let expected = runs.into_iter().filter(|label| label.ends_with("seed 100"));
            prop_assert_eq!(filtered, expected.collect::<BTreeSet<_>>(), "a filter moves no run");
        }
        prop_assert_eq!(seen.len(), whole.asked().len(), "every run is in a shard");
        let longest = groups.iter().map(|(seeds, limit)| (seeds * limit + 1) as f64).fold(0.0, f64::max);
        let [most, least] = [f64::max, f64::min].map(|of_two| seconds.iter().copied().reduce(of_two).expect("shards"));
        prop_assert!(most - least <= longest, "{:?}", seconds);
    }
}

#[test]
fn the_longest_come_first_and_go_where_least_is() {
    // With the run of a second that each has: 7, 5, 4, 4, 3.
    let bench = bench(&[(1, 2), (2, 3), (1, 3), (1, 4), (3, 1)]);
    let sums = |shards| bench.only().shard_loads(shards).iter().map(|load| load.1).collect::<Vec<_>>();
    assert_eq!(sums(1), [23.0]);
    assert_eq!(sums(2), [11.0, 12.0]);
    assert_eq!(sums(6), [7.0, 5.0, 4.0, 4.0, 3.0, 0.0]);
}

#[test]
fn a_run_without_a_limit_counts_as_an_hour() {
    let bench = bench(&[(1, 2)]);
    let config = bench.read("config.toml");
    bench.write("config.toml", &config.replace("[limits]\ntime = \"1s\"\n", ""));
    assert_eq!(bench.only().shard_loads(1), [(2, 3602.0)]);
}

#[test]
fn shards_are_written_as_a_number_of_a_number() {
    assert_eq!("3/8".parse::<Shard>().expect("a shard").to_string(), "3/8");
    for wrong in ["0/3", "4/3", "1/0", "3", "/", "a/b", "-1/2", "1/2/3", ""] {
        assert!(wrong.parse::<Shard>().is_err_and(|error| error.contains("I/N")), "{wrong}");
    }
}
