//! Standard output. Unlike `println!`, a reader that closed the pipe (`| head`) is no panic but an error,
//! which `failure` takes for the end it is.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints a line or returns the error to the caller, who returns it too.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*))? };
}

pub(crate) use say;

/// Prints a line.
pub fn line(text: Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}
