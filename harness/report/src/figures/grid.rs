//! A table in neutral terms: its contents, not its look.

use std::collections::HashSet;

use crate::analysis::Outcome;
use crate::stats::float;
use crate::text::joined;

/// A table with one or more columns of row labels and groups of figure columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// Tells the grids of one table apart, in file names; empty where there is one grid only.
    pub key: String,
    /// What the table shows, in one sentence without the full stop.
    pub caption: String,
    /// Further sentences under the caption.
    pub notes: Vec<String>,
    /// Reasons not to compare its figures, shown under the table in every format.
    pub caveats: Vec<String>,
    /// Headings of the label columns.
    pub stubs: Vec<String>,
    /// The figure columns.
    pub groups: Vec<Group>,
    /// The body.
    pub rows: Vec<Row>,
}

/// A column of a table whose rows are made of `T`: the heading over it and its neighbours, its own, and its cells.
pub struct Column<'a, T> {
    group: String,
    name: String,
    cell: Box<dyn Fn(&T) -> Cell + 'a>,
}

impl<'a, T> Column<'a, T> {
    pub fn new(group: impl Into<String>, name: impl Into<String>, cell: impl Fn(&T) -> Cell + 'a) -> Self {
        Self { group: group.into(), name: name.into(), cell: Box::new(cell) }
    }
}

impl Grid {
    /// A table with a row for each item, without a caption.
    pub(crate) fn of<T, L: Into<String>>(
        stubs: &[&str],
        labels: impl Fn(&T) -> Vec<L>,
        columns: &[Column<T>],
        items: &[T],
    ) -> Self {
        let groups = columns.chunk_by(|a, b| a.group == b.group);
        let groups = groups.map(|of| Group::new(&of[0].group, of.iter().map(|column| &column.name)));
        let row = |item| Row::new(labels(item), columns.iter().map(|column| (column.cell)(item)).collect());
        Self {
            stubs: stubs.iter().map(|stub| (*stub).to_owned()).collect(),
            groups: groups.collect(),
            rows: items.iter().map(row).collect(),
            ..Self::default()
        }
    }

    /// Draws a rule above each row of which one of the first labels is another than in the row before.
    pub(crate) fn rule_between(&mut self, labels: usize) {
        for index in 1..self.rows.len() {
            self.rows[index].ruled = self.rows[index].labels[..labels] != self.rows[index - 1].labels[..labels];
        }
    }

    /// Makes the rows from this one on the foot of the table, below a rule.
    pub(crate) fn foot_from(&mut self, first: usize) {
        for row in self.rows.iter_mut().skip(first) {
            row.is_foot = true;
        }
        if let Some(row) = self.rows.get_mut(first) {
            row.ruled = true;
        }
    }

    /// Number of figure columns.
    pub fn width(&self) -> usize {
        self.groups.iter().map(|g| g.columns.len()).sum()
    }

    /// Whether there are numbers in the figure columns, of those with the same heading in any: numbers stand on the right, words on
    /// the left.
    pub fn are_numbers(&self) -> Vec<bool> {
        let own: Vec<_> = self.headings().map(|[_, own]| own).collect();
        let is_number = |cell: &Cell| !matches!(cell.value, Value::Blank | Value::Dash | Value::Text(_));
        let cells = self.rows.iter().flat_map(|row| row.cells.iter().zip(&own));
        let found: HashSet<_> = cells.filter(|(cell, _)| is_number(cell)).map(|(_, heading)| *heading).collect();
        own.iter().map(|heading| found.contains(heading)).collect()
    }

    /// Whether the groups have headings of their own.
    pub fn has_group_row(&self) -> bool {
        self.groups.iter().any(|g| !g.text.is_empty())
    }

    /// The names of the figure columns: their headings that are not empty.
    pub fn column_names(&self) -> Vec<String> {
        self.headings().map(|headings| joined(headings, " / ")).collect()
    }

    /// The headings of each figure column: that of its group, and its own.
    pub fn headings(&self) -> impl Iterator<Item = [&str; 2]> {
        self.groups.iter().flat_map(|g| g.columns.iter().map(|c| [g.text.as_str(), c.as_str()]))
    }
}

/// Neighbouring columns under one heading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// The common heading; may be empty.
    pub text: String,
    /// The headings of the columns.
    pub columns: Vec<String>,
}

impl Group {
    /// Columns under a heading of their own, which may be empty.
    pub fn new(text: impl Into<String>, columns: impl IntoIterator<Item: Into<String>>) -> Self {
        Self { text: text.into(), columns: columns.into_iter().map(Into::into).collect() }
    }
}

