//! The plan beside the rows.

use std::collections::HashMap;

use record::{PlanRow, RecordError, ResultsDir, RunRow, stream_table};

/// The planned runs: what their cells are called now. A name is no part of a run's identity, so rows that a session kept
/// may have another one.
pub struct Plan {
    /// Of each run the number of its cell.
    runs: HashMap<Box<str>, usize>,
    /// Instance, formulation and solver.
    cells: Vec<[String; 3]>,
}

impl Plan {
    /// Reads the plan, if there is one.
    pub fn read(files: &ResultsDir) -> Result<Option<Self>, RecordError> {
        if !files.plan().is_file() {
            return Ok(None);
        }
        let (mut runs, mut numbers) = (HashMap::new(), HashMap::new());
        for row in stream_table::<PlanRow>(&files.plan())? {
            let (_, row) = row?;
            let next = numbers.len();
            let number = *numbers.entry([row.instance, row.formulation, row.solver]).or_insert(next);
            runs.insert(row.run_id.into_boxed_str(), number);
        }
        let mut cells: Vec<_> = numbers.into_iter().collect();
        cells.sort_unstable_by_key(|(_, number)| *number);
        Ok(Some(Self { runs, cells: cells.into_iter().map(|(cell, _)| cell).collect() }))
    }

    /// Gives a row the names of the plan; whether the plan holds its run.
    pub fn name(&self, row: &mut RunRow) -> bool {
        let cell = self.runs.get(row.run_id.as_str()).and_then(|number| self.cells.get(*number));
        if let Some([instance, formulation, solver]) = cell {
            row.instance.clone_from(instance);
            row.formulation.clone_from(formulation);
            row.solver.clone_from(solver);
        }
        cell.is_some()
    }
}
