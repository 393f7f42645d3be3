//! Tiles laid on a board with empty places, by a die: rules are kept or broken as it falls.

use std::collections::BTreeSet;

use combinatorics::tantrix::shapes::Shape;
use puzzle::hex::Axial;
use puzzle::tantrix::Arrangement;
use puzzle::tantrix::{Board, BoardTantrix, trace};
use puzzle::{Instance, Placement, Solution};

use crate::common::{Dice, instance, solutions, tantrix};

/// These tiles and nothing else.
pub fn solution(instance: &Instance, placements: Vec<Placement>) -> Solution {
    Solution::on_places(&instance.name, placements)
}

/// Any tile on a place, turned in any way.
fn any_tile(puzzle: &BoardTantrix, place: usize, dice: &mut Dice) -> Placement {
    Placement { place, tile: dice.roll(puzzle.tiles.sorts.len()) + 1, orientation: dice.roll(6) + 1 }
}

/// Any tiles on some of the places: on few or on nearly all of them.
pub fn anything(instance: &Instance, dice: &mut Dice) -> Solution {
    let puzzle = tantrix(instance);
    let density = dice.roll(11);
    let filled: Vec<usize> = puzzle.board.numbers().filter(|_| dice.roll(10) < density).collect();
    solution(instance, filled.into_iter().map(|place| any_tile(puzzle, place, dice)).collect())
}

/// The right tiles or any tiles, on places of their own or on any places, by the number of the round.
pub fn miscounted(instance: &Instance, round: usize, dice: &mut Dice) -> Solution {
    let puzzle = tantrix(instance);
    let sorts = puzzle.tiles.sorts.iter().flat_map(|s| std::iter::repeat_n(s.tile.number, s.count));
    let lay = |(place, tile)| {
        let any = any_tile(puzzle, place, dice);
        let tile = if round.is_multiple_of(2) { tile } else { any.tile };
        let place = if round.is_multiple_of(3) { dice.roll(puzzle.board.len()) + 1 } else { place };
        Placement { place, tile, ..any }
    };
    let mut placements: Vec<Placement> = (1..).zip(sorts).map(lay).collect();
    if round.is_multiple_of(5) {
        placements.truncate(dice.roll(puzzle.challenge + 1));
    }
    // A variable says that a tile lies on a place in an orientation, however often.
    placements.sort_by_key(|p| (p.place, p.tile, p.orientation));
    placements.dedup();
    solution(instance, placements)
}

/// In every third round anything, else loops with a change to one place or none.
pub fn anything_or_loops(instance: &Instance, round: usize, dice: &mut Dice) -> Solution {
    if round.is_multiple_of(3) {
        return anything(instance, dice);
    }
    let some = loops(instance, 1 + round % 2, dice);
    disturb(instance, some, dice)
}

/// Any tiles on these positions, if all of them are on the board.
pub fn filled(instance: &Instance, at: &BTreeSet<Axial>) -> Option<Solution> {
    let board = &tantrix(instance).board;
    let placements = at.iter().map(|&at| Some(Placement { place: board.number(at)?, tile: 1, orientation: 1 }));
    Some(solution(instance, placements.collect::<Option<_>>()?))
}

/// The positions around a hole.
pub fn ring(hole: &BTreeSet<Axial>) -> BTreeSet<Axial> {
    hole.iter().flat_map(|at| at.neighbours()).filter(|at| !hole.contains(at)).collect()
}

/// Designated loops through some of the places, whatever tile counts and the other colours say: up to `most` of them,
/// and whatever closed lines their tiles add up to.
pub fn loops(instance: &Instance, most: usize, dice: &mut Dice) -> Solution {
    let puzzle = tantrix(instance);
    let mut placements: Vec<Placement> = Vec::new();
    for _ in 0..8 * most {
        let filled: Vec<usize> = placements.iter().map(|p| p.place).collect();
        let laid = walk(&puzzle.board, &filled, dice).and_then(|course| lay(puzzle, &course, dice));
        placements.extend(laid.unwrap_or_default());
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &placements);
        if trace(&puzzle.board, &lying, puzzle.colour).loops.len() >= most {
            break;
        }
    }
    placements.sort_by_key(|p| p.place);
    solution(instance, placements)
}

