//! What is shown of one experiment without any script: headings, warnings, facts, tables, pictures; and the places of plots.

use std::fmt::Write;

use super::{boards, grids};
use crate::page::{Figure, Page};
use crate::picture::escape;

/// The section of an experiment; `warnings` are those that only this format has, beside those of the page.
pub fn section(index: usize, page: &Page, warnings: &[String]) -> String {
    let title = escape(&page.title);
    // Writing to a string cannot fail.
    let mut text = format!(
        "<section class=\"experiment\" id=\"e{index}\" data-experiment=\"{index}\" aria-labelledby=\"e{index}-title\">\n\
         <h2 id=\"e{index}-title\">{title}</h2>\n"
    );
    let warnings: Vec<_> = page.warnings.iter().chain(&page.caveats).chain(warnings).collect();
    if !warnings.is_empty() {
        text.push_str("<ul class=\"warnings\" aria-label=\"Warnings\">\n");
        for warning in warnings {
            let _ = writeln!(text, "<li><strong>Warning:</strong> {}</li>", escape(warning));
        }
        text.push_str("</ul>\n");
    }
    for paragraph in page.description.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let _ = writeln!(text, "<p class=\"description\">{}</p>", escape(paragraph));
    }
    if !page.facts.is_empty() {
        text.push_str("<ul class=\"facts\" aria-label=\"How and where it was measured\">\n");
        for fact in &page.facts {
            let _ = writeln!(text, "<li>{}</li>", escape(fact));
        }
        text.push_str("</ul>\n");
    }
    if !page.tables.is_empty() {
        text.push_str("<h3>Tables</h3>\n");
    }
    for table in &page.tables {
        text += &grids::table(&table.stem, &table.grid);
    }
    if !page.figures.is_empty() {
        text.push_str("<h3>Plots</h3>\n");
    }
    for (chart, figure) in page.figures.iter().enumerate() {
        text += &place(index, chart, figure);
    }
    text += &boards::boards(&page.boards);
    text.push_str("</section>\n");
    text
}

/// Where a script draws a plot.
fn place(experiment: usize, chart: usize, figure: &Figure) -> String {
    let mut text = format!(
        "<figure class=\"chart\" id=\"plot-{}\" data-experiment=\"{experiment}\" data-chart=\"{chart}\">\n<figcaption>{}.",
        escape(&figure.stem),
        escape(&figure.chart.title)
    );
    for note in &figure.chart.notes {
        let _ = write!(text, " <span class=\"note\">{}.</span>", escape(note));
    }
    for caveat in &figure.chart.caveats {
        let _ = write!(text, " <span class=\"caveat\"><strong>Warning:</strong> {}.</span>", escape(caveat));
    }
    text.push_str("</figcaption>\n</figure>\n");
    text
}
