//! Gecode's own alldifferent for a MiniZinc that does not find it.
//!
//! MiniZinc 2.6 and later look in a solver's library for `fzn_all_different_int.mzn`; the Gecode of Debian 12 brings one with the
//! older name `all_different_int.mzn` only. Models are compiled to inequalities between all pairs then, and Gecode takes far longer.
//! A library beside it, which has that file and the rest of what Gecode needs, mends it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::configurations::{Configuration, Installation};

const GECODE: &str = "org.gecode.gecode";

/// What Gecode calls its constraint.
const ALL_DIFFERENT: &str = "predicate all_different_int(array[int] of var int: x);\n\
                             predicate fzn_all_different_int(array[int] of var int: x) = all_different_int(x);\n";

/// Files of Gecode's library that say which other constraints it has.
const KEPT: [&str; 2] = ["redefinitions.mzn", "redefinitions-2.0.mzn"];

/// Whether this is a Gecode whose alldifferent is not found.
pub(super) fn lacks_all_different(solver: &Configuration, installation: &Installation) -> bool {
    let library = solver.library(installation);
    solver.id == GECODE
        && library.join("all_different_int.mzn").is_file()
        && !library.join("fzn_all_different_int.mzn").exists()
}

/// Writes a configuration of Gecode with its alldifferent, and its library, and returns its path.
pub(super) fn mended(solver: &Configuration, installation: &Installation, directory: &Path) -> io::Result<PathBuf> {
    let (from, library) = (solver.library(installation), directory.join("gecode"));
    fs::create_dir(&library)?;
    fs::write(library.join("fzn_all_different_int.mzn"), ALL_DIFFERENT)?;
    for name in KEPT.into_iter().filter(|name| from.join(name).is_file()) {
        fs::write(library.join(name), fs::read(from.join(name))?)?;
    }
    let configuration = json!({
        // With Gecode's own id MiniZinc would take the configuration that it has.
        "id": "tilebench.gecode",
        "name": solver.name,
        "version": solver.version,
        "mznlib": library,
        "executable": solver.executable,
        "stdFlags": solver.flags,
        "supportsMzn": false,
        "supportsFzn": true,
        "needsSolns2Out": true,
    });
    let path = directory.join("gecode.msc");
    fs::write(&path, configuration.to_string())?;
    Ok(path)
}
