//! The options that say which model to build.

use model::{Cardinality, CutChoice, FormulationKind, Holes, Objective, Strategy, Subloops};

/// Which model to build.
#[derive(Debug, Default, clap::Args)]
pub struct Model {
    /// Named formulation (see `tilebench formulations`); left out: the default of the kind, for kind mip `colour` on fixed
    /// boards, else `bounded-colour`
    #[arg(long, value_name = "NAME", conflicts_with = "families")]
    pub formulation: Option<String>,
    /// What the solver is given: a linear model (mip), clauses (sat), constraints (cp), the puzzle itself (search), a
    /// program (minizinc, asp; 3SoKu only); left out: as the named formulation says, else what the solver is for (export: what the ending of the file says)
    #[arg(long, value_name = "KIND", value_parser = FormulationKind::ALL.map(FormulationKind::name))]
    pub kind: Option<String>,
    /// Constraint families instead of a named formulation, for example "C1 C2' C3 C4 C5"
    #[arg(long, value_name = "LIST")]
    pub families: Option<String>,
    /// What to minimise; left out: as the named formulation says, else `virtual`
    #[arg(long, value_name = "WHAT", value_parser = Objective::ALL.map(Objective::name))]
    pub objective: Option<String>,
    /// What to do about subloops (`propagate`: kinds sat and cp); left out: kind mip: `resolve` if C5 or C5x is listed;
    /// kinds sat and cp: `resolve`
    #[arg(long, value_name = "WHAT", value_parser = Subloops::ALL.map(Subloops::name))]
    pub subloops: Option<String>,
    /// What to do about holes on bounded boards; left out: as the named formulation says, else `report`
    #[arg(long, value_name = "WHAT", value_parser = Holes::ALL.map(Holes::name))]
    pub holes: Option<String>,
    /// Which cuts to add against subloops (`loop`: kinds sat and cp)
    #[arg(long, value_name = "CHOICE", value_parser = CutChoice::ALL.map(CutChoice::name))]
    pub cuts: Option<String>,
    /// Kind sat: how clauses count tiles
    #[arg(long, value_name = "ENCODING", value_parser = Cardinality::ALL.map(Cardinality::name))]
    pub cardinality: Option<String>,
    /// Kinds sat and cp: forbid loops of up to so many places in advance; 0: none
    #[arg(long, value_name = "L")]
    pub short_loops: Option<usize>,
    /// Kinds sat and cp: at most so many tiles (3 to 5) around an empty place
    #[arg(long, value_name = "N")]
    pub around_empty: Option<usize>,
    /// Kind search: the algorithm; kind minizinc: how the program says to search (random-restarts)
    #[arg(long, value_name = "NAME", value_parser = Strategy::ALL.map(Strategy::name))]
    pub strategy: Option<String>,
    /// Kinds minizinc and asp: whether uniform tiles are not rotated and equal tiles lie in order
    #[arg(long, value_name = "true|false")]
    pub symmetry_breaking: Option<bool>,
}
