//! What is shown of one experiment, in order, before any format writes it; and tables over all experiments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use record::ReportSpec;

mod boards;

use crate::ReportError;
use crate::analysis::Analysis;
use crate::analysis::caveats::provenance;
use crate::analysis::claims::{Verdict, Verdicts, findings};
use crate::analysis::comparison::incomparable;
use crate::analysis::reproduction::Scoreboard;
use crate::figures::{Cell, Chart, Grid, Group, PLOTS, Row, TABLES};
use crate::text::count;
use boards::boards;

pub use boards::{Board, solution};

/// What follows the slug of a plot in the name of the file with its figures.
pub const CURVES: &str = "-curves";

/// The names of the tables over all experiments, in order.
const OVERVIEWS: [&str; 2] = ["scoreboard", "verdicts"];

pub struct Page<'a> {
    pub analysis: &'a Analysis,
    pub slug: String,
    pub title: String,
    /// Free text of the config, may be empty.
    pub description: String,
    /// What a reader must know first, on whatever part of the page.
    pub warnings: Vec<String>,
    /// What the page does not show that was asked for, and what figures must not be compared without knowing; tables and plots have
    /// their own, of the rows they show.
    pub caveats: Vec<String>,
    /// How and where it was measured.
    pub provenance: Vec<String>,
    /// What was reproduced, where the experiment has published results.
    pub score: Option<Scoreboard>,
    /// How many claims of the experiment have which verdict.
    pub verdicts: Verdicts,
    pub tables: Vec<PageTable>,
    pub figures: Vec<Figure>,
    pub boards: Vec<Board>,
    /// What links to these lead to.
    pub pictures: String,
}

#[derive(Debug, Clone)]
pub struct PageTable {
    /// Name in the registry of tables.
    pub name: &'static str,
    pub slug: String,
    pub grid: Grid,
    /// Whether it is folded away, where the format can: it tells of the runs and not of the question.
    pub is_detail: bool,
}

#[derive(Debug, Clone)]
pub struct Figure {
    pub slug: String,
    /// Name in the registry of plots.
    pub name: &'static str,
    pub chart: Chart,
}

/// Builds the pages, under file slugs that differ. `all`: with every table and plot, also those that a report leaves out.
pub fn pages(analyses: &[Analysis], all: bool) -> Result<Vec<Page<'_>>, ReportError> {
    // `index` and `report` are files of ours.
    let mut slugs: BTreeSet<_> = ["index", "report"].into_iter().chain(OVERVIEWS).map(ToOwned::to_owned).collect();
    // Pages first, so that no table of one takes the name of another.
    let named: Vec<_> = analyses.iter().map(|a| (a, claim_slug(&mut slugs, a.experiment.name(), ""))).collect();
    let mut pages = Vec::new();
    for (index, (analysis, slug)) in named.iter().enumerate() {
        let mut page = page(analysis, slug, &mut slugs, all)?;
        if analyses[..index].iter().any(|a| a.experiment.name() == analysis.experiment.name()) {
            page.caveats.push(format!("another directory holds the same experiment; this one is shown as {slug}"));
        }
        pages.push(page);
    }
    tell_apart(&mut pages);
    for page in &mut pages {
        let of = brief(&page.title);
        page.figures.iter_mut().for_each(|f| f.chart.title = format!("{of} – {}", f.chart.title));
    }
    Ok(pages)
}

/// Adds the folder to titles that several pages have: as many names of its path as tell these folders apart.
fn tell_apart(pages: &mut [Page]) {
    let of_page = |page: &Page<'_>| (page.title.clone(), page.analysis.experiment.files.root().to_owned());
    let known: Vec<_> = pages.iter().map(of_page).collect();
    let folder = |root: &Path, names: usize| -> PathBuf {
        let parts: Vec<_> = root.components().collect();
        parts[parts.len().saturating_sub(names)..].iter().collect()
    };
    for (page, (title, root)) in pages.iter_mut().zip(&known) {
        let others = known.iter().filter(|(other_title, other)| other_title == title && other != root);
        let others: Vec<_> = others.map(|(_, other)| other).collect();
        if others.is_empty() {
            continue;
        }
        let longest = root.components().count();
        let differs = |names: &usize| others.iter().all(|other| folder(other, *names) != folder(root, *names));
        let names = (1..longest).find(differs).unwrap_or(longest);
        page.title += &format!(", folder {}", folder(root, names).display());
    }
}

