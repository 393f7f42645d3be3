//! Events of the worker, as lines.

use std::io::{self, Write};
use std::time::Duration;

use model::Size;
use runner::protocol::{Built, Event};

/// Prints an event as one line, at once.
pub fn print(out: &mut dyn Write, event: &Event) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Size of the first model.
pub fn built(size: Size, build_time: Duration) -> Event {
    Event::Built(Built { size, build_time_s: build_time.as_secs_f64() })
}
