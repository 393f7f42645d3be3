//! The command line of `tilebench generate`.

mod soku;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use combinatorics::tantrix::shapes::Shape;
use puzzle::tantrix::{BoardType, Colour, Numbering, TileSetKind};

pub use soku::GenerateSoku;

use super::at_least_one;

#[derive(Debug, Subcommand)]
pub enum Generate {
    /// A fixed board for Tantrix, from a shape and a seed
    Fixed(GenerateFixed),
    /// A bounded board for Tantrix: a regular hexagon with more places than tiles
    Bounded(GenerateBounded),
    /// Games of 3SoKu and IcoSoKu
    #[command(subcommand)]
    Soku(GenerateSoku),
    /// All instances that a list names, with the solutions that stand beside it checked
    Suite(GenerateSuite),
}

#[derive(Debug, clap::Args)]
pub struct GenerateFixed {
    /// How to lay out the places: round, spur, blob or row
    #[arg(long)]
    pub shape: Shape,
    /// Number of tiles and places
    #[arg(long, value_name = "N")]
    pub challenge: usize,
    /// Seed of the shape; with --solve the first seed tried
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Designated colour, if not the one of the challenge number
    #[arg(long)]
    pub colour: Option<Colour>,
    /// How the tiles are made up
    #[arg(long, value_enum, default_value_t = Tiles::Repeated)]
    pub tiles: Tiles,
    /// Instance file to write
    #[arg(short, long, value_name = "OUT.toml")]
    pub output: PathBuf,
    /// Try seed after seed until a board is solved, and write the solution beside it
    #[arg(long)]
    pub solve: bool,
    /// With --solve: solver, with the default formulation of its kind
    #[arg(long, value_name = "NAME", default_value = "highs", requires = "solve")]
    pub solver: String,
    /// With --solve: time to spend on each board
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration, default_value = "60s", requires = "solve")]
    pub time_limit: f64,
    /// With --solve: seeds to try
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        default_value_t = 100,
        requires = "solve"
    )]
    pub tries: u64,
}

#[derive(Debug, clap::Args)]
pub struct GenerateBounded {
    /// What the board lies around: A a place (7, 19, 37, ... places), B a corner of three (3, 12, 27, 48, ... places)
    #[arg(long = "type", value_name = "A|B")]
    pub board: BoardType,
    /// Number of places
    #[arg(long, value_name = "M", required_unless_present = "rings", conflicts_with = "rings")]
    pub places: Option<usize>,
    /// Number of rings around the place or corner, instead of the number of places
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub rings: Option<usize>,
    /// Number of tiles
    #[arg(long, value_name = "N")]
    pub challenge: usize,
    /// Designated colour, if not the one of the challenge number
    #[arg(long)]
    pub colour: Option<Colour>,
    /// How the tiles are made up
    #[arg(long, value_enum, default_value_t = Tiles::Repeated)]
    pub tiles: Tiles,
    /// How the places are numbered: rings (from the centre outwards) or rows (from the top)
    #[arg(long, value_name = "rings|rows", default_value = "rings")]
    pub numbering: Numbering,
    /// Instance file to write
    #[arg(short, long, value_name = "OUT.toml")]
    pub output: PathBuf,
    /// Write the board only if it is solved, and the solution beside it
    #[arg(long)]
    pub solve: bool,
    /// With --solve: solver, with the default formulation of its kind
    #[arg(long, value_name = "NAME", default_value = "highs", requires = "solve")]
    pub solver: String,
    /// With --solve: time to spend
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration, default_value = "60s", requires = "solve")]
    pub time_limit: f64,
}

#[derive(Debug, clap::Args)]
pub struct GenerateSuite {
    /// List of instances (see suite.toml in the folders of instances)
    pub list: PathBuf,
    /// Where the instance files go; left out: beside the list
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Tiles {
    /// Ten sorts, used again and again
    Repeated,
    /// Tiles 1 to n of the 56-tile game
    Distinct,
}

impl From<Tiles> for TileSetKind {
    fn from(tiles: Tiles) -> Self {
        match tiles {
            Tiles::Repeated => Self::Repeated,
            Tiles::Distinct => Self::Distinct,
        }
    }
}
