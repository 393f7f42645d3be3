//! Results as programs of others read them: XML of BenchExec (<https://github.com/sosy-lab/benchexec>), of which its table-generator
//! makes tables and plots, and the Bencher Metric Format (<https://bencher.dev/docs/reference/bencher-metric-format>).

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use record::{Category, Status};
use serde_json::{Map, Value, json};

use crate::analysis::{Analysis, is_restricted};
use crate::page::claim_slug;
use crate::results::Run;
use crate::text::xml;

/// A format of results, each in a file or several: their names and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// A file `EXPERIMENT.FORMULATION.SOLVER.sSEED.rREPEAT.results.xml` for each, with a run for each instance. `true`: a solution,
    /// `false`: a proof that there is none; what nobody could judge is `missing`.
    Benchexec,
    /// `metrics.json`, with a benchmark `EXPERIMENT/FORMULATION/SOLVER/INSTANCE` for each: `latency`, the median time of building and
    /// solving in nanoseconds with the least and the most, where every run solved the instance; and `solved`, 1 or 0.
    Bmf,
}

impl Exchange {
    /// The files of experiments, in order.
    #[must_use]
    pub fn files(self, analyses: &[Analysis]) -> Vec<(String, String)> {
        let mut taken = BTreeSet::new();
        match self {
            Self::Benchexec => analyses.iter().flat_map(|analysis| run_sets(analysis, &mut taken)).collect(),
            Self::Bmf => {
                let metrics = analyses.iter().flat_map(|analysis| metrics(analysis, &mut taken));
                vec![("metrics.json".to_owned(), format!("{:#}\n", Value::Object(metrics.collect())))]
            }
        }
    }
}

fn metrics(analysis: &Analysis, taken: &mut BTreeSet<String>) -> Map<String, Value> {
    let experiment = claim_slug(taken, analysis.experiment.name(), "");
    let nanoseconds = |seconds: f64| (seconds * 1e9).round();
    let metric = analysis.outcomes.iter().filter(|outcome| outcome.is_measured()).map(|outcome| {
        let [instance, formulation, solver] = outcome.key.names();
        let mut measures = json!({ "solved": { "value": u8::from(outcome.is_solved()) } });
        if let Some(time) = outcome.total_s.filter(|_| outcome.is_solved()) {
            measures["latency"] = json!({ "value": nanoseconds(time) });
            if let Some(range) = outcome.range {
                measures["latency"]["lower_value"] = nanoseconds(range.least_s).into();
                measures["latency"]["upper_value"] = nanoseconds(range.most_s).into();
            }
        }
        (format!("{experiment}/{formulation}/{solver}/{instance}"), measures)
    });
    metric.collect()
}

fn run_sets(analysis: &Analysis, taken: &mut BTreeSet<String>) -> Vec<(String, String)> {
    let experiment = &analysis.experiment;
    let places: HashMap<_, _> = experiment.catalog.instances.iter().map(|i| i.name.as_str()).zip(0..).collect();
    let names = |run: &Run| (run.setting.formulation.clone(), run.setting.solver.clone(), run.seed, run.repeat);
    // A file has one limit for all of its runs.
    let set = |run: &&Run| (names(run), run.setting.time_limit.clone(), run.setting.memory_limit.clone());
    let mut runs: Vec<&Run> = experiment.runs().iter().collect();
    runs.sort_by_cached_key(|run| (set(run), places.get(run.setting.instance.as_str()).copied().unwrap_or(0)));
    let file = |runs: &[&Run]| {
        let (formulation, solver, seed, repeat) = names(runs[0]);
        let name = format!("{}.{formulation}.{solver}.s{seed}.r{repeat}", experiment.name());
        (format!("{}.results.xml", claim_slug(taken, &name, "")), run_set(experiment.name(), runs))
    };
    runs.chunk_by(|a, b| set(a) == set(b)).map(file).collect()
}

