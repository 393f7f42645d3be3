//! A worker and its descendants as `/proc` shows them: whom to kill, and what they use.
//!
//! A process belongs to a worker if it is in its process group, if its parent belongs to it, or if it carries the mark
//! that the worker was started with in its environment. While the worker lives, whoever loses its parent becomes its child, so
//! that processes that left group, session and environment are found as well. Once it has ended they become children of the runner,
//! if that takes them in, and are looked for there alone.

use std::collections::{BTreeMap, HashSet};
use std::iter;
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use rustix::process::RawPid;

use super::figures::{Environment, Stat, variables};
use super::guard::taken_in;
use super::sys::System;

/// Pause after a search, in times of what it took: searching takes at most a fiftieth of one CPU.
const PAUSE: u32 = 50;

/// Shortest time between two searches.
const OFTEN: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Tree {
    system: System,
    leader: RawPid,
    mark: Vec<u8>,
    members: BTreeMap<RawPid, Stat>,
    /// Processes younger than the worker that are not its descendants, by number and start.
    foreign: HashSet<(RawPid, u64)>,
    born: u64,
    /// Clock ticks of descendants that are gone and that nobody of the worker waited for.
    lost: u64,
    next_search: Instant,
    /// Whether the worker ever had descendants.
    pub has_descendants: bool,
    /// Whether the last search met a process of which it could not be told whether it belongs to the worker; another may tell.
    pub is_in_doubt: bool,
}

impl Tree {
    /// The tree of a worker that was started with a mark (`NAME=value`) in its environment.
    pub fn new(system: System, leader: RawPid, mark: &str) -> Self {
        let born = Stat::read(&system, leader).map_or(0, |stat| stat.start);
        Self {
            system,
            born,
            leader,
            mark: mark.as_bytes().to_vec(),
            members: BTreeMap::new(),
            foreign: HashSet::new(),
            lost: 0,
            next_search: Instant::now(),
            has_descendants: false,
            is_in_doubt: false,
        }
    }

    /// Looks at the known processes, and now and then for new ones.
    pub fn look(&mut self) {
        let now = Instant::now();
        if now >= self.next_search {
            self.search();
            let took = now.elapsed();
            self.next_search = now + (took * PAUSE).max(OFTEN);
        } else {
            self.refresh();
        }
    }

    /// Looks for descendants of which nothing is known yet.
    pub fn search(&mut self) {
        self.refresh();
        // Whoever a worker leaves behind becomes a child of this process, which saves looking at everybody.
        let left = if self.leader_is_dead() { taken_in(self.leader) } else { None };
        // Who may still be there stays in doubt where nobody can be looked for.
        let Some(processes) = left.or_else(|| Some(self.system.processes().ok()?.collect())) else { return };
        let unknown = processes.into_iter().filter(|pid| !self.members.contains_key(pid));
        let stats = unknown.filter_map(|pid| Some((pid, Stat::read(&self.system, pid)?)));
        // Older processes cannot be descendants. Numbers tell nothing of age: they begin anew some time.
        let mut young: Vec<(RawPid, Stat)> = stats.filter(|(_, stat)| stat.start >= self.born).collect();
        young.sort_unstable_by_key(|(pid, stat)| (stat.start, *pid));
        let known = std::mem::take(&mut self.foreign);
        self.is_in_doubt = false;
        // Parents are older than their children, normally, so one round finds all.
        for (pid, stat) in young {
            let name = (pid, stat.start);
            let is_kin = stat.group == self.leader || self.members.contains_key(&stat.parent);
            let is_marked = if is_kin || known.contains(&name) { Some(is_kin) } else { self.is_marked(pid) };
            match is_marked {
                Some(true) => {
                    self.members.insert(pid, stat);
                    self.has_descendants = true;
                }
                Some(false) => drop(self.foreign.insert(name)),
                None => {}
            }
        }
    }

