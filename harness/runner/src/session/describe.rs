//! What stands beside the rows: config, instances, published figures, manifest.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;

use puzzle::{Instance, Known};
use record::{
    Manifest, RecordError, ResultsDir, RunRow, SCHEMA_VERSION, SessionFacts, Status, data_package, make_folder,
    table_is, write_table, write_whole,
};

use crate::RunnerError;
use crate::plan::{ExperimentPlan, ORDER_SEED, PlannedInstance, PlannedRun};
use crate::text::count;

/// Whether a plan may be described in a directory. Nothing is written.
///
/// # Errors
/// An instance that differs from the one whose results are here, or whose known answer does; a manifest that cannot be read
/// beside rows; published figures that cannot be read.
pub(super) fn check(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    judged: &Judged,
    has_rows: bool,
) -> Result<(), RunnerError> {
    let instances = plan.instances();
    for planned in &instances {
        refuse_other_instance(dir, planned)?;
    }
    refuse_other_answers(dir, &instances, judged)?;
    if has_rows {
        refuse_unreadable_manifest(dir)?;
    }
    plan.config.published.as_deref().map_or(Ok(()), |published| read(published).map(drop))
}

/// Writes what stands beside the rows. When no run is to be done, the manifest keeps what it says of the session
/// and the machine that the rows come from. Returns what makes rows of this session and of earlier ones hard to compare.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn describe(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    session: &SessionFacts,
    to_do: usize,
) -> Result<Vec<String>, RunnerError> {
    if plan.asked().iter().any(|run| run.solver.proof) {
        make_folder(&dir.proofs())?;
    }
    write_if_other(&dir.config(), plan.config.text.as_bytes())?;
    write_if_other(&dir.package(), data_package(&plan.config.experiment, &plan.config.title).as_bytes())?;
    if let Some(published) = &plan.config.published {
        write_if_other(&dir.published(), &read(published)?)?;
    }
    for planned in plan.instances() {
        write_if_other(&dir.instance(&planned.instance.name), planned.text.as_bytes())?;
    }
    write_manifest(dir, plan, session, to_do)
}

fn read(path: &Path) -> Result<Vec<u8>, RunnerError> {
    fs::read(path).map_err(|source| RunnerError::Io { path: path.to_owned(), source })
}

/// Writes a file that is not there yet or differs: waiting for the disk is dear.
fn write_if_other(path: &Path, content: &[u8]) -> Result<(), RunnerError> {
    if fs::read(path).is_ok_and(|found| found == content) {
        return Ok(());
    }
    Ok(write_whole(path, content)?)
}

fn write_manifest(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    session: &SessionFacts,
    to_do: usize,
) -> Result<Vec<String>, RunnerError> {
    // One that cannot be read stands beside no rows.
    let old = dir.read_manifest().ok();
    let mut sessions = old.as_ref().map(|old| old.sessions.clone()).unwrap_or_default();
    let mut warnings = Vec::new();
    let hash = plan.hash();
    if to_do > 0 {
        warnings = sessions.last().map_or_else(Vec::new, |last| differences(last, session));
        let shard = plan.shard.map(|shard| shard.to_string()).unwrap_or_default();
        let (runs, plan) = (to_do as u64, hash.clone());
        sessions.push(SessionFacts { runs, plan, shard, order_seed: ORDER_SEED, ..session.clone() });
    }
    let config = &plan.config;
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: config.experiment.clone(),
        title: config.title.clone(),
        description: config.description.clone(),
        profile: config.profile.clone(),
        planned: plan.asked().len() as u64,
        plan: hash,
        formulations: config.formulations.iter().map(|choice| choice.written.name.clone()).collect(),
        solvers: plan.solvers.clone(),
        report: config.report.clone(),
        sessions,
    };
    // First the plan: a manifest must never speak of runs that are not listed.
    let rows = || plan.asked().iter().map(PlannedRun::row);
    if !table_is(&dir.plan(), rows()) {
        write_table(&dir.plan(), rows())?;
    }
    if old.is_some_and(|old| old == manifest) {
        return Ok(warnings);
    }
    let path = dir.manifest();
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|e| RunnerError::Io { path: path.clone(), source: io::Error::other(e) })?;
    write_whole(&path, &text)?;
    Ok(warnings)
}

