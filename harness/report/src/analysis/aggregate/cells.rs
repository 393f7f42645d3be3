//! The cells of a comparison as numbers, which frames hold in place of names.

use std::collections::HashMap;
use std::sync::Arc;

use record::Status;

use super::Key;
use crate::results::{Run, Setting};

/// The cells, numbered in the order of their keys.
pub struct Cells {
    /// The key of each.
    pub keys: Vec<Arc<Key>>,
    /// Of each, the settings under which something was measured.
    pub settings: Vec<Vec<Arc<Setting>>>,
    /// By address of a setting.
    numbers: HashMap<usize, u32>,
}

impl Cells {
    /// The cells of these runs.
    pub fn of(runs: &[Run]) -> Self {
        // Settings are shared: their addresses tell them apart. Where nothing was started nothing was measured.
        let mut found: HashMap<usize, (&Arc<Setting>, bool)> = HashMap::new();
        for run in runs {
            let setting = found.entry(run.setting_address()).or_insert((&run.setting, false));
            setting.1 |= run.status != Status::Unsupported;
        }
        let key = |s: &Setting| Key {
            instance: s.instance.clone(),
            formulation: s.formulation.clone(),
            solver: s.solver.clone(),
        };
        let mut keys: Vec<_> = found.values().map(|(setting, _)| key(setting)).collect();
        keys.sort();
        keys.dedup();
        let mut cells = Self {
            settings: vec![Vec::new(); keys.len()],
            keys: keys.into_iter().map(Arc::new).collect(),
            numbers: HashMap::new(),
        };
        for (address, (setting, measured)) in found {
            let place = cells.keys.binary_search_by(|known| (**known).cmp(&key(setting))).unwrap_or_default();
            if measured {
                cells.settings[place].push(setting.clone());
            }
            cells.numbers.insert(address, u32::try_from(place).unwrap_or(u32::MAX));
        }
        cells
    }

    /// The number of a run's cell.
    pub fn number(&self, run: &Run) -> u32 {
        self.numbers.get(&run.setting_address()).copied().unwrap_or(u32::MAX)
    }
}
