//! Facts of this machine, and of the batch system (Slurm or HyperQueue) in whose job this process runs.

use std::env;

use record::{EngineFacts, HostFacts};

use crate::worker::cores;
use crate::worker::sys::System;

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
        cores: number(cores(&system, &cpus).len()),
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
    let part = number("CPU implementer").zip(number("CPU part"));
    let part = part.map(|(maker, part)| format!("ARM implementer {maker:#x} part {part:#x}"));
    let board = system.read("/proc/device-tree/model");
    let board = Some(board.trim_end_matches('\0').to_owned()).filter(|board| !board.is_empty());
    board.into_iter().chain(part).collect::<Vec<_>>().join(", ")
}

/// Name and version of the system in `/etc/os-release`, which is written like shell variables.
fn os_name(text: &str) -> Option<String> {
    let value = |key: &str| {
        let value = text.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='))?.trim();
        Some(value.trim_matches(['"', '\'']).to_owned())
    };
    value("PRETTY_NAME").or_else(|| value("NAME")).filter(|name| !name.is_empty())
}

/// Reads the facts; what nobody tells, or what cannot be, stays empty.
pub(crate) fn engine_facts() -> EngineFacts {
    facts(&|name| env::var(name).ok())
}

type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

fn facts(variable: Variable<'_>) -> EngineFacts {
    // A worker of HyperQueue may itself run in a job of Slurm.
    hyperqueue(variable).or_else(|| slurm(variable)).unwrap_or_default()
}

fn hyperqueue(variable: Variable<'_>) -> Option<EngineFacts> {
    let cpus = variable("HQ_CPUS").unwrap_or_default();
    let is_list = !cpus.is_empty() && cpus.split(',').all(|cpu| digits(cpu.trim().to_owned()).is_some());
    Some(EngineFacts {
        engine: EngineFacts::HYPERQUEUE.to_owned(),
        job: digits(variable("HQ_JOB_ID")?)?,
        task: variable("HQ_TASK_ID").and_then(digits).unwrap_or_default(),
        attempt: number(variable, "HQ_INSTANCE_ID"),
        cpus: if is_list { u32::try_from(cpus.split(',').count()).unwrap_or_default() } else { 0 },
        ..EngineFacts::default()
    })
}

fn slurm(variable: Variable<'_>) -> Option<EngineFacts> {
    let job = digits(variable("SLURM_JOB_ID")?)?;
    let array = variable("SLURM_ARRAY_JOB_ID").and_then(digits);
    let task = variable("SLURM_ARRAY_TASK_ID").and_then(digits);
    let (job, task) = array.zip(task).unwrap_or((job, String::new()));
    let cpus: u32 = number(variable, "SLURM_CPUS_ON_NODE").unwrap_or_default();
    let per_cpu = || number::<u64>(variable, "SLURM_MEM_PER_CPU")?.checked_mul(cpus.into());
    let memory_mib = number::<u64>(variable, "SLURM_MEM_PER_NODE").or_else(per_cpu);
    // Only after a requeue there is a count.
    let attempt = variable("SLURM_RESTART_COUNT").map_or(Some(0), |count| count.parse().ok());
    Some(EngineFacts {
        engine: EngineFacts::SLURM.to_owned(),
        job,
        task,
        attempt,
        cpus,
        memory_b: memory_mib.and_then(|mib| mib.checked_mul(1 << 20)).unwrap_or_default(),
    })
}

fn number<T: std::str::FromStr>(variable: Variable<'_>, name: &str) -> Option<T> {
    variable(name)?.parse().ok()
}

fn digits(text: String) -> Option<String> {
    ((1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
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
        let on = |board: &str, cpuinfo: &str| {
            let (_folder, machine) = System::of(&[("/proc/cpuinfo", cpuinfo), ("/proc/device-tree/model", board)]);
            cpu_model(&machine)
        };
        let model = |cpuinfo: &str| on("", cpuinfo);
        assert_eq!(model("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Fast 9\n"), "Fast 9");
        let arm = |maker: &str, part: &str| {
            format!(
                "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: {maker}\n\
                 CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: {part}\nCPU revision\t: 1\n\n"
            )
        };
        assert_eq!(model(&arm("0x41", "0xd0c")), "ARM implementer 0x41 part 0xd0c");
        let pi = |cpuinfo: &str| on("Raspberry Pi 4 Model B Rev 1.4\0", cpuinfo);
        assert_eq!(pi(&arm("0x41", "0xd08")), "Raspberry Pi 4 Model B Rev 1.4, ARM implementer 0x41 part 0xd08");
        assert_eq!(pi("processor: 0\n"), "Raspberry Pi 4 Model B Rev 1.4");
    }

    #[test]
    fn the_system_has_a_name() {
        let debian = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert_eq!(os_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(os_name("NAME='Small'\nPRETTY_NAME_OLD=x\n").as_deref(), Some("Small"));
        assert_eq!((os_name(""), os_name("NAME=\"\"\n")), (None, None));
    }

    fn of(variables: &[(&str, &str)]) -> EngineFacts {
        let value =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        facts(&value)
    }

    #[test]
    fn a_task_of_an_array_of_slurm() {
        let array = [
            ("SLURM_JOB_ID", "4714"),
            ("SLURM_ARRAY_JOB_ID", "4711"),
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("SLURM_CPUS_ON_NODE", "2"),
            ("SLURM_MEM_PER_CPU", "200"),
        ];
        let found = of(&array);
        assert_eq!(found.in_words().as_deref(), Some("slurm job 4711_3 attempt 0"));
        assert_eq!((found.cpus, found.memory_b), (2, 400 << 20));
        let again = [&array[..], &[("SLURM_RESTART_COUNT", "1"), ("SLURM_MEM_PER_NODE", "1000")]].concat();
        let found = of(&again);
        assert_eq!((found.attempt, found.memory_b), (Some(1), 1000 << 20));
        let single = of(&[("SLURM_JOB_ID", "7")]);
        assert_eq!(single.in_words().as_deref(), Some("slurm job 7 attempt 0"));
    }

    #[test]
    fn a_task_of_hyperqueue_also_where_its_worker_is_a_job_of_slurm() {
        let task = [
            ("HQ_JOB_ID", "2"),
            ("HQ_TASK_ID", "5"),
            ("HQ_INSTANCE_ID", "1"),
            ("HQ_CPUS", "0,3"),
            ("SLURM_JOB_ID", "9"),
        ];
        let found = of(&task);
        assert_eq!(found.in_words().as_deref(), Some("hyperqueue job 2 task 5 attempt 1"));
        assert_eq!(found.cpus, 2);
    }

    #[test]
    fn what_makes_no_sense_is_passed_over() {
        for job in ["", "x", "-1", "4 2", "123456789012345678901"] {
            assert_eq!(of(&[("SLURM_JOB_ID", job), ("HQ_JOB_ID", job)]), EngineFacts::default(), "{job}");
        }
        let odd = [
            ("SLURM_JOB_ID", "1"),
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("SLURM_RESTART_COUNT", "?"),
            ("SLURM_CPUS_ON_NODE", "many"),
            ("SLURM_MEM_PER_NODE", "99999999999999999999"),
        ];
        let bare = EngineFacts { engine: "slurm".to_owned(), job: "1".to_owned(), ..EngineFacts::default() };
        assert_eq!(of(&odd), bare);
    }
}