/// What differs between two sessions and bears on times.
fn differences(last: &SessionFacts, now: &SessionFacts) -> Vec<String> {
    let mut found = Vec::new();
    let machine = |session: &SessionFacts| (session.host.host.clone(), session.host.cpu_model.clone());
    let ((host, cpu), (our_host, our_cpu)) = (machine(last), machine(now));
    if (&host, &cpu) != (&our_host, &our_cpu) {
        found.push(format!(
            "earlier rows come from another machine ({host}, {cpu}) than those of this session ({our_host}, {our_cpu}); \
             their times do not compare"
        ));
    }
    if last.jobs != now.jobs {
        let [before, after] = [last.jobs, now.jobs].map(|jobs| count(jobs.into(), "run"));
        found.push(format!("earlier rows were measured with {before} at a time, those of this session with {after}"));
    }
    if (&last.git_commit, &last.program) != (&now.git_commit, &now.program) {
        let [before, after] = [last, now].map(build);
        found.push(format!("earlier rows come from another build ({before}) than those of this session ({after})"));
    }
    found
}

/// The build of a session in words.
fn build(session: &SessionFacts) -> String {
    let program = if session.program.is_empty() { String::new() } else { format!(", program {}", session.program) };
    format!("{}{program}", session.git_commit)
}

/// The sessions that rows come from stand nowhere else.
fn refuse_unreadable_manifest(dir: &ResultsDir) -> Result<(), RunnerError> {
    match dir.read_manifest() {
        Ok(_) => Ok(()),
        Err(RecordError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RunnerError::results(
            dir,
            format!(
                "holds results, and what says of which sessions cannot be read ({error}); restore the file from a copy, \
                 delete it if that is not to be known, or choose another --out"
            ),
        )),
    }
}

/// Results of one instance must not stand beside the file of another.
fn refuse_other_instance(dir: &ResultsDir, planned: &PlannedInstance) -> Result<(), RunnerError> {
    let path = dir.instance(&planned.instance.name);
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    match Instance::parse(&text, &path) {
        Ok(old) if old.canonical() == planned.instance.canonical() => Ok(()),
        _ => {
            let name = &planned.instance.name;
            let reason = "rename the instance or choose another --out";
            Err(RunnerError::results(dir, format!("holds results of another instance named {name}; {reason}")))
        }
    }
}

/// By name and hash of an instance, how many verdicts rest on what was known of it.
#[derive(Debug, Default)]
pub(super) struct Judged(BTreeMap<(String, String), u64>);

impl Judged {
    /// Takes note of a row. Limits and failures are the same whatever is known.
    pub fn note(&mut self, row: &RunRow) {
        if row.status.has_solution() || row.status == Status::Infeasible {
            *self.0.entry((row.instance.clone(), row.instance_hash.clone())).or_default() += 1;
        }
    }
}

/// Rows that are kept were judged by what was known of their instance then, under whatever name it had.
fn refuse_other_answers(dir: &ResultsDir, instances: &[&PlannedInstance], judged: &Judged) -> Result<(), RunnerError> {
    let by_hash: HashMap<&str, &PlannedInstance> = instances.iter().map(|i| (i.hash.as_str(), *i)).collect();
    for ((name, hash), &rows) in &judged.0 {
        let Some(planned) = by_hash.get(hash.as_str()) else { continue };
        let path = dir.instance(name);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let then = Instance::parse(&text, &path)?.known;
        if then != planned.instance.known {
            let (rows, file) = (count(rows, "run"), planned.path.display());
            let [then, now] = [then, planned.instance.known].map(Known::name);
            return Err(RunnerError::results(
                dir,
                format!(
                    "holds {rows} of instance {name} judged while it was known = \"{then}\", and {file} says known = \"{now}\" now; \
                     kept verdicts are not revised: choose another --out to measure anew, or set known back"
                ),
            ));
        }
    }
    Ok(())
}
