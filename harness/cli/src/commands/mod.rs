//! One file a subcommand, or a few that belong together.

pub mod animate;
pub mod compare;
pub mod export;
pub mod generate;
pub mod instance;
pub mod list;
pub mod new_config;
pub mod report;
pub mod run;
pub mod show;
pub mod soku;
pub mod solve;
pub mod solvers;
pub mod submit;
pub mod verify;
