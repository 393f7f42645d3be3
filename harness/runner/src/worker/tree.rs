//! A worker and its descendants as `/proc` shows them: whom to kill, and what they use.
//!
//! A process belongs to a worker if it is in its process group, if its parent belongs to it, or if it carries the mark
//! that the worker was started with in its environment: so a process that left group and parent is found as well.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::time::{Duration, Instant};

use super::sys;

/// Pause after a search, in times of what it took: searching takes at most a fiftieth of one CPU.
const PAUSE: u32 = 50;

/// Shortest time between two searches.
const OFTEN: Duration = Duration::from_millis(50);

/// What `/proc/<pid>/stat` says of a process.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Stat {
    /// Whether it has ended and only waits to be taken note of.
    dead: bool,
    parent: libc::pid_t,
    group: libc::pid_t,
    /// Clock ticks of the process and of the children that it waited for.
    own: u64,
    waited: u64,
    /// Pages in memory.
    pages: u64,
    /// Start, in clock ticks since the machine's: with the pid it names a process for good.
    start: u64,
}

/// The processes of a worker.
#[derive(Debug)]
pub(super) struct Tree {
    leader: libc::pid_t,
    mark: Vec<u8>,
    members: BTreeMap<libc::pid_t, Stat>,
    /// Processes younger than the worker that are not its descendants.
    foreign: HashSet<libc::pid_t>,
    /// Clock ticks of descendants that are gone and that nobody of the worker waited for.
    lost: u64,
    next_search: Instant,
    seen: bool,
    page: u64,
    ticks: f64,
}

impl Tree {
    /// The tree of a worker that was started with a mark (`NAME=value`) in its environment.
    pub fn new(leader: libc::pid_t, mark: &str) -> Self {
        let (page, ticks) = sys::units();
        Self {
            leader,
            mark: mark.as_bytes().to_vec(),
            members: BTreeMap::new(),
            foreign: HashSet::new(),
            lost: 0,
            next_search: Instant::now(),
            seen: false,
            page,
            ticks,
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
        let Ok(entries) = fs::read_dir("/proc") else { return };
        // Older processes cannot be descendants; where the numbers began anew, the group still tells.
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<libc::pid_t>().ok());
        let unknown = |pid: &libc::pid_t| *pid > self.leader && !self.members.contains_key(pid);
        let mut young: Vec<libc::pid_t> = numbers.filter(unknown).collect();
        young.sort_unstable();
        young.retain(|pid| !self.foreign.contains(pid));
        // Parents are older than their children, normally, so one round finds all.
        for pid in young {
            let Some(stat) = Stat::read(pid) else { continue };
            if stat.group == self.leader || self.members.contains_key(&stat.parent) || self.is_marked(pid) {
                self.members.insert(pid, stat);
                self.seen = true;
            } else {
                self.foreign.insert(pid);
            }
        }
    }

    /// Reads the figures of the known processes anew, drops those that are gone, and takes in the children that they have
    /// by now, as far as the kernel lists them.
    fn refresh(&mut self) {
        if let Some(stat) = Stat::read(self.leader) {
            self.members.insert(self.leader, stat);
        }
        let mut parents: Vec<libc::pid_t> = self.members.keys().copied().collect();
        while let Some(pid) = parents.pop() {
            // Those of its first thread; others are found by a search.
            let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|text| text.parse().ok()) {
                if !self.members.contains_key(&child)
                    && let Some(stat) = Stat::read(child)
                {
                    self.members.insert(child, stat);
                    self.seen = true;
                    parents.push(child);
                }
            }
        }
        let known: Vec<(libc::pid_t, Stat)> = self.members.iter().map(|(pid, stat)| (*pid, *stat)).collect();
        for (pid, old) in known.into_iter().filter(|(pid, _)| *pid != self.leader) {
            match Stat::read(pid).filter(|new| new.start == old.start) {
                Some(new) => drop(self.members.insert(pid, new)),
                None => {
                    self.members.remove(&pid);
                    // A parent that waited for it has its time by now.
                    if !self.members.contains_key(&old.parent) {
                        self.lost += old.own + old.waited;
                    }
                }
            }
        }
    }

    fn is_marked(&self, pid: libc::pid_t) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == self.mark)
    }

    /// Resident memory of all of them; pages that several of them share count several times.
    pub fn memory(&self) -> u64 {
        self.members.values().map(|stat| stat.pages * self.page).sum()
    }

    /// The same with shared pages counted once, as far as that can be told; it takes longer to find out.
    pub fn memory_shared_once(&self) -> u64 {
        let shared_once = |pid: libc::pid_t| {
            let told = field_b(&format!("/proc/{pid}/smaps_rollup"), "Pss:");
            // One that is gone by now has none.
            told.or_else(|| Stat::read(pid).map(|stat| stat.pages * self.page)).unwrap_or(0)
        };
        self.members.keys().map(|pid| shared_once(*pid)).sum()
    }

    /// CPU time of all of them, with those that have ended.
    pub fn cpu_s(&self) -> f64 {
        self.seconds(self.lost + self.members.values().map(|stat| stat.own + stat.waited).sum::<u64>())
    }

    /// CPU time that the system will not tell when it reports on the worker: of descendants that the worker has not
    /// waited for.
    pub fn cpu_unreported_s(&self) -> f64 {
        let others = self.members.iter().filter(|(pid, _)| **pid != self.leader);
        self.seconds(self.lost + others.map(|(_, stat)| stat.own + stat.waited).sum::<u64>())
    }

    fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / self.ticks
    }

    /// Whether the worker ever had descendants.
    pub fn has_descendants(&self) -> bool {
        self.seen
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
            if Stat::read(*pid).is_some_and(|now| now.start == stat.start && !now.dead) {
                sys::kill_process(*pid);
                any = true;
            }
        }
        any
    }
}

/// Bytes on the line `key 123 kB` of a file of `/proc`.
pub(super) fn field_b(path: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

impl Stat {
    fn read(pid: libc::pid_t) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The name, in parentheses, may hold anything.
    fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        // Numbered as in the manual, where the state after the name is field 3.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let pid = |number: usize| fields.get(number - 3)?.parse::<libc::pid_t>().ok();
        Some(Self {
            dead: matches!(*fields.first()?, "Z" | "X"),
            parent: pid(4)?,
            group: pid(5)?,
            own: field(14)? + field(15)?,
            waited: field(16)? + field(17)?,
            start: field(22)?,
            pages: field(24)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_read_whatever_the_name_is() {
        let text =
            "77 (a) b (c) S 70 71 72 0 -1 4194560 1 2 3 4 500 60 7 8 20 0 1 0 9000 4096 321 18446744073709551615\n";
        let stat = Stat { dead: false, parent: 70, group: 71, own: 560, waited: 15, pages: 321, start: 9000 };
        assert_eq!(Stat::parse(text), Some(stat));
        assert_eq!(Stat::parse("77 (sh"), None);
    }

    #[test]
    fn this_process_has_memory_and_time() {
        let mut tree = Tree::new(libc::pid_t::try_from(std::process::id()).expect("a pid"), "NO=mark");
        tree.look();
        assert!(tree.memory() > 100_000, "{tree:?}");
        assert!(tree.cpu_s() < 3600.0);
    }
}
