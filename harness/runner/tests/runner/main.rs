//! The runner as its users see it: configs in, rows out, with shell scripts in place of workers.

mod config;
mod confinement;
mod deviations;
mod judge;
mod kill;
mod overhead;
mod resume;
mod session;
mod support;
mod worker;
