//! Tables in LaTeX: a `longtable` each, in the largest of a few settings in which it fits on a line; what is wider than the
//! widest of them follows below, between groups of columns.

use std::fmt::Write;
use std::ops::Range;

use super::text::{escape, letters, prose};
use crate::figures::number::{self, MARKS, Mark};
use crate::figures::{Cell, Grid, Row};

struct Setting {
    size: &'static str,
    is_landscape: bool,
    letters: usize,
}

const SETTINGS: [Setting; 3] = [
    Setting { size: "\\footnotesize", is_landscape: false, letters: 96 },
    Setting { size: "\\footnotesize", is_landscape: true, letters: 150 },
    Setting { size: "\\tiny", is_landscape: true, letters: 190 },
];

const SPACE: usize = 2;

/// Letters of the longest text that stands on one line; longer ones are broken into lines.
const BROKEN: usize = 40;

/// Of the width of a line: for all columns whose texts are broken into lines, and for one of them.
const ROOM: f64 = 0.5;
const WIDEST: f64 = 0.3;

/// A heading over several columns that is broken into lines.
const CENTRED: &str = ">{\\centering\\arraybackslash}p{0.2\\linewidth}";

/// Tables of up to so many rows are not broken over pages.
const TOGETHER: usize = 15;

/// The table, whose label has this slug.
pub fn table(grid: &Grid, slug: &str) -> String {
    let labels = |index: usize| grid.rows.iter().filter_map(move |row| row.labels.get(index)).map(String::as_str);
    let stubs =
        grid.stubs.iter().enumerate().map(|(index, stub)| SPACE + longest(labels(index).chain([stub.as_str()])));
    let stubs: usize = stubs.sum();
    let widths = widths(grid);
    let width = stubs + widths.iter().sum::<usize>();
    let widest = &SETTINGS[SETTINGS.len() - 1];
    let setting = SETTINGS.iter().find(|setting| width <= setting.letters).unwrap_or(widest);
    let parts = parts(grid, &widths, setting.letters.saturating_sub(stubs));
    let size = setting.size;
    let mut text = format!("{{{size}\n\\setlength{{\\tabcolsep}}{{3pt}}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n");
    for (number, columns) in parts.into_iter().enumerate() {
        let caption = match number {
            0 => {
                let notes: String = grid.notes.iter().map(|n| format!(" {}.", prose(n))).collect();
                format!("\\caption{{{}.{notes}}}\\label{{tab:{slug}}}", prose(&grid.caption))
            }
            _ => format!("\\caption[]{{{} (continued).}}", prose(&grid.caption)),
        };
        let (layout, head) = (layout(grid, &columns), head(grid, &columns));
        let body: String = grid.rows.iter().map(|row| line(row, &columns, grid.rows.len() <= TOGETHER)).collect();
        let _ = write!(
            text,
            "\\begin{{longtable}}{{{layout}}}\n{caption}\\\\\n{head}\\endfirsthead\n{head}\\endhead\n\
             \\bottomrule\n\\endfoot\n{body}\\end{{longtable}}\n"
        );
    }
    text += &notes_below(grid);
    text.push_str("}\n");
    if setting.is_landscape { format!("\\begin{{landscape}}\n{text}\\end{{landscape}}\n") } else { text }
}

/// Letters of the longest of these texts, as far as they stand on one line.
fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| letters(text).min(BROKEN)).max().unwrap_or(0)
}

/// The letters that each column needs; the last of a group with what the heading of the group needs beyond that.
fn widths(grid: &Grid) -> Vec<usize> {
    let column = |(at, [_, _, heading]): (usize, [&str; 3])| {
        let cells: Vec<_> = grid.rows.iter().filter_map(|r| r.cells.get(at)).map(number::short).collect();
        SPACE + longest(cells.iter().map(String::as_str).chain([heading]))
    };
    let mut widths: Vec<_> = grid.headings().enumerate().map(column).collect();
    let mut end = 0;
    for group in &grid.groups {
        let start = end;
        end += group.columns.len();
        let own: usize = widths[start..end].iter().sum();
        if let Some(last) = widths[start..end].last_mut() {
            *last += (SPACE + longest([group.text.as_str()].into_iter())).saturating_sub(own);
        }
    }
    widths
}

