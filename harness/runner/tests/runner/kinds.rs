//! Formulations of several kinds: their keys, and which solvers they are for.

use record::Status;

use crate::expand::{bench, labels, only, planned, refused};
use crate::support::{STARTED, answer, say};

const SAT: &str = "[[formulation]]\nname = \"sat\"\nkind = \"sat\"\n";
const SEARCH: &str = "[[formulation]]\nname = \"search\"\nkind = \"search\"\n";
const MIP: &str = "[[formulation]]\nname = \"mip\"\nfamilies = \"C1 C2' C4c\"\n";
const BOTH: &str = "[[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n";

/// Name, kind, and what the column `families` shows, of each formulation that has runs.
fn chosen(body: &str) -> Vec<(String, &'static str, String, String)> {
    let plan = planned(body);
    let mut rows: Vec<_> = plan
        .asked()
        .map(|run| {
            let planned = &run.formulation;
            (planned.formulation.name.clone(), planned.kind(), planned.families.clone(), planned.subloops.clone())
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
    let rows = chosen(&format!(
        "{SAT}matrix.cardinality = [\"adder\", \"totalizer\"]\nmatrix.short-loops = [0, 5]\n{SEARCH}strategy = \"walk\"\n{MIP}"
    ));
    let expected = [
        ["mip", "mip", "C1 C2' C4c", "report"],
        ["sat cardinality=adder short-loops=0", "sat", "cardinality=adder short-loops=0", "resolve:loop"],
        ["sat cardinality=adder short-loops=5", "sat", "cardinality=adder short-loops=5", "resolve:loop"],
        ["sat cardinality=totalizer short-loops=0", "sat", "cardinality=totalizer short-loops=0", "resolve:loop"],
        ["sat cardinality=totalizer short-loops=5", "sat", "cardinality=totalizer short-loops=5", "resolve:loop"],
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
    let ids = |body: &str| planned(body).asked_ids().collect::<Vec<_>>();
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
        (format!("{SAT}strategy = \"walk\"\n"), &["line 7", "strategy is for kind search"]),
        (format!("{MIP}cardinality = \"adder\"\n"), &["line 7", "cardinality is for kind sat"]),
        (format!("{MIP}matrix.short-loops = [5]\n"), &["line 7", "short-loops is for kind sat and cp"]),
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
    refused(&cp, &["line 4", "(kind cp)", "no [[solver]] of this config does"]);
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
    let facts = |bench: &crate::support::Bench| {
        only(bench).known_solvers.into_iter().map(|facts| (facts.name, facts.version)).collect::<Vec<_>>()
    };
    let (fake, gone) = (("fake".to_owned(), "1.0".to_owned()), ("gone".to_owned(), String::new()));
    assert_eq!(facts(&bench), [fake.clone(), gone]);
    bench.options.profile = Some("here".to_owned());
    assert_eq!(facts(&bench), [fake]);
}

#[test]
fn solvers_that_are_missing_fail_no_session_and_say_why() {
    let body = format!(
        "{MIP}[[solver]]\nname = \"fake\"\n[[solver]]\nname = \"gone\"\n[[solver]]\nname = \"gone\"\nlabel = \"old\"\n\
         options = {{ expired = true }}\n"
    );
    let mut bench = bench(&body);
    bench.options.filters = vec!["instance=tri".parse().expect("a filter"), "solver=[go]*".parse().expect("a filter")];
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
        bench.options.filters = vec!["instance=tri".parse().expect("a filter")];
        // A worker that writes its proof where the job says.
        let script = "job=$(cat); proof=$(echo \"$job\" | sed -n 's/.*\"proof\":\"\\([^\"]*\\)\".*/\\1/p'); \
                      if [ -n \"$proof\" ]; then echo 0 > \"$proof\"; fi; ";
        bench.run(&format!("{script}{}", say(&[STARTED, &answer("infeasible", None)]))).expect("a session");
        let row = bench.rows().remove(0);
        let proof = bench.results().proof(&row.run_id);
        (row.run_id, proof.is_file(), bench.results().proofs().exists())
    };
    let (plain, proven) = (run("[[solver]]\nname = \"fake\"\n"), run(proving));
    assert_eq!((plain.1, plain.2), (false, false));
    assert_eq!((proven.1, proven.2), (true, true));
    assert_eq!(plain.0, proven.0, "a proof is no part of the identity");
}
