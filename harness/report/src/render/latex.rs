//! LaTeX with booktabs and figures as PDF. Each experiment is a file to `\input`; `report.tex` inputs them all and compiles
//! with the packages that every installation of LaTeX has. The frames are templates in `assets/latex`.

use std::fmt::Write;
use std::ops::Range;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, escape_formatter};
use puzzle::Directions;
use serde_json::json;

use super::options::File;
use crate::ReportError;
use crate::figures::number::{self, MARKS, Mark};
use crate::figures::{Cell, Grid, Row};
use crate::page::{Figure, Page, PageTable, overviews};

const REPORT: &str = include_str!("../../assets/latex/report.tex");
const SECTION: &str = include_str!("../../assets/latex/section.tex");
const DIRECTIONS: &str = include_str!("../../assets/latex/directions.tex");

pub fn section(page: &Page) -> Result<File, ReportError> {
    let figures = page.figures.iter().map(|Figure { slug, chart, .. }| {
        json!({ "slug": slug, "title": chart.title, "notes": chart.notes, "caveats": chart.caveats })
    });
    let boards = page.boards.iter().map(|board| json!({ "slug": board.slug, "caption": board.caption }));
    let content = json!({
        "title": page.title,
        "warnings": page.warnings.iter().chain(&page.caveats).collect::<Vec<_>>(),
        "description": page.description,
        "facts": page.provenance,
        "tables": tables(&page.tables),
        "figures": figures.collect::<Vec<_>>(),
        "boards": boards.collect::<Vec<_>>(),
    });
    Ok((format!("{}.tex", page.slug), fill(SECTION, content)?))
}

/// The file over all experiments.
pub fn report(pages: &[Page]) -> Result<File, ReportError> {
    let slugs: Vec<_> = pages.iter().map(|page| page.slug.as_str()).collect();
    Ok(("report.tex".to_owned(), fill(REPORT, json!({ "slugs": slugs, "overviews": tables(&overviews(pages)) }))?))
}

/// Renders directions as a document for pdflatex: many small tables beside each other.
///
/// # Errors
/// None but a template that is broken, which is a bug.
pub fn render_latex(directions: &Directions) -> Result<String, ReportError> {
    let tables = directions.tables.iter().map(|t| json!({ "heading": t.heading, "columns": t.columns }));
    fill(DIRECTIONS, json!({ "title": directions.title, "tables": tables.collect::<Vec<_>>() }))
}

/// Fills in a template, with delimiters that LaTeX does not use. Values are escaped, unless they are marked as safe.
fn fill(template: &str, content: serde_json::Value) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.block_delimiters("<%", "%>").variable_delimiters("<<", ">>").comment_delimiters("<#", "#>");
    environment.set_syntax(syntax.build()?);
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(running) if !value.is_safe() => Ok(out.write_str(&prose(running))?),
        _ => escape_formatter(out, state, value),
    });
    // What stays on its line.
    environment.add_filter("cell", |cell: String| Value::from_safe_string(escape(&cell)));
    Ok(environment.render_str(template, Serde(content))? + "\n")
}

/// How tables are set: each is a `longtable` in the first of these settings in which it fits on a line; what is wider than the last of
/// them follows below, between groups of columns.
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

/// The tables one below the other. Those in landscape that follow each other share their pages.
fn tables(tables: &[PageTable]) -> String {
    let texts: Vec<_> = tables.iter().map(|t| table(&t.grid, &t.slug)).collect();
    texts.join("\n").replace("\\end{landscape}\n\n\\begin{landscape}\n", "\n")
}

/// The table, whose label has this slug.
fn table(grid: &Grid, slug: &str) -> String {
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
        // A longtable takes a number of its own.
        let same_number = if number > 0 { "\\addtocounter{table}{-1}\n" } else { "" };
        let (layout, head) = (layout(grid, &columns), head(grid, &columns));
        let body: String = grid.rows.iter().map(|row| line(row, &columns, grid.rows.len() <= TOGETHER)).collect();
        let _ = write!(
            text,
            "{same_number}\\begin{{longtable}}{{{layout}}}\n{caption}\\\\\n{head}\\endfirsthead\n{head}\\endhead\n\
             \\bottomrule\n\\endfoot\n{body}\\end{{longtable}}\n"
        );
        let signs = marks(grid, &columns);
        if !signs.is_empty() {
            let _ = writeln!(text, "{{\\centering {signs}\\par}}");
        }
    }
    let caveats = grid.caveats.iter().map(|c| format!("\\noindent\\textbf{{Warning:}} {}.\\par\n", prose(c)));
    text.extend(caveats);
    text.push_str("}\n");
    if setting.is_landscape { format!("\\begin{{landscape}}\n{text}\\end{{landscape}}\n") } else { text }
}

