//! Where the groups of runs are made: found by `/proc/self/cgroup` and `/proc/self/mountinfo`, made ready, and put back as it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use rustix::fs::getxattr;
use rustix::process::geteuid;

use super::{RunGroup, Version, create, kill_members, remove, write};
use crate::worker::sys::{System, held, is_gone};

/// Groups of ours are named `tilebench-<pid>-<what>`.
const PREFIX: &str = "tilebench-";

/// What the runner's own group is named when it had to move.
const SELF: &str = "self";

/// How to have a group of one's own, for messages.
const ADVICE: &str = "systemd-run --scope -p Delegate=yes (with --user unless you are root) gives one";

/// A group below which runs have theirs. Dropped by its last user, it is as it was before.
#[derive(Debug)]
pub(in crate::worker) struct ParentGroup {
    version: Version,
    memory: PathBuf,
    cpu: Option<PathBuf>,
    undo: Undo,
}

#[derive(Debug, Default)]
struct Undo {
    /// The memory controller was switched on for the groups below.
    controller: bool,
    /// The runner itself moved to this group.
    moved_to: Option<PathBuf>,
}

/// The parent group of this process: sessions beside each other share it.
static SHARED: Mutex<Weak<ParentGroup>> = Mutex::new(Weak::new());

impl ParentGroup {
    /// The parent group of this process.
    pub fn shared() -> Result<Arc<Self>, String> {
        let mut shared = held(&SHARED);
        if let Some(parent) = shared.upgrade() {
            return Ok(parent);
        }
        let parent = Arc::new(Self::find(&System::default())?);
        *shared = Arc::downgrade(&parent);
        Ok(parent)
    }

    /// Looks for a parent group: version 2 if it can limit memory, else version 1.
    fn find(system: &System) -> Result<Self, String> {
        let (cgroup, mounts) = (system.read("/proc/self/cgroup"), system.read("/proc/self/mountinfo"));
        let two = match unified(&cgroup, &mounts) {
            Some(own) => Self::v2(system, &own),
            None => Err("no cgroup v2".to_owned()),
        };
        let two = match two {
            Ok(parent) => return Ok(parent),
            Err(reason) => reason,
        };
        let one = match of_controller("memory", &cgroup, &mounts) {
            Some(own) => Self::v1(system, &own, of_controller("cpuacct", &cgroup, &mounts).as_ref()),
            None => Err("no memory controller of cgroup v1".to_owned()),
        };
        one.map_err(|one| format!("{two}; {one}"))
    }

    fn v2(system: &System, own: &Own) -> Result<Self, String> {
        let dir = system.path(&own.dir);
        if is_of_slurm(&own.dir) {
            // Of version 2 Slurm looks for the processes of a job in its own groups alone: it would end without those in ours.
            return Err(format!("{} belongs to Slurm, which does not look into groups below it", dir.display()));
        }
        if !fs::read_to_string(dir.join("cgroup.controllers")).is_ok_and(|list| has_memory(&list)) {
            return Err(format!("{} has no memory controller", dir.display()));
        }
        let dir = match dir.parent() {
            // Either the runner was started by one that had to move, or whoever delegated the group put us below it.
            Some(parent) if is_self(&dir) || (is_delegated(parent) && is_enabled(parent)) => parent.to_owned(),
            _ => {
                ours_to_use(&dir, own)?;
                dir
            }
        };
        let undo = enable(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let parent = Self { version: Version::V2, memory: dir, cpu: None, undo };
        parent.tried("memory.max")
    }

    fn v1(system: &System, memory: &Own, cpu: Option<&Own>) -> Result<Self, String> {
        let dir = system.path(&memory.dir);
        ours_to_use(&dir, memory)?;
        let cpu = cpu.map(|own| (own, system.path(&own.dir))).filter(|(own, dir)| ours_to_use(dir, own).is_ok());
        let mut parent =
            Self { version: Version::V1, memory: dir, cpu: cpu.map(|(_, dir)| dir), undo: Undo::default() };
        if parent.cpu.as_deref().is_some_and(|dir| probe(dir, "cpuacct.usage").is_err()) {
            parent.cpu = None;
        }
        let parent = parent.tried("memory.limit_in_bytes")?;
        for dir in parent.cpu.iter().chain([&parent.memory]).filter_map(|dir| user_of_slurm(dir)) {
            remove_left(dir);
        }
        Ok(parent)
    }

    /// Whether groups can really be made, with a file that limits; clears away what killed runners left.
    fn tried(mut self, file: &str) -> Result<Self, String> {
        if let Err(error) = probe(&self.memory, file) {
            self.put_back();
            return Err(format!("{}: {error}", self.memory.display()));
        }
        clear_leftovers(&self.memory);
        self.cpu.iter().for_each(|dir| clear_leftovers(dir));
        Ok(self)
    }

    pub fn isolation(&self) -> &'static str {
        match self.version {
            Version::V1 => "cgroup-v1",
            Version::V2 => "cgroup-v2",
        }
    }

