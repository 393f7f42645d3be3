//! What an experiment consists of, in the order in which it is shown.

use std::cmp::Ordering;

use record::{Manifest, RunRow};

/// Formulations and solvers in the order of the config, instances by challenge number and name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    /// The formulations.
    pub formulations: Vec<Formulation>,
    /// The names of the solvers.
    pub solvers: Vec<String>,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// A formulation as the rows name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formulation {
    /// Its name.
    pub name: String,
    /// Its constraint families, as text.
    pub families: String,
}

impl Formulation {
    /// Name and families, or the one where they are the same.
    pub fn title(&self) -> String {
        if self.families.is_empty() || self.families == self.name {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.families)
        }
    }
}

/// An instance as the rows name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// Its challenge number, if it has one.
    pub challenge: Option<u64>,
}

impl Instance {
    /// The board variant: what follows the first `-` of the name, so that `n20-round` and `n20-spur` are
    /// two boards for one challenge.
    pub fn variant(&self) -> &str {
        self.name.split_once('-').map_or("", |(_, variant)| variant)
    }
}

impl Catalog {
    /// Collects what the rows hold.
    pub fn of(manifest: &Manifest, runs: &[RunRow]) -> Self {
        let mut instances: Vec<Instance> = Vec::new();
        let mut formulations: Vec<Formulation> = Vec::new();
        let mut solvers: Vec<String> = Vec::new();
        for run in runs {
            if !instances.iter().any(|i| i.name == run.instance) {
                instances.push(Instance { name: run.instance.clone(), challenge: run.challenge });
            }
            if !formulations.iter().any(|f| f.name == run.formulation) {
                formulations.push(Formulation { name: run.formulation.clone(), families: run.families.clone() });
            }
            if !solvers.contains(&run.solver) {
                solvers.push(run.solver.clone());
            }
        }
        let place = |names: &[&str], name: &str| names.iter().position(|n| *n == name).unwrap_or(usize::MAX);
        let config: Vec<_> = manifest.formulations.iter().map(String::as_str).collect();
        formulations.sort_by(|a, b| {
            place(&config, &a.name).cmp(&place(&config, &b.name)).then_with(|| natural(&a.name, &b.name))
        });
        let config: Vec<_> = manifest.solvers.iter().map(|s| s.name.as_str()).collect();
        solvers.sort_by(|a, b| place(&config, a).cmp(&place(&config, b)).then_with(|| natural(a, b)));
        instances.sort_by(|a, b| {
            let number = |i: &Instance| i.challenge.unwrap_or(u64::MAX);
            number(a).cmp(&number(b)).then_with(|| natural(&a.name, &b.name))
        });
        Self { formulations, solvers, instances }
    }
}

/// Compares names so that numbers in them count as numbers: `a2` before `a10`.
fn natural(a: &str, b: &str) -> Ordering {
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

fn parts(name: &str) -> Vec<(u128, &str)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[words..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |d| words + d);
        // Text first: pairs compare by the text before a number, then by the number.
        parts.push((0, &rest[..words]));
        parts.push((rest[words..digits].parse().unwrap_or(0), ""));
        rest = &rest[digits..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["n10-b", "n2-a", "n10", "m3", "n10-a"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["m3", "n2-a", "n10", "n10-a", "n10-b"]);
    }
}
