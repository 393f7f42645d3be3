//! Every solver under a memory limit that its model does not fit into.

use serde_json::Value;
use solve::BACKENDS;

use crate::bench::{Bench, words};

/// Far less than a model of 400 tiles needs, and more than the command itself.
const LIMIT: u64 = 40_000_000;

#[test]
fn every_solver_keeps_the_memory_limit() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 400 --seed 1 -o large.toml")).ok();
    let there = BACKENDS.iter().filter(|b| b.version(&Default::default()).is_ok());
    let names = there.map(|b| b.info().name);
    let names: Vec<&str> = names.collect();
    assert!(["highs", "cbc", "microlp", "cadical", "batsat", "pumpkin", "search"].iter().all(|n| names.contains(n)));
    for name in names {
        let line = format!("solve large.toml --solver {name} --memory-limit {LIMIT}B --time-limit 2s --json");
        let out: Value = serde_json::from_str(&bench.run(&words(&line)).out).expect("one object");
        // Not known of one that ended before anybody looked.
        let peak = out["peak_memory_b"].as_u64();
        match out["status"].as_str() {
            Some("memout") => assert_eq!(out["termination_reason"], "memory-limit", "{name}: {out}"),
            // A search needs next to nothing.
            Some("timeout" | "optimal") => assert!(peak.is_some_and(|peak| peak < LIMIT), "{name}: {out}"),
            // Python does not even load its packages.
            Some("error") if ["cp-sat", "pyscipopt"].contains(&name) => {
                let message = out["message"].as_str().expect("a message");
                assert!(message.ends_with("Python ended; the log has its reasons"), "{name}: {out}");
            }
            _ => panic!("{name}: {out}"),
        }
    }
}