/// The runs of a formulation under a solver, by one seed and repeat.
fn run_set(experiment: &str, runs: &[&Run]) -> String {
    let first = runs[0];
    let setting = &first.setting;
    let began = runs.iter().map(|run| run.started_at.as_str()).min().unwrap_or_default();
    let began = began.split(['.', 'Z']).next().unwrap_or_default();
    let limit =
        |name: &str, limit: Option<String>| limit.map(|limit| format!(" {name}=\"{limit}\"")).unwrap_or_default();
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<result benchmarkname=\"{}\" name=\"{}\" tool=\"{}\" version=\"{}\" options=\"{}\" date=\"{} UTC\" \
         starttime=\"{began}+00:00\"{}{} cpuCores=\"{}\" generator=\"tilebench {}\">\n",
        xml(experiment),
        xml(&setting.formulation),
        xml(&setting.solver),
        xml(&setting.solver_version),
        xml(&setting.options),
        began.replace('T', " "),
        limit("timelimit", first.time_limit_s.map(|limit| format!("{limit}s"))),
        limit("memlimit", first.memory_limit_b.map(|limit| format!("{limit}B"))),
        setting.threads,
        env!("CARGO_PKG_VERSION"),
    );
    text.extend(runs.iter().filter_map(|run| machine(run)).collect::<BTreeSet<_>>());
    text += "  <columns><column title=\"status\"/><column title=\"cputime\"/><column title=\"walltime\"/><column title=\"memory\"/></columns>\n";
    for run in runs {
        let _ = writeln!(text, "  <run name=\"{}\">", xml(&run.setting.instance));
        let (status, category) = verdict(run.status, run.category, is_restricted(run, run.status));
        let mut column = |title: &str, hidden: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "    <column title=\"{title}\" value=\"{}\"{hidden}/>", xml(&value));
            }
        };
        column("status", "", Some(status));
        column("category", " hidden=\"true\"", Some(category.to_owned()));
        let seconds = |time: Option<f64>| time.map(|time| format!("{time}s"));
        column("cputime", "", seconds(run.cpu_time_s));
        column("walltime", "", seconds(run.wall_time_s));
        column("memory", "", run.peak_memory_b.map(|memory| format!("{memory}B")));
        column("buildtime", "", seconds(run.build_time_s));
        column("solvetime", "", seconds(run.solve_time_s));
        column("iterations", "", run.iterations.map(|iterations| iterations.to_string()));
        text += "  </run>\n";
    }
    text + "</result>\n"
}

/// The machine of a run, if a session of the manifest tells of it: table-generator wants all of it or nothing.
fn machine(run: &Run) -> Option<String> {
    let facts = run.setting.machine.as_ref()?;
    let (host, os, cpu) = (xml(&run.setting.host), xml(&facts.os), xml(&run.setting.cpu_model));
    let (cores, memory) = (facts.cores, facts.memory_b);
    Some(format!(
        "  <systeminfo hostname=\"{host}\"><os name=\"{os}\"/><cpu model=\"{cpu}\" cores=\"{cores}\"/><ram size=\"{memory}B\"/></systeminfo>\n"
    ))
}

/// Status and category in BenchExec's words; `restricted`: a claim of infeasibility that proves nothing of the puzzle.
fn verdict(status: Status, category: Category, restricted: bool) -> (String, &'static str) {
    let claim = match status {
        Status::Optimal | Status::Feasible => "true".to_owned(),
        // It called a solution what is none.
        Status::Error if category == Category::Wrong => "true".to_owned(),
        Status::Infeasible => "false".to_owned(),
        Status::Timeout => "TIMEOUT".to_owned(),
        Status::Memout => "OUT OF MEMORY".to_owned(),
        other => other.name().to_uppercase(),
    };
    match category {
        Category::Correct => (claim, "correct"),
        Category::Wrong => (claim, "wrong"),
        // A proof that there is no solution, of an instance of which nothing was known.
        Category::Unknown if status == Status::Infeasible && !restricted => (claim, "missing"),
        // Solutions with subloops, say, where these are only reported.
        Category::Unknown if status.has_solution() || status == Status::Infeasible => ("unknown".to_owned(), "unknown"),
        Category::Unknown | Category::Error => (claim, "error"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_in_the_words_of_benchexec() {
        for (status, category, restricted, expected) in [
            (Status::Optimal, Category::Correct, false, ("true", "correct")),
            (Status::Infeasible, Category::Correct, false, ("false", "correct")),
            (Status::Feasible, Category::Wrong, false, ("true", "wrong")),
            (Status::Error, Category::Wrong, false, ("true", "wrong")),
            (Status::Infeasible, Category::Wrong, false, ("false", "wrong")),
            (Status::Infeasible, Category::Unknown, false, ("false", "missing")),
            (Status::Infeasible, Category::Unknown, true, ("unknown", "unknown")),
            (Status::Optimal, Category::Unknown, false, ("unknown", "unknown")),
            (Status::Timeout, Category::Unknown, false, ("TIMEOUT", "error")),
            (Status::Memout, Category::Unknown, false, ("OUT OF MEMORY", "error")),
            (Status::Crash, Category::Error, false, ("CRASH", "error")),
        ] {
            let (claim, judged) = verdict(status, category, restricted);
            assert_eq!((claim.as_str(), judged), expected, "{status:?} {category:?} {restricted}");
        }
    }
}
