//! The statistics against definitions written out, brute force and known cases.

mod curves;
mod hypothesis;
mod intervals;
mod means;
mod shares;
