//! Which run of BASE is which run of NEW (their ids are equal, as everything is that determines a run; names and versions do not
//! count), which of these pairs were measured alike, and what a reader must know of how they were.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use record::{RecordError, Status, natural_order};

use super::finding::{Aspect, Options, SIDES, Subject};
use crate::ReportError;
use crate::group::by_first;
use crate::results::{Experiment, Run, Setting, is_odd, on_a_busy_machine};
use crate::stats::median;
use crate::text::{count, known, listed, plural, some};

/// A run with its experiment.
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
    /// Runs that BASE alone has, and NEW alone.
    pub alone: [Vec<Member<'a>>; 2],
    /// Runs of BASE and of NEW that were interrupted: an unfinished run is no measurement.
    pub interrupted: [usize; 2],
}

/// The runs of a side by their ids.
type Side<'a> = BTreeMap<&'a str, Vec<Member<'a>>>;

/// Matches the runs of two sides. A run that several experiments of a side have in common is matched with that of the
/// experiment of the same name; what is left, in the order of the experiments.
///
/// # Errors
/// A file that ends within a row; a run that two folders of one experiment have; no run that both sides have.
pub fn matched<'a>(base: &'a [Experiment], new: &'a [Experiment]) -> Result<Matched<'a>, ReportError> {
    let (mut bases, base_interrupted) = side(base)?;
    let (news, new_interrupted) = side(new)?;
    let (mut pairs, mut only_base, mut only_new) = (Vec::new(), Vec::new(), Vec::new());
    for (id, news) in news {
        let mut bases = bases.remove(id).unwrap_or_default();
        let mut left = Vec::new();
        for new in news {
            match bases.iter().position(|base| base.experiment.name() == new.experiment.name()) {
                Some(place) => pairs.push(Pair { base: bases.remove(place), new }),
                None => left.push(new),
            }
        }
        let mut left = left.into_iter();
        for base in bases {
            match left.next() {
                Some(new) => pairs.push(Pair { base, new }),
                None => only_base.push(base),
            }
        }
        only_new.extend(left);
    }
    only_base.extend(bases.into_values().flatten());
    // Of a solver that is missing nothing was measured.
    [&mut only_base, &mut only_new].into_iter().for_each(|of| of.retain(|m| m.run.status != Status::Unsupported));
    pairs.sort_by(|a, b| order(&a.new, &b.new));
    only_base.sort_by(order);
    only_new.sort_by(order);
    if pairs.is_empty() {
        let hint = difference(&only_base, &only_new).map(|what| format!(": {what}")).unwrap_or_default();
        return Err(ReportError::NothingMatches { hint, base: dirs(base), new: dirs(new) });
    }
    Ok(Matched { pairs, alone: [only_base, only_new], interrupted: [base_interrupted, new_interrupted] })
}

/// The runs of a side, and how many were interrupted.
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
            let others = runs.entry(run.run_id.as_str()).or_default();
            if let Some(other) = others.iter().find(|other| other.experiment.name() == experiment.name()) {
                return Err(twice(other, &member));
            }
            others.push(member);
        }
    }
    Ok((runs, interrupted))
}

/// What is another of two runs of one name.
fn difference(base: &[Member], new: &[Member]) -> Option<String> {
    let name = |member: &Member| (member.run.setting.names().map(str::to_owned), member.run.seed, member.run.repeat);
    let of_name: BTreeMap<_, _> = base.iter().map(|member| (name(member), member.run)).collect();
    let (now, then) = new.iter().find_map(|member| Some((member.run, of_name.get(&name(member))?)))?;
    let differing = then.key().differences(&now.key()).into_iter();
    let differing: Vec<_> = differing.map(|(column, [then, now])| format!("{column}: {then} → {now}")).collect();
    (!differing.is_empty()).then(|| format!("{} differs in {}", now.setting.cell(), differing.join(", ")))
}

fn twice(first: &Member, second: &Member) -> ReportError {
    let place = |Member { experiment, run }: &Member| {
        let (file, setting) = (experiment.files.runs(), &run.setting);
        format!("run {} of {}, {} {}", run.run_id, file.display(), setting.solver, setting.solver_version)
    };
    let run = format!("{}, seed {}, repeat {}", second.run.setting.cell(), second.run.seed, second.run.repeat);
    ReportError::SameRun { run, first: place(first), second: place(second) }
}

fn dirs(experiments: &[Experiment]) -> String {
    let names: Vec<_> = experiments.iter().map(|e| e.files.root().display().to_string()).collect();
    names.join(", ")
}

