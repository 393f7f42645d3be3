//! The marks in a document.

use std::path::{Component, Path};

/// What a mark begins with, and the end of a marked part.
const OPENING: &str = "<!-- tilebench:";
const CLOSING: &str = "<!-- /tilebench -->";

pub enum Part<'a> {
    Kept(&'a str),
    Marked { line: usize, opening: &'a str, mark: Mark, closing: &'a str },
}

#[derive(Debug, PartialEq, Eq)]
pub struct Mark {
    /// Of which table, figure or experiment.
    pub name: String,
    pub what: What,
}

#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// A table; none named: all of its columns or rows.
    Table { columns: Vec<String>, rows: Vec<String> },
    Figure {
        /// Where its file goes, relative to the document.
        folder: String,
        /// As PNG; else as SVG.
        is_png: bool,
    },
    /// How and where experiments were measured: that of the name, and others.
    Facts { others: Vec<String> },
}

/// The pieces of a document, or the line that is wrong and why.
pub fn parts(text: &str) -> Result<Vec<Part<'_>>, (usize, String)> {
    let mut parts = Vec::new();
    // Where the lines begin that no part holds yet; the mark that is open; the fence of the code block around the line.
    let (mut kept, mut open, mut fence) = (0, None, None);
    let mut at = 0;
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        let (start, trimmed) = (at, content.trim());
        at += content.len();
        if open.is_none() && is_code(trimmed, &mut fence) {
            continue;
        }
        if trimmed == CLOSING {
            let (line, opening, mark) =
                open.take().ok_or((line, "nothing is open that this mark could close".to_owned()))?;
            parts.push(Part::Marked { line, opening, mark, closing: content });
            kept = at;
        } else if let Some(rest) = trimmed.strip_prefix(OPENING) {
            if let Some((opened, ..)) = open {
                let reason =
                    format!("the mark in line {opened} is still open: `{CLOSING}` closes it, and parts do not nest");
                return Err((line, reason));
            }
            let mark = rest.strip_suffix("-->").ok_or("`-->` must end the mark on its line".to_owned());
            let mark = mark.and_then(read).map_err(|reason| (line, reason))?;
            parts.push(Part::Kept(&text[kept..start]));
            open = Some((line, content, mark));
        }
    }
    match open {
        Some((line, ..)) => Err((line, format!("this mark is not closed: `{CLOSING}` is missing"))),
        None => {
            parts.push(Part::Kept(&text[kept..]));
            Ok(parts)
        }
    }
}

/// Whether a line belongs to a code block between fences, of which the open one is kept.
fn is_code<'a>(line: &'a str, fence: &mut Option<&'a str>) -> bool {
    let sign = line.chars().next().filter(|c| "`~".contains(*c));
    let length = sign.map_or(0, |sign| line.len() - line.trim_start_matches(sign).len());
    match fence {
        Some(open) if length >= open.len() && line[..length].starts_with(*open) && line.len() == length => {
            *fence = None
        }
        Some(_) => {}
        // What follows the signs of a fence has none of them: else it is code within a line.
        None if length >= 3 && !(sign == Some('`') && line[length..].contains('`')) => *fence = Some(&line[..length]),
        None => return false,
    }
    true
}

/// Reads what follows `tilebench:` in a mark.
fn read(text: &str) -> Result<Mark, String> {
    let words = words(text)?;
    let mut words = words.into_iter();
    let kind = words.next().map(|w| w.1).unwrap_or_default();
    let name = words.next().filter(|(key, name)| key.is_none() && !name.is_empty()).map(|w| w.1);
    let (mut columns, mut rows, mut folder, mut format) = (None, None, None, None);
    let mut others = Vec::new();
    let allowed: &[&str] = match kind.as_str() {
        "table" => &["columns", "rows"],
        "figure" => &["to", "format"],
        "facts" => &[],
        _ => return Err(format!("`{kind}` is none of table, figure, facts")),
    };
    let name = name.ok_or(format!("the name of the {kind} is missing: `{kind} NAME`, as the report names its file"))?;
    for (key, value) in words {
        if kind == "facts" && key.is_none() {
            others.push(value);
            continue;
        }
        let key = key.filter(|key| allowed.contains(&key.as_str()));
        let slot = match key.as_deref() {
            Some("columns") => &mut columns,
            Some("rows") => &mut rows,
            Some("to") => &mut folder,
            Some("format") => &mut format,
            _ if allowed.is_empty() => return Err(format!("`{value}` is too much: {kind} takes names and no more")),
            _ => return Err(format!("`{value}`: {kind} takes {}, each as KEY=VALUE", allowed.join(" and "))),
        };
        if slot.replace(value).is_some() {
            return Err(format!("`{}` is said twice", key.unwrap_or_default()));
        }
    }
    let list = |value: Option<String>| -> Vec<String> {
        let value = value.unwrap_or_default();
        value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    };
    let what = match kind.as_str() {
        "table" => What::Table { columns: list(columns), rows: list(rows) },
        "figure" => {
            let folder = folder.filter(|folder| is_below(folder)).ok_or(
                "`to=FOLDER` is missing, where the picture goes: a folder beside the document or below it".to_owned(),
            )?;
            let is_png = match format.as_deref() {
                None | Some("svg") => false,
                Some("png") => true,
                Some(other) => return Err(format!("`format={other}`: there are svg and png")),
            };
            What::Figure { folder, is_png }
        }
        _ => What::Facts { others },
    };
    Ok(Mark { name, what })
}

