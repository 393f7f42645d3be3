//! Two threads that turn what happens to a worker into messages on one channel.

use std::io::{self, BufRead, BufReader, Read};
use std::process::ChildStdout;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

use super::sys;
use crate::protocol::Event;
use crate::text::truncated;

/// Longest line read: far beyond any solution, far below the memory of the machine.
const LONGEST_LINE: u64 = 64 << 20;

/// Bytes of all lines of a worker, which are kept in memory.
const MOST_WORDS: u64 = 1 << 30;

/// Characters of a wrong line that a message quotes.
const QUOTED: usize = 200;

/// Something that happened.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line that is an event.
    Event(Box<Event>),
    /// A line that is none.
    Garbage(String),
    /// The beginning of a line after which nothing more came.
    Torn(String),
    /// So many bytes that nothing more is read.
    TooMuch(u64),
    /// Nothing more will be said.
    Silence,
    /// The worker ended at that moment (and waits to be reaped). The message may wait behind many events.
    End(Instant),
}

/// Starts both threads. Neither is waited for: a process that left the group could hold the pipe open.
pub(super) fn listen(stdout: ChildStdout, leader: libc::pid_t, sender: SyncSender<Heard>) -> io::Result<()> {
    let of_end = sender.clone();
    thread::Builder::new().name("worker-end".into()).spawn(move || {
        sys::wait_for_end(leader);
        let ended = Instant::now();
        // A receiver that is gone no longer wants to know.
        let _ = of_end.send(Heard::End(ended));
    })?;
    thread::Builder::new().name("worker-lines".into()).spawn(move || {
        tell(stdout, MOST_WORDS, &mut |heard| sender.send(heard).is_ok());
    })?;
    Ok(())
}

/// Reads lines to their end, or to so many bytes, for as long as somebody listens.
fn tell(words: impl Read, most: u64, send: &mut dyn FnMut(Heard) -> bool) {
    let mut lines = BufReader::new(words.take(most));
    while let Some(heard) = next(&mut lines) {
        // What was cut there is nobody's mistake.
        let cut = lines.get_ref().limit() == 0 && !matches!(heard, Heard::Event(_));
        if !cut && !send(heard) {
            return;
        }
    }
    if lines.get_ref().limit() > 0 || send(Heard::TooMuch(most)) {
        send(Heard::Silence);
    }
}

fn next(lines: &mut impl BufRead) -> Option<Heard> {
    let mut line = Vec::new();
    loop {
        line.clear();
        // A read error means that nothing more can be heard.
        let length = lines.take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
        if length == 0 {
            return None;
        }
        if !line.trim_ascii().is_empty() {
            break;
        }
    }
    Some(match serde_json::from_slice(&line) {
        Ok(event) => Heard::Event(Box::new(event)),
        Err(error) => {
            let quoted = truncated(String::from_utf8_lossy(&line).trim_end(), QUOTED);
            let cut = line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST_LINE;
            if cut { Heard::Torn(quoted) } else { Heard::Garbage(format!("{quoted:?} ({error})")) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_events_garbage_or_torn() {
        let mut text: &[u8] = b"\n{\"event\":\"solving\",\"iteration\":2}\nhello\n{\"event\":";
        assert!(
            matches!(next(&mut text), Some(Heard::Event(event)) if matches!(*event, Event::Solving(s) if s.iteration == 2))
        );
        assert!(matches!(next(&mut text), Some(Heard::Garbage(line)) if line.contains("hello")));
        assert!(matches!(next(&mut text), Some(Heard::Torn(line)) if line == "{\"event\":"));
        assert!(next(&mut text).is_none());
    }

    #[test]
    fn a_worker_that_never_ends_to_talk_is_heard_no_longer() {
        let endless = "{\"event\":\"solving\",\"iteration\":2}\n".repeat(20);
        let heard = |most| {
            let mut heard = Vec::new();
            tell(endless.as_bytes(), most, &mut |what| {
                heard.push(what);
                true
            });
            heard
        };
        assert_eq!(heard(100_000).len(), 21);
        let cut = heard(100);
        assert!(
            matches!(cut.as_slice(), [Heard::Event(_), Heard::Event(_), Heard::TooMuch(100), Heard::Silence]),
            "{cut:?}"
        );
    }
}
