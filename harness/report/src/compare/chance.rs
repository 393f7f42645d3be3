//! What differs between two measurements of one and the same program.

use record::{CPU_LIMIT, HARD_LIMIT, MEMORY_LIMIT, SOFT_LIMIT, Status};

use crate::results::{Run, Setting, is_odd};

/// Share of a limit from which on a run is near it, where both were measured alike and with one thread.
pub const NEAR: f64 = 0.8;

/// The same on another machine, beside other numbers of jobs, or with several threads, whose work differs from run to run.
pub const NEAR_ELSEWHERE: f64 = 0.25;

/// Whether two runs were measured so that their times can be compared.
pub fn are_alike(a: &Setting, b: &Setting) -> bool {
    differing(a, b).next().is_none()
}

/// What differs, and how it was on either side.
pub fn differing<'a>(a: &'a Setting, b: &'a Setting) -> impl Iterator<Item = (&'static str, String, String)> + 'a {
    let facts = |s: &Setting| {
        let governor = s.machine.as_ref().map(|m| m.governor.clone()).unwrap_or_default();
        let pinned = if s.pinned { "pinned" } else { "not pinned" };
        [s.host.clone(), s.cpu_model.clone(), governor, pinned.to_owned(), s.jobs.to_string()]
    };
    let whats = ["host", "CPU model", "governor", "pinning", "jobs at a time"];
    let both = whats.into_iter().zip(facts(a)).zip(facts(b));
    both.filter(|((_, a), b)| a != b).map(|((what, a), b)| (what, a, b))
}

/// Least wall time in seconds of a run by which the load of a machine is judged: of shorter ones much is the start of a process.
const TELLING_S: f64 = 0.1;

/// How many times their CPU time the single-threaded runs of at least 0.1 s took together, if that is more than 1.1 and 0.5 s
/// more: then the machine was busy, and each of them may have waited, those too that were too short to show it.
pub fn busy<'a>(runs: impl Iterator<Item = &'a Run>) -> Option<f64> {
    let single = runs.filter(|run| run.setting.threads == 1);
    let times = single.filter_map(Run::times).filter(|(wall, _)| *wall >= TELLING_S);
    let (wall, cpu) = times.fold((0.0, 0.0), |sum, time| (sum.0 + time.0, sum.1 + time.1));
    is_odd(cpu, wall).then(|| wall / cpu)
}

/// Whether a limit kept a run from doing more: it ran out, or the best solution until then was taken.
pub fn is_stopped(run: &Run) -> bool {
    let reason = &*run.termination_reason;
    [SOFT_LIMIT, HARD_LIMIT, CPU_LIMIT, MEMORY_LIMIT].contains(&reason)
        || (run.status == Status::Feasible && used(run).iter().flatten().any(|share| *share >= NEAR))
}

/// Whether a run came to its end by itself and with an answer, so that its counts depend on nothing but the program.
pub fn is_finished(run: &Run) -> bool {
    (run.status.has_solution() || run.status == Status::Infeasible) && !is_stopped(run)
}

/// Whether a limit struck the one run that the other was near to.
pub fn may_be_chance(ended: &Run, stopped: &Run) -> bool {
    if !is_stopped(stopped) {
        return false;
    }
    let [time, cpu, memory] = used(ended);
    let share = match &*stopped.termination_reason {
        SOFT_LIMIT | HARD_LIMIT => time,
        CPU_LIMIT => cpu,
        MEMORY_LIMIT => memory,
        // A solution that was there when the limit struck.
        _ => time.into_iter().chain(cpu).reduce(f64::max),
    };
    let single = ended.setting.threads == 1;
    let alike = are_alike(&ended.setting, &stopped.setting) && ended.setting.isolation == stopped.setting.isolation;
    share.is_some_and(|share| share >= if single && alike { NEAR } else { NEAR_ELSEWHERE })
}

/// How much of its limits of wall time, CPU time and memory a run used.
fn used(run: &Run) -> [Option<f64>; 3] {
    let share = |used: Option<f64>, limit: Option<f64>| used.zip(limit).map(|(used, limit)| used / limit);
    #[expect(clippy::cast_precision_loss, reason = "shares of bytes need no 16 digits")]
    let bytes = |count: Option<u64>| count.map(|count| count as f64);
    [
        share(run.wall_time_s, run.time_limit_s),
        share(run.cpu_time_s, run.cpu_limit_s),
        share(bytes(run.peak_memory_b), bytes(run.memory_limit_b)),
    ]
}
