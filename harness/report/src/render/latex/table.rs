//! Tables in LaTeX with booktabs: scaled down or split where they are wider than a page, broken where they are longer.

use std::fmt::Write;

use super::text::{escape, prose};
use crate::figures::number::{self, MARKS, Mark};
use crate::figures::{Cell, Grid, Group, Row};
use crate::render::split::{BROKEN, split};

/// Rows that still fit on a page; longer tables are broken over pages.
const PAGE_ROWS: usize = 42;

/// The height of captions and headings, in rows.
const HEAD_ROWS: usize = 5;

/// Characters of a line that can still be read when the table is scaled down to the width of a page.
const PAGE_CHARACTERS: usize = 110;

/// Characters of a line of a caption, and of a column whose texts are broken into lines: few, for wide letters.
const CAPTION_CHARACTERS: usize = 80;
const BROKEN_CHARACTERS: usize = 16;

/// Characters of a line of a table that is broken over pages, which is not scaled down.
const LONG_CHARACTERS: usize = 80;

/// The table, in several parts if it is wider or longer than a page.
pub fn grid(grid: &Grid, stem: &str) -> String {
    let rows: usize = grid.rows.iter().map(lines).sum();
    let is_long = rows + prose_lines(grid) > PAGE_ROWS;
    let parts = split(grid, if is_long { LONG_CHARACTERS } else { PAGE_CHARACTERS });
    let together = if is_long { 1 } else { (PAGE_ROWS / (rows + prose_lines(grid) + HEAD_ROWS)).max(1) };
    let mut text = String::new();
    for (index, parts) in parts.chunks(together).enumerate() {
        let caption = if index == 0 {
            let notes: String = grid.notes.iter().map(|n| format!(" {}.", prose(n))).collect();
            format!("\\caption{{{}.{notes}}}\\label{{tab:{stem}}}", prose(&grid.caption))
        } else {
            format!("\\caption{{{} (continued).}}", prose(&grid.caption))
        };
        match parts {
            [part] if is_long => text.push_str(&long(part, &caption)),
            parts => {
                let boxes: Vec<_> = parts.iter().map(fitted).collect();
                let boxes = boxes.join("\\par\\bigskip\n");
                let note = notes_below(parts);
                let note = if note.is_empty() { note } else { format!("\\par\\smallskip\n{note}") };
                let _ = write!(text, "\\begin{{table}}[htbp]\n\\centering\n{caption}\n{boxes}{note}\\end{{table}}\n");
            }
        }
    }
    text
}

/// Lines of a row, of which some texts may be broken.
fn lines(row: &Row) -> usize {
    let cells = row.cells.iter().map(|cell| number::short(&cell.value).chars().count());
    let longest =
        row.labels.iter().map(|label| label.chars().count()).chain(cells).filter(|length| *length > BROKEN).max();
    longest.map_or(1, |length| length.div_ceil(BROKEN_CHARACTERS))
}

/// Lines above and below a table: caption, notes and warnings.
fn prose_lines(grid: &Grid) -> usize {
    let texts = std::iter::once(&grid.caption).chain(&grid.notes).chain(&grid.caveats);
    texts.map(|text| text.chars().count()).sum::<usize>() / CAPTION_CHARACTERS
}

/// A table that may be broken between rows. It stands where it is written, so that all floats before it must be out.
fn long(grid: &Grid, caption: &str) -> String {
    let (columns, head, body) = (columns(grid), head(grid), body(grid));
    let note = notes_below(std::slice::from_ref(grid));
    format!(
        "\\clearpage\n{{\\footnotesize\n\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{{columns}}}\n{caption}\\\\\n{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\n\\endfoot\n\
         {body}\\end{{longtable}}\n{note}}}\n"
    )
}

/// A table that is scaled down if it is wider than the line; one that fits keeps its size.
fn fitted(grid: &Grid) -> String {
    let (columns, head, body) = (columns(grid), head(grid), body(grid));
    format!(
        "\\sbox0{{%\n\\begin{{tabular}}{{{columns}}}\n{head}{body}\\bottomrule\n\\end{{tabular}}}}%\n\
         \\ifdim\\wd0>\\linewidth\\resizebox{{\\linewidth}}{{!}}{{\\usebox0}}\\else\\usebox0\\fi\n"
    )
}

/// The lines under a table; empty where there are none.
fn notes_below(parts: &[Grid]) -> String {
    let caveats = parts.first().map(|g| g.caveats.as_slice()).unwrap_or_default();
    let line = |c: &String| format!("{{\\footnotesize\\textbf{{Warning:}} {}.\\par}}\n", prose(c));
    marks_note(parts) + &caveats.iter().map(line).collect::<String>()
}