/// The title of a page as its plots repeat it: of a long one the first words and the last, which name profile and folder.
fn brief(title: &str) -> String {
    let letters: Vec<_> = title.chars().collect();
    if letters.len() <= LONGEST_TITLE {
        return title.to_owned();
    }
    let head: String = letters[..LONGEST_TITLE * 2 / 3].iter().collect();
    let tail: String = letters[letters.len() - LONGEST_TITLE / 3..].iter().collect();
    let head = head.rsplit_once(' ').map_or(head.as_str(), |(words, _)| words);
    format!("{head} … {}", tail.split_once(' ').map_or(tail.as_str(), |(_, words)| words))
}

/// Builds the page of an experiment under the given file slug; those of its parts are claimed from `slugs`.
fn page<'a>(
    analysis: &'a Analysis,
    slug: &str,
    slugs: &mut BTreeSet<String>,
    all: bool,
) -> Result<Page<'a>, ReportError> {
    let experiment = &analysis.experiment;
    let manifest = experiment.manifest();
    check_names(&manifest.experiment, &manifest.report)?;
    let spec = &manifest.report;
    let mut caveats = analysis.caveats();
    let is_wanted = |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
    // A config that names its tables has no others, and these are shown also if they say little.
    let is_named = all || !spec.tables.is_empty();
    let tables = TABLES.par_iter().filter(|table| all || is_wanted(&spec.tables, table.name));
    let tables = tables.map(|table| (table, table.grids(analysis, is_named)));
    let plots = PLOTS.par_iter().filter(|plot| all || is_wanted(&spec.plots, plot.name));
    let plots = plots.map(|plot| (plot, plot.charts(analysis)));
    let (tables, plots) = rayon::join(|| tables.collect::<Vec<_>>(), || plots.collect::<Vec<_>>());
    let mut claim = |name: &str, key: &str, suffix| {
        let key = if key.is_empty() { String::new() } else { format!("-{key}") };
        claim_slug(slugs, &format!("{slug}-{name}{key}"), suffix)
    };
    if is_wanted(&spec.tables, "scores") {
        caveats.extend(incomparable(analysis));
    }
    let mut shown = Vec::new();
    for (table, grids) in tables {
        if grids.is_empty() && !all && is_named {
            caveats.push(format!("there is nothing to show in table {} ({})", table.name, table.shows));
        }
        shown.extend(grids.into_iter().map(|grid| {
            let (slug, is_detail) = (claim(table.name, &grid.key, ""), table.is_detail(analysis));
            PageTable { name: table.name, slug, grid, is_detail }
        }));
    }
    // The config's order is the order of the report.
    shown.sort_by_key(|shown| spec.tables.iter().position(|t| t == shown.name));
    let mut figures = Vec::new();
    for (plot, charts) in plots {
        if charts.is_empty() && !all && !spec.plots.is_empty() {
            caveats.push(format!("there is nothing to draw in plot {} ({})", plot.name, plot.shows));
        }
        figures.extend(charts.into_iter().map(|chart| Figure {
            slug: claim(plot.name, &chart.key, CURVES),
            name: plot.name,
            chart,
        }));
    }
    figures.sort_by_key(|f| spec.plots.iter().position(|p| p == f.name));
    let boards = boards(experiment, |name| claim(name, "", ""), &mut caveats);
    let pictures = claim("pictures", "", "");
    let title = if manifest.title.is_empty() { &manifest.experiment } else { &manifest.title };
    let title = match manifest.profile.as_deref() {
        Some(profile) => format!("{title} (profile {profile})"),
        None => title.clone(),
    };
    Ok(Page {
        analysis,
        slug: slug.to_owned(),
        title,
        description: manifest.description.trim().to_owned(),
        warnings: experiment.warnings.to_vec(),
        caveats,
        provenance: provenance(experiment, &analysis.outcomes),
        score: manifest.report.published.as_ref().and_then(|_| Scoreboard::of(analysis)),
        verdicts: Verdicts::of(&findings(analysis)),
        tables: shown,
        figures,
        boards,
        pictures,
    })
}

