//! Formulations of several kinds: their keys, and which solvers they are for.

use puzzle::{Placement, Solution};
use record::{RunRow, Status};

use crate::expand::{bench, labels, planned, refused};
use crate::support::{Bench, CONFIG, STARTED, answer, say};

const SAT: &str = "[[formulation]]\nname = \"sat\"\nkind = \"sat\"\n";
const SEARCH: &str = "[[formulation]]\nname = \"search\"\nkind = \"search\"\n";
const MINIZINC: &str = "[[formulation]]\nname = \"model\"\nkind = \"minizinc\"\n";
const MIP: &str = "[[formulation]]\nname = \"mip\"\nfamilies = \"C1 C2' C4c\"\n";
const BOTH: &str = "[[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n";

/// Name, kind, and what the column `families` shows, of each formulation that has runs.
fn chosen(body: &str) -> Vec<(String, &'static str, String, String)> {
    let plan = planned(body);
    let mut rows: Vec<_> = plan
        .asked()
        .iter()
        .map(|run| {
            let planned = &run.formulation;
            (planned.name().to_owned(), planned.kind().name(), planned.columns().families, planned.columns().subloops)
        })
        .collect();
    rows.sort();
    rows.dedup();
    rows
}

fn row(row: [&'static str; 4]) -> (String, &'static str, String, String) {
    (row[0].to_owned(), row[1], row[2].to_owned(), row[3].to_owned())
}

#[test]
fn formulations_of_other_kinds_need_no_families() {
    let rows = chosen(&format!("{SAT}cardinality = \"adder\"\nshort-loops = 0\n{SEARCH}strategy = \"walk\"\n{MIP}"));
    let expected = [
        ["mip", "mip", "C1 C2' C4c", "report"],
        ["sat", "sat", "cardinality=adder short-loops=0", "resolve:loop"],
        ["search", "search", "strategy=walk", "propagate"],
    ];
    assert_eq!(rows, expected.map(row));
}

#[test]
fn defaults_go_to_the_kinds_that_have_the_key() {
    let defaults = "[defaults.formulation]\nobjective = \"none\"\nsubloops = \"resolve\"\ncuts = \"region\"\n\
                    cardinality = \"adder\"\nshort-loops = 4\nstrategy = \"walk\"\n";
    let cutting = MIP.replace("C4c", "C4c C5x");
    let silent = "[[formulation]]\nname = \"silent\"\nkind = \"sat\"\nsubloops = \"report\"\nshort-loops = 6\n";
    let rows = chosen(&format!("{defaults}{SAT}{SEARCH}{cutting}{silent}"));
    let expected = [
        ["mip", "mip", "C1 C2' C4c C5x", "resolve:region"],
        ["sat", "sat", "cardinality=adder short-loops=4", "resolve:region"],
        ["search", "search", "strategy=walk", "propagate"],
        ["silent", "sat", "cardinality=adder short-loops=6", "report"],
    ];
    assert_eq!(rows, expected.map(row));
}

#[test]
fn the_kind_is_part_of_the_identity() {
    let ids = |body: &str| planned(body).asked().iter().map(|run| run.run_id).collect::<Vec<_>>();
    let named = |kind: &str| format!("[[formulation]]\nname = \"same\"\nkind = \"{kind}\"\n");
    assert_eq!(ids(&named("sat")), ids(SAT), "names are no part of it");
    let (sat, search) = (ids(SAT), ids(SEARCH));
    assert!(sat.iter().all(|id| !search.contains(id)));
}

#[test]
fn keys_of_other_kinds_are_refused_where_they_stand() {
    for (body, parts) in [
        (format!("{SAT}families = \"C1\"\n"), &["line 7", "\"sat\" is of kind sat", "families is for kind mip"][..]),
        (format!("{SAT}drop-one = \"C1\"\n"), &["line 7", "drop-one is for kind mip"]),
        (format!("{SAT}root-bound = true\n"), &["line 7", "root-bound is for kind mip"]),
        (format!("{SAT}start = \"hint\"\n"), &["line 7", "start is for kind mip"]),
        (format!("{SAT}objective = \"random\"\n"), &["line 4", "random", "kind mip"]),
        (format!("{MIP}start = \"fix\"\n"), &["line 4", "of 3 too few are left for a loop"]),
        (format!("{MIP}start-share = 50\n"), &["line 4", "start-share without start"]),
        (format!("{MIP}start = \"fix\"\nstart-share = 101\n"), &["line 8", "start-share is at most 100"]),
        (format!("{SAT}strategy = \"walk\"\n"), &["line 7", "strategy is for kind search"]),
        (format!("{MIP}cardinality = \"adder\"\n"), &["line 7", "cardinality is for kind sat"]),
        (format!("{MIP}short-loops = 5\n"), &["line 7", "short-loops is for kind sat and cp"]),
        (format!("{SEARCH}subloops = \"resolve\"\n"), &["line 7", "subloops is for kind mip and sat and cp"]),
        (format!("{MIP}subloops = \"propagate\"\n"), &["line 4", "propagate", "sat and cp"]),
        (format!("{MIP}cuts = \"loop\"\n"), &["line 4", "loop", "sat and cp"]),
        (format!("{SAT}objective = \"weighted\"\n"), &["line 4", "weighted", "kind mip"]),
        (format!("{SAT}subloops = \"report\"\ncuts = \"loop\"\n"), &["line 4", "cuts without subloops = \"resolve\""]),
        (
            SEARCH.replace("kind = \"search\"", "kind = \"serach\""),
            &["line 6", "unknown formulation.kind \"serach\"", "did you mean \"search\""],
        ),
        (format!("{SAT}short-loops = 99\n"), &["line 7", "short-loops is at most 12"]),
        (
            format!("{MINIZINC}restart-after = 10\n"),
            &["line 4", "\"model\"", "strategies with restarts: first-fail-restarts, random-restarts, random-luby"],
        ),
        (
            format!("[defaults.formulation]\nrestart-after = 10\n{MINIZINC}strategy = \"random\"\n"),
            &["line 6", "strategies with restarts", "restart-after comes from [defaults.formulation]"],
        ),
        (format!("{SAT}cardinalty = \"adder\"\n"), &["line 7", "did you mean `cardinality`"]),
        (
            format!("[defaults.formulation]\naround-empty = 4\n{SAT}"),
            &["around-empty comes from [defaults.formulation]"],
        ),
    ] {
        refused(&body, parts);
    }
}

#[test]
fn a_solver_of_another_kind_is_refused_with_what_to_write() {
    refused(
        &format!("{MIP}{SAT}{BOTH}"),
        &[
            "line 7",
            "formulation \"sat\" (kind sat)",
            "solver \"gone\"",
            "gone is not for kind sat",
            "solvers = [\"fake\"]",
        ],
    );
    let cp = SAT.replace("\"sat\"", "\"cp\"");
    refused(&cp, &["line 4", "(kind cp)", "none of the solvers of this config is for it"]);
    // What is excluded need not fit.
    let exclude = "[[exclude]]\nformulation = \"sat\"\nsolver = \"gone\"\n";
    assert_eq!(planned(&format!("{MIP}{SAT}{BOTH}{exclude}")).asked().len(), 6);
}

#[test]
fn formulations_name_their_solvers() {
    let solvers = |keys: &str, rest: &str| labels(&planned(&format!("{MIP}{SAT}{keys}{BOTH}{rest}")));
    let expected =
        ["tri mip fake", "tri mip gone", "tri sat fake", "triblue mip fake", "triblue mip gone", "triblue sat fake"];
    let expected = expected.map(|label| format!("{label} seed 1"));
    assert_eq!(solvers("solvers = [\"fake\"]\n", "").into_iter().collect::<Vec<_>>(), expected);
    // An include goes by them too, unless it names solvers itself.
    let include = "[[include]]\nformulations = [\"sat\"]\nseeds = [2]\n";
    let more = solvers("solvers = [\"f*\"]\n", include);
    assert!(more.contains("tri sat fake seed 2") && !more.contains("tri sat gone seed 2"), "{more:?}");
    refused(
        &format!("{MIP}{SAT}solvers = [\"fake\"]\n{BOTH}{include}solvers = [\"gone\"]\n"),
        &["line 15", "(kind sat)", "solver \"gone\""],
    );
    refused(&format!("{SAT}solvers = [\"fakke\"]\n{BOTH}"), &["line 7", "no solver is named \"fakke\"", "\"fake\""]);
    refused(&format!("{SAT}solvers = []\n{BOTH}"), &["line 7", "empty list"]);
}

#[test]
fn only_solvers_that_are_used_are_asked_for_their_version() {
    let body = format!("[profile.here]\nsolvers = [\"fake\"]\n{MIP}{BOTH}");
    let mut bench = bench(&body);
    let versions = |bench: &Bench, probe: runner::Probe| {
        let solvers = bench.plan_where(probe).expect("a sound plan").remove(0).solvers;
        solvers.into_iter().map(|facts| facts.version).collect::<Vec<_>>()
    };
    assert_eq!(versions(&bench, |_, _| Ok("7".to_owned())), ["1.0", "7"]);
    bench.options.profile = Some("here".to_owned());
    assert_eq!(versions(&bench, |_, _| panic!("nobody has a use for it")), ["1.0", ""]);
}

#[test]
fn solvers_that_are_missing_fail_no_session_and_say_why() {
    let body = format!(
        "{MIP}[[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n[[solver]]\nname = \"gone\"\nlabel = \"old\"\n\
         options = {{ expired = true }}\n"
    );
    let mut bench = bench(&body);
    bench.filter(&["instance=tri", "solver=[go]*"]);
    let summary = bench.run("exit 1").expect("a session");
    let mut rows: Vec<_> = bench
        .rows()
        .into_iter()
        .map(|row| (row.solver, row.status, row.termination_reason, row.message.unwrap_or_default()))
        .collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let why = || "not installed".to_owned();
    assert_eq!(
        rows,
        [
            ("gone".to_owned(), Status::Unsupported, "unavailable".to_owned(), why()),
            ("old".to_owned(), Status::Unsupported, "licence".to_owned(), why()),
        ]
    );
    assert!(summary.is_sound(), "{summary}");
    let text = summary.to_string();
    assert!(text.contains("gone: not installed") && text.contains("old: not installed"), "{text}");
}

#[test]
fn proofs_are_kept_where_the_config_asks_for_them() {
    let proving = "[[solver]]\nname = \"fake\"\nproof = true\n";
    refused(&format!("{MIP}{proving}"), &["line 4", "\"mip\" (kind mip)", "no proofs of kind mip"]);
    let run = |solver: &str| {
        let mut bench = bench(&format!("{SAT}{solver}"));
        bench.filter(&["instance=tri"]);
        // A worker that writes its proof where the job says.
        let script = "job=$(cat); proof=$(echo \"$job\" | sed -n 's/.*\"proof\":\"\\([^\"]*\\)\".*/\\1/p'); \
                      if [ -n \"$proof\" ]; then echo 0 > \"$proof\"; fi; ";
        bench.run(&format!("{script}{}", say(&[STARTED, &answer("infeasible", None)]))).expect("a session");
        let row = bench.rows().remove(0);
        let proof = bench.results().proof(&row.run_id);
        (row.run_id, proof.is_file(), bench.results().proofs().exists(), row.options)
    };
    let (plain, proven) = (run("[[solver]]\nname = \"fake\"\n"), run(proving));
    assert_eq!((plain.1, plain.2, plain.3.as_str()), (false, false, ""));
    assert_eq!((proven.1, proven.2, proven.3.as_str()), (true, true, "proof=true"));
    assert_ne!(plain.0, proven.0, "a proof takes time, so that it is another run");
}

#[test]
fn a_run_without_the_answer_infeasible_leaves_no_proof() {
    let mut bench = bench(&format!("{SAT}[[solver]]\nname = \"fake\"\nproof = true\n"));
    bench.filter(&["instance=tri"]);
    // It writes all that there is to write, also of an earlier attempt.
    let script = "job=$(cat); proof=$(echo \"$job\" | sed -n 's/.*\"proof\":\"\\([^\"]*\\)\".*/\\1/p'); \
                  echo 0 > \"$proof\"; echo 0 > \"$proof.part\"; echo 0 > \"${proof%.drat}.cnf\"; ";
    bench.run(&format!("{script}{}", say(&[STARTED, &answer("timeout", None)]))).expect("a session");
    let left = std::fs::read_dir(bench.results().proofs()).expect("a folder").count();
    assert_eq!((bench.rows().len(), left), (1, 0));
}

#[test]
fn what_a_killed_runner_left_of_a_proof_is_taken_away() {
    let mut bench = bench(&format!("{SAT}[[solver]]\nname = \"fake\"\nproof = true\n"));
    bench.filter(&["instance=tri"]);
    let proofs = bench.results().proofs();
    std::fs::create_dir_all(&proofs).expect("a folder");
    for name in ["old.drat.part", "kept.drat", "kept.cnf"] {
        std::fs::write(proofs.join(name), "0").expect("written");
    }
    bench.run(&say(&[STARTED, &answer("timeout", None)])).expect("a session");
    let names = std::fs::read_dir(&proofs).expect("a folder").flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["kept.cnf", "kept.drat"]);
}

