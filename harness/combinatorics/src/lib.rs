//! Counting, enumerating and making puzzles, beside the models and searches of other crates.
//!
//! Exact counts ([`soku::count`], [`tantrix::count_natural`]), all solutions one by one ([`tantrix::enumerate_natural`]), the classes
//! of boards of IcoSoKu ([`soku::classes`]), and instances from seeds ([`soku::generate`], [`tantrix::shapes`]). All of it
//! rests on the rules in `puzzle` alone.

pub mod soku;
pub mod tantrix;

use std::panic::resume_unwind;
use std::thread;

/// Does the same work in a number of threads, this one included, and returns what each of them made. If the system refuses some of
/// the threads, the others do the work.
pub fn in_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, &work).ok()).collect();
        let mut made = vec![work()];
        for other in others {
            match other.join() {
                Ok(one) => made.push(one),
                Err(panic) => resume_unwind(panic),
            }
        }
        made
    })
}
