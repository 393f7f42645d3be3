//! All ways to lay designated lines on a small board, whatever the other colours do.

use std::collections::HashMap;

use puzzle::hex::opposite;
use puzzle::{Instance, Placement, Solution};

use crate::common::tantrix;

/// Every arrangement whose designated lines are closed. For each course of the line one tile that has it
/// stands for all; tile counts and the other colours are ignored.
pub fn all(instance: &Instance) -> Vec<Solution> {
    let puzzle = tantrix(instance);
    let mut courses = HashMap::new();
    for sort in &puzzle.tiles.sorts {
        for k in 1..=6 {
            let line = sort.tile.line(k, puzzle.colour).expect("has the colour");
            courses.entry(line.edges).or_insert((sort.tile.number, k));
        }
    }
    let mut courses: Vec<_> = courses.into_iter().collect();
    courses.sort_unstable();
    let mut found = Vec::new();
    lay(instance, &courses, &mut Vec::new(), &mut found);
    found
}

type Course = ((usize, usize), (usize, usize));

fn lay(instance: &Instance, courses: &[Course], laid: &mut Vec<Course>, found: &mut Vec<Solution>) {
    let board = &tantrix(instance).board;
    let place = laid.len() + 1;
    if place > board.len() {
        let placements = laid
            .iter()
            .enumerate()
            .map(|(index, &(_, (tile, orientation)))| Placement { place: index + 1, tile, orientation })
            .collect();
        found.push(Solution::on_places(&instance.name, placements));
        return;
    }
    for &course in courses {
        let on = |edges: (usize, usize), edge: usize| edges.0 == edge || edges.1 == edge;
        let fits = (1..=6).all(|edge| match board.neighbour(place, edge) {
            None => !on(course.0, edge),
            Some(next) => laid.get(next - 1).is_none_or(|other| on(other.0, opposite(edge)) == on(course.0, edge)),
        });
        if fits {
            laid.push(course);
            lay(instance, courses, laid, found);
            laid.pop();
        }
    }
}
