//! What a reader must know before comparing the figures of an experiment, whichever of its rows are compared.

use std::collections::BTreeSet;

use record::{Category, Manifest};

use super::catalog::same_families;
use super::rows::Rows;
use super::{Catalog, PublishedRow, Run, foreign};
use crate::text::{count, plural, some};

/// The name of the table of published results.
pub const PUBLISHED_TABLE: &str = "published";

/// The name of the table of bounded boards. It and that of published results are the only ones with a place for published figures
/// that name no formulation.
pub const BOUNDED_TABLE: &str = "bounded";

/// One sentence for each thing that is not as a clean comparison wants it.
pub fn warnings(manifest: &Manifest, rows: &Rows, published: &[PublishedRow], catalog: &Catalog) -> Vec<String> {
    let runs = rows.runs.as_slice();
    let mut found: Vec<_> = wrong_answers(runs).into_iter().collect();
    if !rows.contradictions.is_empty() {
        let them = some(&rows.contradictions);
        found.push(format!("WRONG answers, as runs contradict each other: {them}"));
    }
    if runs.is_empty() {
        found.push("no run has ended yet".to_owned());
    } else if (ended(runs) as u64) < manifest.planned {
        found.push(format!("only {} of {} planned runs have ended", ended(runs), manifest.planned));
    }
    if rows.superseded > 0 {
        let attempts = plural(rows.superseded, "earlier attempt was", "earlier attempts were");
        found.push(format!("{attempts} superseded; the latest attempt of each run counts"));
    }
    if rows.earlier > 0 {
        let earlier = plural(rows.earlier, "row of an earlier plan is", "rows of earlier plans are");
        found.push(format!("{earlier} left out: the latest plan does not hold these runs"));
    }
    found.extend(unconfirmed(runs));
    found.extend(no_baseline(manifest, catalog, runs));
    found.extend(not_whole(rows));
    if !rows.planned && !runs.is_empty() {
        found.push(format!(
            "there is no plan.csv to tell which rows are of the latest plan, which has {}: all {} are shown",
            count(manifest.planned, "run"),
            runs.len()
        ));
    }
    found.extend(of_no_session(manifest, runs));
    found.extend(on_a_busy_machine(manifest, runs));
    found.extend(uncommitted(runs));
    // Of a formulation without rows nothing is known but its name.
    if manifest.formulations.iter().all(|name| catalog.formulations.iter().any(|f| f.name == *name)) {
        found.extend(unmatched(published, catalog, shows_nameless(manifest)));
    }
    found
}

/// What files that are being written, were cut off or do not belong together leave out.
fn not_whole(rows: &Rows) -> Vec<String> {
    let truncated = rows.truncated.iter().map(|(file, line)| {
        format!(
            "{file} ends within a row, which begins at line {line} and is left out: a session is writing it or was killed \
             (`tilebench run CONFIG --resume` mends it)"
        )
    });
    let mut found: Vec<_> = truncated.collect();
    if !rows.unknown.is_empty() {
        found.push(format!(
            "written by a newer tilebench: columns that this one does not know are left out: {}",
            some(&rows.unknown)
        ));
    }
    if rows.orphans > 0 {
        found.push(format!(
            "{} left out of iterations.csv: runs.csv has no row of their attempt, which goes on or was killed",
            plural(rows.orphans, "row is", "rows are")
        ));
    }
    if rows.miscounted > 0 {
        found.push(format!(
            "{} another number of rows in iterations.csv than of solves in runs.csv: what is shown by iteration lacks some",
            plural(rows.miscounted, "run has", "runs have")
        ));
    }
    found
}

fn wrong_answers(runs: &[Run]) -> Option<String> {
    let wrong: BTreeSet<_> = runs.iter().filter(|r| r.category == Category::Wrong).map(|r| r.setting.cell()).collect();
    (!wrong.is_empty()).then(|| format!("WRONG answers (instance / formulation / solver): {}", some(&wrong)))
}

/// Instances of which proofs that there is no solution do not count, as nothing confirms them.
fn unconfirmed(runs: &[Run]) -> Option<String> {
    let claims = runs.iter().filter(|run| run.category == Category::Unknown && run.claims_infeasible());
    let of: BTreeSet<_> = claims.map(|run| run.setting.instance.as_str()).collect();
    let instances = plural(of.len() as u64, "instance was", "instances were");
    (!of.is_empty()).then(|| {
        let them = some(&of);
        format!(
            "{instances} proven to have no solution, which counts only if the file says known = \"unsolvable\" (once it does, \
             `tilebench run CONFIG --resume` judges again): {them}"
        )
    })
}