/// The columns in parts of at most so many letters; a group is divided only where it is too wide for a part of its own.
fn parts(grid: &Grid, widths: &[usize], room: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::from([Range { start: 0, end: 0 }]);
    let (mut used, mut at) = (0, 0);
    for group in &grid.groups {
        let end = at + group.columns.len();
        let whole: usize = widths[at..end].iter().sum();
        let is_divided = whole > room;
        for (column, width) in (at..end).zip(&widths[at..end]) {
            let needed = if is_divided || column > at { *width } else { whole };
            if used > 0 && used + needed > room && (is_divided || column == at) {
                parts.push(column..column);
                used = 0;
            }
            used += width;
            if let Some(part) = parts.last_mut() {
                part.end = column + 1;
            }
        }
        at = end;
    }
    parts
}

/// The lines under a table: what the marks of short texts mean, and its caveats.
fn notes_below(grid: &Grid) -> String {
    let cells = || grid.rows.iter().flat_map(|r| &r.cells);
    let occurs = |mark: &&Mark| cells().any(|c| number::short(c).ends_with(mark.sign));
    let marks: Vec<_> =
        MARKS.iter().filter(occurs).map(|m| format!("{} {}", escape(&m.sign.to_string()), m.meaning)).collect();
    let marks = if marks.is_empty() { String::new() } else { format!("{{\\centering {}\\par}}\n", marks.join("; ")) };
    let caveat = |c: &String| format!("\\noindent\\textbf{{Warning:}} {}.\\par\n", prose(c));
    marks + &grid.caveats.iter().map(caveat).collect::<String>()
}

/// The columns of a part; a column is as wide as its longest text, up to [`BROKEN`] letters.
fn layout(grid: &Grid, columns: &Range<usize>) -> String {
    let stubs = (0..grid.stubs.len()).map(|stub| {
        let labels = grid.rows.iter().filter_map(|r| r.labels.get(stub)).map(String::as_str);
        ("l", labels.chain(grid.stubs.get(stub).map(String::as_str)).any(is_broken))
    });
    let headings = grid.headings().enumerate().skip(columns.start).take(columns.len());
    let figures = headings.map(|(column, [.., heading])| {
        let cells = grid.rows.iter().filter_map(|r| r.cells.get(column));
        ("r", is_broken(heading) || cells.map(number::short).any(|t| is_broken(&t)))
    });
    let all: Vec<_> = stubs.chain(figures).collect();
    // Columns of broken lines share what the others leave of the width.
    let share = all.iter().filter(|(_, is_broken)| *is_broken).fold(0.0, |sum, _| sum + 1.0);
    let share = (ROOM / share).min(WIDEST);
    let column = |(align, is_broken): &(&str, bool)| match (is_broken, *align) {
        (false, align) => align.to_owned(),
        (true, "l") => format!(">{{\\raggedright\\arraybackslash}}p{{{share:.2}\\linewidth}}"),
        (true, _) => format!(">{{\\raggedleft\\arraybackslash}}p{{{share:.2}\\linewidth}}"),
    };
    all.iter().map(column).collect()
}

fn is_broken(text: &str) -> bool {
    letters(text) > BROKEN
}

/// Text as it stands in a column, whether that breaks it into lines or not.
fn broken(text: &str) -> String {
    if is_broken(text) { prose(text) } else { escape(text) }
}

