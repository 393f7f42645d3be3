//! What of this machine bears on measurements, as its files say it: told by `tilebench doctor` before anything is measured.

use record::HostFacts;

use super::busy::busy;
use super::cgroup::ParentGroup;
use super::sys::System;
use crate::host_facts;

/// Memory in bytes that a run may take by the limits of the shipped configs.
const USUAL_LIMIT: u64 = 4 << 30;

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
        let advice = "limits.memory of the shipped configs is 4 GiB for each run".to_owned();
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What is found on a machine of these files: subject, finding, whether there is advice.
    fn found(governor: &str, files: &[(&str, &str)]) -> Vec<(&'static str, String, bool)> {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let facts = HostFacts { cpus: 4, cores: 2, governor: governor.to_owned(), ..HostFacts::default() };
        let all = of_files(&System::at(folder.path()), &facts);
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
}