/// By names, then by seed, repeat and id.
fn order(a: &Member, b: &Member) -> Ordering {
    fn names<'a>(Member { experiment, run }: &Member<'a>) -> [&'a str; 4] {
        [experiment.name(), &run.setting.instance, &run.setting.formulation, &run.setting.solver]
    }
    let names = names(a).into_iter().zip(names(b)).map(|(a, b)| natural_order(a, b)).find(|order| order.is_ne());
    let numbers = |m: &Member| (m.run.seed, m.run.repeat);
    names.unwrap_or_else(|| numbers(a).cmp(&numbers(b))).then_with(|| a.run.run_id.cmp(&b.run.run_id))
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

/// All groups, in the order of their first runs.
pub fn groups<'a>(pairs: &[Pair<'a>]) -> Vec<Group<'a>> {
    let groups = by_first(pairs.iter().map(|pair| (subject(&pair.new), *pair)));
    groups.into_iter().map(|(subject, pairs)| Group { subject, pairs }).collect()
}

/// Whether two runs were measured so that their times can be compared.
pub fn are_alike(a: &Setting, b: &Setting) -> bool {
    differing(a, b).next().is_none()
}

fn differing<'a>(a: &'a Setting, b: &'a Setting) -> impl Iterator<Item = (&'static str, String, String)> + 'a {
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

/// One sentence without the full stop for each.
pub fn warnings(sides: [&[Experiment]; 2], matched: &Matched, options: &Options) -> Vec<String> {
    let pairs = matched.pairs.as_slice();
    let mut found = Vec::new();
    let mut unlike = other_circumstances(pairs);
    if !unlike.is_empty() {
        let insists = options.insists_on(Aspect::Time);
        let but = if insists { "and fail all the same, since --fail-on names `time`" } else { "and do not fail" };
        unlike.insert(0, format!("times of the groups concerned are shown {but}"));
        found.push(unlike.join("; "));
    }
    let mut waits = Vec::new();
    for (side, name) in SIDES.into_iter().enumerate() {
        waits.extend(waiting(pairs, side, sides[1].len() > 1));
        waits.extend(busy(pairs, side).map(|times| {
            format!(
                "{name}: runs of {TELLING_S} s or more took {times:.2} times their CPU time, as on a busy machine or with programs that wait"
            )
        }));
    }
    if !waits.is_empty() {
        waits.insert(0, "CPU times are compared where runs waited".to_owned());
        found.push(waits.join("; "));
    }
    let [only_base, only_new] = &matched.alone;
    found.extend(difference(only_base, only_new).map(|what| format!("some runs have no counterpart: {what}")));
    found.extend(versions(pairs, options));
    let lacking = pairs.iter().filter(|pair| pair.runs().iter().all(|run| run.status == Status::Unsupported));
    let lacking: Vec<_> = lacking.map(|pair| pair.new.run.setting.solver.as_str()).collect();
    if !lacking.is_empty() {
        let solvers = listed(lacking.iter().collect::<BTreeSet<_>>(), 3);
        let runs = count(lacking.len(), "run");
        found.push(format!("{runs} not compared, since both sides lack the solver: {solvers}"));
    }
    for (side, experiments) in SIDES.into_iter().zip(sides) {
        let dirty = experiments.iter().flat_map(Experiment::runs).any(|run| run.setting.build.ends_with("-dirty"));
        found.extend(dirty.then(|| format!("{side} was measured with a build of uncommitted changes")));
    }
    for (side, experiments) in SIDES.into_iter().zip(sides) {
        let busy = experiments.iter().filter_map(|e| on_a_busy_machine(e.manifest(), e.runs()));
        found.extend(busy.map(|busy| format!("{side}: {busy}")));
    }
    for (side, interrupted) in SIDES.into_iter().zip(matched.interrupted) {
        if interrupted > 0 {
            let runs = plural(interrupted, "run was", "runs were");
            found.push(format!("{side}: {runs} interrupted, as if not measured"));
        }
    }
    found
        .extend(SIDES.into_iter().zip(sides).flat_map(|(side, of)| of.iter().filter_map(move |e| unfinished(e, side))));
    found
}

/// Fewer results than a session set out to do: rows were lost, or the session did not finish.
fn unfinished(experiment: &Experiment, side: &str) -> Option<String> {
    let results = experiment.runs().iter().filter(|run| run.status != Status::Interrupted).count() as u64;
    let manifest = experiment.manifest();
    // What others were to do, before an edit of the config, is not asked for any more; and results of older versions do not say
    // of which plan a session was.
    let of_plan = manifest.sessions.iter().filter(|session| session.plan == manifest.plan);
    let planned = of_plan.map(|session| session.runs).max()?.min(manifest.planned);
    let name = experiment.name();
    (results < planned)
        .then(|| format!("{side}: {results} of {planned} runs of {name} have a result; --resume does the rest"))
}

/// Relative and absolute difference (s) of wall time and CPU time above which a single-threaded run waited; less is the start of a
/// process.
const WAITED: (f64, f64) = (1.1, 0.1);

/// What a busy machine can do to a run: above this many times its CPU time, and this many seconds more, it hung or slept.
const HUNG: (f64, f64) = (10.0, 1.0);

