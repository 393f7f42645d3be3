//! The names that configs may use and that other crates know.

use runner::Vocabulary;

use crate::solvers;

/// Names of solvers, tables and plots, and the check of published figures.
pub fn vocabulary() -> Vocabulary {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Vocabulary {
        solvers: owned(solvers::names()),
        tables: owned(report::table_names()),
        plots: owned(report::plot_names()),
        check_published: Some(|path, wanted| report::check_published(path, wanted).map_err(|e| e.to_string())),
    }
}
