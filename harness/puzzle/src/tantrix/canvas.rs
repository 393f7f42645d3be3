//! Places of a board in the coordinates of a picture.

use super::BoardTantrix;
use crate::hex::EDGES;
use crate::scene::Point;

/// Free space around the board.
const MARGIN: f64 = 0.4;

/// Places of a board in scene coordinates: side of a tile 1, y downwards.
pub(super) struct Canvas {
    centres: Vec<Point>,
    pub width: f64,
    pub height: f64,
}

impl Canvas {
    pub fn around(puzzle: &BoardTantrix) -> Self {
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

    pub fn centre(&self, place: usize) -> Point {
        self.centres[place - 1]
    }

    /// A point seen from a place's centre: direction in degrees counterclockwise from the right.
    pub fn polar(&self, place: usize, degrees: f64, distance: f64) -> Point {
        let Point { x, y } = self.centre(place);
        let (sin, cos) = degrees.to_radians().sin_cos();
        Point { x: x + distance * cos, y: y - distance * sin }
    }

    /// Corners; edge l lies between corner l - 1 and corner l (indices, the last one next to the first).
    pub fn corners(&self, place: usize, distance: f64) -> Vec<Point> {
        EDGES.map(|edge| self.polar(place, 60.0 * (edge as f64 - 1.0) - 30.0, distance)).to_vec()
    }

    /// The ends of an edge.
    pub fn edge(&self, place: usize, edge: usize) -> Vec<Point> {
        let corners = self.corners(place, 1.0);
        vec![corners[edge - 1], corners[edge % 6]]
    }

    /// The middle of an edge.
    pub fn middle(&self, place: usize, edge: usize) -> Point {
        self.polar(place, 60.0 * (edge as f64 - 1.0), 3f64.sqrt() / 2.0)
    }
}
