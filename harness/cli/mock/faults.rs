//! The faults of `mock`, one function or line each.

use std::fs::File;
use std::hint::{black_box, spin_loop};
use std::io::{self, Write};
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

use runner::Interrupt;
use runner::protocol::Event;
use rustix::process::{DumpableBehavior, Signal, getpid, kill_process, set_dumpable_behavior};

use crate::options::{Fault, Options};

/// Memory is taken in steps of this size, with a pause after each: 1.6 GB a second.
const STEP: usize = 4 << 20;
const PAUSE: Duration = Duration::from_micros(2500);

/// Lines of chatter and events in a flood: more than any pipe or channel holds.
const FLOOD: u64 = 50_000;

/// A shell that computes, and a process of its own that sleeps. Both end by themselves after a minute, should nobody end them.
const CHILDREN: &str = "ulimit -t 60; sleep 60 & while :; do :; done";

/// Misbehaves. Returns if the fault is one after which work goes on.
pub(super) fn commit(options: &Options, out: &mut File) -> anyhow::Result<()> {
    match options.fault {
        // The last two are for the time after the answer.
        Fault::None | Fault::Twice | Fault::Late => {}
        Fault::Garbage => out.write_all(b"this is no event\n")?,
        Fault::HalfLine => {
            out.write_all(br#"{"event":"iteration","itera"#)?;
            process::exit(0);
        }
        Fault::Silence => sleep_for_ever(),
        Fault::Spin => {
            // With a handler none but SIGKILL ends it at once.
            let _deaf = Interrupt::on_signals()?;
            loop {
                spin_loop();
            }
        }
        Fault::Crash => {
            no_core_dump()?;
            // The first is for std's handler, which looks whether a stack overflowed and restores the default action.
            loop {
                kill_process(getpid(), Signal::SEGV)?;
            }
        }
        Fault::Abort => {
            no_core_dump()?;
            process::abort();
        }
        Fault::Exit => {
            eprintln!("mock: something went wrong on purpose");
            process::exit(3);
        }
        Fault::Lost => process::exit(0),
        Fault::Hog => hog(options.amount),
        Fault::Children => leave(Command::new("sh"), out)?,
        Fault::Runaway => leave(new_session("sh"), out)?,
        Fault::Flood => flood(out)?,
    }
    Ok(())
}

/// A crash on purpose shall not fill anybody's disk.
fn no_core_dump() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Starts children that have the worker's standard output open.
fn leave(mut shell: Command, out: &File) -> io::Result<()> {
    shell.args(["-c", CHILDREN]).stdout(out.try_clone()?).spawn().map(drop)
}

/// A program in a session, and so in a process group, of its own.
fn new_session(program: &str) -> Command {
    let mut command = Command::new("setsid");
    command.arg(program);
    command
}

/// Never returns, and does nothing.
pub(super) fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Takes memory and keeps it to the end of the process.
fn hog(amount: u64) {
    let mut left = usize::try_from(amount).unwrap_or(usize::MAX);
    while left > 0 {
        let step = STEP.min(left);
        // Written, not only reserved: untouched pages cost nothing.
        black_box(vec![1_u8; step].leak());
        left -= step;
        thread::sleep(PAUSE);
    }
}

fn flood(out: &mut File) -> io::Result<()> {
    let mut chatter = io::stdout().lock();
    for number in 0..FLOOD {
        writeln!(chatter, "mock: line {number} of a flood on standard output")?;
        eprintln!("mock: line {number} of a flood on standard error");
        Event::Solving { iteration: number }.print(out)?;
    }
    Ok(())
}
