//! Named formulations, for the command line.

use crate::kinds::kind;
use crate::{Formulation, FormulationKind, Holes, Objective, Strategy, Subloops};

/// A formulation with a name and a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// The formulation.
    pub formulation: Formulation,
    /// Where it comes from or what it is good for.
    pub summary: &'static str,
}

/// Every named formulation.
#[must_use]
pub fn presets() -> Vec<Preset> {
    let report = (Objective::Virtual, Holes::Report);
    let weighted = (Objective::Weighted, Holes::Report);
    let clean = (Objective::Virtual, Holes::Resolve);
    [
        ("basic", "C1 C2 C3 C4 C5", report, "fixed boards; Kino & Uno 2012, Table 2"),
        ("sorts", "C1 C2' C3 C4 C5", report, "fixed boards; Kino & Uno 2012, Table 3"),
        ("corners", "C1 C2' C3 C4 C5 C6", report, "fixed boards; Kino & Uno 2012, Table 4"),
        ("best", "C1 C2' C3 C4 C5 C6 C7 C8 C9", report, "fixed boards; Kino & Uno 2012, Table 5: their best"),
        (
            "colour",
            "C1 C2' C4c C5x C6x C7 C8 C9",
            report,
            "fixed boards; the same on x alone, matching colour by colour: the fastest here, and the default",
        ),
        ("bounded-basic", "B1 B2 B3 B4+B5", report, "bounded boards; Kino & Uno, slides, the basic formulation"),
        (
            "bounded-final",
            "B1 B2 B3 B4+B5 B6' C7 C8 C9",
            weighted,
            "bounded boards; Kino & Uno, slides, one of their final three",
        ),
        (
            "bounded-colour",
            "B1 B3 B45c B6 C5x C7 C8 C9",
            clean,
            "bounded boards and the open plane; matching colour by colour, subloops and holes cut off: the default",
        ),
    ]
    .into_iter()
    .map(|(name, families, (objective, holes), summary)| {
        let holes = (holes == Holes::Resolve).then_some(holes);
        Preset { formulation: Formulation { objective, holes, ..Formulation::of(name, families) }, summary }
    })
    .chain(clauses())
    .chain(constraints())
    .chain(soku())
    .chain(programs())
    .collect()
}

/// Those of kind `sat`.
fn clauses() -> [Preset; 3] {
    let plain = |name| Formulation::plain(name, FormulationKind::Sat);
    [
        Preset {
            formulation: plain("sat"),
            summary: "any board; as clauses, short loops forbidden in advance, others cut off one by one",
        },
        Preset {
            formulation: Formulation { holes: Some(Holes::Resolve), around_empty: Some(5), ..plain("bounded-sat") },
            summary: "bounded boards and the open plane; as clauses, holes cut off too",
        },
        Preset {
            formulation: Formulation { holes: Some(Holes::Resolve), around_empty: Some(3), ..plain("compact-sat") },
            summary: "bounded boards and the open plane; the same without bays: finds solutions fastest, proves nothing",
        },
    ]
}

/// Those of kind `cp`.
fn constraints() -> [Preset; 2] {
    let plain = |name| Formulation {
        subloops: Some(Subloops::Propagate),
        short_loops: Some(5),
        ..Formulation::plain(name, FormulationKind::Cp)
    };
    [
        Preset {
            formulation: plain("cp"),
            summary: "any board; tables, counts and clauses, subloops cut off while the solver searches",
        },
        Preset {
            formulation: Formulation { holes: Some(Holes::Resolve), around_empty: Some(5), ..plain("bounded-cp") },
            summary: "bounded boards and the open plane; tables, counts and clauses, holes cut off too",
        },
    ]
}

/// Those of 3SoKu with a model.
fn soku() -> [Preset; 4] {
    let plain = |name, kind, summary| Preset { formulation: Formulation::plain(name, kind), summary };
    let families = |name, families, summary| Preset { formulation: Formulation::of(name, families), summary };
    [
        families("soku", "S1 S2' S3", "3SoKu; equal tiles are not told apart: the default"),
        families(
            "soku-distinct",
            "S1 S2 S3 S4 S5",
            "3SoKu; Rizzo's formulation as an integer program, symmetries broken",
        ),
        plain("soku-sat", FormulationKind::Sat, "3SoKu; as clauses, weights added up in unary"),
        plain("soku-cp", FormulationKind::Cp, "3SoKu; tables, counts and sums of weights"),
    ]
}

/// Those of kinds `minizinc` and `asp`.
fn programs() -> [Preset; 3] {
    let (minizinc, asp) = (FormulationKind::Minizinc, FormulationKind::Asp);
    [
        Preset {
            formulation: Formulation::plain("soku-minizinc", minizinc),
            summary: "3SoKu; Rizzo 2020, the MiniZinc model, searched as the solver likes",
        },
        Preset {
            formulation: Formulation {
                strategy: Some(Strategy::RandomRestarts),
                ..Formulation::plain("soku-minizinc-restarts", minizinc)
            },
            summary: "3SoKu; Rizzo 2020, the MiniZinc model with random tiles and restarts: finds solutions fast, seldom a proof",
        },
        Preset { formulation: Formulation::plain("soku-asp", asp), summary: "3SoKu; Rizzo 2020, the logic program" },
    ]
}

/// The formulation of a kind used when none is asked for, if there is one for this kind of instance. Of kinds other than
/// mip it is the preset that is named like the kind (on boards with room `bounded-` and the kind, for 3SoKu `soku-` and the
/// kind), or the plain one. Programs (kinds minizinc and asp) are for 3SoKu only.
#[must_use]
pub fn default_preset(instance_kind: &str, of: FormulationKind) -> Option<Formulation> {
    use FormulationKind::{Asp, Minizinc};
    let kind = kind(instance_kind)?;
    let name = match of {
        FormulationKind::Mip => kind.default.to_owned(),
        Minizinc | Asp if kind.loops => return None,
        _ => format!("{}{of}", kind.prefix),
    };
    let named = presets().into_iter().map(|preset| preset.formulation).find(|formulation| formulation.name == name);
    let plain = || Formulation { holes: (!kind.full).then_some(Holes::Resolve), ..Formulation::plain(&name, of) };
    named.or_else(|| (of != FormulationKind::Mip).then(plain))
}
