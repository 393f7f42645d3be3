//! Named formulations, for the command line.

use crate::Formulation;

/// A formulation with a name and a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The formulation.
    pub formulation: Formulation,
    /// Where it comes from or what it is good for.
    pub summary: &'static str,
}

/// Name of the formulation used when none is asked for.
pub const DEFAULT_PRESET: &str = "colour";

/// Every named formulation.
#[must_use]
pub fn presets() -> Vec<Preset> {
    [
        ("basic", "C1 C2 C3 C4 C5", "Kino & Uno 2012, Table 2"),
        ("sorts", "C1 C2' C3 C4 C5", "Kino & Uno 2012, Table 3"),
        ("corners", "C1 C2' C3 C4 C5 C6", "Kino & Uno 2012, Table 4"),
        ("best", "C1 C2' C3 C4 C5 C6 C7 C8 C9", "Kino & Uno 2012, Table 5: their best"),
        (
            DEFAULT_PRESET,
            "C1 C2' C4c C5x C6x C7 C8 C9",
            "the same on x alone, matching colour by colour: the fastest here",
        ),
    ]
    .into_iter()
    .map(|(name, families, summary)| Preset { formulation: Formulation::of(name, families), summary })
    .collect()
}
