//! Tables over all experiments: what was reproduced of published results, and what became of claims.

use std::ops::AddAssign;

use super::{OVERVIEWS, Page, PageTable};
use crate::analysis::claims::{Verdict, Verdicts};
use crate::analysis::reproduction::Scoreboard;
use crate::figures::{Cell, Column, Grid};

/// Those to which a page contributes.
pub fn overviews(pages: &[Page]) -> Vec<PageTable> {
    let grids = [scoreboard(pages), verdicts(pages)];
    let tables = OVERVIEWS.into_iter().zip(grids);
    tables
        .filter_map(|(name, grid)| Some(PageTable { name, slug: name.to_owned(), grid: grid?, is_detail: false }))
        .collect()
}

/// What was reproduced of all published tables.
fn scoreboard(pages: &[Page]) -> Option<Grid> {
    let scored = pages.iter().filter_map(|page| Some((page, page.score.as_ref()?)));
    let lines = scored.map(|(page, score)| Line::of(page, vec![&score.table, &page.title], score.board));
    let counts: [Count<Scoreboard>; 8] = [
        Count { name: "results", is_always: true, of: |b| b.results },
        Count { name: "reproduced", is_always: true, of: |b| b.reproduced },
        Count { name: "faster than published", is_always: true, of: |b| b.faster },
        Count { name: "solved here only", is_always: false, of: |b| b.beyond },
        Count { name: "not proven", is_always: false, of: |b| b.unproven },
        Count { name: "at the limit", is_always: false, of: |b| b.timeout },
        Count { name: "failed", is_always: false, of: |b| b.other },
        Count { name: "not run", is_always: false, of: |b| b.not_run },
    ];
    let (all, grid) = overview(&["published table", "experiment"], lines.collect(), &counts)?;
    let mut caption = all.text();
    caption[..1].make_ascii_uppercase();
    let reproduced = "Reproduced: the same formulation came to a verified solution of a board of that size under some solver, the best \
                      solution where the objective is weighted; published times are of other machines and, on fixed boards, of other boards";
    Some(Grid { caption, notes: vec![reproduced.to_owned()], ..grid })
}

/// What the claims of all experiments came to.
fn verdicts(pages: &[Page]) -> Option<Grid> {
    let claimed = pages.iter().filter(|page| page.verdicts.all() > 0);
    let lines = claimed.map(|page| Line::of(page, vec![&page.title], page.verdicts));
    let counts: [Count<Verdicts>; 7] = [
        Count { name: "claims", is_always: true, of: Verdicts::all },
        Count { name: Verdict::Confirmed.name(), is_always: true, of: |v| v.of_them(Verdict::Confirmed) },
        Count { name: Verdict::Partly.name(), is_always: false, of: |v| v.of_them(Verdict::Partly) },
        Count { name: Verdict::Contradicted.name(), is_always: true, of: |v| v.of_them(Verdict::Contradicted) },
        Count { name: Verdict::NoEffect.name(), is_always: false, of: |v| v.of_them(Verdict::NoEffect) },
        Count { name: Verdict::Open.name(), is_always: true, of: |v| v.of_them(Verdict::Open) },
        Count { name: Verdict::Untestable.name(), is_always: false, of: |v| v.of_them(Verdict::Untestable) },
    ];
    let (all, grid) = overview(&["experiment"], lines.collect(), &counts)?;
    Some(Grid { caption: format!("{} claims of the sources: {}", all.all(), all.text()), ..grid })
}

/// What a page contributes, or all of them.
struct Line<'a, T> {
    label: Vec<&'a str>,
    /// Where it leads to.
    slug: Option<&'a str>,
    counts: T,
}

impl<'a, T> Line<'a, T> {
    fn of(page: &'a Page, label: Vec<&'a str>, counts: T) -> Self {
        Self { label, slug: Some(&page.slug), counts }
    }
}

/// A column of counts.
struct Count<T> {
    name: &'static str,
    /// Whether it is shown though all of it is 0.
    is_always: bool,
    of: fn(&T) -> u64,
}

/// The table of these lines, with one more for all where there are several, and what they add up to; none of no lines.
fn overview<T: Copy + Default + AddAssign>(
    stubs: &[&str],
    mut lines: Vec<Line<T>>,
    counts: &[Count<T>],
) -> Option<(T, Grid)> {
    let mut all = T::default();
    lines.iter().for_each(|line| all += line.counts);
    let is_several = match lines.len() {
        0 => return None,
        count => count > 1,
    };
    if is_several {
        let label = (0..stubs.len()).map(|stub| if stub == 0 { "all" } else { "" });
        lines.push(Line { label: label.collect(), slug: None, counts: all });
    }
    let shown = counts.iter().filter(|count| count.is_always || (count.of)(&all) > 0);
    let column = |count: &Count<T>| {
        let of = count.of;
        Column::new("", count.name, move |line: &Line<T>| Cell::number(of(&line.counts)))
    };
    let columns: Vec<_> = shown.map(column).collect();
    let mut grid = Grid::of(stubs, |line: &Line<T>| line.label.clone(), &columns, &lines);
    for (row, line) in grid.rows.iter_mut().zip(&lines) {
        row.link = line.slug.map(str::to_owned);
        row.ruled = line.slug.is_none();
    }
    Some((all, grid))
}
