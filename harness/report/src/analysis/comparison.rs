//! What the statistics of solver comparisons start from: formulations under solvers, on instances that all of them had.
//!
//! The unit is the instance: several seeds and repeats of one instance count as one, with their median time, since they are
//! no independent sample. An instance is solved if every one of these runs solved it: with a verified solution, or with a
//! proof that there is none.

use record::Status;

use crate::analysis::configurations::{Configuration, Part, by_setting, configurations};
use crate::analysis::{Analysis, Outcome, caveats};
use crate::results::Instance;
use crate::stats::Score;
use crate::text::count;

/// Formulations under solvers on the instances that all of them had.
pub struct Comparison<'a> {
    /// Tells the comparisons of an experiment apart, in file names; empty where there is one only.
    pub key: &'static str,
    /// What follows in captions; empty where there is one only.
    pub of: String,
    /// Who is compared, in the order of the config. The first is the baseline.
    pub configurations: Vec<Configuration<'a>>,
    /// The instances that all of them had.
    pub instances: Vec<&'a Instance>,
    /// How many instances are not compared, since not all of them had them.
    pub left_out: usize,
    /// What each did on each of the instances.
    pub scores: Vec<Vec<Score>>,
}

impl<'a> Comparison<'a> {
    /// Whether formulations of several kinds are compared.
    pub fn has_kinds(&self) -> bool {
        self.configurations.windows(2).any(|pair| pair[0].formulation.kind != pair[1].formulation.kind)
    }

    /// The headings of [`Comparison::labels`].
    pub fn stubs(&self) -> Vec<String> {
        let stubs = ["kind", "formulation", "solver"];
        stubs[usize::from(!self.has_kinds())..].iter().map(|stub| (*stub).to_owned()).collect()
    }

    /// What a row is headed by: the kind, where there are several, formulation and solver.
    pub fn labels(&self, configuration: &Configuration<'a>) -> Vec<String> {
        configuration.labels()[usize::from(!self.has_kinds())..].iter().map(|label| (*label).to_owned()).collect()
    }

    /// The name of the first configuration, with whom the others are compared.
    pub fn baseline(&self) -> String {
        let [_, formulation, solver] = self.configurations[0].labels();
        format!("{formulation}, {solver}")
    }

    /// Over which instances it is, as a sentence.
    pub fn scope(&self) -> String {
        let instances = count(self.instances.len(), "instance");
        let all = if self.configurations.len() == 2 {
            "both".to_owned()
        } else {
            format!("all {}", self.configurations.len())
        };
        let others = match self.left_out {
            0 => String::new(),
            1 => "; 1 other is left out".to_owned(),
            others => format!("; {others} others are left out"),
        };
        format!("Over the {instances} that {all} were run on{others}")
    }

    /// What its figures must not be compared without knowing.
    pub fn caveats(&self) -> Vec<String> {
        let mut found = caveats::of_shown(self.outcomes(), false);
        let limits = |instance: usize| self.scores.iter().map(move |scores| scores[instance].limit_s);
        let differ = |instance: &usize| limits(*instance).any(|limit| limit != self.scores[0][*instance].limit_s);
        let differing = (0..self.instances.len()).filter(differ).count();
        if differing > 0 {
            found.push(format!("time limits that are not the same for all, on {}", count(differing, "instance")));
        }
        found
    }

    /// What its figures are made of.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> + Clone {
        let of =
            |configuration| self.instances.iter().filter_map(move |i| Configuration::outcome(configuration, &i.name));
        self.configurations.iter().flat_map(of)
    }
}

/// One comparison for each setting in which at least two configurations had an instance in common.
pub fn comparisons(analysis: &Analysis) -> Vec<Comparison<'_>> {
    let instances: Vec<_> = analysis.experiment.catalog().instances.iter().collect();
    let parts = by_setting(&configurations(analysis), &instances);
    parts.into_iter().filter_map(|part| comparison(analysis, part)).collect()
}

fn comparison<'a>(analysis: &'a Analysis, part: Part<'a>) -> Option<Comparison<'a>> {
    let Part { key, of, configurations, instances } = part;
    let total = instances.len();
    // What was interrupted or lost measured nothing.
    let measured = |o: &Outcome| o.tally.ended_as(Status::Interrupted) + o.tally.ended_as(Status::Lost) == 0;
    let common: Vec<_> = instances
        .into_iter()
        .filter(|i| configurations.iter().all(|e| e.outcome(&i.name).is_some_and(measured)))
        .collect();
    if configurations.len() < 2 || common.is_empty() {
        return None;
    }
    let limit = |outcome: &Outcome| analysis.experiment.runs().get(*outcome.members.first()? as usize)?.time_limit_s;
    let score = |e: &Configuration, i: &Instance| Score {
        time_s: e.time(&i.name),
        limit_s: e.outcome(&i.name).and_then(limit),
    };
    let scores = configurations.iter().map(|e| common.iter().map(|i| score(e, i)).collect()).collect();
    Some(Comparison { key, of, left_out: total - common.len(), instances: common, configurations, scores })
}
