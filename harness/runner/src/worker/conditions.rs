//! What of this machine bears on measurements: its settings, as `tilebench doctor` tells them, and whether other work keeps its cores
//! busy.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use record::HostFacts;
use rustix::param::clock_ticks_per_second;
use rustix::process::RawPid;

use super::cgroup::ParentGroup;
use super::figures::Stat;
use super::sys::System;
use super::workplace::{Core, cores};
use crate::host_facts;

/// Memory in bytes that a run may take by the limits of most shipped configs.
const USUAL_LIMIT: u64 = 8 << 30;

/// Clocks that take microseconds to read.
const SLOW_CLOCKS: [&str; 4] = ["hpet", "acpi_pm", "pit", "jiffies"];

/// A property of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What it is about.
    pub what: &'static str,
    /// What was found.
    pub found: String,
    /// Where that harms measurements: what it does, and what helps.
    pub advice: Option<String>,
}

/// The conditions for measurements on this machine. Looks at what else it does for half a second.
#[must_use]
pub fn conditions() -> Vec<Condition> {
    let facts = host_facts();
    let load = match busy(facts.cores as usize) {
        Some(work) => of("other work", work, Some("end it, or measure with fewer --jobs".to_owned())),
        None => of("other work", "none to speak of", None),
    };
    let groups = match ParentGroup::shared() {
        Ok(parent) => of("control groups", parent.isolation(), None),
        Err(reason) => of(
            "control groups",
            "none for runs",
            Some(format!("memory and CPU time are polled ({reason}); see Machines in the book")),
        ),
    };
    of_files(&System::default(), &facts).into_iter().chain([load, groups]).collect()
}

fn of(what: &'static str, found: impl Into<String>, advice: Option<String>) -> Condition {
    Condition { what, found: found.into(), advice }
}

/// What files of the kernel tell; what they do not tell is left out.
fn of_files(system: &System, facts: &HostFacts) -> Vec<Condition> {
    let mut found = Vec::new();
    let mut tell = |what, text: &str, advice: Option<String>| found.push(of(what, text, advice));
    if !facts.governor.is_empty() {
        let advice = "the frequency follows the load; as root: cpupower frequency-set -g performance".to_owned();
        tell("frequency governor", &facts.governor, (facts.governor != "performance").then_some(advice));
    }
    // Intel's own driver says it the other way round.
    for (file, on, off) in [("intel_pstate/no_turbo", "0", "1"), ("cpufreq/boost", "1", "0")] {
        let path = format!("/sys/devices/system/cpu/{file}");
        let is_on = system.read(&path) == on;
        let advice = format!("the frequency depends on heat and on the other cores; as root: echo {off} > {path}");
        if is_on || system.read(&path) == off {
            tell("turbo", if is_on { "on" } else { "off" }, is_on.then_some(advice));
        }
    }
    if facts.cpus > facts.cores {
        let text = format!("{} CPUs on {} cores; a pinned run has a core for each thread", facts.cpus, facts.cores);
        tell("hyper-threads", &text, None);
    }
    let flags = system.field("/proc/cpuinfo", "flags").unwrap_or_default();
    if flags.split(' ').any(|flag| flag == "hypervisor") {
        let advice = "what else its host does is not seen here: measure with several seeds, and both sides in turns";
        tell("virtual machine", "yes", Some(advice.to_owned()));
    }
    let clock = system.read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if !clock.is_empty() {
        let advice = "reading it takes microseconds; see the kernel's parameter clocksource".to_owned();
        tell("clock", &clock, SLOW_CLOCKS.contains(&clock.as_str()).then_some(advice));
    }
    let memory = |name| system.field_b("/proc/meminfo", name);
    if let Some((free, all)) = memory("MemAvailable").zip(memory("MemTotal")) {
        let mib = |bytes: u64| bytes >> 20;
        let advice = "limits.memory of most shipped configs is 8 GiB for each run".to_owned();
        let text = format!("{} of {} MiB available", mib(free), mib(all));
        tell("memory", &text, (free < USUAL_LIMIT).then_some(advice));
    }
    if let Some(swap) = memory("SwapTotal").filter(|swap| *swap > 0) {
        let advice =
            "without control groups a run that is swapped out just gets slower; as root: swapoff -a".to_owned();
        tell("swap", &format!("{} MiB", swap >> 20), Some(advice));
    }
    found
}

