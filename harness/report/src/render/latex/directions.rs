//! Directions as a LaTeX document of its own: many small tables beside each other.

use std::fmt::Write;

use puzzle::{Directions, SmallTable};

use super::text::{escape, prose};

/// Renders directions as a document for pdflatex.
#[must_use]
pub fn render_latex(directions: &Directions) -> String {
    let mut text = PREAMBLE.to_owned();
    let _ = writeln!(text, "\\noindent {}.\\par\\bigskip\n", prose(&directions.title));
    text.push_str("\\begin{raggedright}\n\\noindent\n");
    for table in &directions.tables {
        text.push_str(&small(table));
    }
    text.push_str("\\par\n\\end{raggedright}\n\\end{document}\n");
    text
}

const PREAMBLE: &str = r"\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=2.5cm]{geometry}
\usepackage{booktabs}
\setlength{\parindent}{0pt}
\setlength{\lineskip}{2ex}
\sloppy
\begin{document}
";

/// A table that stands in a line of them. A line may be broken behind it.
fn small(table: &SmallTable) -> String {
    let count = table.columns.len();
    let line = |of: fn(&(String, String)) -> &String| {
        let cells: Vec<_> = table.columns.iter().map(|column| escape(of(column))).collect();
        cells.join(" & ")
    };
    let heading = match table.heading.as_str() {
        "" => String::new(),
        heading => format!("\\multicolumn{{{count}}}{{c}}{{{}}}\\\\\n", escape(heading)),
    };
    format!(
        "\\begin{{tabular}}[t]{{{}}}\n{heading}\\toprule\n{}\\\\\n\\midrule\n{}\\\\\n\\bottomrule\n\\end{{tabular}}\\hspace{{1.5em}}\n",
        "c".repeat(count),
        line(|column| &column.0),
        line(|column| &column.1),
    )
}