/// The tables over all experiments: how many published results were reproduced, and how many claims have which verdict.
pub fn overviews(pages: &[Page]) -> Vec<PageTable> {
    let grids = [scoreboard(pages), verdicts(pages)];
    let tables = OVERVIEWS.into_iter().zip(grids);
    tables
        .filter_map(|(name, grid)| Some(PageTable { name, slug: name.to_owned(), grid: grid?, is_detail: false }))
        .collect()
}

/// What was reproduced of all published tables.
fn scoreboard(pages: &[Page]) -> Option<Grid> {
    let lines = pages.iter().filter_map(|page| {
        let published = page.analysis.experiment.manifest().report.published.as_ref()?;
        let table = format!("{}, table {}", published.label, published.table);
        Some((page, vec![table, page.title.clone()], page.score.as_ref()?.0))
    });
    let columns = Scoreboard::COUNTS.into_iter().zip(0..).map(|(name, place)| (name, place < 6));
    let (all, grid) = overview(&["published table", "experiment"], &lines.collect::<Vec<_>>(), columns)?;
    let mut caption = Scoreboard(all).text();
    caption[..1].make_ascii_uppercase();
    let notes = [
        "Reproduced: under some solver the same formulation was solved on a board of that size, to the optimum where the objective is weighted, \
         and the answer checked; where a formulation only reports subloops and holes its answer may have some, as published ones do",
        "Puzzle solved: of the reproduced, those with an answer of one loop and no hole",
        "By MIP: by the solvers of integer programs that were run; others make clauses or constraints of the same rows",
        "Published times are of other machines and, on fixed boards, of other boards",
    ];
    Some(Grid { caption, notes: notes.map(ToOwned::to_owned).to_vec(), ..grid })
}

/// How many claims of each experiment have which verdict.
fn verdicts(pages: &[Page]) -> Option<Grid> {
    let counts = |verdicts: Verdicts| {
        let [confirmed, partly, contradicted, no_effect, open, untestable] = verdicts.0;
        [verdicts.all(), confirmed, partly, contradicted, no_effect, open, untestable]
    };
    let claimed = pages.iter().filter(|page| page.verdicts.all() > 0);
    let lines = claimed.map(|page| (page, vec![page.title.clone()], counts(page.verdicts)));
    let is_always = |verdict| [Verdict::Confirmed, Verdict::Contradicted, Verdict::Open].contains(&verdict);
    let columns = Verdict::ALL.into_iter().map(|verdict| (verdict.name(), is_always(verdict)));
    let ([all, each @ ..], grid) =
        overview(&["experiment"], &lines.collect::<Vec<_>>(), [("claims", true)].into_iter().chain(columns))?;
    Some(Grid { caption: format!("{}: {}", count(all, "claim"), Verdicts(each).text()), ..grid })
}

