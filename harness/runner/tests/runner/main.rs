//! The runner as its users see it: configs in, rows out, with shell scripts in place of workers.

mod breach;
mod choose;
mod claims;
mod config;
mod confinement;
mod deviations;
mod disk;
mod effort;
mod expand;
mod expand_properties;
mod judge;
mod kill;
mod kinds;
mod machines;
mod pinning;
mod progress;
mod resume;
mod sense;
mod session;
mod shards;
mod start;
mod summary;
mod support;
mod warmup;
mod worker;
