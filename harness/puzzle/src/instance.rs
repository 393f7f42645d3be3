//! Instance files: TOML, one puzzle each.

use std::path::Path;

use crate::input::{FieldError, InputError, Known, place_and_reason, read_text};
use crate::soku::{SOKU, Soku, SokuFile};
use crate::tantrix::{BOUNDED, BoardTantrix, FIXED, NATURAL, NaturalTantrix, TantrixFile};

/// A puzzle to solve, as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// File name without its ending.
    pub name: String,
    /// What is known of the answer; the judge holds solvers to it.
    pub known: Known,
    /// Where the instance comes from.
    pub source: String,
    /// The puzzle itself.
    pub puzzle: Puzzle,
}

/// The kinds of puzzle there are.
#[derive(Debug, Clone, PartialEq)]
pub enum Puzzle {
    /// Kino & Uno 2012: as many places as tiles.
    TantrixFixed(BoardTantrix),
    /// Kino & Uno's slides: at least as many places as tiles, the shape is found with the loop.
    TantrixBounded(BoardTantrix),
    /// The open plane.
    TantrixNatural(NaturalTantrix),
    /// 3SoKu: triangular tiles on the faces of a field.
    Soku(Soku),
}

impl Puzzle {
    /// The kinds that instance files may name.
    pub const KINDS: [&str; 4] = [FIXED, BOUNDED, NATURAL, SOKU];

    /// The `kind` in the instance file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::TantrixFixed(_) => FIXED,
            Self::TantrixBounded(_) => BOUNDED,
            Self::TantrixNatural(_) => NATURAL,
            Self::Soku(_) => SOKU,
        }
    }

    /// Whether its solutions have loops and holes.
    pub fn has_loops(&self) -> bool {
        match self {
            Self::TantrixFixed(_) | Self::TantrixBounded(_) | Self::TantrixNatural(_) => true,
            Self::Soku(_) => false,
        }
    }

    /// What its solutions have beside all tiles, in a few words.
    pub fn aim(&self) -> &'static str {
        match self {
            Self::TantrixFixed(_) | Self::TantrixBounded(_) | Self::TantrixNatural(_) => "one loop, no hole",
            Self::Soku(_) => "every capacity met",
        }
    }
}

/// What a result row says of an instance, for any kind of puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// Number of tiles.
    pub challenge: Option<u64>,
    /// Number of places, or of faces; nothing on the open plane.
    pub places: Option<u64>,
    /// Designated colour, if the puzzle has one.
    pub colour: Option<String>,
}

impl Instance {
    /// A puzzle that is made of another, of which nothing else is known.
    #[must_use]
    pub fn part(name: &str, puzzle: Puzzle) -> Self {
        Self { name: name.to_owned(), known: Known::Unknown, source: String::new(), puzzle }
    }

    /// Reads an instance file.
    /// Errors: a file that cannot be read, is no instance, or describes a puzzle that cannot be.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        let text = read_text(path).map_err(InputError::io(path))?;
        Self::parse(&text, path)
    }

    /// Reads an instance from the text of its file; `path` gives the name and is named in messages.
    pub fn parse(text: &str, path: &Path) -> Result<Self, InputError> {
        let syntax = |e: toml::de::Error| {
            let reason = match text.trim_start().starts_with('{') {
                true => {
                    "this is JSON, as solutions are; an instance file is TOML and begins with its kind, for example \
                         kind = \"tantrix-fixed\""
                        .to_owned()
                }
                false => place_and_reason(text, e.span(), e.message()),
            };
            InputError::Syntax { path: path.to_owned(), reason }
        };
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let field = |e: FieldError| InputError::Field { path: path.to_owned(), field: e.field, reason: e.reason };
        let kinds = Puzzle::KINDS.map(|kind| format!("kind = {kind:?}")).join(", or ");
        let no_kind = |what: &str| {
            let reason = format!("{what}; an instance file says what it is: {kinds}");
            field(FieldError { field: "kind".into(), reason })
        };
        let table = text.parse::<toml::Table>().map_err(syntax)?;
        let missing = match table.contains_key("experiment") {
            true => "this key is missing (the file is a config, for tilebench run)",
            false => "this key is missing",
        };
        let kind = table.get("kind").ok_or_else(|| no_kind(missing))?;
        let kind = kind.as_str().ok_or_else(|| no_kind("this is not a text"))?;
        let (known, source, puzzle) = match kind {
            of @ (FIXED | BOUNDED | NATURAL) => {
                let file: TantrixFile = toml::from_str(text).map_err(syntax)?;
                let puzzle = match of {
                    FIXED => BoardTantrix::new(&file).map(Puzzle::TantrixFixed),
                    BOUNDED => BoardTantrix::new(&file).map(Puzzle::TantrixBounded),
                    _ => NaturalTantrix::new(&file).map(Puzzle::TantrixNatural),
                };
                (file.known, file.source, puzzle.map_err(field)?)
            }
            SOKU => {
                let file: SokuFile = toml::from_str(text).map_err(syntax)?;
                let game = Soku::new(&file).map_err(field)?;
                (file.known, file.source, Puzzle::Soku(game))
            }
            other => {
                let known = Puzzle::KINDS.map(|kind| format!("{kind:?}")).join(", ");
                let reason = format!("unknown kind {other:?}; known kinds: {known}");
                return Err(field(FieldError { field: "kind".into(), reason }));
            }
        };
        Ok(Self { name, known, source, puzzle })
    }

    /// What determines the puzzle, as text in a normal form: equal for files that differ in layout,
    /// comments, provenance or the known answer only.
    pub fn canonical(&self) -> String {
        let content = match &self.puzzle {
            Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => puzzle.canonical(),
            Puzzle::TantrixNatural(puzzle) => puzzle.canonical(),
            Puzzle::Soku(game) => game.canonical(),
        };
        format!("{} {content}", self.puzzle.kind())
    }

    /// Why there can be no solution, if it is plain to see: by the tiles alone, whatever the board, or by totals.
    pub fn obstacle(&self) -> Option<String> {
        let (tiles, colour) = match &self.puzzle {
            Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => (&puzzle.tiles, puzzle.colour),
            Puzzle::TantrixNatural(puzzle) => (&puzzle.tiles, puzzle.colour),
            Puzzle::Soku(game) => return game.obstacle(),
        };
        tiles.obstacle(colour)
    }

    /// What a result row says of the instance.
    pub fn facts(&self) -> Facts {
        let (challenge, places, colour) = match &self.puzzle {
            Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
                (puzzle.challenge, Some(puzzle.board.len()), Some(puzzle.colour))
            }
            Puzzle::TantrixNatural(puzzle) => (puzzle.challenge, None, Some(puzzle.colour)),
            Puzzle::Soku(game) => (game.tiles.len(), Some(game.field.faces().len()), None),
        };
        Facts {
            challenge: Some(challenge as u64),
            places: places.map(|places| places as u64),
            colour: colour.map(|colour| colour.name().to_owned()),
        }
    }
}
