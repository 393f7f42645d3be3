//! The faults of `mock`, one function or line each.

use std::fs::File;
use std::hint::{black_box, spin_loop};
use std::io::{self, Write};
use std::process;
use std::thread;
use std::time::Duration;

use runner::protocol::{Event, Solving};

use super::options::{Fault, Options};
use super::process::{crash, ignore_polite_signals, leave_children, no_core_dump};
use crate::worker::events;

/// Memory is taken in steps of this size, with a pause after each: 1.6 GB a second.
const STEP: usize = 4 << 20;
const PAUSE: Duration = Duration::from_micros(2500);

/// Lines of chatter and events in a flood: more than any pipe or channel holds.
const FLOOD: u64 = 50_000;

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
            ignore_polite_signals();
            loop {
                spin_loop();
            }
        }
        Fault::Crash => crash(),
        Fault::Abort => {
            no_core_dump();
            process::abort();
        }
        Fault::Exit => {
            eprintln!("mock: something went wrong on purpose");
            process::exit(3);
        }
        Fault::Lost => process::exit(0),
        Fault::Hog => hog(options.amount),
        Fault::Children => leave_children(false)?,
        Fault::Runaway => leave_children(true)?,
        Fault::Flood => flood(out)?,
    }
    Ok(())
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
        events::print(out, &Event::Solving(Solving { iteration: number }))?;
    }
    Ok(())
}