    /// Reads the figures of the known processes anew, drops those that are gone, and takes in the children that they have
    /// by now, as far as the kernel lists them.
    pub fn refresh(&mut self) {
        if let Some(stat) = Stat::read(&self.system, self.leader) {
            self.members.insert(self.leader, stat);
        }
        let mut parents: Vec<RawPid> = self.members.keys().copied().collect();
        while let Some(pid) = parents.pop() {
            // Those of its first thread; others are found by a search.
            let children = self.system.read(format!("/proc/{pid}/task/{pid}/children"));
            for child in children.split_whitespace().filter_map(|text| text.parse().ok()) {
                if !self.members.contains_key(&child)
                    && let Some(stat) = Stat::read(&self.system, child)
                    // Since the list was read the number may have become somebody else's.
                    && stat.parent == pid
                {
                    self.members.insert(child, stat);
                    self.has_descendants = true;
                    parents.push(child);
                }
            }
        }
        let known: Vec<(RawPid, Stat)> = self.members.iter().map(|(pid, stat)| (*pid, *stat)).collect();
        let mut gone = BTreeMap::new();
        for (pid, old) in known.into_iter().filter(|(pid, _)| *pid != self.leader) {
            match Stat::read(&self.system, pid).filter(|new| new.start == old.start) {
                Some(new) => drop(self.members.insert(pid, new)),
                None => {
                    self.members.remove(&pid);
                    gone.insert(pid, old);
                }
            }
        }
        for old in gone.values() {
            // A parent that waited for it has its time by now; one that went with it had passed it on to its own.
            let passed_on = iter::successors(Some(old.parent), |parent| Some(gone.get(parent)?.parent));
            let last = passed_on.take(gone.len() + 1).last();
            if last.is_none_or(|last| !self.members.contains_key(&last)) {
                self.lost += old.own + old.waited;
            }
        }
    }

    /// `None`: not to be told, or not now.
    fn is_marked(&mut self, pid: RawPid) -> Option<bool> {
        match Environment::of(&self.system, pid) {
            Environment::Shown(environment) => Some(variables(&environment).any(|variable| variable == self.mark)),
            Environment::Pending => {
                self.is_in_doubt = true;
                None
            }
            Environment::Hidden => None,
        }
    }

    /// Resident memory of all of them; pages that several of them share count several times.
    pub fn memory(&self) -> u64 {
        self.members.values().map(|stat| stat.bytes()).sum()
    }

    /// The same with shared pages counted once, as far as that can be told; it takes longer to find out.
    pub fn memory_shared_once(&self) -> u64 {
        let shared_once = |pid: RawPid| {
            let told = self.system.field_b(format!("/proc/{pid}/smaps_rollup"), "Pss");
            // One that is gone by now has none.
            told.or_else(|| Stat::read(&self.system, pid).map(|stat| stat.bytes())).unwrap_or(0)
        };
        self.members.keys().map(|pid| shared_once(*pid)).sum()
    }

    /// CPU time of all of them, with those that have ended.
    pub fn cpu_s(&self) -> f64 {
        seconds(self.lost + self.members.values().map(|stat| stat.own + stat.waited).sum::<u64>())
    }

    /// CPU time that the system will not tell when it reports on the worker: of descendants that the worker has not
    /// waited for.
    pub fn cpu_unreported_s(&self) -> f64 {
        let others = self.members.iter().filter(|(pid, _)| **pid != self.leader);
        seconds(self.lost + others.map(|(_, stat)| stat.own + stat.waited).sum::<u64>())
    }

    /// Whether the worker itself has ended.
    pub fn leader_is_dead(&self) -> bool {
        self.members.get(&self.leader).is_none_or(|stat| stat.dead)
    }

    /// Kills the descendants that are known, and reports whether there were any that lived.
    pub fn kill_descendants(&self) -> bool {
        let mut any = false;
        for (pid, stat) in self.members.iter().filter(|(pid, _)| **pid != self.leader) {
            // A number that was given away again in the meantime has another start.
            let is_it = || Stat::read(&self.system, *pid).is_some_and(|now| now.start == stat.start && !now.dead);
            any |= system::kill_process(*pid, is_it);
        }
        any
    }
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / clock_ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::figures::KERNEL;
    use super::*;

    /// A machine of plain files, on which worker 500 was born at 9000.
    fn machine() -> (tempfile::TempDir, Tree) {
        let folder = tempfile::tempdir().expect("a folder");
        process(&folder, 500, 70, 500, 9000, "TILEBENCH_RUN=7-1");
        let tree = Tree::new(System::at(folder.path()), 500, "TILEBENCH_RUN=7-1");
        (folder, tree)
    }

    fn process(folder: &tempfile::TempDir, pid: u32, parent: u32, group: u32, start: u64, environment: &str) {
        write(folder, pid, (parent, group), start, environment, (0, 0x40_0000));
    }

