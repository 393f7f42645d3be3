//! Named formulations, for the command line.

use super::check::Needs;
use super::{FormulationKeys, FormulationKind};
use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat};

/// A formulation with a name and a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: FormulationKind,
    /// Its keys with their values.
    pub keys: &'static [(&'static str, &'static str)],
    /// Where it comes from or what it is good for.
    pub summary: &'static str,
}

impl Preset {
    /// The formulation.
    #[must_use]
    pub fn written(&self) -> FormulationKeys {
        FormulationKeys::new(self.name, self.kind, self.keys)
    }
}

/// Every named formulation.
pub static PRESETS: [Preset; 20] = [
    Preset {
        name: "basic",
        kind: Mip,
        keys: &[("families", "C1 C2 C3 C4 C5")],
        summary: "fixed boards; Kino & Uno 2012, Table 2",
    },
    Preset {
        name: "sorts",
        kind: Mip,
        keys: &[("families", "C1 C2' C3 C4 C5")],
        summary: "fixed boards; Kino & Uno 2012, Table 3",
    },
    Preset {
        name: "corners",
        kind: Mip,
        keys: &[("families", "C1 C2' C3 C4 C5 C6")],
        summary: "fixed boards; Kino & Uno 2012, Table 4",
    },
    Preset {
        name: "best",
        kind: Mip,
        keys: &[("families", "C1 C2' C3 C4 C5 C6 C7 C8 C9")],
        summary: "fixed boards; Kino & Uno 2012, Table 5: their best",
    },
    Preset {
        name: "colour",
        kind: Mip,
        keys: &[("families", "C1 C2' C4c C5x C6x C7 C8 C9")],
        summary: "fixed boards; the same on x alone, matching colour by colour: the fastest here, and the default",
    },
    Preset {
        name: "bounded-basic",
        kind: Mip,
        keys: &[("families", "B1 B2 B3 B4+B5")],
        summary: "bounded boards; Kino & Uno, slides, the basic formulation",
    },
    Preset {
        name: "bounded-final",
        kind: Mip,
        keys: &[("families", "B1 B2 B3 B4+B5 B6' C7 C8 C9"), ("objective", "weighted")],
        summary: "bounded boards; Kino & Uno, slides, one of their final three",
    },
    Preset {
        name: "bounded-colour",
        kind: Mip,
        keys: &[("families", "B1 B3 B45c B6 C5x C7 C8 C9"), ("holes", "resolve")],
        summary: "bounded boards and the open plane; matching colour by colour, subloops and holes cut off: the default",
    },
    Preset {
        name: "sat",
        kind: Sat,
        keys: &[],
        summary: "any board; as clauses, short loops forbidden in advance, others cut off one by one",
    },
    Preset {
        name: "bounded-sat",
        kind: Sat,
        keys: &[("holes", "resolve"), ("around-empty", "5")],
        summary: "bounded boards and the open plane; as clauses, holes cut off too",
    },
    Preset {
        name: "compact-sat",
        kind: Sat,
        keys: &[("holes", "resolve"), ("around-empty", "3")],
        summary: "bounded boards and the open plane; the same without bays: finds solutions fastest, proves nothing",
    },
    Preset {
        name: "cp",
        kind: Cp,
        keys: &[("subloops", "propagate"), ("short-loops", "5")],
        summary: "any board; tables, counts and clauses, subloops cut off while the solver searches",
    },
    Preset {
        name: "bounded-cp",
        kind: Cp,
        keys: &[("subloops", "propagate"), ("short-loops", "5"), ("holes", "resolve"), ("around-empty", "5")],
        summary: "bounded boards and the open plane; tables, counts and clauses, holes cut off too",
    },
    Preset {
        name: "soku",
        kind: Mip,
        keys: &[("families", "S1 S2' S3")],
        summary: "3SoKu; equal tiles are not told apart: the default",
    },
    Preset {
        name: "soku-distinct",
        kind: Mip,
        keys: &[("families", "S1 S2 S3 S4 S5")],
        summary: "3SoKu; Rizzo's formulation as an integer program, symmetries broken",
    },
    Preset { name: "soku-sat", kind: Sat, keys: &[], summary: "3SoKu; as clauses, weights added up in unary" },
    Preset { name: "soku-cp", kind: Cp, keys: &[], summary: "3SoKu; tables, counts and sums of weights" },
    Preset {
        name: "soku-minizinc",
        kind: Minizinc,
        keys: &[],
        summary: "3SoKu; Rizzo 2020, the MiniZinc model, searched as the solver likes",
    },
    Preset {
        name: "soku-minizinc-restarts",
        kind: Minizinc,
        keys: &[("strategy", "random-restarts")],
        summary: "3SoKu; Rizzo 2020, the MiniZinc model with random tiles and restarts: finds solutions fast, seldom a proof",
    },
    Preset { name: "soku-asp", kind: Asp, keys: &[], summary: "3SoKu; Rizzo 2020, the logic program" },
];

/// The formulation of a kind used when none is asked for, if there is one for this kind of instance. Of kinds other than
/// mip it is the preset that is named like the kind (on boards with room `bounded-` and the kind, for 3SoKu `soku-` and the
/// kind), or the plain one. Programs (kinds minizinc and asp) are for 3SoKu only.
#[must_use]
pub fn default_preset(instance_kind: &str, of: FormulationKind) -> Option<FormulationKeys> {
    let needs = Needs::of(instance_kind)?;
    let name = match of {
        Mip => needs.default.to_owned(),
        Minizinc | Asp if needs.loops => return None,
        _ => format!("{}{of}", needs.prefix),
    };
    let named = PRESETS.iter().find(|preset| preset.name == name).map(Preset::written);
    let plain = || FormulationKeys::new(&name, of, if needs.full { &[] } else { &[("holes", "resolve")] });
    named.or_else(|| (of != Mip).then(plain))
}