/// A row of a [`Grid`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// Starts a new block: a rule above, where the format has rules.
    pub ruled: bool,
    /// Whether it sums up the rows above it and stays below them, however they are sorted.
    pub is_foot: bool,
    /// One label for each stub.
    pub labels: Vec<String>,
    /// The slug of the page that the first label leads to, in formats with links.
    pub link: Option<String>,
    /// One cell for each figure column.
    pub cells: Vec<Cell>,
}

impl Row {
    /// A row that starts no new block.
    pub fn new(labels: impl IntoIterator<Item: Into<String>>, cells: Vec<Cell>) -> Self {
        Self { labels: labels.into_iter().map(Into::into).collect(), cells, ..Self::default() }
    }

    /// Its labels that are not empty.
    pub fn name(&self) -> String {
        joined(&self.labels, " / ")
    }
}

/// A cell: a typed value, possibly highlighted.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its value.
    pub value: Value,
    /// Whether it is highlighted.
    pub bold: bool,
    /// Decimals that its figures have at least, as others of the column have so many.
    pub decimals: usize,
}

/// The value of a [`Cell`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing was measured or published.
    Blank,
    /// There is no such thing, for example no such iteration.
    Dash,
    /// Words.
    Text(String),
    /// A number of things; a median may lie between two whole numbers.
    Count(f64),
    /// A whole number that may have more digits than a float has room for.
    Whole(u128),
    /// A time, a lower bound of one, or either with a remark that must not be overlooked.
    Time {
        /// Seconds.
        seconds: f64,
        /// Whether it took longer than that.
        at_least: bool,
        /// Why the time is not to be taken as such, for example `timeout`.
        remark: Option<String>,
        /// The runs behind the time, where it was measured.
        spread: Option<Spread>,
    },
    /// A quotient, or another number without unit.
    Ratio(f64),
    /// The p-value of a test.
    P(f64),
}

/// What a median stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The least and the most, if any of the runs completed.
    pub range: Option<(f64, f64)>,
    /// Whether the most may be more than that.
    pub open: bool,
    /// Number of runs.
    pub runs: u64,
    /// Whether the number must be said, since other cells stand for other numbers.
    pub counted: bool,
    /// Whether any of them waited or was disturbed.
    pub disturbed: bool,
}

impl Cell {
    /// Nothing to show.
    pub const BLANK: Self = Self { value: Value::Blank, bold: false, decimals: 0 };
    /// No such thing.
    pub const DASH: Self = Self { value: Value::Dash, bold: false, decimals: 0 };

    /// The cell, highlighted or not.
    #[must_use]
    pub fn bold_if(mut self, bold: bool) -> Self {
        self.bold = bold;
        self
    }

    /// The runs behind a time, where it was measured.
    pub fn spread(&self) -> Option<&Spread> {
        if let Value::Time { spread, .. } = &self.value { spread.as_ref() } else { None }
    }

    /// A number of things.
    pub fn number(value: impl TryInto<u64>) -> Self {
        Self::count(Some(float(value)))
    }

    /// A count, or a dash where there is none.
    pub fn count(value: Option<f64>) -> Self {
        value.map_or(Value::Dash, Value::Count).into()
    }

    /// A time or, `at_least`, a lower bound of one.
    pub fn time(seconds: f64, at_least: bool, remark: Option<String>) -> Self {
        Value::Time { seconds, at_least, remark, spread: None }.into()
    }

    /// A time, or a dash where there is none.
    pub fn seconds(value: Option<f64>) -> Self {
        value.map_or(Self::DASH, |seconds| Self::time(seconds, false, None))
    }

    /// A quotient, or a dash where there is none.
    pub fn ratio(value: Option<f64>) -> Self {
        value.map_or(Value::Dash, Value::Ratio).into()
    }

    /// The p-value of a test, or a dash where none was made.
    pub fn p(value: Option<f64>) -> Self {
        value.map_or(Value::Dash, Value::P).into()
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into()).into()
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self { value, bold: false, decimals: 0 }
    }
}

impl Spread {
    /// What the median of an outcome stands for.
    pub fn of(outcome: &Outcome) -> Self {
        Self {
            range: outcome.range.map(|range| (range.least_s, range.most_s)),
            open: outcome.range.is_some_and(|range| range.open),
            runs: outcome.tally.all,
            counted: false,
            disturbed: outcome.disturbed > 0,
        }
    }
}
