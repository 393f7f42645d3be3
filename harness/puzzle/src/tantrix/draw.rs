//! Pictures of boards: tiles with their lines as arcs, numbers, loops set off from each other, cuts, empty places
//! and holes.

use std::collections::HashSet;

use super::{Arrangement, Board, BoardTantrix, BoardType, Colour, NaturalTantrix, Numbering, patch, trace};
use crate::hex::{Axial, EDGES, holes};
use crate::scene::{Item, Point, Rgb, Scene, Style};
use crate::{Placement, Solution};

const INK: Rgb = Rgb(34, 34, 34);
const BOARD: Rgb = Rgb(245, 245, 242);
const RIM: Rgb = Rgb(150, 150, 150);
const CUT: Rgb = Rgb(240, 120, 0);
const EMPTY: Rgb = Rgb(255, 255, 255);
const HOLE: Rgb = Rgb(250, 205, 200);
const HOLE_RIM: Rgb = Rgb(190, 30, 30);
/// Tile backgrounds, one a loop: the longest loop, then the others in turn.
const SHADES: [Rgb; 5] =
    [Rgb(232, 232, 230), Rgb(196, 214, 196), Rgb(226, 204, 220), Rgb(246, 224, 178), Rgb(190, 216, 236)];
/// Free space around the board.
const MARGIN: f64 = 0.4;

/// Draws a board: empty with its place numbers, or with the tiles of a solution.
///
/// Tiles on one designated loop share a shade; cuts of the solution are drawn along the edges they cross, as
/// in Kino & Uno's Figure 10. Places without a tile have a dashed rim; those that tiles enclose are crossed out.
#[must_use]
pub fn draw(name: &str, puzzle: &BoardTantrix, solution: Option<&Solution>) -> Scene {
    let canvas = Canvas::around(puzzle);
    let placements = solution.map_or(&[][..], |s| &s.placements);
    let arrangement = Arrangement::new(&puzzle.board, &puzzle.tiles, placements);
    let lines = trace(&puzzle.board, &arrangement, puzzle.colour);
    let filled: HashSet<Axial> =
        puzzle.board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| puzzle.board.at(j)).collect();
    let holes = holes(&filled);
    let is_hole = |place| holes.iter().flatten().any(|&at| at == puzzle.board.at(place));
    let shade = |place| {
        let loop_index = lines.loops.iter().position(|l| l.contains(&place));
        loop_index.map_or(BOARD, |i| SHADES[if i == 0 { 0 } else { 1 + (i - 1) % (SHADES.len() - 1) }])
    };

    let mut items = Vec::new();
    // Rims of tiles and of holes lie on top of the dashes of the empty places beside them.
    let order = |&place: &usize| (arrangement.is_filled(place) || solution.is_none(), is_hole(place));
    let mut places: Vec<usize> = puzzle.board.numbers().collect();
    places.sort_by_key(order);
    for place in places {
        let (class, style) = match order(&place) {
            (true, _) => ("place", Style::area(shade(place), Some((RIM, 0.03)))),
            (false, true) => ("hole", Style::area(HOLE, Some((HOLE_RIM, 0.08)))),
            (false, false) => ("empty", Style { dash: vec![0.12, 0.1], ..Style::area(EMPTY, Some((RIM, 0.03))) }),
        };
        let corners = canvas.corners(place, 1.0);
        items.push(Item::Polygon { class, points: corners.clone(), style });
        if class == "hole" {
            let style = Style::line(HOLE_RIM, 0.08);
            items.extend([0, 1, 2].map(|corner| Item::Polyline {
                class,
                points: vec![corners[corner], corners[corner + 3]],
                style: style.clone(),
            }));
        }
    }
    // The designated colour comes last, so that its line lies on top where lines cross. Of each colour all
    // casings come before all lines, so that no casing cuts through the line of the next tile.
    for colour in Colour::ALL.into_iter().filter(|&c| c != puzzle.colour).chain([puzzle.colour]) {
        let designated = colour == puzzle.colour;
        let (casing, width) = if designated { (0.36, 0.26) } else { (0.2, 0.14) };
        for style in [Style::line(INK, casing), Style::line(ink(colour), width)] {
            let class = if designated { "designated" } else { "line" };
            items.extend(placements.iter().filter_map(|p| canvas.line(puzzle, p, colour, class, style.clone())));
        }
    }
    for cut in solution.map_or(&[][..], |s| &s.cuts) {
        for &(place, edge) in cut.iter().filter(|&&(j, l)| puzzle.board.numbers().contains(&j) && EDGES.contains(&l)) {
            let corners = canvas.corners(place, 1.0);
            let style = Style::line(CUT, 0.16);
            items.push(Item::Polyline { class: "cut", points: vec![corners[edge - 1], corners[edge % 6]], style });
        }
    }
    for place in puzzle.board.numbers() {
        let tile = placements.iter().find(|p| p.place == place).map(|p| p.tile);
        // A number under the cross of a hole could not be read.
        if !is_hole(place) {
            canvas.numbers(place, puzzle.board.label(place), tile, &mut items);
        }
    }
    let title = title(name, puzzle, solution, lines.loops.len(), holes.len());
    Scene { title, width: canvas.width, height: canvas.height, items }
}

