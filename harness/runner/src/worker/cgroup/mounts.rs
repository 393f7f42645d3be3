//! Where the control groups of this process lie, from `/proc/self/cgroup` and `/proc/self/mountinfo`.

use std::path::{Path, PathBuf};

/// The group of a process in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// Its directory.
    pub dir: PathBuf,
    /// Whether it is the topmost one that can be seen: of the machine, or of the container.
    pub is_top: bool,
}

/// The group in the one hierarchy of version 2.
pub(super) fn unified(cgroup: &str, mountinfo: &str) -> Option<Own> {
    let path = paths(cgroup).find_map(|(controllers, path)| controllers.is_empty().then_some(path))?;
    locate(path, mountinfo, |mount| mount.kind == "cgroup2")
}

/// The group in the hierarchy of version 1 that has a controller.
pub(super) fn of_controller(controller: &str, cgroup: &str, mountinfo: &str) -> Option<Own> {
    let lists = |list: &str| list.split(',').any(|name| name == controller);
    let path = paths(cgroup).find_map(|(controllers, path)| lists(controllers).then_some(path))?;
    locate(path, mountinfo, |mount| mount.kind == "cgroup" && lists(mount.options))
}

/// Whether Slurm made a group for a step of a job: `slurm_NODE/uid_0/job_7/step_batch` of version 1 and
/// `slurmstepd.scope/job_7/step_batch/user/task_0` of version 2, or one below it.
pub(super) fn is_of_slurm(group: &Path) -> bool {
    let parts: Vec<_> = group.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let Some(slurm) = parts.iter().position(|part| part.contains("slurm")) else { return false };
    parts[slurm..].windows(2).any(|pair| pair[0].starts_with("job_") && pair[1].starts_with("step_"))
}

/// The path of the group that tells most of where a process is: that of a job of Slurm, else that of the memory controller, else
/// that of version 2. None tells anything where all are topmost.
pub(super) fn most_telling(cgroup: &str) -> Option<&str> {
    let below = paths(cgroup).filter(|(_, path)| !path.trim_matches('/').is_empty());
    let rank = |(controllers, path): &(&str, &str)| {
        let counts_memory = controllers.split(',').any(|name| name == "memory");
        (!is_of_slurm(Path::new(path)), !counts_memory, !controllers.is_empty())
    };
    below.min_by_key(rank).map(|(_, path)| path)
}

/// Controllers and path of each line `4:memory:/path`.
fn paths(cgroup: &str) -> impl Iterator<Item = (&str, &str)> {
    cgroup.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        Some((parts.next()?, parts.next()?))
    })
}

/// A line of `mountinfo`, as far as it matters.
struct Mount<'a> {
    /// The directory of the hierarchy that is mounted.
    root: &'a str,
    point: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let mut after = after.split(' ');
        let (root, point, kind) = (before.next()?, before.next()?, after.next()?);
        Some(Self { root, point, kind, options: after.nth(1).unwrap_or_default() })
    }
}

fn locate(path: &str, mountinfo: &str, fits: impl Fn(&Mount<'_>) -> bool) -> Option<Own> {
    mountinfo.lines().filter_map(Mount::parse).filter(fits).find_map(|mount| {
        // A group outside of what is mounted here begins with "/..", or not with the root of the mount.
        let below = Path::new(path).strip_prefix(unescaped(mount.root)).ok()?;
        let sound = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        sound.then(|| Own {
            dir: PathBuf::from(unescaped(mount.point)).join(below),
            is_top: below.as_os_str().is_empty(),
        })
    })
}

/// Blanks in paths are written `\040`.
fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\134", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const V2: &str = "27 1 254:0 / / rw - ext4 /dev/vda rw\n\
        31 23 0:28 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";
    const V1: &str = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n\
        33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
        40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd\n";
    const HYBRID: &str = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n";
    const DOCKER_V1: &str = "700 690 0:32 /docker/4f2a /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n";

    fn dir(own: Option<Own>) -> Option<String> {
        own.map(|own| own.dir.display().to_string())
    }

    #[test]
    fn a_user_session_of_systemd() {
        let cgroup = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope\n";
        let own = unified(cgroup, V2).expect("a group");
        let below = "user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope";
        assert_eq!((own.dir, own.is_top), (Path::new("/sys/fs/cgroup").join(below), false));
        assert_eq!(of_controller("memory", cgroup, V2), None);
    }

    #[test]
    fn version_1_has_a_path_for_each_controller() {
        let cgroup = "8:pids:/\n4:memory:/user.slice/a b\n2:cpu,cpuacct:/\n1:name=systemd:/user.slice\n";
        assert_eq!(dir(of_controller("memory", cgroup, V1)).as_deref(), Some("/sys/fs/cgroup/memory/user.slice/a b"));
        let own = of_controller("cpuacct", cgroup, V1).expect("mounted with cpu");
        assert_eq!((own.dir, own.is_top), (PathBuf::from("/sys/fs/cgroup/cpu,cpuacct"), true));
        assert_eq!((of_controller("blkio", cgroup, V1), unified(cgroup, V1)), (None, None));
    }

    #[test]
    fn hybrid_machines_have_both() {
        let (cgroup, mounts) = ("4:memory:/a\n0::/b\n", format!("{V1}{HYBRID}"));
        assert_eq!(dir(unified(cgroup, &mounts)).as_deref(), Some("/sys/fs/cgroup/unified/b"));
        assert_eq!(dir(of_controller("memory", cgroup, &mounts)).as_deref(), Some("/sys/fs/cgroup/memory/a"));
    }

    #[test]
    fn groups_of_slurm_are_known_by_their_names() {
        for (group, expected) in [
            ("/sys/fs/cgroup/memory/slurm/uid_1000/job_7/step_0", true),
            ("/sys/fs/cgroup/memory/slurm_n1/uid_0/job_7/step_batch/task_0", true),
            ("/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/step_batch/user/task_0", true),
            ("/sys/fs/cgroup/system.slice/slurmd.service", false),
            ("/sys/fs/cgroup/memory/slurm/uid_1000/job_7", false),
            ("/sys/fs/cgroup/memory/my/job_7/step_0", false),
        ] {
            assert_eq!(is_of_slurm(Path::new(group)), expected, "{group}");
        }
    }

    #[test]
    fn of_several_groups_that_of_the_job_tells_most() {
        let slurm = "5:cpuacct:/\n4:memory:/a\n3:cpuset:/slurm/uid_0/job_7/step_0\n0::/b\n";
        assert_eq!(most_telling(slurm), Some("/slurm/uid_0/job_7/step_0"));
        assert_eq!(most_telling("5:cpuacct:/c\n4:memory:/a\n0::/b\n"), Some("/a"));
        assert_eq!(most_telling("5:cpuacct:/c\n4:memory:/\n0::/b\n"), Some("/b"));
        assert_eq!(most_telling("4:memory:/\n0::/\n"), None);
    }

    #[test]
    fn containers_see_a_part() {
        let own = of_controller("memory", "4:memory:/docker/4f2a\n", DOCKER_V1).expect("a group");
        assert_eq!((own.dir, own.is_top), (PathBuf::from("/sys/fs/cgroup/memory"), true));
        assert_eq!(dir(of_controller("memory", "4:memory:/docker/other\n", DOCKER_V1)), None);
        // In a group namespace the container is the top; what lies outside begins with two dots.
        assert!(unified("0::/\n", V2).is_some_and(|own| own.is_top));
        assert_eq!(unified("0::/../other\n", V2), None);
    }
}