    /// A new group with a limit of memory.
    pub fn group(&self, limit_b: Option<u64>) -> io::Result<RunGroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = our_name(&NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
        RunGroup::new(self.version, self.memory.join(&name), self.cpu.as_ref().map(|dir| dir.join(&name)), limit_b)
    }
}

impl Drop for ParentGroup {
    fn drop(&mut self) {
        if !self.undo.controller {
            return;
        }
        let shared = held(&SHARED);
        // A session that begins just now has found everything ready.
        if shared.strong_count() == 0 {
            self.put_back();
        }
    }
}

impl ParentGroup {
    fn put_back(&mut self) {
        let Undo { controller, moved_to } = std::mem::take(&mut self.undo);
        if !controller {
            return;
        }
        clear_leftovers(&self.memory);
        // Other runners may have groups here by now; then all stays as it is.
        let ours = moved_to.as_deref();
        if groups(&self.memory).any(|dir| Some(dir.as_path()) != ours) {
            return;
        }
        // Nobody can be told of a failure, and nothing depends on it.
        let _ = write(&self.memory.join("cgroup.subtree_control"), "-memory");
        if let Some(dir) = ours {
            let _ = write(&self.memory.join("cgroup.procs"), "0");
            remove(dir);
        }
    }
}

/// Switches the memory controller on for the groups below. That takes a group without processes (but for the topmost
/// one), so the runner moves to a group of its own if it is alone here.
fn enable(dir: &Path) -> io::Result<Undo> {
    let control = dir.join("cgroup.subtree_control");
    if is_enabled(dir) {
        return Ok(Undo::default());
    }
    match write(&control, "+memory") {
        Ok(()) => return Ok(Undo { controller: true, moved_to: None }),
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {}
        Err(error) => return Err(error),
    }
    let procs = dir.join("cgroup.procs");
    let alone = fs::read_to_string(&procs)?.split_whitespace().eq([std::process::id().to_string()]);
    if !alone {
        return Err(io::Error::other(format!("other processes are in the group of this one: {ADVICE}")));
    }
    let leaf = dir.join(our_name(SELF));
    create(&leaf)?;
    match write(&leaf.join("cgroup.procs"), "0").and_then(|()| write(&control, "+memory")) {
        Ok(()) => Ok(Undo { controller: true, moved_to: Some(leaf) }),
        Err(error) => {
            let _ = write(&procs, "0");
            remove(&leaf);
            Err(error)
        }
    }
}

fn is_enabled(dir: &Path) -> bool {
    fs::read_to_string(dir.join("cgroup.subtree_control")).is_ok_and(|list| has_memory(&list))
}

fn has_memory(list: &str) -> bool {
    list.split_whitespace().any(|name| name == "memory")
}

/// Root may write everywhere, so for root it has to be said whose a group is. To others the directory's rights say it. The groups of
/// version 1 that Slurm makes for a step of a job are there for its processes; it finds these by the group of another controller.
fn ours_to_use(dir: &Path, own: &Own) -> Result<(), String> {
    if own.is_top || !geteuid().is_root() || is_delegated(dir) || is_of_slurm(&own.dir) {
        return Ok(());
    }
    Err(format!("{} is not delegated to this program: {ADVICE}", dir.display()))
}

