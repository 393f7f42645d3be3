//! Pictures of boards: tiles with their lines as arcs, numbers, loops set off from each other, cuts, empty places
//! and holes.

use std::collections::HashSet;
use std::slice;

use super::arrangement::{Arrangement, Lines, lying, staged, trace};
use super::board::{Board, BoardType};
use super::puzzles::{BoardTantrix, NaturalTantrix};
use super::tiles::Colour;
use crate::hex::{Axial, EDGES, holes};
use crate::scene::{INK, Item, Point, Rgb, Scene, Style, span};
use crate::solution::{Placement, Solution};
use crate::text::count;

const BOARD: Rgb = Rgb(245, 245, 242);
const RIM: Rgb = Rgb(150, 150, 150);
const CUT: Rgb = Rgb(240, 120, 0);
const EMPTY: Rgb = Rgb(255, 255, 255);
const HOLE: Rgb = Rgb(250, 205, 200);
const HOLE_RIM: Rgb = Rgb(190, 30, 30);
/// Numbers of places without a tile, beside others with one.
const PALE: Rgb = Rgb(140, 140, 140);
/// Tile backgrounds, one a loop: the longest loop, then the others in turn. Each is darker than the one before, so that they differ
/// in grey too.
const SHADES: [Rgb; 5] =
    [Rgb(232, 232, 230), Rgb(243, 217, 160), Rgb(173, 206, 230), Rgb(172, 193, 166), Rgb(200, 164, 190)];

/// On boards of more places numbers would hide the lines, and on those of yet more the other colours the designated line: they
/// are left out.
const MOST_NUMBERED: usize = 500;
const MOST_COLOURED: usize = 2000;

/// Draws a board: empty with its place numbers, or with the tiles of a solution.
///
/// Tiles on one designated loop share a shade; cuts of the solution are drawn along the edges they cross, as
/// in Kino & Uno's Figure 10. Of two tiles on one place the last one is drawn. Places without a tile have a dashed
/// rim; holes have a red one, and their places are crossed out. Large boards are drawn without numbers, very large ones with
/// the designated colour alone.
pub fn draw(name: &str, puzzle: &BoardTantrix, solution: Option<&Solution>) -> Scene {
    let canvas = Canvas::around(&puzzle.board);
    let placements = solution.map_or(&[][..], |s| &s.placements);
    let lying = lying(&puzzle.board, &puzzle.tiles, placements);
    let arrangement = Arrangement::new(&puzzle.board, &puzzle.tiles, placements);
    let lines = trace(&puzzle.board, &arrangement, puzzle.colour);
    let filled: HashSet<Axial> =
        puzzle.board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| puzzle.board.at(j)).collect();
    let holes = holes(&filled);

    let mut items = ground(&puzzle.board, &canvas, &grounds(puzzle, solution, &lying, &lines, &holes));
    // The designated colour comes last, so that its line lies on top where lines cross. Of each colour all
    // casings come before all lines, so that no casing cuts through the line of the next tile.
    let mut shown: Vec<usize> = lying.iter().copied().flatten().collect();
    shown.sort_unstable();
    let is_coloured = puzzle.board.len() <= MOST_COLOURED;
    for colour in Colour::ALL.into_iter().filter(|&c| c != puzzle.colour && is_coloured).chain([puzzle.colour]) {
        let designated = colour == puzzle.colour;
        let (casing, width) = match (designated, is_coloured) {
            (true, true) => (0.36, 0.26),
            (true, false) => (0.6, 0.6),
            (false, _) => (0.2, 0.14),
        };
        for style in [Style::line(INK, casing), Style::line(ink(colour), width)] {
            let class = if designated { "designated" } else { "line" };
            let line = |&index: &usize| line(&canvas, puzzle, &placements[index], colour, class, style.clone());
            items.extend(shown.iter().filter_map(line));
        }
    }
    for cut in solution.map_or(&[][..], |s| &s.cuts) {
        for &(place, edge) in cut.iter().filter(|&&(j, l)| puzzle.board.numbers().contains(&j) && EDGES.contains(&l)) {
            items.push(Item::Polyline {
                class: "cut",
                points: canvas.edge(place, edge),
                style: Style::line(CUT, 0.16),
            });
        }
    }
    let is_numbered = placements.is_empty() || puzzle.board.len() <= MOST_NUMBERED;
    for (place, lying) in puzzle.board.numbers().zip(&lying).filter(|_| is_numbered) {
        let tile = lying.map(|index| placements[index].tile);
        items.extend(numbers(&canvas, place, puzzle.board.label(place), tile, !placements.is_empty()));
    }
    let title = title(name, puzzle, solution, lines.loops.len(), holes.len());
    Scene { title, width: canvas.width, height: canvas.height, items, solid: None }
}