#[test]
fn options_are_checked_though_the_solver_is_missing() {
    let solver = |options: &str| format!("{MIP}[[solver]]\nname = \"gone\"\noptions = {{ {options} }}\n");
    refused(&solver("refused = 1"), &["line 8", "refused = 1 is no option of this solver"]);
    refused(&solver("nonsense = 1"), &["line 8", "options that make no sense"]);
    assert_eq!(planned(&solver("other = 1")).asked().len(), 2);
}

#[test]
fn runs_are_chosen_and_excluded_by_kind() {
    let body = format!("{MIP}{SAT}{SEARCH}");
    let mut chosen = bench(&body);
    chosen.filter(&["kind=s*"]);
    let kinds = |bench: &Bench| {
        let runs: Vec<_> = bench.only().runs().map(|run| run.formulation.kind().name()).collect();
        runs.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(kinds(&chosen), ["sat", "search"]);
    let excluding = format!("{body}[[exclude]]\nkind = \"search\"\ninstance = \"*\"\n");
    assert_eq!(kinds(&bench(&excluding)), ["mip", "sat"]);
    refused(&format!("{body}[[exclude]]\nkind = \"serach\"\n"), &["line 14", "kind", "serach", "search"]);
}

#[test]
fn a_profile_that_leaves_a_formulation_without_solver_says_so() {
    let body = format!("[profile.here]\nsolvers = [\"gone\"]\n{MIP}{SAT}solvers = [\"fake\"]\n{BOTH}");
    let text = |profile: Option<&str>| {
        let mut bench = bench(&body);
        bench.options.profile = profile.map(ToOwned::to_owned);
        bench.preview()
    };
    assert!(text(Some("here")).contains("profile \"here\" leaves formulation \"sat\" without a solver"));
    assert!(!text(None).contains("without a solver"));
}

#[test]
fn the_root_bound_is_a_column_and_another_run() {
    const RELAXED: &str = r#"{"event":"relaxed","root_bound":-3.25,"infeasible":false}"#;
    const INFEASIBLE: &str = r#"{"event":"relaxed","root_bound":null,"infeasible":true}"#;
    const LATE: &str = r#"{"event":"relaxed","infeasible":false,"message":"too slow"}"#;
    let run = |body: &str, event: &str| {
        let mut bench = bench(&format!("{body}[[solver]]\nname = \"fake\"\n"));
        bench.filter(&["instance=tri"]);
        let asked = "job=$(cat); case $job in *'\"root-bound\":\"true\"'*) :;; *) exit 9;; esac; ";
        bench.run(&format!("{asked}{}", say(&[STARTED, event, &answer("infeasible", None)]))).expect("a session");
        bench.rows().remove(0)
    };
    let body = format!("{MIP}root-bound = true\n");
    let (found, without, late) = (run(&body, RELAXED), run(&body, INFEASIBLE), run(&body, LATE));
    let remarked = |row: &RunRow| row.message.as_deref().is_some_and(|message| message.contains("root bound"));
    assert_eq!((found.root_bound, remarked(&found)), (Some(-3.25), false));
    assert_eq!((without.root_bound, remarked(&without)), (Some(f64::INFINITY), false));
    assert_eq!(late.root_bound, None);
    assert!(late.message.as_deref().is_some_and(|m| m.ends_with("; no root bound: too slow")), "{:?}", late.message);

    let plain = run(MIP, RELAXED);
    assert_eq!(plain.exit_code, Some(9), "not asked for");
    assert_ne!(plain.run_id, found.run_id, "the relaxation takes time, so that it is another run");
    let defaults = "[defaults.formulation]\nroot-bound = true\n";
    assert_eq!(run(&format!("{defaults}{MIP}"), RELAXED).run_id, found.run_id);
    assert_eq!(run(&format!("{defaults}{MIP}root-bound = false\n"), RELAXED).run_id, plain.run_id);
    // A default is for kinds that have the key.
    assert_eq!(run(&format!("{defaults}{SAT}"), RELAXED).run_id, run(SAT, RELAXED).run_id);
}

#[test]
fn two_counts_of_one_instance_contradict_each_other() {
    let game = "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 0, B = 0, C = 0, D = 0 }\n\
                tiles = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]\nknown = \"solvable\"\n";
    let placements = (1..=4).map(|face| Placement { place: face, tile: face, orientation: 0 }).collect();
    let solved = answer("optimal", Some(&Solution::on_faces("tri", placements)));
    let counted = |count: u64| {
        let fields = format!(
            "\"last\":{{\"iteration\":0,\"time_s\":0.0,\"status\":\"optimal\",\"native_status\":\"{count} solutions, all counted\",\
             \"cuts_added\":0,\"objective_value\":{count}}},\"solution\""
        );
        say(&[STARTED, &solved.replacen("\"solution\"", &fields, 1)])
    };
    let script = format!(
        "job=$(cat); case $job in *'\"seed\":2,'*) {}exit;; esac\n{}",
        counted(9_007_199_254_740_993),
        counted(9_007_199_254_740_992)
    );
    for (strategy, contradictions) in [("count", 1), ("propagate", 0)] {
        let search = format!("{SEARCH}strategy = \"{strategy}\"\n");
        let config = CONFIG.replacen("[[formulation]]\nname = \"C1-C4\"\nfamilies = \"C1 C2 C3 C4\"\n", &search, 1);
        let bench = Bench::with(&config.replacen("title", "seeds = [1, 2, 3]\ntitle", 1));
        bench.write("tri.toml", game);
        let summary = bench.run(&script).expect("a session");
        assert!(summary.wrong.is_empty() && summary.failed.is_empty(), "{summary}");
        assert_eq!(
            (summary.contradictions.len(), summary.is_sound()),
            (contradictions, contradictions == 0),
            "{summary}"
        );
        if let [found] = summary.contradictions.as_slice() {
            assert!(found.how.starts_with("9007199254740992 solutions by "), "{summary}");
            assert!(found.how.contains(" and 1 more, and 9007199254740993 solutions by "), "{summary}");
            assert!(!summary.to_string().contains("infeasible"), "{summary}");
        }
    }
}