/// Whether systemd marked a group as one that others may use.
fn is_delegated(dir: &Path) -> bool {
    let mut value = [0; 64];
    ["user.delegate", "trusted.delegate"]
        .into_iter()
        .any(|name| getxattr(dir, name, &mut value[..]).is_ok_and(|length| length > 0) && value[0] == b'1')
}

/// Makes a group, looks for a file that can be written to, and removes the group.
fn probe(dir: &Path, file: &str) -> io::Result<()> {
    let trial = dir.join(our_name("probe"));
    create(&trial)?;
    let found = fs::OpenOptions::new().write(true).open(trial.join(file)).map(drop);
    remove(&trial);
    found
}

/// Removes groups of runners that are gone. Such a group is empty, normally: the kernel ended the worker with its runner,
/// and the guard whatever the worker had started. Who is still in it was missed by both.
fn clear_leftovers(dir: &Path) {
    for group in groups(dir).filter(|group| is_left(group)) {
        kill_members(&group);
        remove(&group);
    }
}

/// Removes empty groups of runners that are gone, and what was kept only by them: where Slurm ended the guard together with a job, its
/// groups of the job stayed. Whether anything was removed.
fn remove_left(dir: &Path) -> bool {
    let is_removed = |group: PathBuf| fs::remove_dir(group).is_ok();
    let below: Vec<bool> = folders(dir)
        .map(|group| match is_ours(&group) {
            true => is_left(&group) && is_removed(group),
            false => remove_left(&group) && is_removed(group),
        })
        .collect();
    below.contains(&true)
}

/// Slurm's group of version 1 for all jobs of a user: `slurm_NODE/uid_0`, of the group of a step in it.
fn user_of_slurm(step: &Path) -> Option<&Path> {
    step.ancestors().find(|dir| dir.file_name().is_some_and(|name| name.to_string_lossy().starts_with("uid_")))
}

fn is_left(group: &Path) -> bool {
    let name = group.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
    pid.is_some_and(is_gone)
}

fn groups(dir: &Path) -> impl Iterator<Item = PathBuf> {
    folders(dir).filter(|group| is_ours(group))
}