fn head(grid: &Grid, columns: &Range<usize>) -> String {
    let stubs = grid.stubs.len();
    let blanks = "& ".repeat(stubs);
    let mut text = "\\toprule\n".to_owned();
    if let Some(axis) = &grid.axis {
        let (width, axis) = (columns.len(), escape(axis));
        let _ = writeln!(text, "{blanks}\\multicolumn{{{width}}}{{c}}{{{axis}}} \\\\");
        let _ = writeln!(text, "\\cmidrule(lr){{{}-{}}}", stubs + 1, stubs + width);
    }
    let headings: Vec<_> = grid.headings().skip(columns.start).take(columns.len()).collect();
    if grid.has_over_row() {
        let over = headings.chunk_by(|a, b| a[0] == b[0]).map(|same| (same[0][0], same.len()));
        text.push_str(&spanning(&blanks, stubs, over));
    }
    if grid.has_group_row() {
        let groups = headings.chunk_by(|a, b| a[..2] == b[..2]).map(|same| (same[0][1], same.len()));
        text.push_str(&spanning(&blanks, stubs, groups));
    }
    let own = headings.iter().map(|[_, _, column]| *column);
    let names: Vec<_> = grid.stubs.iter().map(String::as_str).chain(own).map(broken).collect();
    let _ = writeln!(text, "{} \\\\\n\\midrule", names.join(" & "));
    text
}

/// A row of headings, each over that many columns, with rules below those that are not empty.
fn spanning<'a>(blanks: &str, stubs: usize, headings: impl Iterator<Item = (&'a str, usize)>) -> String {
    let (mut cells, mut rules, mut at) = (Vec::new(), Vec::new(), stubs + 1);
    for (heading, width) in headings {
        let column = if is_broken(heading) { CENTRED } else { "c" };
        cells.push(format!("\\multicolumn{{{width}}}{{{column}}}{{{}}}", broken(heading)));
        if !heading.is_empty() {
            rules.push(format!("\\cmidrule(lr){{{at}-{}}}", at + width - 1));
        }
        at += width;
    }
    format!("{blanks}{} \\\\\n{}\n", cells.join(" & "), rules.join(" "))
}

/// A row; one that stays together with the next is not followed by a new page.
fn line(row: &Row, columns: &Range<usize>, is_together: bool) -> String {
    let rule = if row.ruled { "\\midrule\n" } else { "" };
    let cells = row.cells[columns.clone()].iter().map(cell);
    let cells: Vec<_> = row.labels.iter().map(|l| broken(l)).chain(cells).collect();
    let end = if is_together { "\\\\*" } else { "\\\\" };
    format!("{rule}{} {end}\n", cells.join(" & "))
}

fn cell(cell: &Cell) -> String {
    let text = broken(&number::short(cell));
    if cell.bold && !text.is_empty() { format!("\\textbf{{{text}}}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::{Group, Value};

    #[test]
    fn marks_are_explained_below() {
        let table = |remark: &str| {
            let value = Value::Time { seconds: 19.98, at_least: true, remark: Some(remark.to_owned()), spread: None };
            let row = Row { labels: vec!["row".to_owned()], cells: vec![Cell::from(value)], ..Row::default() };
            let groups = vec![Group::new("", vec!["column".to_owned()])];
            table(&Grid { stubs: vec!["stub".to_owned()], groups, rows: vec![row], ..Grid::default() }, "slug")
        };
        for (remark, sign, meaning) in [
            ("timeout", "$^\\dagger$", "limit reached"),
            ("not proven", "$^\\ddagger$", "a solution that is not proven to be the best"),
        ] {
            let text = table(remark);
            assert!(text.contains(&format!("row & $>$19.98{sign} ")), "{text}");
            assert!(text.ends_with(&format!("{{\\centering {sign} {meaning}\\par}}\n}}\n")), "{text}");
        }
        assert!(!table("timeout 1/2").contains("dagger"));
    }

    #[test]
    fn groups_stay_whole_where_they_fit() {
        let group = |text: &str| Group::new(text, vec!["aaaaaaaa".to_owned(); 2]);
        let grid = Grid { groups: vec![group("x"), group("y"), group("z")], ..Grid::default() };
        // Groups of 20 letters.
        let ends = |room| parts(&grid, &widths(&grid), room).iter().map(|part| part.end).collect::<Vec<_>>();
        assert_eq!(ends(60), [6]);
        assert_eq!(ends(59), [4, 6]);
        assert_eq!(ends(20), [2, 4, 6]);
        assert_eq!(ends(19), [1, 2, 3, 4, 5, 6]);
    }
}
