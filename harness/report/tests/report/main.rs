//! The crate through its public interface: results directories in, files out.
//!
//! One binary for all of it, since each would link polars anew.

mod ablation;
mod animation;
mod bars;
mod batch;
mod big;
mod bounded;
mod claims;
mod compare;
mod compare_formats;
mod compare_groups;
mod comparisons;
mod counts;
mod drawing;
mod error_rates;
mod errors;
mod fixture;
mod health;
mod html;
mod kinds;
mod large;
mod latex;
mod layers;
mod markdown;
mod mixing;
mod names;
mod null;
mod pictures;
mod plots;
mod published;
mod scores;
mod splice;
mod stats;
mod tables;
mod told_apart;
mod truncated;
mod warnings;