/// The table of these pages, each with its labels and counts, with one more line for all where there are several, and what they add up
/// to; none of no pages. Each column has its name, and whether it is shown though all of it is 0.
fn overview<const N: usize>(
    stubs: &[&str],
    lines: &[(&Page, Vec<String>, [u64; N])],
    columns: impl Iterator<Item = (&'static str, bool)>,
) -> Option<([u64; N], Grid)> {
    let all: [u64; N] = std::array::from_fn(|place| lines.iter().map(|(.., counts)| counts[place]).sum());
    let shown: Vec<_> = columns.enumerate().filter(|(place, (_, is_always))| *is_always || all[*place] > 0).collect();
    let cells = |counts: &[u64; N]| shown.iter().map(|(place, _)| Cell::number(counts[*place])).collect();
    let mut rows: Vec<_> = lines
        .iter()
        .map(|(page, labels, counts)| Row { link: Some(page.slug.clone()), ..Row::new(labels, cells(counts)) })
        .collect();
    if rows.len() > 1 {
        let labels = (0..stubs.len()).map(|stub| if stub == 0 { "all" } else { "" });
        rows.push(Row { is_foot: true, ruled: true, ..Row::new(labels, cells(&all)) });
    }
    let stubs = stubs.iter().map(|stub| (*stub).to_owned()).collect();
    let groups = vec![Group::new("", shown.iter().map(|(_, (name, _))| *name))];
    (!rows.is_empty()).then(|| (all, Grid { stubs, groups, rows, ..Grid::default() }))
}

/// Whether there are the tables and plots that the `[report]` section of an experiment's config names.
///
/// # Errors
/// The first name that there is not, and those that there are.
fn check_names(experiment: &str, wanted: &ReportSpec) -> Result<(), ReportError> {
    let tables: Vec<_> = TABLES.iter().map(|table| table.name).collect();
    let plots: Vec<_> = PLOTS.iter().map(|plot| plot.name).collect();
    for (kind, names, known) in [("table", &wanted.tables, tables), ("plot", &wanted.plots, plots)] {
        if let Some(name) = names.iter().find(|n| !known.contains(&n.as_str())) {
            return Err(ReportError::UnknownName {
                experiment: experiment.to_owned(),
                kind,
                name: name.clone(),
                known: known.join(", "),
            });
        }
    }
    Ok(())
}

/// The name as a slug, with a number behind it if the slug is taken already; a slug belongs to one table, plot, picture or page.
/// `suffix` is what further files of the same owner have behind their slug.
pub fn claim_slug(taken: &mut BTreeSet<String>, name: &str, suffix: &str) -> String {
    let name = shortened(slug(name));
    let mut slug = name.clone();
    let mut number = 1;
    // Some file systems do not tell upper from lower case.
    while [&slug, &format!("{slug}{suffix}")].iter().any(|s| taken.contains(&s.to_lowercase())) {
        number += 1;
        slug = format!("{name}-{number}");
    }
    taken.extend([slug.to_lowercase(), format!("{slug}{suffix}").to_lowercase()]);
    slug
}

/// Letters of the longest title of a page that its plots repeat as it is: about a line and a half of a plot.
const LONGEST_TITLE: usize = 96;

/// Letters of the longest slug: with what is added to it, it is a file name of less than 255 bytes.
const LONGEST: usize = 120;

/// A slug that is no longer than that: of longer ones the beginning and a hash (FNV-1a, the same in every build).
fn shortened(slug: String) -> String {
    if slug.len() <= LONGEST {
        return slug;
    }
    let hash = slug
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // Slugs are ASCII.
    format!("{}-{hash:016x}", &slug[..LONGEST - 17])
}

/// A name that is safe as (part of) a file name and in a link.
fn slug(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let text: String = name.replace('\'', "p").chars().map(safe).collect();
    match text.trim_matches(['.', '-']) {
        "" => "experiment".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_slugs_are_alike() {
        let mut slugs = BTreeSet::from(["index".to_owned()]);
        let claimed = [("C6 C9", ""), ("C6-C9", ""), ("c6-c9", ""), ("index", ""), ("a", "-curves"), ("a-curves", "")]
            .map(|(name, suffix)| claim_slug(&mut slugs, name, suffix));
        assert_eq!(claimed, ["C6-C9", "C6-C9-2", "c6-c9-3", "index-2", "a", "a-curves-2"]);
    }

    #[test]
    fn long_slugs_are_cut_and_differ() {
        let mut slugs = BTreeSet::new();
        let claimed = ["a", "b"].map(|end| claim_slug(&mut slugs, &format!("{}{end}", "n".repeat(300)), "-curves"));
        assert!(claimed.iter().all(|slug| slug.len() == LONGEST && slug.starts_with("nnn")), "{claimed:?}");
        assert_ne!(claimed[0], claimed[1]);
        assert_eq!(shortened("n".repeat(LONGEST)), "n".repeat(LONGEST));
    }

    #[test]
    fn slugs_are_safe() {
        assert_eq!(["c2'_50%", "../x", "?"].map(slug), ["c2p_50", "x", "experiment"]);
    }
}
