//! Experiments on many machines: a folder with everything that the tasks of an experiment need, engines that run the tasks, and what
//! has become of them.
//!
//! A task is a shard of the plan. Each attempt at it writes results of its own, so that two copies of a task, which engines start
//! when they lose sight of a machine, cannot harm each other. What is done, only rows tell: exit codes of engines are not read.

mod engine;
mod folder;
mod freeze;
mod readme;
mod status;
mod submission;
mod submit;
mod tasks;

pub use folder::Folder;
pub use status::{State, Status, status};
pub use submission::{Engine, Needs, Sent, Slurm, Submission, Task};
pub use submit::{Order, commands, create, missing, start};
pub use tasks::ranges;
