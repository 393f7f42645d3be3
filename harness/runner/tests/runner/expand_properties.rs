//! Counts and names of expansions, over random configs.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::subsequence;
use runner::ExperimentPlan;

use crate::support::Bench;

/// Families that a list may have or not, beside those that it needs.
const OPTIONAL: [&str; 5] = ["C5x", "C6x", "C7", "C8", "C9"];
const NEEDED: &str = "C1 C2' C4c";

fn plan(body: &str) -> ExperimentPlan {
    let head = "experiment = \"test\"\ntitle = \"A test\"\ninstances = [\"tri.toml\"]\n";
    Bench::with(&format!("{head}{body}")).plan().unwrap_or_else(|e| panic!("{e}\n{body}")).remove(0)
}

fn quoted(words: &[impl AsRef<str>]) -> String {
    words.iter().map(|word| format!("\"{}\"", word.as_ref())).collect::<Vec<_>>().join(", ")
}

/// Names of the formulations, all of them different; families in normal form of those with runs.
fn unique(plan: &ExperimentPlan) -> Vec<String> {
    let names: BTreeSet<&String> = plan.config.formulations.iter().map(|choice| &choice.written.name).collect();
    assert_eq!(names.len(), plan.config.formulations.len(), "{names:?}");
    plan.asked().iter().map(|run| run.formulation.columns().families).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shorthands_make_the_lists_that_they_say(named in subsequence(&OPTIONAL[..], 1..=OPTIONAL.len()), which in 0..2usize) {
        let key = ["drop-one", "add-one"][which];
        let (all, named_text) = (OPTIONAL.join(" "), named.join(" "));
        let body = format!(
            "[[formulation]]\nname = \"base\"\nfamilies = \"{NEEDED} {all}\"\n{key} = \"{named_text}\"\n\
             [[solver]]\nname = \"fake\"\n"
        );
        let plan = plan(&body);
        let lists: BTreeSet<BTreeSet<String>> =
            unique(&plan).iter().map(|list| list.split(' ').map(str::to_owned).collect()).collect();
        let n = named.len();
        let expected = n + 1;
        prop_assert_eq!(plan.config.formulations.len(), expected);
        prop_assert_eq!(lists.len(), expected, "all different");
        for list in &lists {
            let kept = named.iter().filter(|family| list.contains(**family)).count();
            prop_assert!([kept + 1 >= n, kept <= 1][which]);
            let others = OPTIONAL.iter().filter(|family| !named.contains(family));
            prop_assert!(others.chain(&["C1", "C2'", "C4c"]).all(|family| list.contains(*family)), "{:?}", list);
        }
    }

    #[test]
    fn excludes_are_the_set_difference(
        excludes in proptest::collection::vec((subsequence(vec!["A", "B", "C"], 0..=3), subsequence((1..=6u64).collect::<Vec<_>>(), 0..=5)), 0..4),
    ) {
        let excludes: Vec<_> = excludes.into_iter().filter(|(names, seeds)| !names.is_empty() || !seeds.is_empty()).collect();
        let text: String = excludes.iter().map(|(names, seeds)| {
            let names = if names.is_empty() { String::new() } else { format!("formulation = [{}]\n", quoted(names)) };
            let seeds = if seeds.is_empty() { String::new() } else { format!("seed = {seeds:?}\n") };
            format!("[[exclude]]\n{names}{seeds}")
        }).collect();
        let formulations = [("A", "C1 C2' C4c"), ("B", "C1 C2' C4c C7"), ("C", "C1 C2' C4c C8")];
        let mut expected: BTreeSet<(String, u64)> = BTreeSet::new();
        for (name, _) in formulations {
            for seed in 1..=6 {
                let hit = excludes.iter().any(|(names, seeds)| {
                    (names.is_empty() || names.contains(&name)) && (seeds.is_empty() || seeds.contains(&seed))
                });
                if !hit {
                    expected.insert((name.to_owned(), seed));
                }
            }
        }
        prop_assume!(!expected.is_empty());
        let entries: String =
            formulations.map(|(name, families)| format!("[[formulation]]\nname = \"{name}\"\nfamilies = \"{families}\"\n")).concat();
        let plan = plan(&format!("seeds = \"1-6\"\n{text}{entries}[[solver]]\nname = \"fake\"\n"));
        let found: BTreeSet<(String, u64)> =
            plan.asked().iter().map(|run| (run.formulation.name().to_owned(), run.seed)).collect();
        prop_assert_eq!(found, expected);
    }
}
