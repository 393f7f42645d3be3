//! `[[claim]]`: what is claimed of which runs, held against the formulations and solvers of the config.

use std::collections::HashSet;
use std::ops::Range;

use record::{Claim, Measure, RunTest, Selection, Test};

use super::file::{At, ClaimFile, LeastBoards, MeasureWord, OtherSideFile, SideFile};
use super::names::check_name;
use super::source::Source;
use crate::RunnerError;
use crate::text::alternatives;

/// On fewer boards there is no verdict, where a claim does not say otherwise.
const BOARDS: u32 = 10;

/// The claims of a config.
pub(super) fn claims(
    source: &Source,
    entries: &[At<ClaimFile>],
    formulations: &[&str],
    solvers: &[&str],
) -> Result<Vec<Claim>, RunnerError> {
    let names = Names { source, formulations, solvers };
    let mut ids = HashSet::new();
    let mut claims = Vec::with_capacity(entries.len());
    for entry in entries {
        let file = entry.get();
        check_name(source, "claim", &file.id)?;
        if !ids.insert(file.id.get()) {
            let reason = format!("two claims have the id \"{}\"; ids must differ", file.id.get());
            return Err(source.error(file.id.span(), reason));
        }
        claims.push(Claim {
            id: file.id.get().clone(),
            source: file.source.clone(),
            place: file.place.clone(),
            text: file.text.clone(),
            published: file.published,
            test: test(&names, entry)?,
        });
    }
    Ok(claims)
}

fn test(names: &Names, entry: &At<ClaimFile>) -> Result<Test, RunnerError> {
    let file = entry.get();
    let error =
        |span: Range<usize>, reason: String| names.source.error(span, format!("claim \"{}\" {reason}", file.id.get()));
    let ClaimFile { measure, of, against, above, below, .. } = file;
    if let Some(reason) = &file.untestable {
        let given = [measure.is_some(), of.is_some(), against.is_some(), above.is_some(), below.is_some()];
        let given = given.contains(&true) || file.boards.is_some() || !file.tiles.is_empty();
        return match given {
            true => {
                Err(error(entry.span(), "is untestable and says how to test it; leave one of the two out".to_owned()))
            }
            false => Ok(Test::Untestable(reason.clone())),
        };
    }
    let (Some(measure), Some(of)) = (measure, of) else {
        let reason = "needs the keys `measure` and `of`, or `untestable` with the reason why no runs can test it";
        return Err(error(entry.span(), reason.to_owned()));
    };
    let (MeasureWord(word), span) = (measure.get(), measure.span());
    let [alone, beside] = word.forms();
    match against {
        None if !alone => return Err(error(span, format!("measures {}, which needs `against`", word.name()))),
        Some(_) if !beside => return Err(error(span, format!("measures {}, which has no `against`", word.name()))),
        _ => {}
    }
    let of = names.side(of)?;
    let against = against.as_ref().map(|other| names.other(other, &of)).transpose()?;
    // With one solver in the config, a side that names it and one that names none are the same runs.
    let is_same = |other: &Selection| {
        other.formulation == of.formulation && (other.solver == of.solver || names.solvers.len() == 1)
    };
    if against.as_ref().is_some_and(is_same) {
        return Err(error(
            entry.span(),
            "compares runs with themselves; give `against` another formulation or solver".to_owned(),
        ));
    }
    let possible = possible(*word, against.is_some());
    for bound in [above, below].into_iter().flatten() {
        if *bound.get() < possible.0 || *bound.get() > possible.1 {
            let (low, high) = possible;
            let most = if high.is_finite() { format!("between {low} and {high}") } else { format!("at least {low}") };
            return Err(error(
                bound.span(),
                format!("is about {}: its bounds are {most}, not {}", word.name(), bound.get()),
            ));
        }
    }
    match (above, below) {
        (None, None) => {
            return Err(error(entry.span(), "needs `above` or `below`: the range that is claimed".to_owned()));
        }
        (Some(above), Some(below)) if above.get() >= below.get() => {
            let reason =
                format!("is claimed to be above {} and below {}: the smaller one is `above`", above.get(), below.get());
            return Err(error(below.span(), reason));
        }
        _ => {}
    }
    Ok(Test::Runs(RunTest {
        measure: *word,
        of,
        against,
        above: above.as_ref().map(|bound| *bound.get()),
        below: below.as_ref().map(|bound| *bound.get()),
        boards: file.boards.as_ref().map_or(BOARDS, |LeastBoards(number)| *number),
        tiles: file.tiles.clone(),
    }))
}

/// The least and the greatest figure that there can be.
fn possible(measure: Measure, is_difference: bool) -> (f64, f64) {
    match (measure.is_share(), is_difference) {
        (true, true) => (-1.0, 1.0),
        (true, false) => (0.0, 1.0),
        (false, _) => (0.0, f64::INFINITY),
    }
}

struct Names<'a> {
    source: &'a Source,
    formulations: &'a [&'a str],
    solvers: &'a [&'a str],
}

impl Names<'_> {
    fn side(&self, side: &SideFile) -> Result<Selection, RunnerError> {
        Ok(Selection { formulation: self.formulation(&side.formulation)?, solver: self.solver(side.solver.as_ref())? })
    }

    fn other(&self, other: &OtherSideFile, of: &Selection) -> Result<Selection, RunnerError> {
        let formulation = other.formulation.as_ref().map(|at| self.formulation(at)).transpose()?;
        let solver = self.solver(other.solver.as_ref())?.or_else(|| of.solver.clone());
        Ok(Selection { formulation: formulation.unwrap_or_else(|| of.formulation.clone()), solver })
    }

    fn formulation(&self, at: &At<String>) -> Result<String, RunnerError> {
        self.known("formulation", at, self.formulations)
    }

    fn solver(&self, at: Option<&At<String>>) -> Result<Option<String>, RunnerError> {
        at.map(|at| self.known("solver", at, self.solvers)).transpose()
    }

    fn known(&self, what: &str, at: &At<String>, names: &[&str]) -> Result<String, RunnerError> {
        let wanted = at.get();
        if names.contains(&wanted.as_str()) {
            return Ok(wanted.clone());
        }
        let reason = format!("no {what} is named \"{wanted}\"; {}", alternatives(wanted, names.iter().copied()));
        Err(self.source.error(at.span(), reason))
    }
}
