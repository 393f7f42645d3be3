//! Small boards for the tests of this crate.

use std::path::Path;

use puzzle::hex::Axial;
use puzzle::tantrix::BoardTantrix;
use puzzle::{Instance, Puzzle};

/// An instance of the repeated set on these places.
pub fn instance(places: &[Axial], extra: &str) -> Instance {
    let list: Vec<String> = places.iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = {}\ntiles = \"repeated\"\n{extra}\nplaces = [{}]\nknown = \"unknown\"\nsource = \"test\"\n",
        places.len(),
        list.join(", ")
    );
    Instance::parse(&text, Path::new("t.toml")).expect("a good instance")
}

/// The Tantrix inside an instance.
pub fn tantrix(instance: &Instance) -> &BoardTantrix {
    let Puzzle::TantrixFixed(puzzle) = &instance.puzzle else { panic!("no fixed board") };
    puzzle
}
