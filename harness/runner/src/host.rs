//! Facts of this machine.

use std::fs;

use record::HostFacts;

use crate::worker::cpus::{core_count, usable};
use crate::worker::system::System;

/// Reads the facts; what cannot be read stays empty.
#[must_use]
pub fn host_facts() -> HostFacts {
    let read = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default();
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let cpus = usable();
    HostFacts {
        host: read("/proc/sys/kernel/hostname"),
        cpu_model: field(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
        cpus: number(cpus.len()),
        cores: number(core_count(&System::default(), &cpus)),
        memory_b: field(&read("/proc/meminfo"), "MemTotal").and_then(|text| kib(&text)).unwrap_or_default(),
        os: os_name(&read("/etc/os-release")).unwrap_or_default(),
        kernel: format!("{} {}", read("/proc/sys/kernel/ostype"), read("/proc/sys/kernel/osrelease")).trim().to_owned(),
        governor: read(&format!(
            "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor",
            cpus.first().copied().unwrap_or(0)
        )),
    }
}

/// Name and version of the system in `/etc/os-release`, which is written like shell variables.
fn os_name(text: &str) -> Option<String> {
    let value = |key: &str| {
        let value = text.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='))?.trim();
        Some(value.trim_matches(['"', '\'']).to_owned())
    };
    value("PRETTY_NAME").or_else(|| value("NAME")).filter(|name| !name.is_empty())
}

/// Value of the first `name: value` line.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// Bytes of `123 kB`.
fn kib(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_understood() {
        assert_eq!(field("processor\t: 0\nmodel name\t: Fast: 9\n", "model name"), Some("Fast: 9".to_owned()));
        assert_eq!(field("a: 1", "b"), None);
        assert_eq!(kib("16 kB"), Some(16384));
        let facts = host_facts();
        assert!(facts.cpus > 0 && facts.cores > 0 && facts.cores <= facts.cpus, "{facts:?}");
    }

    #[test]
    fn the_system_has_a_name() {
        let debian = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(os_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(os_name("NAME='Small'\nPRETTY_NAME_OLD=x\n").as_deref(), Some("Small"));
        assert_eq!((os_name(""), os_name("NAME=\"\"\n")), (None, None));
    }
}