/// The table as a `tabular`, for a float of the reader's own. Notes and warnings are comments: they are for the caption.
pub fn tabular(grid: &Grid, warnings: &[String]) -> String {
    let columns = 0..grid.width();
    let body: String = grid.rows.iter().map(|row| line(row, &columns, false)).collect();
    let said = comments(&grid.caption, &grid.notes, warnings.iter().chain(&grid.caveats));
    let signs = Some(marks(grid, &columns)).filter(|signs| !signs.is_empty());
    let signs = signs.map(|signs| format!("% {signs}.\n")).unwrap_or_default();
    format!(
        "{said}{signs}% needs \\usepackage{{array,booktabs}}\n\\begin{{tabular}}{{{}}}\n{}{body}\\bottomrule\n\\end{{tabular}}\n",
        layout(grid, &columns),
        head(grid, &columns),
    )
}

/// What is to be said of a figure, as comments: its title, its notes, and warnings.
pub fn said(Figure { chart, .. }: &Figure, warnings: &[String]) -> String {
    comments(&chart.title, &chart.notes, warnings.iter().chain(&chart.caveats))
}

fn comments<'a>(caption: &String, notes: &'a [String], warnings: impl Iterator<Item = &'a String>) -> String {
    let warnings = warnings.map(|warning| format!("Warning: {warning}"));
    let said = [caption].into_iter().chain(notes).cloned().chain(warnings);
    said.map(|sentence| format!("% {}.\n", prose(&sentence))).collect()
}

/// Warnings and facts without their full stops, one after the other.
pub fn sentences(warnings: &[String], facts: &[String]) -> String {
    let warnings = warnings.iter().map(|warning| format!("\\textbf{{Warning:}} {}.\n", prose(warning)));
    warnings.chain(facts.iter().map(|fact| format!("{}.\n", prose(fact)))).collect()
}

/// Letters of the longest of these texts, as far as they stand on one line.
fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| letters(text).min(BROKEN)).max().unwrap_or(0)
}

/// The letters that each column needs; the last of a group with what the heading of the group needs beyond that.
fn widths(grid: &Grid) -> Vec<usize> {
    let column = |(at, [_, heading]): (usize, [&str; 2])| {
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

/// What the marks of the short texts in a part of a table mean.
fn marks(grid: &Grid, columns: &Range<usize>) -> String {
    let cells = || grid.rows.iter().flat_map(|r| r.cells.iter().skip(columns.start).take(columns.len()));
    let occurs = |mark: &&Mark| cells().any(|c| number::short(c).ends_with(mark.sign));
    let found: Vec<_> =
        MARKS.iter().filter(occurs).map(|m| format!("{} {}", escape(&m.sign.to_string()), m.meaning)).collect();
    found.join("; ")
}

/// The columns of a part; a column is as wide as its longest text, up to [`BROKEN`] letters.
fn layout(grid: &Grid, columns: &Range<usize>) -> String {
    let stubs = (0..grid.stubs.len()).map(|stub| {
        let labels = grid.rows.iter().filter_map(|r| r.labels.get(stub)).map(String::as_str);
        ("l", labels.chain(grid.stubs.get(stub).map(String::as_str)).any(is_broken))
    });
    let headings = grid.headings().zip(grid.are_numbers()).enumerate().skip(columns.start).take(columns.len());
    let figures = headings.map(|(column, ([.., heading], is_number))| {
        let cells = grid.rows.iter().filter_map(|r| r.cells.get(column));
        let is_broken = is_broken(heading) || cells.map(number::short).any(|t| is_broken(&t));
        (if is_number { "r" } else { "l" }, is_broken)
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
    let headings: Vec<_> = grid.headings().skip(columns.start).take(columns.len()).collect();
    if grid.has_group_row() {
        let groups = headings.chunk_by(|a, b| a[0] == b[0]).map(|same| (same[0][0], same.len()));
        text.push_str(&spanning(&blanks, stubs, groups));
    }
    let own = headings.iter().map(|[_, column]| *column);
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
    let rule = match (row.ruled, is_together) {
        (false, _) => String::new(),
        (true, false) => "\\midrule\n".to_owned(),
        (true, true) => kept_rule(row.labels.len() + columns.len()),
    };
    let cells = row.cells[columns.clone()].iter().map(cell);
    let cells: Vec<_> = row.labels.iter().map(|l| broken(l)).chain(cells).collect();
    let end = if is_together { "\\\\*" } else { "\\\\" };
    format!("{rule}{} {end}\n", cells.join(" & "))
}

/// A `\midrule` over so many columns that keeps the rows around it together: below that of booktabs a page may end.
fn kept_rule(columns: usize) -> String {
    format!(
        "\\noalign{{\\nobreak\\vskip\\aboverulesep}}\\multispan{{{columns}}}\\leaders\\hrule height\\lightrulewidth\\hfill\\kern0pt\\cr\n\
         \\noalign{{\\nobreak\\vskip\\belowrulesep}}\n"
    )
}

fn cell(cell: &Cell) -> String {
    let text = broken(&number::short(cell));
    if cell.bold && !text.is_empty() { format!("\\textbf{{{text}}}") } else { text }
}

/// Escapes text that stays on a line, as in a cell.
///
/// Primes behind a digit, as in the family C2', become primes. Signs that the fonts lack are shown as their code, `U+65E5`.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = None;
    while let Some(c) = chars.next() {
        match c {
            '\'' if last.is_some_and(|l: char| l.is_ascii_digit()) => {
                escaped.push_str("$'");
                while chars.next_if_eq(&'\'').is_some() {
                    escaped.push('\'');
                }
                escaped.push('$');
            }
            '"' if last.is_none_or(|l: char| l.is_whitespace() || "([=".contains(l)) => escaped.push_str("``"),
            // Two would be one dash.
            '-' if last == Some('-') => escaped.push_str("{}-"),
            // At the begin of a row they would belong to the end of the row before.
            '[' | '*' if escaped.trim_start_matches(' ').is_empty() => escaped.extend(['{', c, '}']),
            _ => escaped += &sign(c).unwrap_or_else(|| format!("\\texttt{{U+{:04X}}}", u32::from(c))),
        }
        last = Some(c);
    }
    escaped
}

/// Signs of a word that stay together, if a line can be broken behind a sign after them; twice as many, if not.
const WORD: usize = 10;

/// Escapes text that is broken into lines: also within long words, behind signs or, where there are none, anywhere.
fn prose(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            lines.push(' ');
        }
        let (mut part, mut length) = (String::new(), 0);
        let mut chars = word.chars().peekable();
        while let Some(c) = chars.next() {
            part.push(c);
            length += letters(&c.to_string());
            let is_end = length >= 2 * WORD || (length >= WORD && !c.is_alphanumeric());
            // Primes and quotes stay with what they belong to.
            if is_end && chars.peek().is_some_and(|next| !"'\"".contains(*next)) {
                lines += &escape(&part);
                lines.push_str("\\allowbreak{}");
                (part, length) = (String::new(), 0);
            }
        }
        lines += &escape(&part);
    }
    lines
}

/// The room that a text takes on a line: a sign that is shown as its code takes that of the code.
fn letters(text: &str) -> usize {
    text.chars().map(|c| if sign(c).is_some() { 1 } else { "U+1234".len() }).sum()
}

/// The LaTeX for a character; none if the fonts lack it.
fn sign(c: char) -> Option<String> {
    if let Some((_, latex)) = SIGNS.iter().find(|(known, _)| *known == c) {
        return Some((*latex).to_owned());
    }
    match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => Some(format!("\\{c}")),
        '<' | '>' | '|' => Some(format!("${c}$")),
        c if c.is_whitespace() || c.is_control() => Some(" ".to_owned()),
        // Latin letters with accents, and signs, as far as the standard encodings have them.
        '!'..='~' | '\u{a1}'..='\u{17e}' => Some(c.to_string()).filter(|_| !LACKING.contains(c)),
        _ => None,
    }
}

