//! Whether other work keeps the cores of the machine busy, looked at before anything is measured.
//!
//! The load average of the system says what was: after a build it stays high for minutes, and at the beginning of one it is low.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;

use super::cpus::core_groups;
use super::sys::System;

/// How long to look.
const LOOK: Duration = Duration::from_millis(500);

/// Cores that may be busy beyond those that are left over: what a system does at all times.
const MARGIN: f64 = 0.5;

/// Processes that are named.
const NAMED: usize = 3;

/// The least share of a core, in percent, of a process that is named.
const LEAST: f64 = 10.0;

/// What other work keeps so many cores busy that fewer than `needed` are free, in words; looks for half a second. `None`: enough are
/// free, or the machine does not tell.
#[must_use]
pub fn busy(needed: usize) -> Option<String> {
    let (system, start) = (System::default(), Instant::now());
    let before = Sample::of(&system);
    thread::sleep(LOOK);
    let (after, took) = (Sample::of(&system), start.elapsed());
    between(&before, &after, &core_groups(&system, &system::usable_cpus()), needed, took)
}

/// What CPUs and processes have done since they began.
#[derive(Debug, Default)]
struct Sample {
    /// By CPU the clock ticks in which it worked, and all.
    cpus: BTreeMap<u32, (u64, u64)>,
    /// By number and start of a process its name and clock ticks.
    processes: BTreeMap<(u32, u64), (String, u64)>,
}

impl Sample {
    fn of(system: &System) -> Self {
        let cpus = system.read("/proc/stat").lines().filter_map(cpu).collect();
        let entries = fs::read_dir(system.path("/proc")).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let processes = numbers.filter_map(|pid| process(pid, &system.read(format!("/proc/{pid}/stat")))).collect();
        Self { cpus, processes }
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

/// `/proc/<pid>/stat`; the name, in parentheses, may hold anything.
fn process(pid: u32, text: &str) -> Option<((u32, u64), (String, u64))> {
    let (head, rest) = text.rsplit_once(')')?;
    // Numbered as in the manual, where the state after the name is field 3.
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let name = head.split_once('(')?.1.to_owned();
    Some(((pid, field(22)?), (name, field(14)? + field(15)?)))
}

/// What was done between two samples, where it leaves fewer cores than needed. A core is a group of CPUs.
fn between(before: &Sample, after: &Sample, cores: &[Vec<u32>], needed: usize, took: Duration) -> Option<String> {
    let share = |cpu: &u32| {
        let ((busy, all), (busy_before, all_before)) = (after.cpus.get(cpu)?, before.cpus.get(cpu)?);
        let all = all.saturating_sub(*all_before);
        (all > 0).then(|| busy.saturating_sub(*busy_before) as f64 / all as f64)
    };
    let busy: f64 = cores.iter().map(|cpus| cpus.iter().filter_map(share).sum::<f64>().min(1.0)).sum();
    let left_over = cores.len().saturating_sub(needed) as f64;
    if busy <= left_over + MARGIN {
        return None;
    }
    let whole = clock_ticks_per_second() as f64 * took.as_secs_f64();
    let mut working: Vec<(f64, &str)> = Vec::new();
    for (of, (name, ticks)) in &after.processes {
        let earlier = before.processes.get(of).map_or(0, |(_, ticks)| *ticks);
        working.push((100.0 * ticks.saturating_sub(earlier) as f64 / whole, name));
    }
    working.retain(|(percent, _)| *percent >= LEAST);
    working.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named: Vec<String> =
        working.iter().take(NAMED).map(|(percent, name)| format!("{name} {percent:.0} %")).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    Some(format!("{busy:.1} of {} cores are busy with other work{named}", cores.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of two cores of two CPUs each, after so many ticks of work of each CPU of a hundred.
    fn after(ticks: [u64; 4]) -> Sample {
        let cpus = (0..).zip(ticks).map(|(cpu, busy)| (cpu, (1000 + busy, 5000 + 100)));
        let line = |pid, name, ticks| {
            process(pid, &format!("{pid} ({name}) R 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 77"))
        };
        let processes = [line(7, "cc1 (plus)", 40 + ticks[0]), line(8, "sh", 5)].into_iter().flatten();
        Sample { cpus: cpus.collect(), processes: processes.collect() }
    }

    fn told(ticks: [u64; 4], needed: usize) -> Option<String> {
        let mut before = after([0; 4]);
        before.cpus.values_mut().for_each(|(_, all)| *all -= 100);
        between(&before, &after(ticks), &[vec![0, 2], vec![1, 3]], needed, Duration::from_secs(1))
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
        assert!(told_of.starts_with("0.8 of 2 cores are busy") && told_of.contains("cc1 (plus) 80 %"), "{told_of}");
        assert!(!told_of.contains("sh "), "{told_of}");
        assert!(told([100, 0, 0, 90], 1).is_some_and(|text| text.starts_with("1.9 of 2 cores")));
    }

    #[test]
    fn lines_of_the_kernel_are_understood() {
        assert_eq!(cpu("cpu1 10 20 30 400 5 6 7 8 900 900"), Some((1, (81, 486))));
        assert_eq!((cpu("cpu  10 20 30 400 5 6 7 8"), cpu("intr 1 2")), (None, None));
        let here = Sample::of(&System::default());
        assert!(!here.cpus.is_empty() && here.processes.keys().any(|(pid, _)| *pid == std::process::id()));
    }
}
