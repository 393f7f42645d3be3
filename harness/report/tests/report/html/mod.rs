//! The page for browsers: what it shows without a script, and the data that its scripts unpack.

mod data;
mod files;

use std::fs;
use std::io::Read;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use record::ResultsDir;
use report::{Analysis, Format, Options, Pictures, write};
use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture};

/// A page as a browser gets it.
struct Page {
    text: String,
    head: Value,
}

impl Page {
    fn of(experiments: &[Analysis], pictures: Pictures) -> Self {
        let out = TempDir::new().expect("a directory");
        let options = Options { formats: vec![Format::Html], pictures, revision: "abc".to_owned(), reload_s: None };
        write(experiments, out.path(), &options).expect("a report");
        let text = fs::read_to_string(out.path().join("report.html")).expect("a page");
        let head = serde_json::from_str(element(&text, "head")).expect("json");
        Self { text, head }
    }

    fn one(fixture: &mut Fixture) -> Self {
        Self::of(&[fixture.load()], Pictures::default())
    }

    fn chunk(&self, name: &str) -> Value {
        let zlib = STANDARD.decode(element(&self.text, &format!("chunk-{name}"))).expect("base64");
        let mut text = String::new();
        ZlibDecoder::new(zlib.as_slice()).read_to_string(&mut text).expect("zlib");
        serde_json::from_str(&text).expect("json")
    }

    fn experiment(&self, index: usize) -> &Value {
        &self.head["experiments"][index]
    }

    /// The charts of an experiment, as SVG.
    fn charts(&self, index: usize) -> Vec<String> {
        let names = (0..).map(|chart| format!("e{index}-c{chart}"));
        let there = names.take_while(|name| self.text.contains(&format!("id=\"chunk-{name}\"")));
        there.map(|name| self.chunk(&name).as_str().expect("svg").to_owned()).collect()
    }

    /// The details of all runs of an experiment, with the cells of solves by name, as far as there are any.
    fn details(&self, index: usize) -> Vec<Value> {
        let about = self.experiment(index);
        let [runs, size] = ["runs", "detail_size"].map(|name| about[name].as_u64().expect("a number"));
        let names: Vec<_> = (0..runs.div_ceil(size)).map(|part| format!("e{index}-d{part}")).collect();
        let chunks = names.iter().map(|name| self.chunk(name));
        let mut details: Vec<_> = chunks.flat_map(|chunk| chunk.as_array().expect("a list").clone()).collect();
        let columns = self.head["solve_columns"].as_array().expect("names");
        for solve in details.iter_mut().flat_map(|detail| detail["solves"].as_array_mut().expect("solves")) {
            let cells = solve.as_array().expect("cells");
            assert_eq!(cells.len(), columns.len());
            let named = columns.iter().zip(cells).filter(|(_, cell)| !cell.is_null());
            *solve = named.map(|(name, cell)| (name.as_str().expect("a name").to_owned(), cell.clone())).collect();
        }
        details
    }

    /// A column of the runs of an experiment.
    fn column(&self, index: usize, name: &str) -> Vec<Value> {
        cells(&self.chunk(&format!("e{index}-runs"))["columns"][name])
    }
}

/// What stands in the script element of that id.
fn element<'a>(text: &'a str, id: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!(" id=\"{id}\">")).unwrap_or_else(|| panic!("no {id}"));
    rest.split_once("</script>").expect("an end").0
}

/// The values of a column.
fn cells(column: &Value) -> Vec<Value> {
    match column["codes"].as_array() {
        None => column["values"].as_array().cloned().unwrap_or_default(),
        Some(codes) => {
            let word = |code: &Value| code.as_u64().map_or(Value::Null, |code| column["words"][code as usize].clone());
            codes.iter().map(word).collect()
        }
    }
}

/// A results directory with what `change` does to the files of its one run, on the board of 3 places.
fn with_files(change: impl Fn(&ResultsDir)) -> Fixture {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix/fixed");
    let mut fixture = Fixture::new("files");
    fixture.run("n3-round", BASIC, "highs", 0).named("0123").solves(&[(1.0, 2), (2.0, 1)]);
    fixture.iterations[0].solve.cuts_added = 1;
    let files = fixture.files();
    let solution = fs::read_to_string(boards.join("n3-round.solution.json")).expect("a solution");
    let with_cut = solution.replacen('{', "{\"cuts\": [[[1, 1], [2, 3]]], ", 1);
    fs::create_dir_all(files.root().join("instances")).expect("made");
    fs::create_dir_all(files.root().join("solutions")).expect("made");
    fs::create_dir_all(files.root().join("logs")).expect("made");
    fs::copy(boards.join("n3-round.toml"), files.instance("n3-round")).expect("copied");
    fs::write(files.solution("0123", 0), with_cut).expect("written");
    fs::write(files.solution("0123", 1), solution).expect("written");
    fs::write(files.log("0123"), "one\ntwo\n").expect("written");
    change(&files);
    fixture
}
