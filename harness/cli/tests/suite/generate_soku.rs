//! `tilebench generate soku`, and games that are refused.

use puzzle::{Instance, Known, Solution, verify};

use crate::bench::{Bench, words};

#[test]
fn every_game_says_how_to_make_it_again() {
    for (call, known) in [
        ("random --seed 3", Known::Solvable),
        ("solvable --field bipyramid-5 --seed 3", Known::Solvable),
        ("solvable --field geodesic-2 --greatest 50 --multiple 5 --sorts 6 --seed 9", Known::Solvable),
        ("shifted --field bipyramid-5 --greatest 10", Known::Unknown),
        ("shifted --field octahedron --greatest 100", Known::Unsolvable),
        ("shifted --field octahedron --greatest 10 --multiple 2", Known::Unsolvable),
        ("unsat --placed 4 --seed 2", Known::Unsolvable),
        ("unsat", Known::Unsolvable),
        ("partition --numbers 3,1,2", Known::Solvable),
        ("partition --numbers 3,1,1", Known::Unsolvable),
        ("partition --size 12 --greatest 100 --seed 4", Known::Solvable),
    ] {
        // Each in a folder of its own: no solution is left beside a game that has none.
        let bench = Bench::new();
        let ran = bench.run(&words(&format!("generate soku {call} -o a.toml"))).ok();
        let instance = Instance::load(&bench.path("a.toml")).expect("an instance");
        assert_eq!(instance.known, known, "{call}");
        if known == Known::Solvable {
            assert_eq!(ran.out, "a.toml a.solution.json\n");
            let solution = Solution::load(&bench.path("a.solution.json")).expect("a solution");
            assert_eq!(verify(&instance, &solution).violations, [], "{call}");
            bench.run(&words("verify a.toml a.solution.json")).ok();
        } else {
            assert_eq!(ran.out, "a.toml\n");
        }
        let (_, again) = instance.source.split_once("tilebench ").expect("a command");
        let again = again.split(';').next().expect("a command");
        bench.run(&words(&format!("{again} -o again.toml"))).ok();
        assert_eq!(bench.read("again.toml"), bench.read("a.toml"), "{call}");
        if known == Known::Solvable {
            let unsolvable = bench.run(&words("generate soku unsat -o a.toml"));
            assert!(
                unsolvable.code == 2 && unsolvable.err.contains("a.toml: there is such a file already"),
                "{unsolvable:?}"
            );
            assert_eq!(bench.read("again.toml"), bench.read("a.toml"), "nothing is written");
        }
    }
}

#[test]
fn a_batch_takes_seed_after_seed() {
    let bench = Bench::new();
    let ran = bench.run(&words("generate soku unsat --seed 5 --count 10 -o u.toml")).ok();
    assert_eq!(ran.out.lines().count(), 10);
    assert_eq!((ran.out.lines().next(), ran.out.lines().last()), (Some("u-01.toml"), Some("u-10.toml")));
    bench.run(&words("generate soku unsat --seed 14 -o one.toml")).ok();
    assert_eq!(bench.read("one.toml"), bench.read("u-10.toml"));
    bench
        .run(&words("generate soku partition --numbers 1,1 --count 2 -o p.toml"))
        .refused(&["count: a list of numbers makes one game"]);
    let most = u64::MAX;
    bench
        .run(&words(&format!("generate soku random --seed {most} --count 2 -o r.toml")))
        .refused(&["count: there are not 2 seeds from this one on"]);
}

#[test]
fn bad_recipes_are_refused_and_nothing_is_written() {
    let bench = Bench::new();
    for (line, message) in [
        ("solvable --field cube", "field: no field has the name \"cube\"; there is tetrahedron, octahedron"),
        ("solvable --field geodesic-99", "at most 20000 faces"),
        ("solvable", "--field"),
        ("solvable --field octahedron --greatest -1", "invalid value '-1' for '--greatest"),
        ("solvable --field octahedron --multiple 4", "multiple: 4; a whole number from 1 to the greatest weight, 3"),
        ("solvable --field octahedron --sorts 0", "a whole number from 1 to 20000"),
        ("shifted --field octahedron --greatest 0", "all weights are 0"),
        ("unsat --placed 21", "a whole number from 0 to 20"),
        ("partition", "--numbers"),
        ("partition --numbers 1,x", "invalid value 'x'"),
        ("partition --numbers 1,0", "invalid value '0' for '--numbers <LIST>': a whole number from 1 to 1000000000"),
        ("partition --size 10001 --greatest 3", "a whole number from 1 to 10000"),
        ("partition --size 5", "--greatest"),
        ("partition --numbers 1,2 --size 5 --greatest 3", "--size"),
        ("partition --numbers 1,2 --greatest 3", "cannot be used with"),
        ("random --count 0", "--count"),
    ] {
        bench.run(&words(&format!("generate soku {line} -o x.toml"))).refused(&[message]);
    }
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}
