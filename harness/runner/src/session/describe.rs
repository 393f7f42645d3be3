//! What stands beside the rows: config, instances, published figures, manifest.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::sync::Arc;

use puzzle::{Instance, Known};
use record::{Manifest, ResultsDir, SCHEMA_VERSION, Status, write_whole};

use super::rows::Surroundings;
use super::store::{Earlier, now};
use crate::RunnerError;
use crate::plan::{ExperimentPlan, PlannedInstance};
use crate::text::count;

/// Writes what stands beside the rows. When no run is to be done, the manifest keeps what it says of the session
/// and the machine that the rows come from.
///
/// # Errors
/// Before anything is written: an instance that differs from the one whose results are here, or whose known
/// answer does. Later: a file that cannot be written.
pub(super) fn describe(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    earlier: &HashMap<String, Earlier>,
    around: &Surroundings,
    idle: bool,
) -> Result<(), RunnerError> {
    let instances: BTreeMap<&str, &Arc<PlannedInstance>> =
        plan.runs.iter().map(|run| (run.instance.instance.name.as_str(), &run.instance)).collect();
    for planned in instances.values() {
        refuse_other_instance(dir, planned)?;
        refuse_other_answer(dir, planned, earlier)?;
    }
    write_whole(&dir.config(), plan.config_text.as_bytes())?;
    if let Some(published) = &plan.published {
        let text = fs::read(published).map_err(|source| RunnerError::Io { path: published.clone(), source })?;
        write_whole(&dir.published(), &text)?;
    }
    for (name, planned) in instances {
        let path = dir.instance(name);
        if fs::read_to_string(&path).is_ok_and(|text| text == planned.text) {
            continue;
        }
        write_whole(&path, planned.text.as_bytes())?;
    }
    write_manifest(dir, plan, around, idle)
}

fn write_manifest(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    around: &Surroundings,
    idle: bool,
) -> Result<(), RunnerError> {
    let mut manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: plan.experiment.clone(),
        title: plan.title.clone(),
        description: plan.description.clone(),
        profile: plan.profile.clone(),
        jobs: u32::try_from(plan.jobs).unwrap_or(u32::MAX),
        order_seed: plan.order_seed,
        planned: plan.run_ids.len() as u64,
        run_ids: plan.run_ids.clone(),
        formulations: plan.formulations.clone(),
        solvers: plan.solvers.clone(),
        report: plan.report.clone(),
        started_at: now(),
        git_commit: around.git_commit.clone(),
        host: around.host.clone(),
    };
    // A manifest that cannot be read has nothing to keep.
    if let Some(old) = dir.read_manifest().ok().filter(|_| idle) {
        let Manifest { jobs, order_seed, started_at, git_commit, host, .. } = old.clone();
        manifest = Manifest { jobs, order_seed, started_at, git_commit, host, ..manifest };
        if manifest == old {
            return Ok(());
        }
    }
    let path = dir.manifest();
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|e| RunnerError::Io { path: path.clone(), source: io::Error::other(e) })?;
    Ok(write_whole(&path, &text)?)
}

/// Results of one instance must not stand beside the file of another.
fn refuse_other_instance(dir: &ResultsDir, planned: &PlannedInstance) -> Result<(), RunnerError> {
    let path = dir.instance(&planned.instance.name);
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    match Instance::parse(&text, &path) {
        Ok(old) if old.canonical() == planned.instance.canonical() => Ok(()),
        _ => Err(RunnerError::Results {
            dir: dir.root().to_owned(),
            reason: format!(
                "holds results of another instance named {}; rename the instance or choose another --out",
                planned.instance.name
            ),
        }),
    }
}

/// Rows that are kept were judged by what was known of their instance then, under whatever name it had.
fn refuse_other_answer(
    dir: &ResultsDir,
    planned: &PlannedInstance,
    earlier: &HashMap<String, Earlier>,
) -> Result<(), RunnerError> {
    let mut judged: BTreeMap<&str, u64> = BTreeMap::new();
    for row in earlier.values().filter_map(|earlier| earlier.latest.as_ref()) {
        // Limits and failures are the same whatever is known.
        let rests_on_it = row.status.has_solution() || row.status == Status::Infeasible;
        if rests_on_it && row.instance_hash == planned.hash {
            *judged.entry(&row.instance).or_default() += 1;
        }
    }
    for (name, rows) in judged {
        let path = dir.instance(name);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let then = Instance::parse(&text, &path)?.known;
        if then != planned.instance.known {
            return Err(RunnerError::Results {
                dir: dir.root().to_owned(),
                reason: format!(
                    "holds {} of instance {name} judged while it was known = \"{}\", and {} says known = \"{}\" now; kept \
                     verdicts are not revised: choose another --out to measure anew, or set known back",
                    count(rows, "run"),
                    word(then),
                    planned.path.display(),
                    word(planned.instance.known)
                ),
            });
        }
    }
    Ok(())
}

/// As instance files say it.
fn word(known: Known) -> &'static str {
    match known {
        Known::Solvable => "solvable",
        Known::Unsolvable => "unsolvable",
        Known::Unknown => "unknown",
    }
}