/// Letters of that range which the fonts do not have.
const LACKING: &str = "ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ";

/// Signs of texts and tables.
const SIGNS: [(char, &str); 28] = [
    ('\\', "\\textbackslash{}"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('"', "''"),
    ('\u{a0}', "~"),
    ('†', "$^\\dagger$"),
    ('‡', "$^\\ddagger$"),
    ('—', "---"),
    ('–', "--"),
    ('‐', "-"),
    ('−', "$-$"),
    ('\u{2018}', "`"),
    ('\u{2019}', "'"),
    ('\u{201c}', "``"),
    ('\u{201d}', "''"),
    ('\u{201e}', ",,"),
    ('«', "$\\ll$"),
    ('»', "$\\gg$"),
    ('…', "\\dots{}"),
    ('•', "$\\bullet$"),
    ('′', "$'$"),
    ('″', "$''$"),
    ('≤', "$\\leq$"),
    ('≥', "$\\geq$"),
    ('≠', "$\\neq$"),
    ('≈', "$\\approx$"),
    ('∞', "$\\infty$"),
    ('→', "$\\to$"),
];

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

    #[test]
    fn primes_and_special_characters() {
        assert_eq!(escape("C1 C2' B6'' it's"), "C1 C2$'$ B6$''$ it's");
        assert_eq!(
            escape("50% of n_20 & a\\b ~ {x}^2 <#1> $"),
            r"50\% of n\_20 \& a\textbackslash{}b \textasciitilde{} \{x\}\textasciicircum{}2 $<$\#1$>$ \$"
        );
        assert_eq!(escape("[1] --no-x *"), "{[}1] -{}-no-x *");
        assert_eq!(escape("\"a b\" (x = \"c\", y=\"d\")"), "``a b'' (x = ``c'', y=``d'')");
        assert_eq!(escape("Łódź ≤ đ, 日, a\tb\u{a0}c"), "Łódź $\\leq$ \\texttt{U+0111}, \\texttt{U+65E5}, a b~c");
    }

    #[test]
    fn long_words_can_be_broken() {
        assert_eq!(prose("short words stay"), "short words stay");
        assert_eq!(prose("instances/tantrix/fixed.toml"), "instances/\\allowbreak{}tantrix/fixed.\\allowbreak{}toml");
        assert_eq!(prose("(\"abcdefghijkl?\")"), "(``abcdefghijkl?''\\allowbreak{})");
        assert_eq!(prose(&"x".repeat(40)), format!("{0}\\allowbreak{{}}{0}", "x".repeat(20)));
        assert_eq!(prose("C2''"), "C2$''$");
    }
}