/// Whether a single-threaded run waited for the machine, so that its wall time says little of it.
pub fn waited(run: &Run) -> bool {
    let exceeds = |(wall, cpu): (f64, f64)| wall > WAITED.0 * cpu && wall - cpu > WAITED.1;
    run.setting.threads == 1 && run.times().is_some_and(exceeds) && !hung(run)
}

/// Whether a run did so little in its time that no busy machine can be the reason.
pub fn hung(run: &Run) -> bool {
    run.times().is_some_and(|(wall, cpu)| wall > HUNG.0 * cpu + HUNG.1)
}

/// Least wall time in seconds of a run by which the load of a machine is judged: of shorter ones much is the start of a process.
const TELLING_S: f64 = 0.1;

/// How many times their CPU time the single-threaded runs of a side of at least 0.1 s took together, if that is more than 1.1 and 0.5 s
/// more, and more than 1.1 for most of them: then the machine was busy, and each of them may have waited, those too that were too
/// short to show it.
fn busy(pairs: &[Pair], side: usize) -> Option<f64> {
    let single = pairs.iter().map(|pair| pair.runs()[side]).filter(|run| run.setting.threads == 1 && !hung(run));
    let times: Vec<_> = single.filter_map(Run::times).filter(|(wall, _)| *wall >= TELLING_S).collect();
    let (wall, cpu) = times.iter().fold((0.0, 0.0), |sum, time| (sum.0 + time.0, sum.1 + time.1));
    let usual = median(times.iter().map(|(wall, cpu)| wall / cpu).collect())?;
    (is_odd(cpu, wall) && usual > WAITED.0).then(|| wall / cpu)
}

/// How many runs of a side waited, of which groups, and by what their wall times differ.
fn waiting(pairs: &[Pair], side: usize, several: bool) -> Option<String> {
    let waiting: Vec<_> = pairs.iter().filter(|pair| waited(pair.runs()[side])).collect();
    let groups = waiting.iter().map(|pair| subject(&pair.new)).collect::<BTreeSet<_>>();
    let all = pairs.iter().map(|pair| subject(&pair.new)).collect::<BTreeSet<_>>().len();
    let ratio = |pair: &&Pair| {
        let [base, new] = pair.runs().map(Run::times);
        Some(new?.0 / base.filter(|times| times.0 > 0.0)?.0)
    };
    let ratio = median(waiting.iter().filter_map(ratio).collect());
    let walls = ratio.map(|ratio| format!(", wall times × {ratio:.2} from BASE to NEW")).unwrap_or_default();
    (!waiting.is_empty()).then(|| {
        let named = listed(groups.iter().map(|group| group.name(several)), 3);
        let (runs, number) = (waiting.len(), groups.len());
        format!(
            "{runs} of {} runs waited in {}, of {number} of {all} groups ({named}){walls}",
            pairs.len(),
            SIDES[side]
        )
    })
}

pub fn any_busy(pairs: &[Pair]) -> bool {
    (0..2).any(|side| busy(pairs, side).is_some())
}

/// Hosts, CPU models and the like that differ within pairs.
fn other_circumstances(pairs: &[Pair]) -> Vec<String> {
    let mut differences: BTreeMap<&str, (BTreeSet<String>, usize)> = BTreeMap::new();
    // What never ran was measured under no circumstances.
    let ran = |pair: &&Pair| pair.runs().into_iter().all(|run| run.wall_time_s.is_some());
    for pair in pairs.iter().filter(ran) {
        for (what, base, new) in differing(&pair.base.run.setting, &pair.new.run.setting) {
            let entry = differences.entry(what).or_default();
            entry.0.insert(format!("{} → {}", known(&base), known(&new)));
            entry.1 += 1;
        }
    }
    let all = pairs.len();
    let sentence = |(what, (values, count)): (&str, (BTreeSet<String>, usize))| {
        let share = if count == all { String::new() } else { format!(" in {count} of {all} runs") };
        format!("other {what}{share} ({})", some(&values))
    };
    differences.into_iter().map(sentence).collect()
}

fn versions(pairs: &[Pair], options: &Options) -> Option<String> {
    let mut changes = BTreeSet::new();
    for pair in pairs {
        let (base, new) = (&pair.base.run.setting, &pair.new.run.setting);
        if base.solver_version != new.solver_version {
            let (before, after) = (known(&base.solver_version), known(&new.solver_version));
            changes.insert(format!("{} {before} → {after}", new.solver));
        }
    }
    let but = if options.insists_on(Aspect::Count) {
        "and fail all the same, since --fail-on names `count`"
    } else {
        "and do not fail unless --fail-on names `count`"
    };
    (!changes.is_empty())
        .then(|| format!("other versions of solvers: {}; counts of their runs are shown {but}", some(&changes)))
}
