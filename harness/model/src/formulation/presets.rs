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
    const fn about(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    /// The formulation.
    pub fn written(&self) -> FormulationKeys {
        FormulationKeys::new(self.name, self.kind, self.keys)
    }
}

const fn preset(name: &'static str, kind: FormulationKind, keys: &'static [(&'static str, &'static str)]) -> Preset {
    Preset { name, kind, keys, summary: "" }
}

/// Every named formulation.
pub static PRESETS: [Preset; 24] = [
    preset("basic", Mip, &[("families", "C1 C2 C3 C4 C5")]).about("fixed boards; Kino & Uno 2012, Table 2"),
    preset("sorts", Mip, &[("families", "C1 C2' C3 C4 C5")]).about("fixed boards; Kino & Uno 2012, Table 3"),
    preset("corners", Mip, &[("families", "C1 C2' C3 C4 C5 C6")]).about("fixed boards; Kino & Uno 2012, Table 4"),
    preset("best", Mip, &[("families", "C1 C2' C3 C4 C5 C6 C7 C8 C9")])
        .about("fixed boards; Kino & Uno 2012, Table 5: their best"),
    preset("colour", Mip, &[("families", "C1 C2' C4c C5x C6x C7 C8 C9")])
        .about("fixed boards; the same on x alone, matching colour by colour: the fastest here, and the default"),
    preset("bounded-basic", Mip, &[("families", "B1 B2 B3 B4+B5")])
        .about("bounded boards; Kino & Uno, slides, the basic formulation"),
    preset("bounded-final", Mip, &[("families", "B1 B2 B3 B4+B5 B6' C7 C8 C9"), ("objective", "weighted")])
        .about("bounded boards; Kino & Uno, slides, one of their final three"),
    preset("bounded-colour", Mip, &[("families", "B1 B3 B45c B6 C5x C7 C8 C9"), ("holes", "resolve")])
        .about("bounded boards and the open plane; matching colour by colour, subloops and holes cut off: the default"),
    preset("sat", Sat, &[]).about("any board; as clauses, short loops forbidden in advance, others cut off one by one"),
    preset("bounded-sat", Sat, &[("holes", "resolve"), ("around-empty", "5")])
        .about("bounded boards and the open plane; as clauses, holes cut off too"),
    preset("compact-sat", Sat, &[("holes", "resolve"), ("around-empty", "3")])
        .about("bounded boards and the open plane; the same without bays: finds solutions fastest, proves nothing"),
    preset("cp", Cp, &[("subloops", "propagate"), ("short-loops", "5")])
        .about("any board; tables, counts and clauses, subloops cut off while the solver searches"),
    preset(
        "bounded-cp",
        Cp,
        &[("subloops", "propagate"), ("short-loops", "5"), ("holes", "resolve"), ("around-empty", "5")],
    )
    .about("bounded boards and the open plane; tables, counts and clauses, holes cut off too"),
    preset("minizinc", Minizinc, &[])
        .about("boards; a MiniZinc program of tables, a count of values and a circuit; for Gecode add a strategy"),
    preset("bounded-minizinc", Minizinc, &[("holes", "resolve")]).about("bounded boards; the same without holes"),
    preset("asp", Asp, &[]).about("boards; a logic program, in which the one loop reaches all tiles"),
    preset("bounded-asp", Asp, &[("holes", "resolve")]).about("bounded boards; the same without holes"),
    preset("soku", Mip, &[("families", "S1 S2' S3")]).about("3SoKu; equal tiles are not told apart: the default"),
    preset("soku-distinct", Mip, &[("families", "S1 S2 S3 S4 S5")])
        .about("3SoKu; Rizzo's formulation as an integer program, symmetries broken"),
    preset("soku-sat", Sat, &[]).about("3SoKu; as clauses, weights added up in unary"),
    preset("soku-cp", Cp, &[]).about("3SoKu; tables, counts and sums of weights"),
    preset("soku-minizinc", Minizinc, &[]).about("3SoKu; Rizzo 2020, the MiniZinc model, searched as the solver likes"),
    preset("soku-minizinc-restarts", Minizinc, &[("strategy", "random-restarts")]).about(
        "3SoKu; Rizzo 2020, the MiniZinc model with random tiles and restarts: finds solutions fast, seldom a proof",
    ),
    preset("soku-asp", Asp, &[]).about("3SoKu; Rizzo 2020, the logic program"),
];

/// The formulation of a kind used when none is asked for, if there is one for this kind of instance. Of kinds other than
/// mip it is the preset that is named like the kind (on boards with room `bounded-` and the kind, for 3SoKu `soku-` and the
/// kind), or the plain one.
pub fn default_preset(instance_kind: &str, of: FormulationKind) -> Option<FormulationKeys> {
    let needs = Needs::of(instance_kind)?;
    let name = match of {
        Mip => needs.default.to_owned(),
        _ => format!("{}{of}", needs.prefix),
    };
    let named = PRESETS.iter().find(|preset| preset.name == name).map(Preset::written);
    let plain = || FormulationKeys::new(&name, of, if needs.full { &[] } else { &[("holes", "resolve")] });
    named.or_else(|| (of != Mip).then(plain))
}