/// Draws a solution on the open plane, with the holes in it; without a solution the nearest places of the plane.
pub fn draw_natural(name: &str, puzzle: &NaturalTantrix, solution: Option<&Solution>) -> Scene {
    if let Some((plane, solution)) = solution.and_then(|solution| staged(puzzle, slice::from_ref(solution)).pop()) {
        return draw(name, &plane, Some(&solution));
    }
    let (kind, size) = BoardType::at_least(puzzle.challenge);
    let plane = puzzle.on(Board::of_plane(kind.within(size)));
    let title = format!("{name}: the open plane, {} tiles", puzzle.challenge);
    Scene { title, ..draw(name, &plane, Some(&Solution::default())) }
}

/// Draws stages of a solution on the open plane, each with the places that any of them fills or encloses.
pub fn draw_natural_stages(name: &str, puzzle: &NaturalTantrix, stages: &[Solution]) -> Vec<Scene> {
    staged(puzzle, stages).iter().map(|(plane, stage)| draw(name, plane, Some(stage))).collect()
}

fn title(name: &str, puzzle: &BoardTantrix, solution: Option<&Solution>, loops: usize, holes: usize) -> String {
    if solution.is_none() {
        return format!("{name}: empty board of {} places", puzzle.board.len());
    }
    let loops = count(loops, &format!("{} loop", puzzle.colour));
    let holes = if holes == 0 { String::new() } else { format!(", {}", count(holes, "hole")) };
    format!("{name}: {} tiles, {loops}{holes}", puzzle.challenge)
}

