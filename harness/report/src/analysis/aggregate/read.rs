//! Takes aggregated frames apart into typed values.

use polars::prelude::*;
use record::Category;

use super::queries::{CATEGORY, STATUS};
use super::{Cells, Ends, Outcome, PublishedOutcome, Spread, Step, Tally};

/// Reads what `queries::outcomes` gives.
pub fn outcomes(frame: &DataFrame, cells: &Cells, ends: &Ends) -> PolarsResult<Vec<Outcome>> {
    let table = Table { frame };
    let (cell, tally, members, spread) =
        (table.cells()?, table.tallies(ends, &ends.categories)?, table.members()?, table.spreads()?);
    let [seeds, repeats] = [table.counts("seed")?, table.counts("repeat")?];
    let [disturbed, overdrawn] = [table.counts("disturbed")?, table.counts("overdrawn")?];
    let [total, bound, build] = [table.numbers("total_s")?, table.numbers("bound_s")?, table.numbers("build_time_s")?];
    let [loops, holes, solves] = [table.numbers("loops")?, table.numbers("holes")?, table.numbers("solves")?];
    let [variables, constraints, nonzeros] =
        [table.numbers("variables")?, table.numbers("constraints")?, table.numbers("nonzeros")?];
    let outcome = |row| {
        let (cell, tally) = (cell(row), tally(row));
        Outcome {
            key: cells.keys[cell].clone(),
            settings: cells.settings[cell].clone(),
            members: members(row),
            seeds: seeds(row),
            repeats: repeats(row),
            disturbed: disturbed(row),
            overdrawn: overdrawn(row),
            spread: spread(row).filter(|_| tally.all > 1),
            tally,
            total_s: total(row),
            bound_s: bound(row),
            loops: loops(row),
            holes: holes(row),
            solves: solves(row),
            variables: variables(row),
            constraints: constraints(row),
            nonzeros: nonzeros(row),
            build_s: build(row),
        }
    };
    Ok((0..frame.height()).map(outcome).collect())
}

/// Reads what `queries::steps` gives.
pub fn steps(frame: &DataFrame, cells: &Cells, ends: &Ends) -> PolarsResult<Vec<Step>> {
    let table = Table { frame };
    let (cell, iteration, tally) = (table.cells()?, table.counts("iteration")?, table.tallies(ends, &[])?);
    let [total, bound, loops] = [table.numbers("total_s")?, table.numbers("bound_s")?, table.numbers("loops")?];
    let step = |row| Step {
        key: cells.keys[cell(row)].clone(),
        iteration: iteration(row),
        tally: tally(row),
        total_s: total(row),
        bound_s: bound(row),
        loops: loops(row),
    };
    Ok((0..frame.height()).map(step).collect())
}

/// Reads what `queries::published` gives.
pub fn published(frame: &DataFrame) -> PolarsResult<Vec<PublishedOutcome>> {
    let table = Table { frame };
    let [source, formulation, objective] =
        [table.texts("source")?, table.texts("formulation")?, table.texts("objective")?];
    let (places, total) = (frame.column("places")?.u64()?, table.numbers("total_s")?);
    let [challenge, last, unsolved] = [table.counts("challenge")?, table.counts("last")?, table.counts("unsolved")?];
    let outcome = |row| PublishedOutcome {
        source: source(row).unwrap_or_default(),
        formulation: formulation(row).unwrap_or_default(),
        objective: objective(row),
        challenge: challenge(row),
        places: places.get(row),
        total_s: total(row).unwrap_or_default(),
        solves: last(row) + 1,
        solved: unsolved(row) == 0,
    };
    Ok((0..frame.height()).map(outcome).collect())
}

/// The columns of a frame: each gives its value in a row. They are looked up once, since frames have many rows.
struct Table<'a> {
    frame: &'a DataFrame,
}

impl<'a> Table<'a> {
    fn cells(&self) -> PolarsResult<impl Fn(usize) -> usize + use<'a>> {
        let column = self.frame.column("cell")?.u32()?;
        Ok(|row| column.get(row).unwrap_or_default() as usize)
    }

    fn members(&self) -> PolarsResult<impl Fn(usize) -> Vec<u32> + use<'a>> {
        let column = self.frame.column("members")?.list()?;
        // The lists of a column are of one type.
        column.get_inner().u32()?;
        let numbers = |list: Series| list.u32().map(|list| list.into_no_null_iter().collect()).unwrap_or_default();
        Ok(move |row| column.get_as_series(row).map(numbers).unwrap_or_default())
    }

    fn spreads(&self) -> PolarsResult<impl Fn(usize) -> Option<Spread> + use<'a>> {
        let (least, most, open) = (self.numbers("least_s")?, self.numbers("most_s")?, self.counts("open")?);
        Ok(move |row| Some(Spread { least_s: least(row)?, most_s: most(row)?, open: open(row) > 0 }))
    }

    fn tallies(&self, ends: &Ends, categories: &[Category]) -> PolarsResult<impl Fn(usize) -> Tally + use<'a>> {
        let [unproven, restricted] = [self.counts("unproven")?, self.counts("restricted")?];
        let statuses = ends.statuses.iter().map(|s| Ok((*s, self.counts(&format!("{STATUS}{s}"))?)));
        let statuses = statuses.collect::<PolarsResult<Vec<_>>>()?;
        let categories = categories.iter().map(|c| Ok((*c, self.counts(&format!("{CATEGORY}{c}"))?)));
        let categories = categories.collect::<PolarsResult<Vec<_>>>()?;
        Ok(move |row| {
            let statuses: Vec<_> =
                statuses.iter().map(|(s, of)| (*s, of(row))).filter(|(_, count)| *count > 0).collect();
            let categories = categories.iter().map(|(c, of)| (*c, of(row))).filter(|(_, count)| *count > 0).collect();
            let all = statuses.iter().map(|(_, count)| count).sum();
            Tally { all, statuses, categories, unproven: unproven(row), restricted: restricted(row) }
        })
    }

    fn texts(&self, column: &str) -> PolarsResult<impl Fn(usize) -> Option<String> + use<'a>> {
        let column = self.frame.column(column)?.str()?;
        Ok(|row| column.get(row).map(ToOwned::to_owned))
    }

    /// Infinite and undefined medians say that there is none.
    fn numbers(&self, column: &str) -> PolarsResult<impl Fn(usize) -> Option<f64> + use<'a>> {
        let column = self.frame.column(column)?.f64()?;
        Ok(|row| column.get(row).filter(|value| value.is_finite()))
    }

    fn counts(&self, column: &str) -> PolarsResult<impl Fn(usize) -> u64 + use<'a>> {
        let column = self.frame.column(column)?.u64()?;
        Ok(|row| column.get(row).unwrap_or_default())
    }
}