/// Two designated loops at least, of no more tiles than there are.
pub fn several(instance: &Instance, challenge: usize, dice: &mut Dice) -> Solution {
    let puzzle = tantrix(instance);
    let count = |laid: &Solution| {
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
        trace(&puzzle.board, &lying, puzzle.colour).loops.len()
    };
    let mut rolls = (0..100_000).map(|_| {
        let most = 2 + dice.roll(challenge / 4);
        loops(instance, most, dice)
    });
    let found = rolls.find(|laid| laid.placements.len() <= challenge && count(laid) > 1);
    found.expect("two loops find room on the board")
}

/// A closed walk of 3 to 9 steps over free places, if the die finds one.
fn walk(board: &Board, filled: &[usize], dice: &mut Dice) -> Option<Vec<usize>> {
    let mut course = vec![dice.roll(board.len()) + 1];
    if filled.contains(&course[0]) {
        return None;
    }
    while course.len() < 10 {
        let here = course[course.len() - 1];
        let home = board.inner_edges(here).any(|(_, next)| next == course[0]);
        if course.len() > 2 && home && dice.roll(2) == 0 {
            return Some(course);
        }
        let free = |next: &usize| !course.contains(next) && !filled.contains(next);
        let nexts: Vec<usize> = board.inner_edges(here).map(|(_, next)| next).filter(free).collect();
        if nexts.is_empty() {
            return None;
        }
        course.push(dice.pick(&nexts));
    }
    None
}

/// Tiles whose designated lines follow a closed walk, if the sorts have such lines.
pub fn lay(puzzle: &BoardTantrix, course: &[usize], dice: &mut Dice) -> Option<Vec<Placement>> {
    let towards = |from, to| puzzle.board.inner_edges(from).find(|&(_, next)| next == to).map(|(edge, _)| edge);
    (0..course.len())
        .map(|at| {
            let place = course[at];
            let (before, after) = (course[(at + course.len() - 1) % course.len()], course[(at + 1) % course.len()]);
            let (a, b) = (towards(place, before)?, towards(place, after)?);
            let edges = (a.min(b), a.max(b));
            let fits = |&(tile, k): &(usize, usize)| {
                puzzle.tiles.sort(tile).and_then(|s| s.tile.line(k, puzzle.colour)).is_some_and(|l| l.edges == edges)
            };
            let all = (1..=puzzle.tiles.sorts.len()).flat_map(|tile| (1..=6).map(move |k| (tile, k)));
            let choices: Vec<_> = all.filter(fits).collect();
            let (tile, orientation) = (!choices.is_empty()).then(|| dice.pick(&choices))?;
            Some(Placement { place, tile, orientation })
        })
        .collect()
}

/// A change to one place, or none.
pub fn disturb(instance: &Instance, mut solution: Solution, dice: &mut Dice) -> Solution {
    let puzzle = tantrix(instance);
    let place = dice.roll(puzzle.board.len()) + 1;
    let there = solution.placements.iter().position(|p| p.place == place);
    match (dice.roll(4), there) {
        (0, Some(index)) => solution.placements[index].orientation = dice.roll(6) + 1,
        (1, Some(index)) => drop(solution.placements.remove(index)),
        (2, None) => solution.placements.push(any_tile(puzzle, place, dice)),
        _ => {}
    }
    solution
}

/// Solutions on boards that their tiles fill, each with a board that has room around it and the place numbers there.
pub fn with_room(n: usize, seeds: std::ops::Range<u64>, shape: Shape) -> Vec<(Vec<Axial>, Vec<Solution>)> {
    seeds
        .map(|seed| {
            let tight = instance(&shape.places(n, seed), "");
            let places = tantrix(&tight).board.places();
            let mut wide: Vec<Axial> = places.iter().flat_map(|at| at.neighbours()).collect();
            wide.extend(puzzle::hex::holes(&wide.iter().copied().collect()).into_iter().flatten());
            wide.sort_unstable();
            wide.dedup();
            let number = |place: usize| wide.iter().position(|&at| at == places[place - 1]).expect("is on it") + 1;
            let found = solutions(&tight).into_iter().map(|mut solution| {
                solution.placements.iter_mut().for_each(|p| p.place = number(p.place));
                solution
            });
            let found = found.collect();
            (wide, found)
        })
        .collect()
}