/// Draws a solution on the open plane, with the holes in it; without a solution the nearest places of the plane.
#[must_use]
pub fn draw_natural(name: &str, puzzle: &NaturalTantrix, solution: Option<&Solution>) -> Scene {
    if let Some((on_patch, solution)) = solution.map(|s| patch(puzzle, s)) {
        return draw(name, &on_patch, Some(&solution));
    }
    let (kind, size) = BoardType::at_least(puzzle.challenge);
    let places = kind.places(size, Numbering::Rings).unwrap_or_default();
    let plane = puzzle.on(Board::of_plane(places));
    let title = format!("{name}: the open plane, {} tiles", puzzle.challenge);
    Scene { title, ..draw(name, &plane, Some(&Solution::default())) }
}

fn title(name: &str, puzzle: &BoardTantrix, solution: Option<&Solution>, loops: usize, holes: usize) -> String {
    let several = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    if solution.is_none() {
        return format!("{name}: empty board of {} places", puzzle.board.len());
    }
    let loops = several(loops, &format!("{} loop", puzzle.colour));
    let holes = if holes == 0 { String::new() } else { format!(", {}", several(holes, "hole")) };
    format!("{name}: {} tiles, {loops}{holes}", puzzle.challenge)
}

fn ink(colour: Colour) -> Rgb {
    match colour {
        Colour::Red => Rgb(205, 35, 40),
        Colour::Blue => Rgb(30, 90, 190),
        Colour::Yellow => Rgb(242, 190, 0),
        Colour::Green => Rgb(30, 140, 70),
    }
}

/// Places of a board in scene coordinates: side of a tile 1, y downwards.
struct Canvas {
    centres: Vec<Point>,
    width: f64,
    height: f64,
}

impl Canvas {
    fn around(puzzle: &BoardTantrix) -> Self {
        let side = 3f64.sqrt();
        let raw: Vec<(f64, f64)> =
            puzzle.board.places().iter().map(|at| at.centre()).map(|(x, y)| (side * x, -side * y)).collect();
        let least = |f: fn(&(f64, f64)) -> f64| raw.iter().map(f).fold(f64::INFINITY, f64::min);
        let most = |f: fn(&(f64, f64)) -> f64| raw.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let (x0, x1, y0, y1) = (least(|p| p.0), most(|p| p.0), least(|p| p.1), most(|p| p.1));
        let (dx, dy) = (side / 2.0 + MARGIN - x0, 1.0 + MARGIN - y0);
        Self {
            centres: raw.iter().map(|&(x, y)| Point { x: x + dx, y: y + dy }).collect(),
            width: x1 + dx + side / 2.0 + MARGIN,
            height: y1 + dy + 1.0 + MARGIN,
        }
    }

    /// A point seen from a place's centre: direction in degrees counterclockwise from the right.
    fn polar(&self, place: usize, degrees: f64, distance: f64) -> Point {
        let Point { x, y } = self.centres[place - 1];
        let (sin, cos) = degrees.to_radians().sin_cos();
        Point { x: x + distance * cos, y: y - distance * sin }
    }

    /// Corners; edge l lies between corner l - 1 and corner l (indices, the last one next to the first).
    fn corners(&self, place: usize, distance: f64) -> Vec<Point> {
        EDGES.map(|edge| self.polar(place, 60.0 * (edge as f64 - 1.0) - 30.0, distance)).to_vec()
    }

    fn middle(&self, place: usize, edge: usize) -> Point {
        self.polar(place, 60.0 * (edge as f64 - 1.0), 3f64.sqrt() / 2.0)
    }

    /// One line of a tile: an arc around the corner or the neighbour's centre between its edges, or straight.
    fn line(
        &self,
        puzzle: &BoardTantrix,
        p: &Placement,
        colour: Colour,
        class: &'static str,
        style: Style,
    ) -> Option<Item> {
        let on_board = puzzle.board.numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        let line = puzzle.tiles.sort(p.tile).filter(|_| on_board)?.tile.line(p.orientation, colour)?;
        let (a, b) = line.edges;
        let radius = match line.angle() {
            0 => None,
            60 => Some(1.5),
            _ => Some(0.5),
        };
        let (from, to) = (self.middle(p.place, a), self.middle(p.place, b));
        Some(Item::Arc { class, from, to, radius, clockwise: (b + 6 - a) % 6 < 3, style })
    }

    fn numbers(&self, place: usize, label: usize, tile: Option<usize>, items: &mut Vec<Item>) {
        let (centre, corner) = (self.centres[place - 1], self.polar(place, 90.0, 0.76));
        let text = |class, at, size, number: usize, bold| Item::Text {
            class,
            at,
            size,
            text: number.to_string(),
            bold,
            colour: INK,
        };
        match tile {
            None => items.push(text("place-number", centre, 0.5, label, false)),
            Some(tile) => {
                let style = Style::area(Rgb(255, 255, 255), Some((INK, 0.03)));
                items.push(Item::Circle { class: "tile-number", center: centre, radius: 0.27, style });
                items.push(text("tile-number", centre, 0.32, tile, true));
                items.push(text("place-number", corner, 0.22, label, false));
            }
        }
    }
}
