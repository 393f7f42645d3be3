//! LaTeX with booktabs. Each experiment is a file to `\input`; `report.tex` inputs them all and compiles.

use std::fmt::Write;

use super::number::{MARKS, Mark};
use super::split::split;
use super::{Exporter, File, Report, number};
use crate::ReportError;
use crate::grid::{Cell, Grid, Group, Row};
use crate::page::Page;

/// Rows that still fit on a page; longer tables are broken over pages.
const PAGE_ROWS: usize = 42;

/// The height of captions and headings, in rows.
const HEAD_ROWS: usize = 5;

/// Characters of a line that can still be read when the table is scaled down to the width of a page.
const PAGE_CHARACTERS: usize = 110;

/// Characters of a line of a table that is broken over pages, which is not scaled down.
const LONG_CHARACTERS: usize = 80;

/// The exporter.
pub struct Latex;

impl Exporter for Latex {
    fn experiment(&self, page: &Page) -> Result<Vec<File>, ReportError> {
        Ok(vec![(format!("{}.tex", page.stem), section(page))])
    }

    fn index(&self, report: &Report) -> Result<Vec<File>, ReportError> {
        let pages = report.pages;
        let mut text = PREAMBLE.to_owned();
        for page in pages {
            let _ = writeln!(text, "\\input{{{}.tex}}\n\\clearpage", page.stem);
        }
        text.push_str("\\end{document}\n");
        Ok(vec![("report.tex".to_owned(), text)])
    }
}

const PREAMBLE: &str = r"\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=2.5cm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage{longtable}
\begin{document}
";

fn section(page: &Page) -> String {
    let mut text = String::from("% needs \\usepackage{booktabs,graphicx,longtable}\n");
    let _ = writeln!(text, "\\section*{{{}}}", escape(&page.title));
    for warning in page.warnings.iter().chain(&page.caveats) {
        let _ = writeln!(text, "\\noindent\\textbf{{Warning:}} {}.\\par", escape(warning));
    }
    if !page.description.is_empty() {
        let _ = writeln!(text, "{}\n", escape(&page.description));
    }
    for fact in &page.facts {
        let _ = writeln!(text, "\\noindent {{\\small {}.}}\\par", escape(fact));
    }
    for table in &page.tables {
        let _ = write!(text, "\n{}", grid(&table.grid, &table.stem));
    }
    for figure in &page.figures {
        let mut caption = escape(&figure.chart.title);
        for note in &figure.chart.notes {
            let _ = write!(caption, ". {}", escape(note));
        }
        for caveat in &figure.chart.caveats {
            let _ = write!(caption, ". \\textbf{{Warning:}} {}", escape(caveat));
        }
        let _ = write!(
            text,
            "\n\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[width=0.8\\linewidth]{{{stem}.png}}\n\
             \\caption{{{caption}.}}\\label{{fig:{stem}}}\n\\end{{figure}}\n",
            stem = figure.stem
        );
    }
    for picture in &page.boards {
        let _ = write!(
            text,
            "\n\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[width=0.5\\linewidth]{{{stem}.png}}\n\
             \\caption{{{}.}}\\label{{fig:{stem}}}\n\\end{{figure}}\n",
            escape(&picture.board.caption),
            stem = picture.stem
        );
    }
    text
}

/// The table, in several parts if it is wider or longer than a page.
fn grid(grid: &Grid, stem: &str) -> String {
    let parts = split(grid, if grid.rows.len() > PAGE_ROWS { LONG_CHARACTERS } else { PAGE_CHARACTERS });
    let together = (PAGE_ROWS / (grid.rows.len() + HEAD_ROWS)).max(1);
    let mut text = String::new();
    for (index, parts) in parts.chunks(together).enumerate() {
        let caption = if index == 0 {
            let notes: String = grid.notes.iter().map(|n| format!(" {}.", escape(n))).collect();
            format!("\\caption{{{}.{notes}}}\\label{{tab:{stem}}}", escape(&grid.caption))
        } else {
            format!("\\caption{{{} (continued).}}", escape(&grid.caption))
        };
        match parts {
            [part] if part.rows.len() > PAGE_ROWS => text.push_str(&long(part, &caption)),
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

/// A table that may be broken between rows.
fn long(grid: &Grid, caption: &str) -> String {
    let (columns, head, body) = (columns(grid), head(grid), body(grid));
    let note = notes_below(std::slice::from_ref(grid));
    format!(
        "{{\\footnotesize\n\\begin{{longtable}}{{{columns}}}\n{caption}\\\\\n{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\n\\endfoot\n\
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
    let line = |c: &String| format!("{{\\footnotesize\\textbf{{Warning:}} {}.\\par}}\n", escape(c));
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

fn columns(grid: &Grid) -> String {
    "l".repeat(grid.stubs.len()) + &"r".repeat(grid.width())
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
    let names: Vec<_> = grid.stubs.iter().map(String::as_str).chain(columns).map(escape).collect();
    let _ = writeln!(text, "{} \\\\\n\\midrule", names.join(" & "));
    text
}

/// A row of headings, each over that many columns, with rules below those that are not empty.
fn spanning<'a>(blanks: &str, stubs: usize, headings: impl Iterator<Item = (&'a str, usize)>) -> String {
    let (mut cells, mut rules, mut at) = (Vec::new(), Vec::new(), stubs + 1);
    for (heading, width) in headings {
        cells.push(format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(heading)));
        if !heading.is_empty() {
            rules.push(format!("\\cmidrule(lr){{{at}-{}}}", at + width - 1));
        }
        at += width;
    }
    format!("{blanks}{} \\\\\n{}\n", cells.join(" & "), rules.join(" "))
}

fn row(row: &Row) -> String {
    let rule = if row.ruled { "\\midrule\n" } else { "" };
    let cells: Vec<_> = row.labels.iter().map(|l| escape(l)).chain(row.cells.iter().map(cell)).collect();
    format!("{rule}{} \\\\\n", cells.join(" & "))
}

fn cell(cell: &Cell) -> String {
    let text = escape(&number::short(&cell.value));
    if cell.bold && !text.is_empty() { format!("\\textbf{{{text}}}") } else { text }
}

/// Escapes text; primes after a digit, as in the family C2', become primes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\'' if last.is_ascii_digit() => {
                escaped.push_str("$'");
                while chars.next_if_eq(&'\'').is_some() {
                    escaped.push('\'');
                }
                escaped.push('$');
            }
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => escaped.extend(['$', c, '$']),
            '"' => escaped.push_str("''"),
            '†' => escaped.push_str("$^\\dagger$"),
            '‡' => escaped.push_str("$^\\ddagger$"),
            '—' => escaped.push_str("---"),
            '–' => escaped.push_str("--"),
            '≤' => escaped.push_str("$\\leq$"),
            '≥' => escaped.push_str("$\\geq$"),
            '×' => escaped.push_str("$\\times$"),
            c => escaped.push(c),
        }
        last = c;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escape, grid};
    use crate::grid::{Cell, Grid, Group, Row, Value};

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

    #[test]
    fn primes_and_special_characters() {
        assert_eq!(escape("C1 C2' B6'' it's"), "C1 C2$'$ B6$''$ it's");
        assert_eq!(
            escape("50% of n_20 & a\\b ~ {x}^2 <#1> $"),
            r"50\% of n\_20 \& a\textbackslash{}b \textasciitilde{} \{x\}\textasciicircum{}2 $<$\#1$>$ \$"
        );
    }
}
