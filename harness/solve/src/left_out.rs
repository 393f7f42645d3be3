//! What answers for a solver that this build leaves out, and for the relaxations that need one.

use crate::backend::*;

/// A solver of [`crate::linked`] without its feature.
pub(crate) struct LeftOut(pub BackendInfo);

impl LeftOut {
    fn missing<T>(&self) -> Result<T, SolveError> {
        let remedy = format!("build tilebench with the Cargo feature {}", self.0.name);
        Err(SolveError::Missing { solver: self.0.name, reason: "it is not in this build".to_owned(), remedy })
    }
}

impl Backend for LeftOut {
    fn info(&self) -> BackendInfo {
        BackendInfo { install: Some("not in this build; it is the Cargo feature of this name"), ..self.0.clone() }
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        self.missing()
    }

    fn open(&self, _kind: FormulationKind, _options: &SessionOptions) -> Result<Opened, SolveError> {
        self.missing()
    }
}

/// Linear relaxations are solved by HiGHS.
#[cfg(not(feature = "highs"))]
pub(crate) fn relax(_model: &model::ir::Model, _time_limit: Option<Duration>) -> record::Relaxed {
    record::Relaxed::unknown("linear relaxations need HiGHS, which is not in this build (Cargo feature highs)")
}
