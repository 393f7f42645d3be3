//! The command as users meet it: arguments in; files, text and exit codes out. And what the workspace promises
//! of itself: which crate depends on which, and that its documents tell the truth.

mod animate;
mod architecture;
mod bench;
mod browser;
mod cluster;
mod compare;
mod documents;
mod export;
mod faults;
mod generate;
mod generate_soku;
mod help;
mod install;
mod kill;
mod kinds;
mod machines;
mod memory;
mod merge;
mod overhead;
mod reference;
mod repeat;
mod report;
mod run;
mod scale;
mod schema;
mod settings;
mod show;
mod signals;
mod soku;
mod soku_count;
mod solve;
mod suites;
mod terminal;
mod verify;
mod worker;
