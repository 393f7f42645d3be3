//! What is to be written.

/// A format of tables and text. Plots are always written, as SVG, PNG and CSV; for LaTeX as PDF too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown, with `index.md` over all experiments.
    Md,
    /// LaTeX with booktabs, with `report.tex` over all experiments.
    Latex,
    /// One CSV file a table.
    Csv,
    /// One page over all experiments, `report.html`, that needs nothing but a browser.
    Html,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Md, Self::Latex, Self::Csv, Self::Html];
}

/// What is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Formats of tables and text.
    pub formats: Vec<Format>,
    /// Which pictures of solves the HTML page holds.
    pub pictures: Pictures,
    /// The revision that tilebench was built from, to be named in the HTML page; empty where it is not known.
    pub revision: String,
    /// After how many seconds the HTML page loads itself again, if it is renewed while somebody looks.
    pub reload_s: Option<u32>,
}

/// Which solves have their picture in the HTML page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pictures {
    /// All, while the page stays small; else the last ones; else none.
    #[default]
    Budget,
    /// All.
    All,
    /// The last of each run.
    Last,
    /// None.
    None,
}

/// A file to be written: its name and what stands in it.
pub type File = (String, String);
