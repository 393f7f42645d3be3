//! A table with some of its rows and columns.

use crate::figures::{Cell, Grid, Group, Row};

/// The rows of which a label is among `rows` and the columns whose heading is among `columns`, in the order of the table; all
/// of them where none is named. A column is named by its own heading or with those above it, `highs / time (s)`; a
/// row by any of its labels or all of them, `mip / colour / highs`. A note says how much is left out.
pub fn select(grid: &Grid, rows: &[String], columns: &[String]) -> Result<Grid, String> {
    let (all_rows, all_columns) = (grid.rows.len(), grid.width());
    let mut grid = grid.clone();
    if !rows.is_empty() {
        let is_named = |row: &Row, name: &String| row.labels.contains(name) || row.labels.join(" / ") == *name;
        if let Some(name) = rows.iter().find(|name| !grid.rows.iter().any(|row| is_named(row, name))) {
            let known: Vec<_> = grid.rows.iter().map(|row| row.labels.join(" / ")).collect();
            return Err(format!("the table has no row `{name}`; its rows are {}", known.join(", ")));
        }
        grid.rows.retain(|row| rows.iter().any(|name| is_named(row, name)));
    }
    if !columns.is_empty() {
        let headings: Vec<_> = grid.headings().map(|all| (joined(all), all[2].to_owned())).collect();
        let is_named = |(all, own): &(String, String), name: &String| all == name || own == name;
        if let Some(name) = columns.iter().find(|name| !headings.iter().any(|heading| is_named(heading, name))) {
            let known: Vec<_> = headings.iter().map(|(all, _)| all.as_str()).collect();
            return Err(format!("the table has no column `{name}`; its columns are {}", known.join(", ")));
        }
        let kept: Vec<_> = headings.iter().map(|heading| columns.iter().any(|name| is_named(heading, name))).collect();
        let mut wanted = kept.iter();
        let mut narrow = |group: Group| {
            let columns = group.columns.into_iter().filter(|_| wanted.next() == Some(&true)).collect();
            Group { columns, ..group }
        };
        grid.groups = std::mem::take(&mut grid.groups).into_iter().map(&mut narrow).collect();
        grid.groups.retain(|group| !group.columns.is_empty());
        for row in &mut grid.rows {
            let cells: Vec<Cell> = std::mem::take(&mut row.cells);
            row.cells = cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect();
        }
    }
    let part = |what, shown: usize, all: usize| (shown < all).then(|| format!("{shown} of {all} {what}"));
    let parts = [part("rows", grid.rows.len(), all_rows), part("columns", grid.width(), all_columns)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        grid.notes.push(format!("Shown here: {}", parts.join(" and ")));
    }
    Ok(grid)
}

fn joined(headings: [&str; 3]) -> String {
    let parts: Vec<_> = headings.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" / ")
}
