//! The command line of `tilebench soku`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum Soku {
    /// Solve all boards of IcoSoKu, up to symmetry, and verify every solution
    ///
    /// There are 3,991,680 classes of boards that the symmetries of the icosahedron carry into each other. Each gets a solution,
    /// which is then checked against the rules by code that knows nothing of the search.
    VerifyAll(SokuVerifyAll),
    /// Check a file that verify-all wrote: every class is there, and every solution is valid
    ///
    /// Exit code 1 if the file was damaged, a solution is wrong, or a class is missing.
    Check(SokuCheck),
}

#[derive(Debug, clap::Args)]
pub struct SokuVerifyAll {
    /// File to write: twelve bytes for each class (48 MB in all)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
    /// Random seed; equal seeds give equal files, for any number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Only the first so many classes, as a sample
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(combinatorics::soku::classes::CLASSES))
    )]
    pub classes: Option<u32>,
}

#[derive(Debug, clap::Args)]
pub struct SokuCheck {
    /// File to check
    pub file: PathBuf,
    #[command(flatten)]
    pub threads: Threads,
    /// Accept a file of the first so many classes too (see verify-all --classes)
    #[arg(long)]
    pub sample: bool,
}

#[derive(Debug, clap::Args)]
pub struct Threads {
    /// Threads; left out: one for each CPU
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    /// How many there are to be.
    pub fn number(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from)
    }
}
