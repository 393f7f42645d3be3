//! `tilebench soku`.

use std::fs;

use crate::bench::{Bench, words};

#[test]
fn what_verify_all_writes_check_accepts_until_it_is_damaged() {
    let bench = Bench::new();
    let ran = bench.run(&words("soku verify-all --classes 300 --threads 2 -o a.bin")).ok();
    assert!(
        ran.out.starts_with("solved and verified: the first 300 of 3,991,680 classes of boards\n300 by search"),
        "{ran:?}"
    );
    bench.run(&words("soku verify-all --classes 300 --threads 1 -o b.bin")).ok();
    let good = fs::read(bench.path("a.bin")).expect("a file");
    assert_eq!(good, fs::read(bench.path("b.bin")).expect("a file"), "for any number of threads");
    let ran = bench.run(&words("soku check a.bin"));
    assert!(
        ran.code == 1 && ran.err.contains("the first 300 of 3,991,680 classes of boards only; --sample"),
        "{ran:?}"
    );
    let ran = bench.run(&words("soku check a.bin --sample")).ok();
    assert_eq!(ran.out, "valid: a solution for the first 300 of 3,991,680 classes of boards\n");

    let mut changed = good.clone();
    *changed.last_mut().expect("bytes") ^= 1;
    let damages = [
        (&good[..good.len() - 5], "a.bin: 3595 bytes of solutions instead of 3600 for 300 classes: it was cut off"),
        (&changed, "the file was changed"),
        (b"something else", "this is not a file of solutions of IcoSoKu"),
    ];
    for (content, reason) in damages {
        fs::write(bench.path("a.bin"), content).expect("a file");
        let ran = bench.run(&words("soku check a.bin"));
        assert!(ran.code == 1 && ran.err.contains(reason), "{ran:?}");
    }
}

#[test]
fn bad_usage_is_refused_before_any_work() {
    let bench = Bench::new();
    for (call, reason) in [
        ("soku check nowhere.bin", "nowhere.bin: there is no such file"),
        ("soku verify-all -o nowhere/a.bin", "there is no folder nowhere"),
        ("soku verify-all --classes 3991681", "a whole number from 1 to 3991680"),
        ("soku verify-all --threads 0", "invalid value '0'"),
    ] {
        let ran = bench.run(&words(call));
        assert!(ran.code == 2 && ran.err.contains(reason), "{call}: {ran:?}");
    }
}