    /// Last: its flags, and where its program begins.
    fn write(
        folder: &tempfile::TempDir,
        pid: u32,
        (parent, group): (u32, u32),
        start: u64,
        environment: &str,
        (flags, code): (u64, u64),
    ) {
        let dir = folder.path().join(format!("proc/{pid}"));
        fs::create_dir_all(&dir).expect("a folder");
        let stat =
            format!("{pid} (x) S {parent} {group} 1 0 -1 {flags} 1 2 3 4 5 6 0 0 20 0 1 0 {start} 4096 9 0 {code}\n");
        fs::write(dir.join("stat"), stat).expect("a file");
        fs::write(dir.join("environ"), environment).expect("a file");
    }

    fn members(tree: &mut Tree) -> Vec<RawPid> {
        tree.search();
        tree.members.keys().copied().collect()
    }

    #[test]
    fn numbers_that_begin_anew_hide_nobody() {
        let (folder, mut tree) = machine();
        // Children, grandchildren and those who left, with numbers below the worker's.
        process(&folder, 20, 500, 20, 9001, "A=1");
        process(&folder, 10, 20, 20, 9002, "A=1");
        process(&folder, 11, 1, 11, 9002, "A=1\0TILEBENCH_RUN=7-1\0");
        // Others: older, of another runner, of nobody.
        process(&folder, 30, 1, 30, 8000, "TILEBENCH_RUN=7-1");
        process(&folder, 31, 1, 31, 9002, "TILEBENCH_RUN=7-11");
        process(&folder, 900, 1, 900, 9002, "A=1");
        assert_eq!(members(&mut tree), [10, 11, 20, 500]);
    }

    #[test]
    fn a_number_is_not_foreign_for_good() {
        let (folder, mut tree) = machine();
        process(&folder, 600, 1, 600, 9001, "A=1");
        write(&folder, 601, (1, 601), 9001, "", (0, 0));
        assert_eq!(members(&mut tree), [500]);
        assert!(tree.is_in_doubt);
        // Another process by now; and one that had not begun its program yet.
        process(&folder, 600, 1, 600, 9005, "TILEBENCH_RUN=7-1");
        process(&folder, 601, 1, 601, 9001, "TILEBENCH_RUN=7-1");
        // The kernel's own, and one that has no environment: nothing more is to be learned of them.
        write(&folder, 2, (0, 0), 9006, "", (KERNEL, 0));
        write(&folder, 602, (2, 0), 9006, "", (KERNEL, 0));
        process(&folder, 603, 1, 603, 9006, "");
        assert_eq!(members(&mut tree), [500, 600, 601]);
        assert!(!tree.is_in_doubt);
    }

    #[test]
    fn a_listed_child_that_is_somebody_elses_by_now_is_left_alone() {
        let (folder, mut tree) = machine();
        fs::create_dir_all(folder.path().join("proc/500/task/500")).expect("a folder");
        fs::write(folder.path().join("proc/500/task/500/children"), "600 601 ").expect("a file");
        process(&folder, 600, 1, 600, 9001, "A=1");
        process(&folder, 601, 500, 601, 9001, "A=1");
        assert_eq!(members(&mut tree), [500, 601]);
    }

    /// Those that are waited for are in the figures of the worker, which the system reports.
    #[test]
    fn who_ends_with_its_parent_is_counted_once() {
        let (folder, mut tree) = machine();
        process(&folder, 600, 500, 500, 9001, "A=1");
        process(&folder, 601, 600, 500, 9002, "A=1");
        process(&folder, 602, 601, 500, 9003, "A=1");
        // What was left behind, with a child of its own, and is waited for by somebody else.
        process(&folder, 700, 1, 500, 9001, "A=1");
        process(&folder, 701, 700, 500, 9002, "A=1");
        assert_eq!(members(&mut tree), [500, 600, 601, 602, 700, 701]);
        let ticks = |tree: &Tree| (tree.cpu_unreported_s() * clock_ticks_per_second() as f64).round() as u64;
        let each = ticks(&tree) / 5;
        for pid in [600, 601, 602, 700, 701] {
            fs::remove_dir_all(folder.path().join(format!("proc/{pid}"))).expect("it ends");
        }
        tree.refresh();
        assert_eq!(tree.members.len(), 1);
        assert_eq!(ticks(&tree), 2 * each);
    }

    #[test]
    fn this_process_has_memory_and_time() {
        let mut tree = Tree::new(System::default(), RawPid::try_from(std::process::id()).expect("a pid"), "NO=mark");
        tree.look();
        assert!(tree.memory() > 100_000, "{tree:?}");
        assert!(tree.cpu_s() < 3600.0);
    }
}
