//! Which run of BASE is which run of NEW: everything that determines a run must be equal, but for the versions of solver and
//! tilebench. Names do not count.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use record::{RecordError, Status, natural_order};

use super::Subject;
use crate::ReportError;
use crate::results::{Experiment, Run, Setting};

/// A run with the experiment that it stands in.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    pub experiment: &'a Experiment,
    pub run: &'a Run,
}

#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub base: Member<'a>,
    pub new: Member<'a>,
}

impl<'a> Pair<'a> {
    pub fn runs(&self) -> [&'a Run; 2] {
        [self.base.run, self.new.run]
    }
}

pub struct Matched<'a> {
    pub pairs: Vec<Pair<'a>>,
    pub only_base: Vec<Member<'a>>,
    pub only_new: Vec<Member<'a>>,
    /// Runs of BASE and of NEW that were interrupted: what never came to its end is no measurement.
    pub interrupted: [usize; 2],
}

/// Everything that determines a run but the versions.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Identity<'a> {
    instance_hash: &'a str,
    kind: &'a str,
    /// The words of the column in order: that of the registry may change.
    families: Vec<&'a str>,
    treatment: [&'a str; 3],
    backend: &'a str,
    options: &'a str,
    threads: u32,
    limits: [&'a str; 3],
    seed: u64,
    repeat: u32,
}

impl<'a> Identity<'a> {
    fn of(member: Member<'a>) -> Self {
        let setting: &Setting = &member.run.setting;
        let known = member.experiment.manifest().solvers.iter().find(|s| s.name == setting.solver);
        let mut families: Vec<_> = setting.families.split_whitespace().collect();
        families.sort_unstable();
        Self {
            instance_hash: &setting.instance_hash,
            kind: &setting.kind,
            families,
            treatment: [&setting.objective, &setting.subloops, &setting.hole_treatment],
            backend: known.map_or(&setting.solver, |s| &s.backend),
            options: &setting.options,
            threads: setting.threads,
            limits: [&setting.time_limit, &setting.cpu_limit, &setting.memory_limit],
            seed: member.run.seed,
            repeat: member.run.repeat,
        }
    }
}

type Side<'a> = BTreeMap<Identity<'a>, Vec<Member<'a>>>;

/// Matches the runs of two sides. A run that several experiments of a side have in common is matched with that of the
/// experiment of the same name; what is left, in the order of the experiments.
///
/// # Errors
/// A file that ends within a row; a run that one experiment has twice; no run that both sides have.
pub fn matched<'a>(base: &'a [Experiment], new: &'a [Experiment]) -> Result<Matched<'a>, ReportError> {
    let (mut bases, base_interrupted) = side(base)?;
    let (news, new_interrupted) = side(new)?;
    let mut found = Matched {
        pairs: Vec::new(),
        only_base: Vec::new(),
        only_new: Vec::new(),
        interrupted: [base_interrupted, new_interrupted],
    };
    for (identity, news) in news {
        let mut bases = bases.remove(&identity).unwrap_or_default();
        let mut left = Vec::new();
        for new in news {
            match bases.iter().position(|base| base.experiment.name() == new.experiment.name()) {
                Some(place) => found.pairs.push(Pair { base: bases.remove(place), new }),
                None => left.push(new),
            }
        }
        let mut left = left.into_iter();
        for base in bases {
            match left.next() {
                Some(new) => found.pairs.push(Pair { base, new }),
                None => found.only_base.push(base),
            }
        }
        found.only_new.extend(left);
    }
    found.only_base.extend(bases.into_values().flatten());
    found.pairs.sort_by(|a, b| order(&a.new, &b.new));
    found.only_base.sort_by(order);
    found.only_new.sort_by(order);
    if found.pairs.is_empty() {
        return Err(ReportError::NothingMatches { base: dirs(base), new: dirs(new) });
    }
    Ok(found)
}

/// The runs of a side by their identities, and how many were interrupted.
fn side(experiments: &[Experiment]) -> Result<(Side<'_>, usize), ReportError> {
    let (mut runs, mut interrupted) = (Side::new(), 0);
    for experiment in experiments {
        // A report warns and shows the rest; a gate must not pass because rows are gone.
        if let Some((file, line)) = experiment.truncated.first() {
            let path = experiment.files.root().join(file);
            let reason = "the file ends within this row: it is cut off, or still being written \
                          (`tilebench run CONFIG --resume` does the run again)";
            return Err(RecordError::Row { path, line: *line, reason: reason.to_owned() }.into());
        }
        for run in experiment.runs() {
            if run.status == Status::Interrupted {
                interrupted += 1;
                continue;
            }
            let member = Member { experiment, run };
            let others = runs.entry(Identity::of(member)).or_default();
            if let Some(other) = others.iter().find(|other| other.experiment.name() == experiment.name()) {
                return Err(twice(other, &member));
            }
            others.push(member);
        }
    }
    Ok((runs, interrupted))
}

fn twice(first: &Member, second: &Member) -> ReportError {
    let place = |m: &Member| format!("run {} of {}", m.run.run_id, m.experiment.files.runs().display());
    let version = |m: &Member| format!("{} {}", m.run.setting.solver, m.run.setting.solver_version);
    let run = format!("{}, seed {}, repeat {}", second.run.setting.cell(), second.run.seed, second.run.repeat);
    let (first, second) = ([place(first), version(first)], [place(second), version(second)]);
    ReportError::SameRun { run, first: first.join(", "), second: second.join(", ") }
}

fn dirs(experiments: &[Experiment]) -> String {
    let names: Vec<_> = experiments.iter().map(|e| e.files.root().display().to_string()).collect();
    names.join(", ")
}

fn order(a: &Member, b: &Member) -> Ordering {
    let names = names(a).into_iter().zip(names(b)).map(|(a, b)| natural_order(a, b)).find(|order| order.is_ne());
    let numbers = |m: &Member<'_>| (m.run.seed, m.run.repeat);
    names.unwrap_or_else(|| numbers(a).cmp(&numbers(b))).then_with(|| a.run.run_id.cmp(&b.run.run_id))
}

fn names<'a>(member: &Member<'a>) -> [&'a str; 4] {
    let setting: &Setting = &member.run.setting;
    [member.experiment.name(), &setting.instance, &setting.formulation, &setting.solver]
}

