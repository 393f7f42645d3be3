//! A game as a constraint model of its own.

mod builder;
mod values;

pub(super) use builder::CpBuilder;
