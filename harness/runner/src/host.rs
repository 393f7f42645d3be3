//! Facts of this machine.

use std::fs;

use record::HostFacts;

/// Reads the facts; what cannot be read stays empty.
#[must_use]
pub fn host_facts() -> HostFacts {
    let read = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default();
    HostFacts {
        host: read("/proc/sys/kernel/hostname"),
        cpu_model: field(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
        cpus: std::thread::available_parallelism().map_or(0, |n| u32::try_from(n.get()).unwrap_or(u32::MAX)),
        memory_b: field(&read("/proc/meminfo"), "MemTotal").and_then(|text| kib(&text)).unwrap_or_default(),
        cores: 0,
        os: String::new(),
        kernel: format!("{} {}", read("/proc/sys/kernel/ostype"), read("/proc/sys/kernel/osrelease")).trim().to_owned(),
        governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    }
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
        assert!(host_facts().cpus > 0);
    }
}
