//! A request to stop, by Ctrl-C or by a caller.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};

use crate::worker::sys::is_ignored;

/// Makes a limit on the size of files (`ulimit -f`) an error of the write that meets it, which else would end this process. Programs that
/// it starts are not concerned.
///
/// # Errors
/// A signal handler that cannot be installed.
pub fn outlive_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Signals that come so soon after the first count as the same one.
const SAME: Duration = Duration::from_secs(1);

/// A flag that is set once and seen by all its clones within a tenth of a second.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that nothing but [`Interrupt::trigger`] sets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that Ctrl-C, a closed terminal and `kill` set. Whoever stops a process may send several of these signals at once
    /// (`timeout` sends two); one that comes a second or more after the first ends the process at once with exit code 130
    /// (the kernel then ends the workers). What the process was started to ignore (`nohup`) stays ignored.
    ///
    /// # Errors
    /// Signal handlers that cannot be installed.
    pub fn on_signals() -> io::Result<Self> {
        let this = Self::new();
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
        let mut signals = Signals::new(heeded)?;
        let flag = this.clone();
        thread::Builder::new().name("signals".into()).spawn(move || {
            let mut first: Option<Instant> = None;
            for _ in signals.forever() {
                flag.trigger();
                if first.get_or_insert_with(Instant::now).elapsed() >= SAME {
                    low_level::exit(130);
                }
            }
        })?;
        Ok(this)
    }

    /// Asks everyone to stop.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
