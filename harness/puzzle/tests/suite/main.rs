//! Behaviour of the puzzle crate through its public interface.

mod bounded;
mod common;
mod hex;
mod layouts;
mod pictures;
mod soku_fields;
mod soku_pictures;
mod soku_refused;
mod tiles;
mod turns;
mod verify;
