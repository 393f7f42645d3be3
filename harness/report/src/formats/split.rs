//! Splits tables that are too wide for a page, between their groups of columns.

use super::number;
use crate::grid::{Grid, Group, Row};

/// Parts of the grid of about `limit` characters each; a group of columns is never torn apart.
pub fn split(grid: &Grid, limit: usize) -> Vec<Grid> {
    let stubs: usize = (0..grid.stubs.len()).map(|i| stub_width(grid, i)).sum();
    let mut parts: Vec<Grid> = Vec::new();
    let (mut at, mut used) = (0, usize::MAX);
    for group in &grid.groups {
        let columns = at..at + group.columns.len();
        let width: usize = columns.clone().map(|c| column_width(grid, group, c - at, c)).sum();
        if used.saturating_add(width) > limit {
            parts.push(Grid { groups: Vec::new(), rows: grid.rows.iter().map(labels_only).collect(), ..grid.clone() });
            used = stubs;
        }
        used += width;
        if let Some(part) = parts.last_mut() {
            part.groups.push(group.clone());
            for (row, whole) in part.rows.iter_mut().zip(&grid.rows) {
                row.cells.extend_from_slice(&whole.cells[columns.clone()]);
            }
        }
        at = columns.end;
    }
    parts
}

fn labels_only(row: &Row) -> Row {
    Row { cells: Vec::new(), ..row.clone() }
}

/// The space between columns counts as two characters.
const SPACE: usize = 2;

fn stub_width(grid: &Grid, index: usize) -> usize {
    let labels = grid.rows.iter().filter_map(|r| r.labels.get(index));
    SPACE + labels.chain(grid.stubs.get(index)).map(|l| l.chars().count()).max().unwrap_or(0)
}

fn column_width(grid: &Grid, group: &Group, within: usize, column: usize) -> usize {
    let cells = grid.rows.iter().map(|r| number::short(&r.cells[column].value).chars().count());
    SPACE + cells.chain([group.columns[within].chars().count()]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    #[test]
    fn groups_stay_whole_and_rows_keep_their_labels() {
        let group = |text: &str| Group { text: text.to_owned(), columns: vec!["aaaaaaaa".to_owned(); 2] };
        let cells = (0..6).map(|n| Cell::text(n.to_string())).collect();
        let grid = Grid {
            stubs: vec!["stub".to_owned()],
            groups: vec![group("x"), group("y"), group("z")],
            rows: vec![Row { ruled: true, labels: vec!["row".to_owned()], cells }],
            ..Grid::default()
        };
        // A stub of 6 and groups of 20 characters.
        let widths = |limit| split(&grid, limit).iter().map(Grid::width).collect::<Vec<_>>();
        assert_eq!(widths(66), [6]);
        assert_eq!(widths(65), [4, 2]);
        assert_eq!(widths(10), [2, 2, 2]);
        let last = &split(&grid, 65)[1].rows[0];
        assert!(last.ruled && last.labels == ["row"] && last.cells == [Cell::text("4"), Cell::text("5")]);
    }
}
