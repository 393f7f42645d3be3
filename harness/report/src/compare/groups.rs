//! Runs of one formulation under one solver.

use super::Subject;
use super::matching::{Member, Pair};

/// The matched runs of a formulation under a solver in an experiment, as NEW names them.
pub struct Group<'a> {
    pub subject: Subject,
    pub pairs: Vec<Pair<'a>>,
}

impl Group<'_> {
    /// Whether the solver has another version in NEW.
    pub fn versions_differ(&self) -> bool {
        let differ = |pair: &Pair| pair.base.run.setting.solver_version != pair.new.run.setting.solver_version;
        self.pairs.iter().any(differ)
    }
}

/// The group of a run.
pub fn subject(member: &Member) -> Subject {
    let setting = &member.run.setting;
    Subject {
        experiment: member.experiment.name().to_owned(),
        formulation: setting.formulation.clone(),
        solver: setting.solver.clone(),
    }
}

/// All groups, in the order in which their first runs stand.
pub fn groups<'a>(pairs: &[Pair<'a>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for pair in pairs {
        let subject = subject(&pair.new);
        let place = *places.entry(subject.clone()).or_insert_with(|| {
            groups.push(Group { subject, pairs: Vec::new() });
            groups.len() - 1
        });
        groups[place].pairs.push(*pair);
    }
    groups
}
