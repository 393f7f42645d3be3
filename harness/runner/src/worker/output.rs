//! What a worker says: events on standard output, read by a thread, and standard error, whose end is
//! kept for messages.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::process::{ChildStdout, Stdio};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

use record::write_whole_with;
use rustix::process::RawPid;

use super::sys::{self, doing};
use crate::protocol::Event;
use crate::text::{memory, truncated};

/// Longest line read: far beyond any solution, far below the memory of the machine.
const LONGEST_LINE: u64 = 64 << 20;

/// Bytes of all lines of a worker, which are kept in memory.
const MOST_OUTPUT: u64 = 1 << 30;

/// Characters of a wrong line that a message quotes.
const QUOTED: usize = 200;

/// What the threads that listen to a worker tell.
#[derive(Debug)]
pub(super) enum Message {
    Event(Box<Event>),
    /// The beginning of a line after which nothing more came.
    Truncated(String),
    /// What breaks the protocol: a line that is no event, or so many bytes that nothing more is read.
    Breach(String),
    /// Nothing more will be said.
    EndOfOutput,
    /// The worker ended at that moment (and waits to be reaped). The message may wait behind many events.
    Exited(Instant),
}

/// Starts both threads. Neither is waited for: a process that left the group could hold the pipe open.
pub(super) fn listen(stdout: ChildStdout, leader: RawPid, sender: SyncSender<Message>) -> io::Result<()> {
    let of_end = sender.clone();
    thread::Builder::new().name("worker-end".into()).spawn(move || {
        sys::wait_for_end(leader);
        let ended = Instant::now();
        // A receiver that is gone no longer wants to know.
        let _ = of_end.send(Message::Exited(ended));
    })?;
    thread::Builder::new().name("worker-lines".into()).spawn(move || {
        read_messages(stdout, MOST_OUTPUT, &mut |message| sender.send(message).is_ok());
    })?;
    Ok(())
}

/// Reads lines to their end, or to so many bytes, for as long as somebody listens.
fn read_messages(words: impl Read, most: u64, send: &mut dyn FnMut(Message) -> bool) {
    let mut lines = BufReader::new(words.take(most));
    while let Some(message) = next(&mut lines) {
        // What was cut there is nobody's mistake.
        let cut = lines.get_ref().limit() == 0 && !matches!(message, Message::Event(_));
        if !cut && !send(message) {
            return;
        }
    }
    let too_much = || Message::Breach(format!("the worker printed more than {} of events", memory(most)));
    if lines.get_ref().limit() > 0 || send(too_much()) {
        send(Message::EndOfOutput);
    }
}

fn next(lines: &mut impl BufRead) -> Option<Message> {
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
        Ok(event) => Message::Event(Box::new(event)),
        Err(error) => {
            let quoted = truncated(String::from_utf8_lossy(&line).trim_end(), QUOTED);
            let cut = line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST_LINE;
            match cut {
                true => Message::Truncated(quoted),
                false => Message::Breach(format!("the worker printed a line that is no event: {quoted:?} ({error})")),
            }
        }
    })
}

/// Bytes of the end that a message can quote.
const TAIL: u64 = 600;

/// The worker writes to the file itself: nothing is lost when the parent dies, and no pipe can fill up.
#[derive(Debug)]
pub(super) struct Stderr {
    file: File,
    start: u64,
}

impl Stderr {
    /// Appends to a log, or keeps the text in memory where there is none.
    pub fn open(log: Option<&Path>) -> io::Result<Self> {
        let file = match log {
            Some(path) => {
                doing(format_args!("cannot copy the log {}", path.display()), unlink_shared(path))?;
                let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
                doing(format_args!("cannot open the log {}", path.display()), opened)?
            }
            None => doing("cannot make a file in memory", system::memory_file("stderr", b""))?,
        };
        let start = file.metadata()?.len();
        Ok(Self { file, start })
    }

    /// The file for the worker.
    pub fn stdio(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.file.try_clone()?))
    }

    /// Bytes written since the file was opened.
    pub fn written(&self) -> u64 {
        self.file.metadata().map_or(0, |file| file.len().saturating_sub(self.start))
    }

    /// The last lines written since the file was opened, on one line; `None` if there are none.
    pub fn tail(&self) -> Option<String> {
        let end = self.file.metadata().ok()?.len();
        let from = self.start.max(end.saturating_sub(TAIL));
        let mut bytes = vec![0; usize::try_from(end.saturating_sub(from)).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| lines.join(" | "))
    }
}

/// Makes of a file that other folders have too, as after a merge, a file of this folder alone.
fn unlink_shared(path: &Path) -> io::Result<()> {
    if !fs::metadata(path).is_ok_and(|file| file.nlink() > 1) {
        return Ok(());
    }
    let mut shared = File::open(path)?;
    write_whole_with(path, |out| io::copy(&mut shared, out).map(drop)).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_events_garbage_or_truncated() {
        let mut text: &[u8] = b"\n{\"event\":\"solving\",\"iteration\":2}\nhello\n{\"event\":";
        assert!(matches!(next(&mut text), Some(Message::Event(event)) if *event == Event::Solving { iteration: 2 }));
        assert!(matches!(next(&mut text), Some(Message::Breach(how)) if how.contains("hello")));
        assert!(matches!(next(&mut text), Some(Message::Truncated(line)) if line == "{\"event\":"));
        assert!(next(&mut text).is_none());
    }

    #[test]
    fn a_worker_that_never_ends_to_talk_is_heard_no_longer() {
        let endless = "{\"event\":\"solving\",\"iteration\":2}\n".repeat(20);
        let read = |most| {
            let mut messages = Vec::new();
            read_messages(endless.as_bytes(), most, &mut |message| {
                messages.push(message);
                true
            });
            messages
        };
        assert_eq!(read(100_000).len(), 21);
        let cut = read(100);
        assert!(
            matches!(cut.as_slice(), [Message::Event(_), Message::Event(_), Message::Breach(_), Message::EndOfOutput]),
            "{cut:?}"
        );
    }

    #[test]
    fn what_is_appended_to_a_log_changes_no_other_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, theirs) = (folder.path().join("a.log"), folder.path().join("b.log"));
        fs::write(&theirs, "first\n").expect("a file");
        fs::hard_link(&theirs, &ours).expect("a link");
        let stderr = Stderr::open(Some(&ours)).expect("a log");
        io::Write::write_all(&mut &stderr.file, b"second\n").expect("it is written");
        assert_eq!(stderr.tail().as_deref(), Some("second"));
        let text = |path| fs::read_to_string(path).expect("a file");
        assert_eq!((text(&ours).as_str(), text(&theirs).as_str()), ("first\nsecond\n", "first\n"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "and no draft is left");
    }
}
