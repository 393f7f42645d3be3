//! LaTeX with booktabs and figures as PDF. Each experiment is a file to `\input`; `report.tex` inputs them all and compiles
//! with the packages that every installation of LaTeX has.

mod directions;
mod table;
mod text;

use std::fmt::Write;

use super::{Exporter, File, Report};
use crate::ReportError;
use crate::page::{Page, PageBoard};
pub use directions::render_latex;
use text::prose;

/// The exporter.
pub struct Latex;

impl Exporter for Latex {
    fn experiment(&self, page: &Page) -> Result<Vec<File>, ReportError> {
        Ok(vec![(format!("{}.tex", page.stem), section(page))])
    }

    fn index(&self, report: &Report) -> Result<Vec<File>, ReportError> {
        let pages = report.pages;
        let mut text = PREAMBLE.to_owned();
        if pages.len() > 1 {
            text.push_str("\\tableofcontents\n\\clearpage\n");
        }
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
\usepackage{array}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage{longtable}
\setlength{\belowcaptionskip}{1ex}
% Pages of figures and tables are filled before the next begins.
\renewcommand{\topfraction}{0.9}
\renewcommand{\bottomfraction}{0.9}
\renewcommand{\textfraction}{0.05}
\renewcommand{\floatpagefraction}{0.6}
\sloppy
\begin{document}
";

/// Figures and tables that LaTeX is given at a time; it keeps no more than some fifty that have no place yet.
const FLOATS: usize = 12;

fn section(page: &Page) -> String {
    let mut text = String::from("% needs \\usepackage{array,booktabs,graphicx,longtable}\n");
    let _ = writeln!(text, "\\section{{{}}}", prose(&page.title));
    for warning in page.warnings.iter().chain(&page.caveats) {
        let _ = writeln!(text, "\\noindent\\textbf{{Warning:}} {}.\\par", prose(warning));
    }
    if !page.description.is_empty() {
        let _ = writeln!(text, "{}\n", prose(&page.description));
    }
    for fact in &page.facts {
        let _ = writeln!(text, "\\noindent {{\\small {}.}}\\par", prose(fact));
    }
    let tables = page.tables.iter().map(|t| table::grid(&page.beyond(&t.grid), &t.stem));
    let figures = page.figures.iter().map(|figure| {
        let mut caption = prose(&figure.chart.title);
        for note in &figure.chart.notes {
            let _ = write!(caption, ". {}", prose(note));
        }
        for caveat in figure.chart.caveats.iter().filter(|c| page.is_beyond(c)) {
            let _ = write!(caption, ". \\textbf{{Warning:}} {}", prose(caveat));
        }
        floating(&picture(&figure.stem, "0.7\\linewidth", &caption))
    });
    let floats: Vec<_> = tables.chain(figures).chain(page.boards.chunks(2).map(pair)).collect();
    let groups: Vec<_> = floats.chunks(FLOATS).map(|group| format!("\n{}", group.join("\n"))).collect();
    text + &groups.join("\n\\clearpage\n")
}

/// Pictures of instances side by side.
fn pair(boards: &[PageBoard]) -> String {
    let half = |board: &PageBoard| {
        let picture = picture(&board.stem, "\\linewidth", &prose(&board.board.caption));
        format!("\\begin{{minipage}}[t]{{0.48\\linewidth}}\n\\centering\n{picture}\\end{{minipage}}")
    };
    let halves: Vec<_> = boards.iter().map(half).collect();
    floating(&format!("{}\n", halves.join("\\hfill\n")))
}

fn floating(content: &str) -> String {
    format!("\\begin{{figure}}[htbp]\n\\centering\n{content}\\end{{figure}}\n")
}

fn picture(stem: &str, width: &str, caption: &str) -> String {
    format!(
        "\\includegraphics[width={width},height=0.42\\textheight,keepaspectratio]{{{{{stem}}}.pdf}}\n\
         \\caption{{{caption}.}}\\label{{fig:{stem}}}\n"
    )
}
