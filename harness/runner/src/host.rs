//! Facts of this machine.

use record::HostFacts;

use crate::worker::cpus::core_count;
use crate::worker::sys::System;

/// The name of this machine.
pub(crate) fn host_name() -> String {
    System::default().read("/proc/sys/kernel/hostname")
}

/// Reads the facts; what cannot be read stays empty.
#[must_use]
pub fn host_facts() -> HostFacts {
    let system = System::default();
    let read = |path: &str| system.read(path);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let cpus = system::usable_cpus();
    HostFacts {
        host: host_name(),
        cpu_model: cpu_model(&system),
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

/// The CPU model. On x86 the kernel names it; on ARM it gives numbers of the maker and of the part, beside which the name of the
/// board stands where there is a device tree.
fn cpu_model(system: &System) -> String {
    let field = |name: &str| system.field("/proc/cpuinfo", name).filter(|value| !value.is_empty());
    // `model name` of x86, `cpu` of POWER, `uarch` of RISC-V.
    if let Some(model) = ["model name", "cpu model", "cpu", "uarch"].into_iter().find_map(field) {
        return model;
    }
    let number = |name| field(name).and_then(|text| u32::from_str_radix(text.trim_start_matches("0x"), 16).ok());
    let part = number("CPU implementer").zip(number("CPU part")).map(|(maker, part)| {
        let known = PARTS.iter().find(|(of, number, _)| (*of, *number) == (maker, part));
        known.map_or_else(|| format!("ARM implementer {maker:#x} part {part:#x}"), |(.., name)| (*name).to_owned())
    });
    let board = system.read("/proc/device-tree/model");
    let board = Some(board.trim_end_matches('\0').to_owned()).filter(|board| !board.is_empty());
    board.into_iter().chain(part).collect::<Vec<_>>().join(", ")
}

/// Implementers, parts and names of ARM cores as `lscpu` of util-linux lists them, of machines that experiments run on.
const PARTS: [(u32, u32, &str); 18] = [
    (0x41, 0xd03, "Cortex-A53"),
    (0x41, 0xd05, "Cortex-A55"),
    (0x41, 0xd07, "Cortex-A57"),
    (0x41, 0xd08, "Cortex-A72"),
    (0x41, 0xd0a, "Cortex-A75"),
    (0x41, 0xd0b, "Cortex-A76"),
    (0x41, 0xd0c, "Neoverse-N1"),
    (0x41, 0xd0d, "Cortex-A77"),
    (0x41, 0xd40, "Neoverse-V1"),
    (0x41, 0xd41, "Cortex-A78"),
    (0x41, 0xd44, "Cortex-X1"),
    (0x41, 0xd49, "Neoverse-N2"),
    (0x41, 0xd4f, "Neoverse-V2"),
    (0x43, 0x0af, "ThunderX2-99xx"),
    (0x48, 0xd01, "TaiShan-v110"),
    (0x61, 0x022, "Icestorm (Apple M1)"),
    (0x61, 0x023, "Firestorm (Apple M1)"),
    (0xc0, 0xac3, "Ampere-1"),
];

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
    fn a_cpu_has_a_model_whatever_the_kernel_calls_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        let model = |cpuinfo: &str| {
            put("proc/cpuinfo", cpuinfo);
            cpu_model(&System::at(folder.path()))
        };
        assert_eq!(model("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Fast 9\n"), "Fast 9");
        let arm = |maker: &str, part: &str| {
            format!(
                "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: {maker}\n\
                 CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: {part}\nCPU revision\t: 1\n\n"
            )
        };
        assert_eq!(model(&arm("0x41", "0xd0c")), "Neoverse-N1");
        assert_eq!(model(&arm("0x99", "0x001")), "ARM implementer 0x99 part 0x1");
        put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0");
        assert_eq!(model(&arm("0x41", "0xd08")), "Raspberry Pi 4 Model B Rev 1.4, Cortex-A72");
        assert_eq!(model("processor: 0\n"), "Raspberry Pi 4 Model B Rev 1.4");
    }

    #[test]
    fn the_system_has_a_name() {
        let debian = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(os_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(os_name("NAME='Small'\nPRETTY_NAME_OLD=x\n").as_deref(), Some("Small"));
        assert_eq!((os_name(""), os_name("NAME=\"\"\n")), (None, None));
    }
}
