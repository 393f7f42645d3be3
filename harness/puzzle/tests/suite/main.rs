//! Behaviour of the puzzle crate through its public interface.

mod bounded;
mod holes;
mod layouts;
mod pictures;
mod soku_fields;
mod soku_pictures;
mod soku_refused;
mod tiles;
mod turns;
mod verify;