/// How long to look at what the machine does. Its load average says what was: after a build it stays high for minutes, and at the
/// beginning of one it is low.
const LOOK: Duration = Duration::from_millis(500);

/// Cores that may be busy beyond those that are left over: what a system does at all times.
const MARGIN: f64 = 0.5;

/// Processes that are named at most, and the least share of a core, in percent, of those.
const NAMED: usize = 3;
const LEAST: f64 = 10.0;

/// What other work keeps so many cores busy that fewer than `needed` are free, in words; looks for half a second. `None`: enough are
/// free, or the machine does not tell.
#[must_use]
pub fn busy(needed: usize) -> Option<String> {
    let (system, start) = (System::default(), Instant::now());
    let before = Sample::of(&system);
    thread::sleep(LOOK);
    let (after, took) = (Sample::of(&system), start.elapsed());
    let name = |pid| system.read(format!("/proc/{pid}/comm"));
    between(&before, &after, &cores(&system, &system::usable_cpus()), needed, took, name)
}

/// What CPUs and processes have done since they began.
struct Sample {
    /// By CPU the clock ticks in which it worked, and all.
    cpus: BTreeMap<u32, (u64, u64)>,
    /// By number and start of a process its clock ticks.
    processes: BTreeMap<(RawPid, u64), u64>,
}

impl Sample {
    fn of(system: &System) -> Self {
        let cpus = system.read("/proc/stat").lines().filter_map(cpu).collect();
        let stats = system.processes().into_iter().flatten().filter_map(|pid| Some((pid, Stat::read(system, pid)?)));
        Self { cpus, processes: stats.map(|(pid, stat)| ((pid, stat.start), stat.own)).collect() }
    }
}

/// A line of `/proc/stat`: `cpu3 user nice system idle iowait irq softirq steal ...`, in clock ticks.
fn cpu(line: &str) -> Option<(u32, (u64, u64))> {
    let (number, words) = line.strip_prefix("cpu")?.split_once(' ')?;
    // The first line, without a number, is the sum of all.
    let (number, words) = (number.parse().ok()?, words.split_whitespace());
    // Times of guests, which follow, are in that of users already.
    let ticks: Vec<u64> = words.take(8).map(|word| word.parse().unwrap_or(0)).collect();
    let (all, idle) = (ticks.iter().sum::<u64>(), ticks.iter().skip(3).take(2).sum::<u64>());
    Some((number, (all - idle, all)))
}

