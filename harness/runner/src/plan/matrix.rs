//! Every run that a config asks for, as blocks of products: memory is that of the parts, not of the runs.

use std::sync::Arc;

use record::RunId;

use super::identity::Common;
use super::{Parts, PlannedInstance, PlannedRun, PlannedSolver};
use crate::config::Limits;
use crate::formulation::PlannedFormulation;

/// One formulation on some instances under some solvers, with some seeds, so many times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub formulation: Arc<PlannedFormulation>,
    pub instances: Vec<Arc<PlannedInstance>>,
    pub solvers: Vec<Arc<PlannedSolver>>,
    pub seeds: Arc<[u64]>,
    pub repeats: u32,
    pub limits: Limits,
}

/// Blocks one after the other; a run is a number in the order of the config.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Matrix {
    blocks: Vec<Placed>,
    len: u32,
}

/// A block with what is worked out once for all of its runs.
#[derive(Debug, Clone, PartialEq)]
struct Placed {
    block: Block,
    /// Number of its first run.
    first: u32,
    /// What the runs of each instance, formulation and solver have in common, in the order of the runs.
    triples: Vec<Common>,
}

/// Where a run stands among the parts: positions in the list of blocks and in the lists of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub block: usize,
    pub instance: usize,
    pub solver: usize,
    pub seed: u64,
}

/// Where a run stands in its block.
struct Cell<'a> {
    placed: &'a Placed,
    triple: usize,
    seed: u64,
    repeat: u32,
}

impl Block {
    /// Number of its runs; `None` beyond what can be counted.
    fn len(&self) -> Option<u32> {
        let lengths = [self.instances.len(), self.solvers.len(), self.seeds.len(), self.repeats as usize];
        lengths.into_iter().try_fold(1u32, |product, n| product.checked_mul(u32::try_from(n).ok()?))
    }
}

impl Matrix {
    /// Appends a block.
    ///
    /// # Errors
    /// More runs than can be counted.
    pub fn push(&mut self, block: Block) -> Result<(), String> {
        let first = self.len;
        let len = block.len().and_then(|n| first.checked_add(n));
        self.len = len.ok_or_else(|| format!("more than {} runs in one experiment: split it", u32::MAX))?;
        let pairs = block.instances.iter().flat_map(|i| block.solvers.iter().map(move |s| (i, s)));
        let triples = pairs.map(|(instance, solver)| Common::of(instance, &block.formulation, solver)).collect();
        self.blocks.push(Placed { block, first, triples });
        Ok(())
    }

    /// Number of runs.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// The run of a number below [`Matrix::len`].
    pub fn run(&self, number: u32) -> PlannedRun {
        let Cell { placed, triple, seed, repeat } = self.cell(number);
        let Block { formulation, instances, solvers, limits, .. } = &placed.block;
        PlannedRun {
            run_id: self.run_id(number),
            instance: Arc::clone(&instances[triple / solvers.len()]),
            formulation: Arc::clone(formulation),
            solver: Arc::clone(&solvers[triple % solvers.len()]),
            seed,
            repeat,
            limits: *limits,
        }
    }

    /// The solvers, some of them several times.
    pub fn solvers(&self) -> impl Iterator<Item = &PlannedSolver> {
        self.blocks.iter().flat_map(|placed| &placed.block.solvers).map(Arc::as_ref)
    }

    /// Instance, formulation and solver of a run.
    pub fn parts(&self, number: u32) -> Parts<'_> {
        let Cell { placed, triple, .. } = self.cell(number);
        let Block { formulation, instances, solvers, limits, .. } = &placed.block;
        let (instance, solver) = (&instances[triple / solvers.len()], &solvers[triple % solvers.len()]);
        Parts { instance, formulation, solver, limits: *limits }
    }

    /// The instance of a run.
    pub fn instance(&self, number: u32) -> &Arc<PlannedInstance> {
        let Cell { placed, triple, .. } = self.cell(number);
        &placed.block.instances[triple / placed.block.solvers.len()]
    }

    /// The identity of a run alone, which is quicker.
    pub fn run_id(&self, number: u32) -> RunId {
        let Cell { placed, triple, seed, repeat } = self.cell(number);
        let Parts { instance, solver, limits, .. } = self.parts(number);
        placed.triples[triple].run_id(instance, solver, seed, repeat, limits)
    }

    /// The place of a run.
    pub fn place(&self, number: u32) -> Place {
        let Cell { placed, triple, seed, .. } = self.cell(number);
        let solvers = placed.block.solvers.len();
        Place { block: self.block_of(number), instance: triple / solvers, solver: triple % solvers, seed }
    }

    /// Position of the block of a run.
    pub fn block_of(&self, number: u32) -> usize {
        // A block without runs begins where the next one does, and is never the last of those.
        self.blocks.partition_point(|placed| placed.first <= number) - 1
    }

    fn cell(&self, number: u32) -> Cell<'_> {
        let placed = &self.blocks[self.block_of(number)];
        let Block { seeds, repeats, .. } = &placed.block;
        let within = (number - placed.first) as usize;
        let (rest, repeat) = (within / *repeats as usize, within % *repeats as usize);
        // In range: the repeats are a u32.
        Cell { placed, triple: rest / seeds.len(), seed: seeds[rest % seeds.len()], repeat: repeat as u32 + 1 }
    }
}