fn is_ours(group: &Path) -> bool {
    group.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

fn folders(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

fn our_name(what: &str) -> String {
    format!("{PREFIX}{}-{what}", std::process::id())
}

/// Whether a group is that of a runner that had to move.
fn is_self(dir: &Path) -> bool {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')).is_some_and(|(_, what)| what == SELF)
}

/// The group of a process in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Own {
    /// Its directory.
    pub dir: PathBuf,
    /// Whether it is the topmost one that can be seen: of the machine, or of the container.
    pub is_top: bool,
}

fn unified(cgroup: &str, mountinfo: &str) -> Option<Own> {
    let path = paths(cgroup).find_map(|(controllers, path)| controllers.is_empty().then_some(path))?;
    locate(path, mountinfo, |mount| mount.kind == "cgroup2")
}

fn of_controller(controller: &str, cgroup: &str, mountinfo: &str) -> Option<Own> {
    let lists = |list: &str| list.split(',').any(|name| name == controller);
    let path = paths(cgroup).find_map(|(controllers, path)| lists(controllers).then_some(path))?;
    locate(path, mountinfo, |mount| mount.kind == "cgroup" && lists(mount.options))
}

/// Whether Slurm made a group for a step of a job: `slurm_NODE/uid_0/job_7/step_batch` of version 1 and
/// `slurmstepd.scope/job_7/step_batch/user/task_0` of version 2, or one below it.
fn is_of_slurm(group: &Path) -> bool {
    let parts: Vec<_> = group.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let Some(slurm) = parts.iter().position(|part| part.contains("slurm")) else { return false };
    parts[slurm..].windows(2).any(|pair| pair[0].starts_with("job_") && pair[1].starts_with("step_"))
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

    /// A machine of plain files: the group of this process, and what the kernel would have in it.
    fn machine(cgroup: &str, mount: &str, dir: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let mounts = format!("31 23 0:28 {mount}\n");
        let facts = [("/proc/self/cgroup".to_owned(), cgroup), ("/proc/self/mountinfo".to_owned(), mounts.as_str())];
        let files = files.iter().map(|(name, text)| (format!("{dir}/{name}"), *text));
        let (folder, system) = System::of(&facts.into_iter().chain(files).collect::<Vec<_>>());
        fs::create_dir_all(system.path(dir)).expect("a folder");
        (folder, system)
    }

    const V2: &str = "/ /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate";

    #[test]
    fn a_group_that_is_not_ours_is_left_alone() {
        // Others than root are kept out by the rights of the directory.
        if !geteuid().is_root() {
            return;
        }
        let dir = "sys/fs/cgroup/session.scope";
        let (folder, system) = machine("0::/session.scope\n", V2, dir, &[("cgroup.controllers", "cpu memory\n")]);
        let reason = ParentGroup::find(&system).expect_err("somebody else's");
        assert!(reason.contains("session.scope is not delegated") && reason.contains("Delegate=yes"), "{reason}");
        let mount = "/ /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
        let (other, system) = machine("4:memory:/service/1\n", mount, "sys/fs/cgroup/memory/service/1", &[]);
        let reason = ParentGroup::find(&system).expect_err("somebody else's");
        assert!(reason.contains("no cgroup v2; ") && reason.contains("service/1 is not delegated"), "{reason}");
        let untouched = |path: PathBuf| fs::read_dir(path).expect("a folder").count();
        assert_eq!(untouched(folder.path().join(dir)), 1);
        assert_eq!(untouched(other.path().join("sys/fs/cgroup/memory/service/1")), 0);
    }

    #[test]
    fn of_slurm_groups_of_version_1_are_used_and_those_of_version_2_are_left_alone() {
        let step = "slurm_n1/uid_0/job_7/step_batch";
        let mount = "/ /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
        let dir = format!("sys/fs/cgroup/memory/{step}");
        let (folder, system) = machine(&format!("4:memory:/{step}\n"), mount, &dir, &[]);
        // Plain files have no limit in a new directory: so far it came.
        let reason = ParentGroup::find(&system).expect_err("no kernel behind it");
        assert!(reason.contains("step_batch: No such file"), "{reason}");
        assert_eq!(fs::read_dir(folder.path().join(dir)).expect("a folder").count(), 0, "nothing is left");

        let step = "slurmstepd.scope/job_7/step_batch/user/task_0";
        let files = [("cgroup.controllers", "memory"), ("cgroup.subtree_control", ""), ("cgroup.procs", "1\n")];
        let (folder, system) = machine(&format!("0::/{step}\n"), V2, &format!("sys/fs/cgroup/{step}"), &files);
        let reason = ParentGroup::find(&system).expect_err("Slurm would not see who is below");
        assert!(reason.contains("task_0 belongs to Slurm"), "{reason}");
        let control = folder.path().join("sys/fs/cgroup").join(step).join("cgroup.subtree_control");
        assert_eq!(fs::read_to_string(control).expect("it is there"), "");
    }

    #[test]
    fn without_a_memory_controller_there_is_nothing_to_use() {
        let (_folder, system) = machine("0::/\n", V2, "sys/fs/cgroup", &[("cgroup.controllers", "hugetlb\n")]);
        let reason = ParentGroup::find(&system).expect_err("no memory");
        assert!(reason.contains("has no memory controller; no memory controller of cgroup v1"), "{reason}");
    }

    #[test]
    fn the_controller_is_switched_on_and_off_again() {
        let files = [("cgroup.controllers", "memory"), ("cgroup.subtree_control", ""), ("cgroup.procs", "1\n")];
        let (folder, system) = machine("0::/\n", V2, "sys/fs/cgroup", &files);
        // Plain files have no memory.max in a new directory, so this parent is given up, and all is put back.
        let reason = ParentGroup::find(&system).expect_err("no kernel behind it");
        assert!(reason.contains("sys/fs/cgroup: No such file"), "{reason}");
        let control = folder.path().join("sys/fs/cgroup/cgroup.subtree_control");
        assert_eq!(fs::read_to_string(control).expect("it is there"), "-memory");
    }

    #[test]
    fn empty_groups_of_dead_runners_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |name: &str| fs::create_dir_all(folder.path().join(name)).expect("a folder");
        // No pid is that large.
        let (dead, left, ours) = ("tilebench-999999999-1", "tilebench-999999999-3", our_name("7"));
        for name in [dead, &ours, "tilebench-999999999-2/busy", "tilebench-x-1", "other"] {
            make(name);
        }
        // Somebody whom nobody has ended.
        let mut stray = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        make(left);
        fs::write(folder.path().join(left).join("cgroup.procs"), format!("{}\n", stray.id())).expect("a file");
        clear_leftovers(folder.path());
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(!is_there(dead));
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&stray.wait().expect("our own child")), Some(9));
        assert!(is_there(&ours) && is_there("tilebench-999999999-2") && is_there("tilebench-x-1") && is_there("other"));
    }

    #[test]
    fn of_jobs_of_slurm_that_have_ended_empty_groups_of_dead_runners_and_what_they_kept_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = folder.path().join("slurm_n1/uid_7");
        let steps = [
            "job_1/step_batch/tilebench-999999999-4",
            "job_2/step_0/task_0/tilebench-999999999-0",
            "job_2/step_1",
            "job_3/step_batch",
            "job_4/step_batch/tilebench-999999999-1/in-use",
        ];
        let running = format!("job_5/step_batch/{}", our_name("3"));
        for step in steps.into_iter().chain([running.as_str()]) {
            fs::create_dir_all(user.join(step)).expect("a folder");
        }
        assert_eq!(user_of_slurm(&user.join(steps[0])), Some(user.as_path()));
        assert!(remove_left(&user));
        let is_there = |name: &str| user.join(name).exists();
        assert!(!is_there("job_1") && !is_there("job_2/step_0"));
        assert!(is_there("job_2/step_1") && is_there(steps[3]) && is_there(steps[4]) && is_there(&running));
    }

    const MOUNTS_V2: &str = "27 1 254:0 / / rw - ext4 /dev/vda rw\n\
        31 23 0:28 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";
    const MOUNTS_V1: &str = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n\
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
        let own = unified(cgroup, MOUNTS_V2).expect("a group");
        let below = "user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope";
        assert_eq!((own.dir, own.is_top), (Path::new("/sys/fs/cgroup").join(below), false));
        assert_eq!(of_controller("memory", cgroup, MOUNTS_V2), None);
    }

    #[test]
    fn version_1_has_a_path_for_each_controller() {
        let cgroup = "8:pids:/\n4:memory:/user.slice/a b\n2:cpu,cpuacct:/\n1:name=systemd:/user.slice\n";
        assert_eq!(
            dir(of_controller("memory", cgroup, MOUNTS_V1)).as_deref(),
            Some("/sys/fs/cgroup/memory/user.slice/a b")
        );
        let own = of_controller("cpuacct", cgroup, MOUNTS_V1).expect("mounted with cpu");
        assert_eq!((own.dir, own.is_top), (PathBuf::from("/sys/fs/cgroup/cpu,cpuacct"), true));
        assert_eq!((of_controller("blkio", cgroup, MOUNTS_V1), unified(cgroup, MOUNTS_V1)), (None, None));
    }

    #[test]
    fn hybrid_machines_have_both() {
        let (cgroup, mounts) = ("4:memory:/a\n0::/b\n", format!("{MOUNTS_V1}{HYBRID}"));
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
    fn containers_see_a_part() {
        let own = of_controller("memory", "4:memory:/docker/4f2a\n", DOCKER_V1).expect("a group");
        assert_eq!((own.dir, own.is_top), (PathBuf::from("/sys/fs/cgroup/memory"), true));
        assert_eq!(dir(of_controller("memory", "4:memory:/docker/other\n", DOCKER_V1)), None);
        // In a group namespace the container is the top; what lies outside begins with two dots.
        assert!(unified("0::/\n", MOUNTS_V2).is_some_and(|own| own.is_top));
        assert_eq!(unified("0::/../other\n", MOUNTS_V2), None);
    }
}
