//! The batch system in whose job this process runs, as environment and control group tell: Slurm or HyperQueue.

use std::env;

use record::EngineFacts;

use crate::worker::job_group;
use crate::worker::sys::System;

/// Reads the facts; what nobody tells, or what cannot be, stays empty.
pub(crate) fn engine_facts() -> EngineFacts {
    facts(&|name| env::var(name).ok(), &System::default().read("/proc/self/cgroup"))
}

/// A variable of the environment.
type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

fn facts(variable: Variable<'_>, cgroup: &str) -> EngineFacts {
    // A worker of HyperQueue may itself run in a job of Slurm.
    let found = hyperqueue(variable).or_else(|| slurm(variable));
    found.map_or_else(EngineFacts::default, |found| EngineFacts {
        node: variable("SLURMD_NODENAME").filter(|name| is_name(name)).unwrap_or_default(),
        cgroup: job_group(cgroup).unwrap_or_default(),
        ..found
    })
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
        ..EngineFacts::default()
    })
}

fn number<T: std::str::FromStr>(variable: Variable<'_>, name: &str) -> Option<T> {
    variable(name)?.parse().ok()
}

/// The number of a job or task.
fn digits(text: String) -> Option<String> {
    ((1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

/// Whether a text can be the name of a node.
fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=255).contains(&text.len()) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], cgroup: &str) -> EngineFacts {
        let value =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        facts(&value, cgroup)
    }

    #[test]
    fn a_task_of_an_array_of_slurm() {
        let array = [
            ("SLURM_JOB_ID", "4714"),
            ("SLURM_ARRAY_JOB_ID", "4711"),
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("SLURM_CPUS_ON_NODE", "2"),
            ("SLURM_MEM_PER_CPU", "200"),
            ("SLURMD_NODENAME", "n1"),
        ];
        let found = of(&array, "4:memory:/slurm_n1/uid_0/job_4714/step_batch\n");
        assert_eq!(found.in_words().as_deref(), Some("slurm job 4711_3 attempt 0"));
        assert_eq!((found.cpus, found.memory_b, found.node.as_str()), (2, 400 << 20, "n1"));
        assert_eq!(found.cgroup, "/slurm_n1/uid_0/job_4714/step_batch");
        let again = [&array[..], &[("SLURM_RESTART_COUNT", "1"), ("SLURM_MEM_PER_NODE", "1000")]].concat();
        let found = of(&again, "");
        assert_eq!((found.attempt, found.memory_b), (Some(1), 1000 << 20));
        let single = of(&[("SLURM_JOB_ID", "7")], "");
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
            ("SLURMD_NODENAME", "n1"),
        ];
        let found = of(&task, "");
        assert_eq!(found.in_words().as_deref(), Some("hyperqueue job 2 task 5 attempt 1"));
        assert_eq!((found.cpus, found.node.as_str()), (2, "n1"));
    }

    #[test]
    fn what_makes_no_sense_is_passed_over() {
        for job in ["", "x", "-1", "4 2", "123456789012345678901"] {
            assert_eq!(of(&[("SLURM_JOB_ID", job), ("HQ_JOB_ID", job)], "0::/a\n"), EngineFacts::default(), "{job}");
        }
        let odd = [
            ("SLURM_JOB_ID", "1"),
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("SLURM_RESTART_COUNT", "?"),
            ("SLURM_CPUS_ON_NODE", "many"),
            ("SLURM_MEM_PER_NODE", "99999999999999999999"),
            ("SLURMD_NODENAME", "a\nb"),
        ];
        let bare = EngineFacts { engine: "slurm".to_owned(), job: "1".to_owned(), ..EngineFacts::default() };
        assert_eq!(of(&odd, ""), bare);
    }
}
