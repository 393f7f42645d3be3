//! The command line of `tilebench generate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Subcommand;
use combinatorics::soku::generate::{MOST_NUMBERS, Numbers, Recipe, Weights};
use combinatorics::tantrix::shapes::Shape;
use puzzle::soku::{GREATEST_WEIGHT, ICOSOKU_TILES, MOST_FACES};
use puzzle::tantrix::{BoardType, Colour, MOST_TILES, Numbering, TileSetKind};

use super::values::{SEEDS, Words, whole, words};

#[derive(Debug, Subcommand)]
pub enum Generate {
    /// A fixed board for Tantrix, from a shape and a seed
    ///
    /// Whether it has a solution is not looked at: `generate list fixed` makes lists of boards that a solver has solved, and
    /// `solve --solution` stores a solution.
    Fixed(GenerateFixed),
    /// A bounded board for Tantrix: a regular hexagon with more places than tiles
    ///
    /// Whether it has a solution is not looked at: `generate list bounded` makes lists of boards that a solver has tried, and
    /// `solve --solution` stores a solution.
    Bounded(GenerateBounded),
    /// Games of 3SoKu and IcoSoKu
    #[command(subcommand)]
    Soku(GenerateSoku),
    /// A suite of many boards for configs: recipes with seeds, each board solved beforehand
    #[command(subcommand)]
    List(GenerateList),
    /// All instances that a list names, with the solutions that stand beside it checked
    Suite(GenerateSuite),
}

#[derive(Debug, Subcommand)]
pub enum GenerateList {
    /// Fixed boards of one size that a solver solves; half of them have places with just two neighbours, if nothing else is asked for
    Fixed(ListFixed),
    /// Every challenge of a range on the least regular boards with at least 1.2 times as many places as tiles
    Bounded(ListBounded),
}

#[derive(Debug, clap::Args)]
pub struct ListFixed {
    /// Number of tiles
    #[arg(long, value_name = "N", value_parser = whole(3..=MOST_TILES))]
    pub challenge: usize,
    /// Number of boards
    #[arg(long, value_name = "N", value_parser = whole(2..=1_000_u64), default_value_t = 20)]
    pub count: u64,
    /// How many of them have places with just two neighbours; left out: half
    #[arg(long, value_name = "N", value_parser = whole(0..=1_000_u64))]
    pub corners: Option<u64>,
    /// The first seed that is tried
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(SEEDS))]
    pub seed: u64,
    /// Seeds to try, each with every shape, until there are so many boards
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX), default_value_t = 1000)]
    pub tries: u64,
    #[command(flatten)]
    pub list: ListOf,
}

#[derive(Debug, clap::Args)]
pub struct ListBounded {
    /// The first and the last number of tiles
    #[arg(long, value_name = "FIRST-LAST", value_parser = range)]
    pub challenges: RangeInclusive<usize>,
    /// On how many boards each, from the least on
    #[arg(long, value_name = "N", value_parser = whole(1..=10_u64), default_value_t = 2)]
    pub boards: u64,
    #[command(flatten)]
    pub list: ListOf,
}

/// What lists of fixed and bounded boards have in common.
#[derive(Debug, clap::Args)]
pub struct ListOf {
    /// Designated colour, if not the one of the challenge number
    #[arg(long)]
    pub colour: Option<Colour>,
    /// Solver that solves the boards, with the default formulation of its kind; not one to be measured on them
    #[arg(long, value_name = "NAME", default_value = "cadical")]
    pub solver: String,
    /// Time to spend on each board
    #[arg(long, value_name = "TIME", value_parser = runner::parse_duration, default_value = "60s")]
    pub time_limit: f64,
    /// List to write
    #[arg(short, long, value_name = "OUT.suite.toml")]
    pub output: PathBuf,
    /// Replace a file that holds something else
    #[arg(long)]
    pub force: bool,
}

fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let ends = text.split_once('-').and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    let range = ends.filter(|(first, last)| 3 <= *first && first <= last && *last <= MOST_TILES);
    let right = || format!("the first and the last number, from 3 to {MOST_TILES}, for example 8-40");
    range.map(|(first, last)| first..=last).ok_or_else(right)
}

#[derive(Debug, clap::Args)]
pub struct GenerateFixed {
    #[arg(long, help = format!("How to lay out the places, as many as there are tiles: {}", Shape::WORDS.join(", ")))]
    pub shape: Shape,
    /// Seed of the shape
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    #[command(flatten)]
    pub board: Board,
}

#[derive(Debug, clap::Args)]
pub struct GenerateBounded {
    /// What the board lies around: A a place (7, 19, 37, ... places), B a corner of three (3, 12, 27, 48, ... places)
    #[arg(long = "type", value_name = "A|B")]
    pub kind: BoardType,
    /// Number of places
    #[arg(long, value_name = "M", value_parser = whole(1..=MOST_TILES), required_unless_present = "rings", conflicts_with = "rings")]
    pub places: Option<usize>,
    /// Number of rings around the place or corner, instead of the number of places
    #[arg(long, value_name = "K", value_parser = whole(1..=MOST_TILES))]
    pub rings: Option<usize>,
    /// How the places are numbered: rings (from the centre outwards) or rows (from the top)
    #[arg(long, value_name = "rings|rows", default_value = "rings")]
    pub numbering: Numbering,
    #[command(flatten)]
    pub board: Board,
}

/// What fixed and bounded boards have in common.
#[derive(Debug, clap::Args)]
pub struct Board {
    /// Number of tiles
    #[arg(long, value_name = "N", value_parser = whole(3..=MOST_TILES))]
    pub challenge: usize,
    /// Designated colour, if not the one of the challenge number
    #[arg(long)]
    pub colour: Option<Colour>,
    /// How the tiles are made up
    #[arg(long, value_parser = words(TILES), default_value = "repeated")]
    pub tiles: TileSetKind,
    /// Instance file to write
    #[arg(short, long, value_name = "OUT.toml")]
    pub output: PathBuf,
    /// Replace files that hold something else, and remove a solution that does not fit any more
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, clap::Args)]
pub struct GenerateSuite {
    /// List of instances (see suite.toml in the folders of instances)
    pub list: PathBuf,
    /// Where the instance files go; left out: beside the list
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace files that hold something else
    #[arg(long)]
    pub force: bool,
}

const TILES: Words<TileSetKind> = &[
    ("repeated", "Ten sorts, used again and again", TileSetKind::Repeated),
    ("distinct", "Tiles 1 to n of the 56-tile game; n is at most 30", TileSetKind::Distinct),
];

#[derive(Debug, Subcommand)]
pub enum GenerateSoku {
    /// IcoSoKu with the capacities 1 to 12 on random vertices, and a solution beside it
    Random(Batch),
    /// Random tiles on a field, capacities read off an arrangement of them, which stands beside it as a solution
    Solvable(ArrangedGame),
    /// The same with one capacity greater by 1 and another one less by 1, so that the totals still agree
    Shifted(ArrangedGame),
    /// IcoSoKu with one capacity less by 1 and some tiles placed beforehand, as in a solution of the game without that change
    Unsat(UnsatGame),
    /// The game that Partition is reduced to: can the numbers be parted into two sets of the same sum?
    ///
    /// A solution stands beside it where there is one; whether there is one is found out for up to 40 numbers, and for more of
    /// them where they are small.
    Partition(PartitionGame),
    /// IcoSoKu with given capacities, and a solution beside it
    Given(GivenGame),
}

