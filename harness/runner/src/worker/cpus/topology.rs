//! Which CPUs of this machine may be used, and which of them share a core.

use std::collections::BTreeMap;

use super::super::sys::CpuMask;
use super::super::system::System;

/// A physical core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Core {
    /// The lowest CPU of the core, usable or not: the same to every process of the machine.
    pub id: u32,
    /// Its usable CPUs, which are hyper-threads of one another.
    pub cpus: Vec<u32>,
}

/// CPUs that this process may use.
pub(crate) fn usable() -> Vec<u32> {
    CpuMask::own().map(|mask| mask.cpus()).unwrap_or_default()
}

/// The number of cores behind some CPUs.
pub(crate) fn core_count(system: &System, cpus: &[u32]) -> usize {
    cores(system, cpus).len()
}

/// The cores behind some CPUs, those of one package side by side.
pub(super) fn cores(system: &System, cpus: &[u32]) -> Vec<Core> {
    let mut cores: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for &cpu in cpus {
        let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
        let read = |name: &str| system.read(format!("{topology}/{name}"));
        // Where the machine does not tell, every CPU is a core.
        let siblings = list(&read("thread_siblings_list")).unwrap_or_else(|| vec![cpu]);
        let id = siblings.iter().copied().min().unwrap_or(cpu);
        cores.entry((read("physical_package_id").parse().unwrap_or(0), id)).or_default().push(cpu);
    }
    cores.into_iter().map(|((_, id), cpus)| Core { id, cpus }).collect()
}

/// Numbers of `0-2,8`; `None` if it is no such list.
fn list(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (first, last) = (number(first)?, number(last)?);
        numbers.extend(first..=last);
    }
    (!numbers.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A machine whose CPUs have these siblings and packages.
    fn machine(cpus: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().expect("a folder");
        for (cpu, (siblings, package)) in cpus.iter().enumerate() {
            let dir = folder.path().join(format!("sys/devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&dir).expect("a folder");
            fs::write(dir.join("thread_siblings_list"), format!("{siblings}\n")).expect("a file");
            fs::write(dir.join("physical_package_id"), format!("{package}\n")).expect("a file");
        }
        let system = System::at(folder.path());
        (folder, system)
    }

    fn core(id: u32, cpus: &[u32]) -> Core {
        Core { id, cpus: cpus.to_vec() }
    }

    #[test]
    fn siblings_are_one_core() {
        // As desktops number them: the second threads after all first ones.
        let (_folder, system) = machine(&[("0,2", "0"), ("1,3", "0"), ("0,2", "0"), ("1,3", "0")]);
        assert_eq!(cores(&system, &[0, 1, 2, 3]), [core(0, &[0, 2]), core(1, &[1, 3])]);
        // A core keeps its number when its first thread may not be used.
        assert_eq!(cores(&system, &[1, 2]), [core(0, &[2]), core(1, &[1])]);
        assert_eq!(core_count(&system, &[0, 2]), 1);
    }

    #[test]
    fn cores_of_one_package_stand_together() {
        let (_folder, system) = machine(&[("0-1", "1"), ("0-1", "1"), ("2-3", "0"), ("2-3", "0"), ("4", "1")]);
        assert_eq!(cores(&system, &[0, 1, 2, 3, 4]), [core(2, &[2, 3]), core(0, &[0, 1]), core(4, &[4])]);
    }

    #[test]
    fn without_topology_each_cpu_is_a_core() {
        let (_folder, system) = machine(&[]);
        assert_eq!(cores(&system, &[5, 7]), [core(5, &[5]), core(7, &[7])]);
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(list("0-2,8"), Some(vec![0, 1, 2, 8]));
        assert_eq!(list("3"), Some(vec![3]));
        assert_eq!((list(""), list("a-b")), (None, None));
    }

    #[test]
    fn masks_hold_any_cpu() {
        assert_eq!(CpuMask::of(&[0, 63, 64, 1023, 8191]).cpus(), [0, 63, 64, 1023, 8191]);
        assert!(!usable().is_empty());
    }
}
