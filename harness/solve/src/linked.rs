//! The solvers that a build may leave out: each is a Cargo feature of its name. What they are is said here, so that a build without
//! one still knows it: configs that name it can be planned, and its runs are `unsupported`.

use model::FormulationKind::{Cp, Mip, Sat};

use crate::backend::{BackendInfo, Reports};

pub(crate) const HIGHS: BackendInfo =
    BackendInfo::of("highs", &[Mip], "highs crate, bundled", Reports { threads: true, hint: true, ..Reports::MIP });

pub(crate) const CBC: BackendInfo =
    BackendInfo::of("cbc", &[Mip], "coin_cbc crate, system libcbc", Reports { nodes: false, ..Reports::MIP });

pub(crate) const CADICAL: BackendInfo = BackendInfo::of(
    "cadical",
    &[Sat, Mip],
    "cadical-sys crate, bundled",
    Reports { single_loop: true, proof: true, bound: true, ..Reports::SAT },
);

pub(crate) const PUMPKIN: BackendInfo = BackendInfo::of(
    "pumpkin",
    &[Cp, Mip],
    "pumpkin-core crate, pure Rust",
    Reports { propagations: false, single_loop: true, bound: true, ..Reports::SAT },
);

/// A solver of a feature, or what answers for it in a build without.
macro_rules! linked {
    ($feature:literal, $solver:expr, $info:expr) => {{
        #[cfg(feature = $feature)]
        let solver: &dyn Backend = &$solver;
        #[cfg(not(feature = $feature))]
        let solver: &dyn Backend = &$crate::linked::LeftOut($info);
        solver
    }};
}
pub(crate) use linked;

#[cfg(not(all(feature = "cadical", feature = "cbc", feature = "highs", feature = "pumpkin")))]
pub(crate) use left_out::LeftOut;

#[cfg(not(all(feature = "cadical", feature = "cbc", feature = "highs", feature = "pumpkin")))]
mod left_out {
    use crate::backend::*;

    /// What answers for a solver that this build leaves out.
    pub(crate) struct LeftOut(pub BackendInfo);

    impl LeftOut {
        fn missing(&self) -> SolveError {
            let remedy = format!("build tilebench with the Cargo feature {}", self.0.name);
            SolveError::Missing { solver: self.0.name, reason: "it is not in this build".to_owned(), remedy }
        }
    }

    impl Backend for LeftOut {
        fn info(&self) -> BackendInfo {
            BackendInfo { install: Some("not in this build; it is the Cargo feature of this name"), ..self.0.clone() }
        }

        fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
            Err(self.missing())
        }

        fn open(&self, _kind: FormulationKind, _options: &SessionOptions) -> Result<Opened, SolveError> {
            Err(self.missing())
        }
    }
}