/// What the marks of short texts mean, as a line under the table; empty where there are none.
fn marks_note(parts: &[Grid]) -> String {
    let cells = || parts.iter().flat_map(|g| &g.rows).flat_map(|r| &r.cells);
    let occurs = |mark: &&Mark| cells().any(|c| number::short(&c.value).ends_with(mark.sign));
    let text = |mark: &Mark| format!("{} {}", escape(&mark.sign.to_string()), mark.meaning);
    let texts: Vec<_> = MARKS.iter().filter(occurs).map(text).collect();
    if texts.is_empty() {
        return String::new();
    }
    format!("{{\\footnotesize\\centering {}\\par}}\n", texts.join("; "))
}

/// A column is as wide as its longest text, up to [`BROKEN`] characters.
fn columns(grid: &Grid) -> String {
    let stubs = (0..grid.stubs.len()).map(|stub| {
        let labels = grid.rows.iter().filter_map(|r| r.labels.get(stub)).map(String::as_str);
        ("l", labels.chain(grid.stubs.get(stub).map(String::as_str)).any(is_broken))
    });
    let figures = grid.headings().enumerate().map(|(column, [.., heading])| {
        let cells = grid.rows.iter().filter_map(|r| r.cells.get(column));
        ("r", is_broken(heading) || cells.map(|c| number::short(&c.value)).any(|t| is_broken(&t)))
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

/// Of the width of a line: for all columns whose texts are broken into lines, and for one of them.
const ROOM: f64 = 0.7;
const WIDEST: f64 = 0.3;

/// A heading over several columns that is broken into lines.
const CENTRED: &str = ">{\\centering\\arraybackslash}p{0.3\\linewidth}";

/// Whether a text is broken into lines.
fn is_broken(text: &str) -> bool {
    text.chars().count() > BROKEN
}

/// Text as it stands in a column, whether that breaks it into lines or not.
fn broken(text: &str) -> String {
    if is_broken(text) { prose(text) } else { escape(text) }
}

fn body(grid: &Grid) -> String {
    grid.rows.iter().map(row).collect()
}

fn head(grid: &Grid) -> String {
    let stubs = grid.stubs.len();
    let blanks = "& ".repeat(stubs);
    let mut text = "\\toprule\n".to_owned();
    if let Some(axis) = &grid.axis {
        let last = stubs + grid.width();
        let (width, axis) = (grid.width(), escape(axis));
        let _ = writeln!(text, "{blanks}\\multicolumn{{{width}}}{{c}}{{{axis}}} \\\\");
        let _ = writeln!(text, "\\cmidrule(lr){{{}-{last}}}", stubs + 1);
    }
    if grid.has_over_row() {
        let same = |a: &Group, b: &Group| a.over == b.over;
        let width = |groups: &[Group]| groups.iter().map(|g| g.columns.len()).sum();
        let over = grid.groups.chunk_by(same).map(|groups| (groups[0].over.as_str(), width(groups)));
        text.push_str(&spanning(&blanks, stubs, over));
    }
    if grid.has_group_row() {
        let groups = grid.groups.iter().map(|group| (group.text.as_str(), group.columns.len()));
        text.push_str(&spanning(&blanks, stubs, groups));
    }
    let columns = grid.headings().map(|[_, _, column]| column);
    let names: Vec<_> = grid.stubs.iter().map(String::as_str).chain(columns).map(broken).collect();
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

fn row(row: &Row) -> String {
    let rule = if row.ruled { "\\midrule\n" } else { "" };
    let cells: Vec<_> = row.labels.iter().map(|l| broken(l)).chain(row.cells.iter().map(cell)).collect();
    format!("{rule}{} \\\\\n", cells.join(" & "))
}

fn cell(cell: &Cell) -> String {
    let text = broken(&number::short(&cell.value));
    if cell.bold && !text.is_empty() { format!("\\textbf{{{text}}}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::grid;
    use crate::figures::{Cell, Grid, Group, Row, Value};

    #[test]
    fn marks_are_explained_under_short_and_long_tables() {
        let table = |rows: usize, remark: &str| {
            let value = Value::Time { seconds: 19.98, at_least: true, remark: Some(remark.to_owned()), spread: None };
            let row = Row { ruled: false, labels: vec!["row".to_owned()], cells: vec![Cell::from(value)] };
            let groups = vec![Group::new("", vec!["column".to_owned()])];
            grid(&Grid { stubs: vec!["stub".to_owned()], groups, rows: vec![row; rows], ..Grid::default() }, "stem")
        };
        for (rows, end) in [(1, "\\end{table}\n"), (100, "}\n")] {
            for (remark, sign, meaning) in [
                ("timeout", "$^\\dagger$", "limit reached"),
                ("not proven", "$^\\ddagger$", "a solution that is not proven to be the best"),
            ] {
                let text = table(rows, remark);
                assert!(text.contains(&format!("row & $>$19.98{sign} ")), "{text}");
                let note = format!("{{\\footnotesize\\centering {sign} {meaning}\\par}}\n{end}");
                assert!(text.ends_with(&note), "{text}");
            }
            assert!(!table(rows, "timeout 1/2").contains("dagger"));
        }
    }
}
