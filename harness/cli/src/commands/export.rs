//! `tilebench export`: models as files for other solvers, one or a suite of them; results for programs of others.

mod written;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use hmac_sha256::Hash;
use model::FormulationKind;
use puzzle::tantrix::NATURAL;
use puzzle::{Instance, Known};
use runner::{count, is_suite};

use super::generate::make_suite;
use super::instance;
use super::list::toml_files;
use crate::args::{Export, Model};
use crate::output::{check_empty, check_outputs, note, say};
use written::{ENDINGS, Written, endings, written};

/// Writes a model, a suite of them, or results.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    if let Some(suite) = &args.suite {
        return export_suite(suite, &formats(args), args);
    }
    if let Some(dir) = &args.results {
        let is_plain = args.model == Model::default();
        ensure!(is_plain, "--results: leave out the options of a model (--formulation, --kind, --families, ...)");
        return super::report::export(dir, &formats(args), &args.output);
    }
    let path = args.instance.as_deref().context("no instance")?;
    let ending = args.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let Some((_, kind)) = ENDINGS.into_iter().find(|(own, _)| *own == ending) else {
        bail!("{}: a model's name ends in {}", args.output.display(), endings(None));
    };
    check_outputs(&[path], &[&args.output])?;
    let instance = instance::load(path)?;
    let written =
        written(&instance, &args.model, args.seed, ending, kind).with_context(|| args.output.display().to_string())?;
    record::write_whole(&args.output, &written.text)?;
    say!("{}: {}", args.output.display(), written.size_in_words());
    say!("note: {}", written.notes);
    Ok(ExitCode::SUCCESS)
}

fn formats(args: &Export) -> Vec<String> {
    let mut seen = HashSet::new();
    args.to.iter().filter(|word| seen.insert(*word)).cloned().collect()
}

const INDEX: &str = "index.csv";

/// Its columns: sizes are those of the linear model or the formula, before any cut, and empty for programs; `known` is said of the
/// puzzle, `expected` of the file.
const COLUMNS: [&str; 13] = [
    "instance",
    "kind",
    "challenge",
    "places",
    "formulation",
    "format",
    "file",
    "sha256",
    "variables",
    "constraints",
    "nonzeros",
    "known",
    "expected",
];

/// Writes the instances of a list or folder as models, a benchmark set for other solvers: a folder for each format, an index, and
/// checksums as `sha256sum -c` reads them.
fn export_suite(from: &Path, formats: &[String], args: &Export) -> anyhow::Result<ExitCode> {
    let formats: Vec<_> = if formats.is_empty() {
        ENDINGS.to_vec()
    } else {
        formats.iter().map(|word| format(word)).collect::<anyhow::Result<_>>()?
    };
    let instances = instances(from)?;
    let out = &args.output;
    check_empty(out)?;
    let mut index = csv::Writer::from_writer(Vec::new());
    index.write_record(COLUMNS)?;
    let (mut sums, mut files) = (String::new(), 0);
    // What there is not of instances, with the number of these.
    let mut refused: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for instance in &instances {
        for (format, kind) in formats.iter().copied() {
            let model = match written(instance, &args.model, args.seed, format, kind) {
                Ok(model) => model,
                Err(error) => {
                    *refused.entry((format, format!("{error:#}"))).or_default() += 1;
                    continue;
                }
            };
            let file = format!("{format}/{}.{format}", instance.name);
            let folder = out.join(format);
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            record::write_whole(&out.join(&file), &model.text)?;
            let sum = sha256(&model.text);
            index.write_record(row(instance, &model, format, &file, &sum))?;
            sums += &format!("{sum}  {file}\n");
            files += 1;
        }
    }
    if let (0, Some(((format, reason), _))) = (files, refused.first_key_value()) {
        bail!("{}: none of these instances can be written, as {format} since {reason}", from.display());
    }
    for ((format, reason), instances) in &refused {
        note!("not written as {format}: {}: {reason}", count(*instances, "instance"));
    }
    let index = index.into_inner()?;
    sums += &format!("{}  {INDEX}\n", sha256(&index));
    record::write_whole(&out.join("SHA256SUMS"), sums.as_bytes())?;
    record::write_whole(&out.join(INDEX), &index)?;
    let instances = count(instances.len(), "instance");
    say!("{}: {} of {instances}", out.join(INDEX).display(), count(files, "file"));
    Ok(ExitCode::SUCCESS)
}

fn format(word: &str) -> anyhow::Result<(&'static str, FormulationKind)> {
    let known = || ENDINGS.map(|(ending, _)| ending).join(", ");
    let found = ENDINGS.into_iter().find(|(ending, _)| *ending == word);
    found.with_context(|| format!("--to {word}: the formats of models are {}", known()))
}

fn row(instance: &Instance, model: &Written, format: &str, file: &str, sum: &str) -> [String; COLUMNS.len()] {
    let facts = instance.facts();
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let size = |of: fn(&model::Size) -> usize| model.size.as_ref().map(|size| of(size).to_string()).unwrap_or_default();
    [
        instance.name.clone(),
        instance.puzzle.kind().to_owned(),
        number(facts.challenge),
        number(facts.places),
        model.formulation.columns().about(&instance.puzzle).families,
        format.to_owned(),
        file.to_owned(),
        sum.to_owned(),
        size(|size| size.variables),
        size(|size| size.constraints),
        size(|size| size.nonzeros),
        instance.known.name().to_owned(),
        expected(instance, model).to_owned(),
    ]
}

/// What a solver must answer if what is known of the puzzle is true. Of a puzzle without solutions a file that leaves something out
/// may have some; and of the open plane it holds the first board only.
fn expected(instance: &Instance, Written { formulation, is_whole, .. }: &Written) -> &'static str {
    match instance.known {
        Known::Solvable if formulation.caveats().restricting.is_empty() && instance.puzzle.kind() != NATURAL => "sat",
        Known::Unsolvable if *is_whole => "unsat",
        _ => "",
    }
}

fn sha256(bytes: &[u8]) -> String {
    Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The instances of a list, or those in a folder and the folders in it, by name. Each has a name of its own.
fn instances(from: &Path) -> anyhow::Result<Vec<Instance>> {
    let mut found = Vec::new();
    if from.is_dir() {
        for path in toml_files(from)?.iter().filter(|path| !is_suite(path)) {
            found.push(Instance::load(path)?);
        }
    } else {
        for (name, text) in make_suite(from)? {
            found.push(Instance::parse(&text, &PathBuf::from(format!("{name}.toml")))?);
        }
    }
    ensure!(!found.is_empty(), "{} holds no instances, which end in .toml", from.display());
    found.sort_by(|a, b| record::natural_order(&a.name, &b.name));
    if let Some(twice) = found.windows(2).find(|pair| pair[0].name == pair[1].name) {
        bail!("{} holds two instances {}: export their folders one by one", from.display(), twice[0].name);
    }
    Ok(found)
}
