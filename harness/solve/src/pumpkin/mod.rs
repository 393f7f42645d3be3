//! Pumpkin, a constraint solver with lazy clause generation in pure Rust.
//!
//! A session keeps its solver, with all that it learned, from solve to solve. The rule of the single loop is kept by a
//! propagator of ours (`single_loop.rs`).

mod branching;
mod options;
mod session;
mod single_loop;
mod translate;

use std::collections::BTreeMap;

use model::FormulationKind;

use crate::backend::{Backend, BackendInfo, Opened, Reports, SessionOptions};
use crate::error::SolveError;

const NAME: &str = "pumpkin";

pub(crate) struct Pumpkin;

impl Backend for Pumpkin {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            name: NAME,
            kinds: &[FormulationKind::Cp],
            interface: "pumpkin-core crate, pure Rust",
            reports: Reports { nodes: true, conflicts: true, seed: true, single_loop: true, ..Reports::default() },
            install: None,
        }
    }

    fn version(&self, _options: &BTreeMap<String, String>) -> Result<String, SolveError> {
        Ok(env!("PUMPKIN_VERSION").to_owned())
    }

    fn open(&self, _kind: FormulationKind, options: &SessionOptions) -> Result<Opened, SolveError> {
        Ok(Opened::Cp(Box::new(session::PumpkinSession::new(options)?)))
    }
}