/// What was done between two samples, where it leaves fewer cores than needed.
fn between(
    before: &Sample,
    after: &Sample,
    cores: &[Core],
    needed: usize,
    took: Duration,
    name: impl Fn(RawPid) -> String,
) -> Option<String> {
    let share = |cpu: &u32| {
        let ((busy, all), (busy_before, all_before)) = (after.cpus.get(cpu)?, before.cpus.get(cpu)?);
        let all = all.saturating_sub(*all_before);
        (all > 0).then(|| busy.saturating_sub(*busy_before) as f64 / all as f64)
    };
    let busy: f64 = cores.iter().map(|core| core.cpus.iter().filter_map(share).sum::<f64>().min(1.0)).sum();
    let left_over = cores.len().saturating_sub(needed) as f64;
    if busy <= left_over + MARGIN {
        return None;
    }
    let whole = clock_ticks_per_second() as f64 * took.as_secs_f64();
    let share = |(process, ticks): (&(RawPid, u64), &u64)| {
        let earlier = before.processes.get(process).unwrap_or(&0);
        (100.0 * ticks.saturating_sub(*earlier) as f64 / whole, process.0)
    };
    let mut working: Vec<(f64, RawPid)> = after.processes.iter().map(share).collect();
    working.retain(|(percent, _)| *percent >= LEAST);
    working.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named = working.iter().take(NAMED).map(|(percent, pid)| format!("{} {percent:.0} %", name(*pid)));
    let named: Vec<String> = named.collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    Some(format!("{busy:.1} of {} cores are busy with other work{named}", cores.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found on a machine of these files: subject, finding, whether there is advice.
    fn found(governor: &str, files: &[(&str, &str)]) -> Vec<(&'static str, String, bool)> {
        let (_folder, system) = System::of(files);
        let facts = HostFacts { cpus: 4, cores: 2, governor: governor.to_owned(), ..HostFacts::default() };
        let all = of_files(&system, &facts);
        all.into_iter().map(|one| (one.what, one.found, one.advice.is_some())).collect()
    }

    #[test]
    fn what_disturbs_measurements_is_found_and_what_does_not_is_let_pass() {
        const CPU: &str = "sys/devices/system/cpu";
        const CLOCK: &str = "sys/devices/system/clocksource/clocksource0/current_clocksource";
        let meminfo =
            |free: u64, swap: u64| format!("MemTotal: 16777216 kB\nMemAvailable: {free} kB\nSwapTotal: {swap} kB\n");
        let threads = ("hyper-threads", "4 CPUs on 2 cores; a pinned run has a core for each thread".to_owned(), false);
        let bad = found(
            "powersave",
            &[
                (&format!("{CPU}/intel_pstate/no_turbo"), "0\n"),
                ("proc/cpuinfo", "processor: 0\nflags\t\t: fpu hypervisor lm\n"),
                (CLOCK, "hpet\n"),
                ("proc/meminfo", &meminfo(2 << 20, 1 << 20)),
            ],
        );
        let of = |what, text: &str, advised| (what, text.to_owned(), advised);
        let expected = [
            of("frequency governor", "powersave", true),
            of("turbo", "on", true),
            threads.clone(),
            of("virtual machine", "yes", true),
            of("clock", "hpet", true),
            of("memory", "2048 of 16384 MiB available", true),
            of("swap", "1024 MiB", true),
        ];
        assert_eq!(bad, expected);
        let good = found(
            "performance",
            &[
                (&format!("{CPU}/cpufreq/boost"), "0\n"),
                ("proc/cpuinfo", "processor: 0\nflags\t\t: fpu lm\n"),
                (CLOCK, "tsc\n"),
                ("proc/meminfo", &meminfo(8 << 20, 0)),
            ],
        );
        let expected = [
            of("frequency governor", "performance", false),
            of("turbo", "off", false),
            threads.clone(),
            of("clock", "tsc", false),
            of("memory", "8192 of 16384 MiB available", false),
        ];
        assert_eq!(good, expected);
        assert_eq!(found("", &[]), [threads], "what is not told is left out");
    }

    /// A machine of two cores of two CPUs each, after so many ticks of work of each CPU of a hundred.
    fn after(ticks: [u64; 4]) -> Sample {
        let cpus = (0..).zip(ticks).map(|(cpu, busy)| (cpu, (1000 + busy, 5000 + 100)));
        Sample { cpus: cpus.collect(), processes: BTreeMap::from([((7, 77), 40 + ticks[0]), ((8, 77), 5)]) }
    }

    fn told(ticks: [u64; 4], needed: usize) -> Option<String> {
        let mut before = after([0; 4]);
        before.cpus.values_mut().for_each(|(_, all)| *all -= 100);
        let cores = [[0, 2], [1, 3]].map(|cpus| Core { id: cpus[0], cpus: cpus.to_vec() });
        let name = |pid| if pid == 7 { "cc1".to_owned() } else { "sh".to_owned() };
        between(&before, &after(ticks), &cores, needed, Duration::from_secs(1), name)
    }

    #[test]
    fn what_leaves_enough_cores_is_no_hindrance() {
        assert_eq!(told([100, 0, 0, 0], 1), None);
        // Both threads of one core are one core.
        assert_eq!(told([100, 0, 100, 20], 1), None);
        assert_eq!(told([20, 20, 0, 0], 2), None);
        assert_eq!(told([0; 4], 9), None, "there are no more than there are");
    }

    #[test]
    fn what_takes_them_is_named() {
        let told_of = told([80, 0, 0, 0], 2).expect("too few");
        assert!(told_of.starts_with("0.8 of 2 cores are busy") && told_of.contains("cc1 80 %"), "{told_of}");
        assert!(!told_of.contains("sh "), "{told_of}");
        assert!(told([100, 0, 0, 90], 1).is_some_and(|text| text.starts_with("1.9 of 2 cores")));
    }

    #[test]
    fn lines_of_the_kernel_are_understood() {
        assert_eq!(cpu("cpu1 10 20 30 400 5 6 7 8 900 900"), Some((1, (81, 486))));
        assert_eq!((cpu("cpu  10 20 30 400 5 6 7 8"), cpu("intr 1 2")), (None, None));
        let here = Sample::of(&System::default());
        assert!(
            !here.cpus.is_empty()
                && here.processes.keys().any(|(pid, _)| RawPid::try_from(std::process::id()) == Ok(*pid))
        );
    }
}
