//! The executable. All of it is in the library, which tests link too.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(None)
}
