//! Boards for Tantrix: what determines the text of an instance file.

use std::path::Path;

use combinatorics::tantrix::shapes::Shape;
use puzzle::hex::Axial;
use puzzle::tantrix::{BOUNDED, BoardType, Colour, FIXED, NATURAL, Numbering, TileSet, TileSetKind};
use puzzle::{Instance, Known};

use crate::output::note;

/// The content of an instance file.
#[derive(Debug, Clone)]
pub struct BoardRecipe {
    pub kind: BoardKind,
    pub challenge: usize,
    pub colour: Option<Colour>,
    pub tiles: TileSetKind,
    pub known: Known,
    /// What else its source says.
    pub remark: Option<String>,
}

/// Where the tiles may lie.
#[derive(Debug, Clone)]
pub enum BoardKind {
    /// On every place of a shape that a seed gives.
    Fixed { shape: Shape, seed: u64 },
    /// On some places of a regular board; see [`BoardKind::bounded`].
    Bounded { board: BoardType, numbering: Numbering, places: Vec<Axial> },
    /// Anywhere.
    Natural,
}

impl BoardKind {
    /// A regular board, or why there is none of that size.
    pub fn bounded(board: BoardType, size: usize, numbering: Numbering) -> Result<Self, String> {
        Ok(Self::Bounded { board, numbering, places: board.places(size, numbering)? })
    }
}

impl BoardRecipe {
    /// The instance file: the same recipe gives the same text on every machine.
    pub fn text(&self) -> String {
        let (kind, source, places) = match &self.kind {
            BoardKind::Fixed { shape, seed } => {
                let call =
                    format!("fixed --shape {shape} --challenge {} --seed {seed}{}", self.challenge, self.flags());
                let remark = "the boards of Kino & Uno (2012) are only in their figures";
                (FIXED, format!("tilebench generate {call}; {remark}"), Some(shape.places(self.challenge, *seed)))
            }
            BoardKind::Bounded { board, numbering, places } => {
                let rows = if *numbering == Numbering::Rows { " --numbering rows" } else { "" };
                let (size, challenge, flags) = (places.len(), self.challenge, self.flags());
                let call = format!("bounded --type {board} --places {size} --challenge {challenge}{rows}{flags}");
                let remark = "a board of a size that Kino & Uno's slides describe";
                (BOUNDED, format!("tilebench generate {call}; {remark}"), Some(places.clone()))
            }
            BoardKind::Natural => {
                let source = "the natural setting: no board, which Kino & Uno (2012) leave to future work";
                (NATURAL, source.to_owned(), None)
            }
        };
        let source = [Some(source), self.remark.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ");
        let colour = self.colour.map(|c| format!("colour = \"{c}\"\n")).unwrap_or_default();
        let places = places.map(|places| places.iter().map(|at| format!("    [{}, {}],\n", at.q, at.r)).collect());
        let places = places.map(|lines: String| format!("places = [\n{lines}]\n")).unwrap_or_default();
        format!(
            "kind = \"{kind}\"\nchallenge = {}\ntiles = \"{}\"\n{colour}known = \"{}\"\nsource = \"{source}\"\n{places}",
            self.challenge,
            self.tiles.name(),
            self.known.name(),
        )
    }

    /// The options of `generate` that are not left out.
    fn flags(&self) -> String {
        let flags = [
            self.colour.map(|c| format!(" --colour {c}")),
            (self.tiles == TileSetKind::Distinct).then(|| " --tiles distinct".to_owned()),
        ];
        flags.into_iter().flatten().collect()
    }

    /// The instance, checked as if it were read from that file.
    pub fn instance(&self, path: &Path) -> anyhow::Result<Instance> {
        // Before any place is laid out: a shape of a billion places would take all memory.
        TileSet::new(self.tiles, self.challenge).map_err(|reason| anyhow::anyhow!("challenge: {reason}"))?;
        Ok(Instance::parse(&self.text(), path)?)
    }

    /// Writes the instance file, once it is sound.
    pub fn write(&self, path: &Path) -> anyhow::Result<Instance> {
        let instance = self.instance(path)?;
        record::write_whole(path, self.text().as_bytes())?;
        if let (Known::Unknown, Some(obstacle)) = (self.known, instance.obstacle()) {
            note!("note: {} has no solution on any board: {obstacle}", instance.name);
        }
        Ok(instance)
    }
}