/// The colour as it is drawn: of a lightness of its own, so that the colours differ in grey too.
fn ink(colour: Colour) -> Rgb {
    match colour {
        Colour::Red => Rgb(205, 35, 40),
        Colour::Blue => Rgb(20, 60, 150),
        Colour::Yellow => Rgb(242, 190, 0),
        Colour::Green => Rgb(70, 175, 100),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// With a tile, or on a board that is shown without any; in this colour.
    Place(Rgb),
    /// Without a tile, open to the outside.
    Empty,
    /// Without a tile, enclosed.
    Hole,
}

fn grounds(
    puzzle: &BoardTantrix,
    solution: Option<&Solution>,
    lying: &[Option<usize>],
    lines: &Lines,
    holes: &[Vec<Axial>],
) -> Vec<Ground> {
    let bare = |lying: &Option<usize>| {
        if lying.is_some() || solution.is_none() { Ground::Place(BOARD) } else { Ground::Empty }
    };
    let mut grounds: Vec<Ground> = lying.iter().map(bare).collect();
    for (index, places) in lines.loops.iter().enumerate() {
        let shade = SHADES[if index == 0 { 0 } else { 1 + (index - 1) % (SHADES.len() - 1) }];
        places.iter().for_each(|place| grounds[place - 1] = Ground::Place(shade));
    }
    for place in holes.iter().flatten().filter_map(|&at| puzzle.board.number(at)) {
        if grounds[place - 1] == Ground::Empty {
            grounds[place - 1] = Ground::Hole;
        }
    }
    grounds
}

/// The places with their rims: solid around tiles, dashed between empty places, heavy around holes.
fn ground(board: &Board, canvas: &Canvas, grounds: &[Ground]) -> Vec<Item> {
    let look = |place: usize| grounds[place - 1];
    let mut places: Vec<usize> = board.numbers().collect();
    // An empty place beside a tile shall not cover the tile's rim.
    places.sort_by_key(|&place| matches!(look(place), Ground::Place(_)));
    let mut items: Vec<Item> = places
        .into_iter()
        .map(|place| {
            let (class, style) = match look(place) {
                Ground::Place(shade) => ("place", Style::area(shade, Some((RIM, 0.03)))),
                Ground::Empty => ("empty", Style::area(EMPTY, None)),
                Ground::Hole => ("hole", Style::area(HOLE, None)),
            };
            Item::Polygon { class, points: canvas.corners(place, 1.0), style }
        })
        .collect();
    // Rims without a tile come last, each edge once: dashes on top of dashes would fill each other's gaps.
    for (class, of) in [("rim", Ground::Empty), ("hole-rim", Ground::Hole)] {
        for place in board.numbers().filter(|&place| look(place) == of) {
            for edge in EDGES {
                let beyond = board.neighbour(place, edge);
                let dashed = Style { dash: vec![0.12, 0.1], ..Style::line(RIM, 0.03) };
                let style = match beyond.map(|other| (other, look(other))) {
                    None => dashed,
                    Some((other, there)) if there == of && place < other => dashed,
                    Some((_, Ground::Place(_))) if of == Ground::Hole => Style::line(HOLE_RIM, 0.1),
                    Some(_) => continue,
                };
                items.push(Item::Polyline { class, points: canvas.edge(place, edge), style });
            }
            if of == Ground::Hole {
                items.extend([45.0, 135.0].map(|degrees| Item::Polyline {
                    class: "hole-cross",
                    points: vec![canvas.polar(place, degrees, 0.4), canvas.polar(place, degrees + 180.0, 0.4)],
                    style: Style::line(HOLE_RIM, 0.1),
                }));
            }
        }
    }
    items
}

/// One line of a tile that lies on the board: an arc around the corner or the neighbour's centre between its edges, or
/// straight.
fn line(
    canvas: &Canvas,
    puzzle: &BoardTantrix,
    p: &Placement,
    colour: Colour,
    class: &'static str,
    style: Style,
) -> Option<Item> {
    let line = puzzle.tiles.sort(p.tile)?.tile.line(p.orientation, colour)?;
    let (a, b) = line.edges;
    let radius = match line.angle() {
        0 => None,
        60 => Some(1.5),
        _ => Some(0.5),
    };
    let (from, to) = (canvas.middle(p.place, a), canvas.middle(p.place, b));
    Some(Item::Arc { class, from, to, radius, clockwise: (b + 6 - a) % 6 < 3, style })
}

/// The numbers of a place and its tile; `placed` if tiles lie on the board.
fn numbers(canvas: &Canvas, place: usize, label: usize, tile: Option<usize>, placed: bool) -> Vec<Item> {
    let (centre, corner) = (canvas.centre(place), canvas.polar(place, 90.0, 0.76));
    match tile {
        None if placed => vec![Item::number("place-number", corner, 0.22, label, false, PALE)],
        None => vec![Item::number("place-number", centre, 0.5, label, false, INK)],
        Some(tile) => {
            let style = Style::area(Rgb(255, 255, 255), Some((INK, 0.03)));
            vec![
                Item::Circle { class: "tile-number", center: centre, radius: 0.27, style },
                Item::number("tile-number", centre, 0.32, tile, true, INK),
                Item::number("place-number", corner, 0.22, label, false, INK),
            ]
        }
    }
}

const MARGIN: f64 = 0.4;

/// Places of a board in scene coordinates: side of a tile 1, y downwards.
struct Canvas {
    centres: Vec<Point>,
    width: f64,
    height: f64,
}

impl Canvas {
    fn around(board: &Board) -> Self {
        let side = 3f64.sqrt();
        let centres = board.places().iter().map(|at| at.centre());
        let raw: Vec<Point> = centres.map(|(x, y)| Point { x: side * x, y: -side * y }).collect();
        let [least, most] = span(raw.iter().copied());
        let (dx, dy) = (side / 2.0 + MARGIN - least.x, 1.0 + MARGIN - least.y);
        Self {
            centres: raw.iter().map(|at| Point { x: at.x + dx, y: at.y + dy }).collect(),
            width: most.x + dx + side / 2.0 + MARGIN,
            height: most.y + dy + 1.0 + MARGIN,
        }
    }

    fn centre(&self, place: usize) -> Point {
        self.centres[place - 1]
    }

    /// A point seen from a place's centre: direction in degrees counterclockwise from the right.
    fn polar(&self, place: usize, degrees: f64, distance: f64) -> Point {
        let Point { x, y } = self.centre(place);
        let (sin, cos) = degrees.to_radians().sin_cos();
        Point { x: x + distance * cos, y: y - distance * sin }
    }

    /// Corners; edge l lies between corner l - 1 and corner l (indices, the last one next to the first).
    fn corners(&self, place: usize, distance: f64) -> Vec<Point> {
        EDGES.map(|edge| self.polar(place, 60.0 * (edge as f64 - 1.0) - 30.0, distance)).to_vec()
    }

    fn edge(&self, place: usize, edge: usize) -> Vec<Point> {
        let corners = self.corners(place, 1.0);
        vec![corners[edge - 1], corners[edge % 6]]
    }

    fn middle(&self, place: usize, edge: usize) -> Point {
        self.polar(place, 60.0 * (edge as f64 - 1.0), 3f64.sqrt() / 2.0)
    }
}
