//! Splits tables that are too wide for a page, between their groups of columns.

use crate::figures::{Grid, Group, Row, number};

/// Parts of the grid of about `limit` characters each. A group of columns is torn apart only where it is too wide for a
/// part of its own, and so are neighbours under a common heading.
pub fn split(grid: &Grid, limit: usize) -> Vec<Grid> {
    if grid.groups.is_empty() {
        return vec![grid.clone()];
    }
    let stubs: usize = (0..grid.stubs.len()).map(|i| stub_width(grid, i)).sum();
    let columns: Vec<usize> = grid.headings().enumerate().map(|(at, [.., own])| column_width(grid, own, at)).collect();
    let groups = narrowed(&grid.groups, &columns, limit.saturating_sub(stubs));
    let mut parts: Vec<Grid> = Vec::new();
    let mut used = usize::MAX;
    for (groups, at) in blocks(&groups, &columns, limit.saturating_sub(stubs)) {
        let width = width(groups, &columns[at..]);
        let columns = at..at + groups.iter().map(|g| g.columns.len()).sum::<usize>();
        if used.saturating_add(width) > limit {
            parts.push(labels_only(grid));
            used = stubs;
        }
        used += width;
        if let Some(part) = parts.last_mut() {
            part.groups.extend_from_slice(groups);
            for (row, whole) in part.rows.iter_mut().zip(&grid.rows) {
                row.cells.extend_from_slice(&whole.cells[columns.clone()]);
            }
        }
    }
    parts
}

/// Groups of which each fits into the room, as far as its columns do; `widths` are those of all columns.
fn narrowed(groups: &[Group], mut widths: &[usize], room: usize) -> Vec<Group> {
    let mut narrowed: Vec<Group> = Vec::new();
    for group in groups {
        let mut used = usize::MAX;
        let whole = width(std::slice::from_ref(group), widths) <= room;
        for (column, width) in group.columns.iter().zip(widths) {
            if used == usize::MAX || (!whole && used + width > room) {
                narrowed.push(Group { columns: Vec::new(), ..group.clone() });
                used = 0;
            }
            used += width;
            if let Some(last) = narrowed.last_mut() {
                last.columns.push(column.clone());
            }
        }
        widths = &widths[group.columns.len()..];
    }
    narrowed
}

/// The groups in blocks that stay together: those under a common heading, if they fit into the room. With each the column that it
/// begins with.
fn blocks<'a>(groups: &'a [Group], widths: &[usize], room: usize) -> Vec<(&'a [Group], usize)> {
    let together = |a: &Group, b: &Group| !a.over.is_empty() && a.over == b.over;
    let (mut blocks, mut at) = (Vec::new(), 0);
    for groups in groups.chunk_by(together) {
        let whole = width(groups, &widths[at..]) <= room;
        for block in groups.chunks(if whole { groups.len() } else { 1 }) {
            blocks.push((block, at));
            at += block.iter().map(|g| g.columns.len()).sum::<usize>();
        }
    }
    blocks
}

/// Width of neighbouring groups: of their columns, whose widths come first, or of a longer heading.
fn width(groups: &[Group], mut widths: &[usize]) -> usize {
    let mut sum = 0;
    for group in groups {
        let (own, others) = widths.split_at(group.columns.len());
        sum += (SPACE + characters(&group.text)).max(own.iter().sum());
        widths = others;
    }
    sum
}

/// The grid without its columns, rows with their labels alone.
fn labels_only(grid: &Grid) -> Grid {
    let label = |row: &Row| Row { ruled: row.ruled, labels: row.labels.clone(), cells: Vec::new() };
    Grid {
        key: grid.key.clone(),
        caption: grid.caption.clone(),
        notes: grid.notes.clone(),
        caveats: grid.caveats.clone(),
        stubs: grid.stubs.clone(),
        axis: grid.axis.clone(),
        groups: Vec::new(),
        rows: grid.rows.iter().map(label).collect(),
    }
}

/// The space between columns counts as two characters.
const SPACE: usize = 2;

/// Characters of the longest text that stands on one line; longer ones are broken into lines.
pub const BROKEN: usize = 40;

/// The room that a text takes.
fn characters(text: &str) -> usize {
    text.chars().count().min(BROKEN)
}

fn stub_width(grid: &Grid, index: usize) -> usize {
    let labels = grid.rows.iter().filter_map(|r| r.labels.get(index));
    SPACE + labels.chain(grid.stubs.get(index)).map(|l| characters(l)).max().unwrap_or(0)
}

fn column_width(grid: &Grid, heading: &str, column: usize) -> usize {
    let cells = grid.rows.iter().map(|r| characters(&number::short(&r.cells[column].value)));
    SPACE + cells.chain([characters(heading)]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Cell;

    #[test]
    fn groups_stay_whole_and_rows_keep_their_labels() {
        let group = |text: &str| Group::new(text, vec!["aaaaaaaa".to_owned(); 2]);
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
        assert_eq!(widths(26), [2, 2, 2]);
        // A group that is too wide by itself.
        assert_eq!(widths(25), [1; 6]);
        let last = &split(&grid, 65)[1].rows[0];
        assert!(last.ruled && last.labels == ["row"] && last.cells == [Cell::text("4"), Cell::text("5")]);
        // The last two belong together, as long as they fit into a part.
        let over = |group: &Group, over: &str| Group { over: over.to_owned(), ..group.clone() };
        let groups = grid.groups.iter().zip(["", "v", "v"]).map(|(g, o)| over(g, o)).collect();
        let grid = Grid { groups, ..grid };
        let widths = |limit| split(&grid, limit).iter().map(Grid::width).collect::<Vec<_>>();
        assert_eq!(widths(66), [6]);
        assert_eq!(widths(65), [2, 4]);
        assert_eq!(widths(46), [2, 4]);
        assert_eq!(widths(45), [2, 2, 2]);
    }
}