#[derive(Debug, clap::Args)]
pub struct ArrangedGame {
    /// Name of the field: tetrahedron, octahedron, icosahedron, bipyramid-N (2N faces), geodesic-V (20 V² faces)
    #[arg(long, value_name = "NAME")]
    pub field: String,
    /// Greatest weight of a tile
    #[arg(long, value_name = "W", default_value_t = 3, value_parser = whole(0..=GREATEST_WEIGHT))]
    pub greatest: u32,
    /// All weights are multiples of D; above 1, a shifted game is known to be unsolvable
    #[arg(long, value_name = "D", default_value_t = 1, value_parser = whole(1..=GREATEST_WEIGHT))]
    pub multiple: u32,
    /// Draw the tiles from K random ones, of which some may be equal; left out: each one anew
    #[arg(long, value_name = "K", value_parser = whole(1..=MOST_FACES))]
    pub sorts: Option<usize>,
    #[command(flatten)]
    pub batch: Batch,
}

#[derive(Debug, clap::Args)]
pub struct UnsatGame {
    /// How many tiles are placed
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=ICOSOKU_TILES.len()))]
    pub placed: usize,
    #[command(flatten)]
    pub batch: Batch,
}

#[derive(Debug, clap::Args)]
pub struct PartitionGame {
    /// The numbers, with commas between them
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = whole(1..=GREATEST_WEIGHT), required_unless_present = "size")]
    pub numbers: Vec<u32>,
    /// Draw so many numbers at random instead
    #[arg(long, value_name = "N", value_parser = whole(1..=MOST_NUMBERS), conflicts_with = "numbers", requires = "greatest")]
    pub size: Option<usize>,
    /// With --size: the greatest number that may be drawn
    #[arg(long, value_name = "G", value_parser = whole(1..=GREATEST_WEIGHT), requires = "size", conflicts_with = "numbers")]
    pub greatest: Option<u32>,
    #[command(flatten)]
    pub batch: Batch,
}

#[derive(Debug, clap::Args)]
pub struct GivenGame {
    /// The capacities of the vertices A to L, with commas between them: 1 to 12 in any order
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = whole(1..=12_u32), required = true)]
    pub capacities: Vec<u32>,
    #[command(flatten)]
    pub batch: Batch,
}

#[derive(Debug, clap::Args)]
pub struct Batch {
    /// Seed; with --count that of the first game, the others take the next ones
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// Make so many games: OUT-1.toml, OUT-2.toml and so on
    #[arg(long, value_name = "N", value_parser = whole(1..=MOST))]
    pub count: Option<u64>,
    /// Instance file to write
    #[arg(short, long, value_name = "OUT.toml")]
    pub output: PathBuf,
    /// Replace files that hold something else, and remove a solution that does not fit any more
    #[arg(long)]
    pub force: bool,
}

const MOST: u64 = 100_000;

impl GenerateSoku {
    /// What they have in common.
    pub fn batch(&self) -> &Batch {
        match self {
            Self::Random(batch) => batch,
            Self::Solvable(args) | Self::Shifted(args) => &args.batch,
            Self::Unsat(args) => &args.batch,
            Self::Partition(args) => &args.batch,
            Self::Given(args) => &args.batch,
        }
    }

    /// The recipe of the first game.
    pub fn recipe(&self) -> Recipe {
        let seed = self.batch().seed;
        match self {
            Self::Random(_) => Recipe::Random { seed },
            Self::Solvable(args) => Recipe::Solvable { field: args.field.clone(), weights: args.weights(), seed },
            Self::Shifted(args) => Recipe::Shifted { field: args.field.clone(), weights: args.weights(), seed },
            Self::Unsat(args) => Recipe::Unsat { placed: args.placed, seed },
            Self::Partition(args) => Recipe::Partition(match (args.size, args.greatest) {
                (Some(size), Some(greatest)) => Numbers::Random { size, greatest, seed },
                _ => Numbers::Listed(args.numbers.clone()),
            }),
            Self::Given(args) => Recipe::Given { capacities: args.capacities.clone() },
        }
    }
}

impl ArrangedGame {
    fn weights(&self) -> Weights {
        Weights { greatest: self.greatest, multiple: self.multiple, sorts: self.sorts }
    }
}
