//! Experiments on many machines: a folder with everything that the tasks of an experiment need, engines that run the tasks, and what
//! has become of them.
//!
//! A task is a shard of the plan. Each attempt at it writes results of its own, so that two copies of a task, which engines start
//! when they lose sight of a machine, cannot harm each other. What is done, only rows tell: exit codes of engines are not read.

mod engine;
mod folder;
mod status;
mod submit;

pub use folder::{Engine, Folder, Needs, Sent, Slurm, Submission, Task, ranges};
pub use status::{State, Status, status};
pub use submit::{Order, commands, create, missing, start};
