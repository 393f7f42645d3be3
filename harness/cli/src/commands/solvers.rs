//! `tilebench solvers`: what there is, what is missing here, and what each can do; `doctor`: what of this machine matters.

use std::collections::BTreeMap;
use std::process::ExitCode;

use runner::{Condition, conditions, host_facts};
use serde::Serialize;
use solve::{BackendInfo, Reports, SolveError};

use crate::args::Solvers;
use crate::output::{json, say, table};

type IsAble = fn(&Reports) -> bool;

/// What solvers can do and report: the word of `--json`, the head of the column, whether one does.
const ABILITIES: [(&str, &str, IsAble); 11] = [
    ("seed", "seed", |r| r.seed),
    ("threads", "threads", |r| r.threads),
    ("single_loop", "loop", |r| r.single_loop),
    ("lazy_cuts", "lazy", |r| r.lazy_cuts),
    ("proof", "proof", |r| r.proof),
    ("hint", "hint", |r| r.hint),
    ("nodes", "nodes", |r| r.nodes),
    ("simplex_iterations", "simplex", |r| r.simplex_iterations),
    ("bound", "bound", |r| r.bound),
    ("conflicts", "conflicts", |r| r.conflicts),
    ("propagations", "propagations", |r| r.propagations),
];

/// A solver as `--json` shows it.
#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    kinds: Vec<&'static str>,
    interface: &'static str,
    /// `null`: it cannot be used on this machine.
    version: Option<String>,
    /// Why it cannot.
    missing: Option<String>,
    /// Whether it is there, and what it lacks is a licence.
    needs_licence: bool,
    /// Whether only its options can tell what it is.
    by_options: bool,
    /// How to install it, for those that are not built in.
    install: Option<&'static str>,
    can: BTreeMap<&'static str, bool>,
}

pub fn solvers(args: &Solvers) -> anyhow::Result<ExitCode> {
    let listed = all();
    match args.json {
        true => json(&listed)?,
        false => print(&listed)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn all() -> Vec<Listed> {
    let none = BTreeMap::new();
    solve::BACKENDS.iter().map(|b| listed(&b.info(), b.version(&none))).collect()
}

fn listed(info: &BackendInfo, version: Result<String, SolveError>) -> Listed {
    Listed {
        name: info.name,
        kinds: info.kinds.iter().map(|kind| kind.name()).collect(),
        interface: info.interface,
        needs_licence: matches!(version, Err(SolveError::Licence { .. })),
        by_options: matches!(version, Err(SolveError::Unsupported { .. })),
        missing: version.as_ref().err().map(ToString::to_string),
        version: version.ok(),
        install: info.install,
        can: ABILITIES.into_iter().map(|(word, _, able)| (word, able(&info.reports))).collect(),
    }
}

fn print(listed: &[Listed]) -> anyhow::Result<()> {
    let row = |solver: &Listed| {
        let missing = match solver {
            Listed { by_options: true, .. } => "by options",
            Listed { needs_licence: true, .. } => "no licence",
            _ => "missing",
        };
        let version = solver.version.clone().unwrap_or_else(|| missing.to_owned());
        vec![solver.name.to_owned(), version, solver.kinds.join(" "), solver.interface.to_owned()]
    };
    table(&["solver", "version", "kinds", "interface"], &listed.iter().map(row).collect::<Vec<_>>())?;

    say!(
        "\nWhat each takes (seed, threads), can do (loop: subloops = \"propagate\"; lazy: subloops = \"lazy\"; proof: of \
         infeasibility) and reports:\n"
    );
    let heads: Vec<&str> = ["solver"].into_iter().chain(ABILITIES.map(|(_, head, _)| head)).collect();
    let row = |solver: &Listed| {
        let mark = |word: &str| if solver.can.get(word).is_some_and(|able| *able) { "yes" } else { "-" };
        let marks = ABILITIES.iter().map(|(word, _, _)| mark(word).to_owned());
        [solver.name.to_owned()].into_iter().chain(marks).collect()
    };
    table(&heads, &listed.iter().map(row).collect::<Vec<_>>())?;
    print_missing(listed)
}

fn print_missing(listed: &[Listed]) -> anyhow::Result<()> {
    let (general, missing): (Vec<_>, Vec<_>) =
        listed.iter().filter(|solver| solver.missing.is_some()).partition(|solver| solver.by_options);
    for (heading, solvers) in [
        ("Missing on this machine, and how to install it:", missing),
        ("For any other program; options say which:", general),
    ] {
        if !solvers.is_empty() {
            say!("\n{heading}\n");
        }
        for solver in solvers {
            say!("{}: {}", solver.name, solver.install.or(solver.missing.as_deref()).unwrap_or_default());
        }
    }
    Ok(())
}

/// Says what this machine lacks for which solver, and what of it disturbs measurements.
pub fn doctor() -> anyhow::Result<ExitCode> {
    let facts = host_facts();
    say!("{}, {} cores, {} CPUs, {}, {}", facts.cpu_model, facts.cores, facts.cpus, facts.os, facts.kernel);
    let (bad, good): (Vec<Condition>, Vec<Condition>) =
        conditions().into_iter().partition(|condition| condition.advice.is_some());
    for (heading, conditions) in [("Good for measuring:", good), ("Bad for measuring:", bad)] {
        if !conditions.is_empty() {
            say!("\n{heading}\n");
        }
        for Condition { what, found, advice } in conditions {
            say!("{what}: {found}{}", advice.map(|advice| format!("; {advice}")).unwrap_or_default());
        }
    }
    print_missing(&all())?;
    Ok(ExitCode::SUCCESS)
}