/// The matched runs of a formulation under a solver in an experiment, as NEW names them.
pub struct Group<'a> {
    pub subject: Subject,
    pub pairs: Vec<Pair<'a>>,
}

impl<'a> Group<'a> {
    /// Of the pairs that are wanted those that were measured under the same circumstances, and true; or all that are wanted, and
    /// false, where these are fewer than the others.
    pub fn comparable(&self, wanted: impl Fn(&Pair<'a>) -> bool) -> (Vec<&Pair<'a>>, bool) {
        let (alike, others): (Vec<_>, Vec<_>) = self.pairs.iter().filter(|pair| wanted(pair)).partition(|pair| {
            let [base, new] = pair.runs();
            are_alike(&base.setting, &new.setting)
        });
        if alike.len() >= others.len() { (alike, true) } else { ([alike, others].concat(), false) }
    }

    /// Whether the solver has another version in NEW.
    pub fn versions_differ(&self) -> bool {
        let differ = |pair: &Pair| pair.base.run.setting.solver_version != pair.new.run.setting.solver_version;
        self.pairs.iter().any(differ)
    }
}

pub fn subject(member: &Member) -> Subject {
    let setting = &member.run.setting;
    Subject {
        experiment: member.experiment.name().to_owned(),
        formulation: setting.formulation.clone(),
        solver: setting.solver.clone(),
    }
}

/// All groups, in the order in which their first runs stand.
pub fn groups<'a>(pairs: &[Pair<'a>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = HashMap::new();
    for pair in pairs {
        let subject = subject(&pair.new);
        let place = *places.entry(subject.clone()).or_insert_with(|| {
            groups.push(Group { subject, pairs: Vec::new() });
            groups.len() - 1
        });
        groups[place].pairs.push(*pair);
    }
    groups
}

/// Whether two runs were measured so that their times can be compared.
pub fn are_alike(a: &Setting, b: &Setting) -> bool {
    differing(a, b).next().is_none()
}

pub fn differing<'a>(a: &'a Setting, b: &'a Setting) -> impl Iterator<Item = (&'static str, String, String)> + 'a {
    let facts = |s: &Setting| {
        let governor = s.machine.as_ref().map(|m| m.governor.clone()).unwrap_or_default();
        let pinned = if s.pinned { "pinned" } else { "not pinned" };
        [s.host.clone(), s.cpu_model.clone(), governor, pinned.to_owned(), s.jobs.to_string()]
    };
    let whats = ["host", "CPU model", "governor", "pinning", "jobs at a time"];
    let both = whats.into_iter().zip(facts(a)).zip(facts(b));
    // The session of a row, and so the governor, may be unknown.
    let unknown = |what: &str, a: &str, b: &str| what == "governor" && (a.is_empty() || b.is_empty());
    both.filter(move |((what, a), b)| a != b && !unknown(what, a, b)).map(|((what, a), b)| (what, a, b))
}