/// Words and `KEY=VALUE` pairs between blanks; quotes keep blanks in a value.
fn words(text: &str) -> Result<Vec<(Option<String>, String)>, String> {
    let (mut words, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if let Some(quoted) = after.strip_prefix('"') {
            let key = word
                .strip_suffix('=')
                .ok_or(format!("a quote stands behind `{word}`, where KEY=\"...\" was expected"))?;
            let (value, after) = quoted.split_once('"').ok_or(format!("the quote behind `{word}` is not closed"))?;
            words.push((Some(key.to_owned()), value.to_owned()));
            rest = after.trim_start();
        } else {
            let pair = word.split_once('=');
            words.push(pair.map_or((None, word.to_owned()), |(key, value)| (Some(key.to_owned()), value.to_owned())));
            rest = after.trim_start();
        }
    }
    Ok(words)
}

/// Whether a folder lies in that of the document, so that the link to it leads there wherever the document lies.
fn is_below(folder: &str) -> bool {
    let path = Path::new(folder);
    !folder.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::{Mark, Part, What, parts, read};

    #[test]
    fn marks_are_read() {
        let table = |columns: &[&str], rows: &[&str]| What::Table {
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            rows: rows.iter().map(|r| (*r).to_owned()).collect(),
        };
        let cases = [
            ("table a-b", "a-b", table(&[], &[])),
            ("table x columns=\"n 1, n2\" rows=highs", "x", table(&["n 1", "n2"], &["highs"])),
            ("figure y to=plots/gallery", "y", What::Figure { folder: "plots/gallery".to_owned(), is_png: false }),
            ("figure y format=png to=a", "y", What::Figure { folder: "a".to_owned(), is_png: true }),
            ("facts z", "z", What::Facts { others: Vec::new() }),
            ("facts z a", "z", What::Facts { others: vec!["a".to_owned()] }),
        ];
        for (text, name, what) in cases {
            assert_eq!(read(text), Ok(Mark { name: name.to_owned(), what }), "{text}");
        }
        for (text, reason) in [
            ("", "`` is none of table"),
            ("plot x", "`plot` is none of table, figure, facts"),
            ("table", "the name of the table is missing"),
            ("table columns=a", "the name of the table is missing"),
            ("table x y", "`y`: table takes columns and rows"),
            ("table x to=y", "`y`: table takes columns and rows"),
            ("table x rows=a rows=b", "`rows` is said twice"),
            ("table x rows=\"a", "not closed"),
            ("facts x rows=y", "`y` is too much"),
            ("figure x", "`to=FOLDER` is missing"),
            ("figure x to=../y", "`to=FOLDER` is missing"),
            ("figure x to=/y", "`to=FOLDER` is missing"),
            ("figure x to=y format=gif", "`format=gif`"),
        ] {
            let found = read(text).expect_err(text);
            assert!(found.contains(reason), "{text}: {found}");
        }
    }

    #[test]
    fn code_blocks_hold_no_marks() {
        for text in [
            "```md\n<!-- tilebench: table x -->\n```\n",
            "~~~~\n~~~\n<!-- /tilebench -->\n~~~~\n",
            "a <!-- tilebench: x\n",
        ] {
            let found = parts(text).expect("no marks");
            assert!(matches!(found.as_slice(), [Part::Kept(kept)] if *kept == text), "{text}");
        }
    }
}
