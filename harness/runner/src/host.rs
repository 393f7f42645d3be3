//! Facts of this machine.

use record::HostFacts;

use crate::worker::cpus::core_count;
use crate::worker::sys::{System, usable_cpus};

/// Reads the facts; what cannot be read stays empty.
#[must_use]
pub fn host_facts() -> HostFacts {
    let system = System::default();
    let read = |path: &str| system.read(path);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let cpus = usable_cpus();
    HostFacts {
        host: read("/proc/sys/kernel/hostname"),
        cpu_model: system.field("/proc/cpuinfo", "model name").unwrap_or_default(),
        cpus: number(cpus.len()),
        cores: number(core_count(&system, &cpus)),
        memory_b: system.field_b("/proc/meminfo", "MemTotal").unwrap_or_default(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_facts() {
        let facts = host_facts();
        assert!(facts.cpus > 0 && facts.cores > 0 && facts.cores <= facts.cpus && facts.memory_b > 0, "{facts:?}");
    }

    #[test]
    fn the_system_has_a_name() {
        let debian = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(os_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(os_name("NAME='Small'\nPRETTY_NAME_OLD=x\n").as_deref(), Some("Small"));
        assert_eq!((os_name(""), os_name("NAME=\"\"\n")), (None, None));
    }
}