/// Number of runs that a resumption would not do again.
pub fn ended(runs: &[Run]) -> usize {
    runs.iter().filter(|run| run.status.is_final()).count()
}

/// A baseline that was not measured: ratios are to another then.
fn no_baseline(manifest: &Manifest, catalog: &Catalog, runs: &[Run]) -> Option<String> {
    let wanted = manifest.report.baseline.as_deref().filter(|_| !runs.is_empty())?;
    let baseline = catalog.baseline(manifest);
    let is_there = |run: &Run| baseline.is_some_and(|b| b.is(&run.setting.formulation, &run.setting.solver));
    let missing = !runs.iter().any(is_there);
    missing.then(|| format!("there are no rows of the baseline {wanted}: the first of the config takes its place"))
}

/// The manifest describes the machines of its sessions, and no others.
fn of_no_session(manifest: &Manifest, runs: &[Run]) -> Option<String> {
    let strangers: Vec<_> = runs.iter().filter(|r| r.session.is_none()).collect();
    if strangers.is_empty() || manifest.sessions.is_empty() {
        return None;
    }
    let machine = |r: &&&Run| format!("{}, {}", r.setting.host, r.setting.cpu_model);
    let machines: BTreeSet<_> = strangers.iter().map(|r| machine(&r)).collect();
    let strangers = plural(strangers.len(), "row is", "rows are");
    Some(format!("{strangers} of no session in the manifest ({})", some(&machines)))
}

/// Runs of sessions that began while other work kept the cores busy.
pub fn on_a_busy_machine(manifest: &Manifest, runs: &[Run]) -> Option<String> {
    let session = |run: &Run| manifest.sessions.get(run.session?).map(|session| session.busy.as_str());
    let busy: Vec<_> = runs.iter().filter_map(session).filter(|busy| !busy.is_empty()).collect();
    let words = busy.iter().copied().collect::<BTreeSet<_>>();
    (!busy.is_empty()).then(|| {
        format!("{} of {} runs are of sessions that began on a busy machine: {}", busy.len(), runs.len(), some(&words))
    })
}

/// Figures of builds that nobody can make again.
fn uncommitted(runs: &[Run]) -> Option<String> {
    let dirty = runs.iter().any(|r| r.setting.build.ends_with("-dirty"));
    dirty.then(|| "measured with a build of uncommitted changes".to_owned())
}

/// Whether the page has a table with a place for published figures that name no formulation.
fn shows_nameless(manifest: &Manifest) -> bool {
    let wanted = &manifest.report.tables;
    wanted.is_empty() || wanted.iter().any(|t| [PUBLISHED_TABLE, BOUNDED_TABLE].contains(&t.as_str()))
}

fn unmatched(published: &[PublishedRow], catalog: &Catalog, shows_nameless: bool) -> Vec<String> {
    let known =
        |families: &str, objective: Option<&str>| catalog.formulations.iter().any(|f| f.is(families, objective));
    let lost: BTreeSet<_> = published
        .iter()
        .map(|p| (p.formulation.as_str(), p.objective.as_deref()))
        .filter(|(families, objective)| !known(families, *objective))
        .collect();
    let text = |(families, objective): (&str, Option<&str>)| {
        let figures = format!("published figures of {} are in no table", foreign(families, objective));
        match objective {
            _ if families.is_empty() && shows_nameless => None,
            _ if families.is_empty() => Some("published figures that name no formulation are in no table".to_owned()),
            _ if catalog.formulations.iter().any(|f| !f.is_plain() && same_families(&f.families, families)) => {
                Some(format!(
                    "{figures}: here these families also have a start, fix-and-optimise, loop-first, places-first or lazy cuts"
                ))
            }
            Some(_) if known(families, None) => Some(format!("{figures}: here these families have another objective")),
            _ => Some(format!("{figures}: no formulation here has exactly these families")),
        }
    };
    lost.into_iter().filter_map(text).collect::<BTreeSet<_>>().into_iter().collect()
}
