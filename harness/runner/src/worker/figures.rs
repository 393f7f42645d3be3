//! What `/proc` tells of one process: its figures and its environment.

use std::fs;
use std::time::Duration;

use rustix::param::page_size;
use rustix::process::RawPid;

use super::sys::System;

/// For how long it is tried to learn the environment of a process that is changing its program: on a busy machine it may be held up.
pub(super) const MOST_DOUBT: Duration = Duration::from_secs(2);

/// Flag (`PF_KTHREAD` of Linux) of the kernel's own processes, which have no environment.
pub(super) const KERNEL: u64 = 0x20_0000;

/// What `/proc/<pid>/stat` says of a process.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Stat {
    /// Whether it has ended and only waits to be taken note of.
    pub dead: bool,
    pub parent: RawPid,
    pub group: RawPid,
    /// Clock ticks of the process and of the children that it waited for.
    pub own: u64,
    pub waited: u64,
    pages: u64,
    flags: u64,
    /// Start, in clock ticks since the machine's: with the pid it names a process for good.
    pub start: u64,
    /// Where its program begins in memory: 0 while it is changing its program, and for the kernel's own processes.
    code: u64,
}

/// What a process shows of its environment.
pub(super) enum Environment {
    /// `NAME=value`, each ended by a zero byte.
    Shown(Vec<u8>),
    /// None now, as it is just changing its program; it will later.
    Pending,
    /// None: it has none, has ended, or is another user's or the kernel's.
    Hidden,
}

impl Environment {
    pub fn of(system: &System, pid: RawPid) -> Self {
        // One that is changing its program may be as unreadable as empty.
        let read = || fs::read(system.path(format!("/proc/{pid}/environ"))).unwrap_or_default();
        let shown = read();
        if !shown.is_empty() {
            return Self::Shown(shown);
        }
        match Stat::read(system, pid) {
            Some(stat) if stat.dead || stat.flags & KERNEL != 0 => Self::Hidden,
            Some(stat) if stat.code == 0 => Self::Pending,
            // It may have begun its new program since.
            Some(_) => Some(read()).filter(|shown| !shown.is_empty()).map_or(Self::Hidden, Self::Shown),
            None => Self::Hidden,
        }
    }
}

/// The variables (`NAME=value`) of an environment.
pub(super) fn variables(environment: &[u8]) -> impl Iterator<Item = &[u8]> {
    environment.split(|byte| *byte == 0)
}

impl Stat {
    /// Resident memory.
    pub fn bytes(&self) -> u64 {
        self.pages * page_size() as u64
    }

    pub fn read(system: &System, pid: RawPid) -> Option<Self> {
        Self::parse(&system.read(format!("/proc/{pid}/stat")))
    }

    /// The name, in parentheses, may hold anything.
    fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        // Numbered as in the manual, where the state after the name is field 3.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let pid = |number: usize| fields.get(number - 3)?.parse::<RawPid>().ok();
        Some(Self {
            dead: matches!(*fields.first()?, "Z" | "X"),
            parent: pid(4)?,
            group: pid(5)?,
            flags: field(9)?,
            own: field(14)? + field(15)?,
            waited: field(16)? + field(17)?,
            start: field(22)?,
            pages: field(24)?,
            code: field(26)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_is_read_whatever_the_name_is() {
        let text = "77 (a) b (c) S 70 71 72 0 -1 4194560 1 2 3 4 500 60 7 8 20 0 1 0 9000 4096 321 18446744073709551615 4194304\n";
        let stat = Stat {
            dead: false,
            parent: 70,
            group: 71,
            flags: 0x40_0100,
            own: 560,
            waited: 15,
            pages: 321,
            start: 9000,
            code: 0x40_0000,
        };
        assert_eq!(Stat::parse(text), Some(stat));
        assert_eq!(Stat::parse("77 (sh"), None);
    }
}
