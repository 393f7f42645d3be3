//! Games as pictures (the field laid out flat, capacities at its vertices, tiles with dots) and in words.

use std::collections::BTreeMap;

use super::game::{Soku, arranged, lying};
use super::net::{LatticePoint, Net, bend, hinges, unfold};
use crate::scene::{Directions, Facet, INK, Item, Peg, Point, Rgb, Scene, SmallTable, Solid, Style, span};
use crate::solution::{Placement, Solution};
use crate::text::{count, plural};

const WHITE: Rgb = Rgb(255, 255, 255);
const RIM: Rgb = Rgb(110, 120, 135);
const FACE: Rgb = Rgb(206, 222, 242);
const TILE: Rgb = Rgb(250, 248, 240);
/// A tile that the game has placed.
const PLACED: Rgb = Rgb(222, 222, 218);
/// A vertex whose capacity is met, or any of a game without a solution.
const PEG: Rgb = Rgb(250, 212, 70);
/// A vertex whose capacity cannot be met any more.
const WRONG: Rgb = Rgb(180, 25, 30);
/// Numbers of faces, zeros.
const PALE: Rgb = Rgb(105, 105, 105);

/// Free space around the net.
const MARGIN: f64 = 0.35;
/// The height of a triangle of the lattice.
const ROW: f64 = 0.866_025_403_784_438_6;
const PEG_RADIUS: f64 = 0.19;
/// How far from a corner its weight is shown.
const WEIGHT_AT: f64 = 0.34;
/// Greater weights are digits, as are all others of their game.
const MOST_DOTS: u32 = 3;
/// Of larger fields neither the names of vertices nor the numbers of faces and tiles are shown: they could not be read.
const MOST_NAMED: usize = 130;

/// Draws a game, with a solution if there is one (it may be invalid or partial).
pub fn draw(name: &str, game: &Soku, solution: Option<&Solution>) -> Scene {
    Sheet::of(game).draw(name, solution)
}

/// Draws stages on the way to a solution, all on the same net.
pub fn draw_stages(name: &str, game: &Soku, stages: &[Solution]) -> Vec<Scene> {
    let sheet = Sheet::of(game);
    stages.iter().map(|stage| sheet.draw(name, Some(stage))).collect()
}

struct Sheet<'a> {
    game: &'a Soku,
    net: Net,
    /// The face and the corner of each peg: one for each point of the net.
    pegs: Vec<(usize, usize)>,
    /// The face that each face hangs on, where the net folds up into a solid.
    hinges: Option<Vec<Option<usize>>>,
    /// Where the point (0, 0) of the lattice lies.
    origin: Point,
    width: f64,
    height: f64,
    is_named: bool,
    has_dots: bool,
    /// Size of weights in digits: one for all, so that the longest has room.
    digits: f64,
}

/// What an item is of, by number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Face(usize),
    Peg(usize),
}

impl<'a> Sheet<'a> {
    fn of(game: &'a Soku) -> Self {
        let net = unfold(&game.field);
        let [least, most] = span(net.iter().flatten().map(|&at| on_plane(at, Point { x: 0.0, y: 0.0 })));
        let origin = Point { x: MARGIN - least.x, y: MARGIN - least.y };
        let (width, height) = (most.x + origin.x + MARGIN, most.y + origin.y + MARGIN);
        let corner_at =
            |(face, corners): (usize, &[LatticePoint; 3])| [0, 1, 2].map(|corner| (corners[corner], (face, corner)));
        let pegs: BTreeMap<LatticePoint, (usize, usize)> = net.iter().enumerate().flat_map(corner_at).collect();
        let pegs = pegs.into_values().collect();
        let hinges = hinges(&game.field, &net);
        let is_named = game.field.faces().len() <= MOST_NAMED;
        let has_dots = game.tiles.iter().flatten().all(|&weight| weight <= MOST_DOTS);
        let longest = game.tiles.iter().flatten().max().map_or_else(String::new, u32::to_string);
        let digits = fitting(&longest, 0.22, 0.16);
        Self { game, net, pegs, hinges, origin, width, height, is_named, has_dots, digits }
    }

    fn draw(&self, name: &str, solution: Option<&Solution>) -> Scene {
        let placements = solution.map_or(&[][..], |solution| &solution.placements);
        // Tiles that the game has placed lie there from the start.
        let laid: Vec<Placement> = self.game.placed.iter().chain(placements).copied().collect();
        let on = lying(self.game, &laid);
        let sums = Sums::of(self.game, &laid);
        let mut items: Vec<(Part, Item)> = Vec::new();
        let mut add = |part: Part, of_it: Vec<Item>| items.extend(of_it.into_iter().map(|item| (part, item)));
        for (face, tile) in on.iter().enumerate() {
            add(Part::Face(face), self.face(face, tile.is_some()));
        }
        for (face, tile) in on.iter().enumerate() {
            let corners = self.corners(face);
            if let Some(placement) = tile {
                for (corner, weight) in corners.into_iter().zip(self.game.shown(placement)) {
                    add(Part::Face(face), self.weight(weight, corner, centre(corners)));
                }
            }
            let number = tile.as_ref().map(|placement| placement.tile);
            add(Part::Face(face), self.numbers(face, number, solution.is_some()));
        }
        for (peg, &(face, corner)) in self.pegs.iter().enumerate() {
            let (at, vertex) = (self.corners(face)[corner], self.game.field.faces()[face][corner]);
            add(Part::Peg(peg), self.peg(at, vertex, solution.is_some().then_some(&sums)));
        }
        let (parts, items): (Vec<Part>, Vec<Item>) = items.into_iter().unzip();
        let solid = self.hinges.as_deref().map(|hinges| self.solid(hinges, &parts));
        let title = self.title(name, solution.map(|_| (on.iter().flatten().count(), &sums)));
        Scene { title, width: self.width, height: self.height, items, solid }
    }

    /// How the net folds up; `parts`: what each item is of.
    fn solid(&self, hinges: &[Option<usize>], parts: &[Part]) -> Solid {
        let items = |of: Part| (0..parts.len()).filter(|&item| parts[item] == of).collect();
        let facet = |(face, &hangs_on): (usize, &Option<usize>)| Facet {
            corners: self.corners(face),
            vertices: self.game.field.faces()[face],
            hangs_on,
            items: items(Part::Face(face)),
        };
        let peg = |(peg, &(face, corner)): (usize, &(usize, usize))| Peg { face, corner, items: items(Part::Peg(peg)) };
        let faces = hinges.iter().enumerate().map(facet).collect();
        Solid { bend: bend(), faces, pegs: self.pegs.iter().enumerate().map(peg).collect() }
    }

    fn corners(&self, face: usize) -> [Point; 3] {
        self.net[face].map(|at| on_plane(at, self.origin))
    }

    fn face(&self, face: usize, has_tile: bool) -> Vec<Item> {
        let corners = self.corners(face);
        let placed = self.game.placed.iter().any(|placed| placed.place == face + 1);
        let (class, fill) = match (placed, has_tile) {
            (true, _) => ("placed", PLACED),
            (false, true) => ("tile", TILE),
            (false, false) => ("face", FACE),
        };
        let outline = |class, points, style| Item::Polygon { class, points, style };
        let mut items = vec![outline(class, corners.to_vec(), Style::area(fill, Some((RIM, 0.02))))];
        if placed {
            let middle = centre(corners);
            let inner = corners.map(|corner| between(middle, corner, 0.86)).to_vec();
            items.push(outline("placed-rim", inner, Style::line(INK, 0.03)));
        }
        items
    }

    /// The weight near a corner of a tile: as dots or in digits.
    fn weight(&self, weight: u32, corner: Point, centre: Point) -> Vec<Item> {
        let length = (centre.x - corner.x).hypot(centre.y - corner.y);
        let (x, y) = ((centre.x - corner.x) / length, (centre.y - corner.y) / length);
        let at = |inwards: f64, aside: f64| Point {
            x: corner.x + inwards * x - aside * y,
            y: corner.y + inwards * y + aside * x,
        };
        if !self.has_dots {
            let text = weight.to_string();
            let size = self.digits;
            let colour = if weight == 0 { PALE } else { INK };
            let at = at(WEIGHT_AT, 0.0);
            return vec![Item::Text { class: "weight", at, size, text, bold: weight > 0, colour }];
        }
        let dots = match weight {
            0 => vec![],
            1 => vec![(WEIGHT_AT, 0.0)],
            2 => vec![(WEIGHT_AT, -0.07), (WEIGHT_AT, 0.07)],
            _ => vec![(WEIGHT_AT - 0.05, 0.0), (WEIGHT_AT + 0.05, -0.07), (WEIGHT_AT + 0.05, 0.07)],
        };
        let style = Style::area(INK, None);
        let dot = |(inwards, aside)| Item::Circle {
            class: "dot",
            center: at(inwards, aside),
            radius: 0.045,
            style: style.clone(),
        };
        dots.into_iter().map(dot).collect()
    }

    /// The number of a face, and of its tile if it has one.
    fn numbers(&self, face: usize, tile: Option<usize>, placed: bool) -> Vec<Item> {
        if !self.is_named {
            return Vec::new();
        }
        let corners = self.corners(face);
        let middle = centre(corners);
        let Some(tile) = tile else {
            let (size, colour) = if placed { (0.13, PALE) } else { (0.2, INK) };
            return vec![Item::number("face-number", middle, size, face + 1, false, colour)];
        };
        if !self.has_dots {
            // Digits leave no room for more.
            return vec![Item::number("tile-number", middle, 0.09, tile, false, PALE)];
        }
        // Upon the level edge.
        let tops = corners.iter().filter(|corner| corner.y < middle.y).count();
        let beside = Point { x: middle.x, y: middle.y + if tops == 1 { 0.205 } else { -0.205 } };
        let rim = Style::area(WHITE, Some((RIM, 0.015)));
        vec![
            Item::Circle { class: "tile-number", center: middle, radius: 0.125, style: rim },
            Item::number("tile-number", middle, 0.15, tile, true, INK),
            Item::number("face-number", beside, 0.11, face + 1, false, PALE),
        ]
    }

    /// A vertex: its name and capacity; where it is not met, what lies around it too.
    fn peg(&self, at: Point, vertex: usize, sums: Option<&Sums>) -> Vec<Item> {
        let capacity = self.game.capacity[vertex];
        let state = sums.map_or(State::Met, |sums| sums.state(vertex));
        let (class, fill, rim, ink) = match state {
            State::Met => ("peg", PEG, (INK, 0.02), INK),
            State::Open => ("peg-open", WHITE, (INK, 0.02), INK),
            State::Missed => ("peg-wrong", WRONG, (INK, 0.05), WHITE),
        };
        let text = match sums.filter(|_| state != State::Met) {
            None => capacity.to_string(),
            Some(sums) => format!("{}/{capacity}", sums.sums[vertex]),
        };
        let style = Style::area(fill, Some(rim));
        let mut items = vec![Item::Circle { class, center: at, radius: PEG_RADIUS, style }];
        let shifted = |by| Point { x: at.x, y: at.y + by };
        let (at, most) = if self.is_named { (shifted(0.06), 0.17) } else { (at, 0.22) };
        let size = fitting(&text, 0.3, most);
        items.push(Item::Text { class: "capacity", at, size, text, bold: true, colour: ink });
        if self.is_named {
            let text = self.game.field.vertices()[vertex].clone();
            let size = fitting(&text, 0.24, 0.12);
            items.push(Item::Text { class: "vertex", at: shifted(-0.095), size, text, bold: false, colour: ink });
        }
        items
    }

    fn title(&self, name: &str, solved: Option<(usize, &Sums)>) -> String {
        let (field, faces) = (&self.game.field, self.game.tiles.len());
        let Some((tiles, sums)) = solved else {
            let placed = match self.game.placed.len() {
                0 => String::new(),
                tiles => format!(", {} placed", count(tiles, "tile")),
            };
            let turned = field.turned().map(|turned| format!("; {turned}")).unwrap_or_default();
            let (faces, vertices) = (count(faces, "face"), field.vertices().len());
            return format!("{name}: field of {faces} and {vertices} vertices{placed}{turned}");
        };
        format!("{name}: {tiles} of {faces} faces with a tile, {}", sums.words())
    }
}

fn on_plane((across, down): LatticePoint, origin: Point) -> Point {
    let (across, down) = (f64::from(across), f64::from(down));
    Point { x: origin.x + across + down / 2.0, y: origin.y + down * ROW }
}

fn centre(corners: [Point; 3]) -> Point {
    let [x, y] = [|p: Point| p.x, |p: Point| p.y].map(|of: fn(Point) -> f64| corners.map(of).iter().sum::<f64>() / 3.0);
    Point { x, y }
}

fn between(from: Point, to: Point, share: f64) -> Point {
    Point { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }
}

/// The greatest size, up to some most, in which a text is no wider than that; digits and capitals are about 0.7 of their size wide.
fn fitting(text: &str, wide: f64, most: f64) -> f64 {
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    (wide / (0.7 * f64::from(letters.max(1)))).min(most)
}

/// Vertices with a wrong sum that are named; the others are counted.
const NAMED: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The weights around it add up to its capacity, and all its faces have a tile.
    Met,
    /// Some of its faces have no tile, and the weights are not too many yet.
    Open,
    /// The weights are too many, or too few with a tile on each of its faces.
    Missed,
}

/// The weights around the vertices of a game.
struct Sums<'a> {
    game: &'a Soku,
    sums: Vec<u64>,
    open: Vec<bool>,
}

impl<'a> Sums<'a> {
    fn of(game: &'a Soku, placements: &[Placement]) -> Self {
        let shown = arranged(game, placements);
        let vertices = 0..game.field.vertices().len();
        let around = |vertex| game.field.around(vertex).iter().map(|&(face, corner)| Some(shown[face]?[corner]));
        let sum = |vertex| around(vertex).flatten().map(u64::from).sum();
        let open = |vertex| around(vertex).any(|weight| weight.is_none());
        Self { game, sums: vertices.clone().map(sum).collect(), open: vertices.map(open).collect() }
    }

    fn state(&self, vertex: usize) -> State {
        let (sum, capacity) = (self.sums[vertex], u64::from(self.game.capacity[vertex]));
        if self.open[vertex] && sum <= capacity {
            State::Open
        } else if sum == capacity {
            State::Met
        } else {
            State::Missed
        }
    }

    fn words(&self) -> String {
        let count = self.sums.len();
        let of = |wanted| (0..count).filter(move |&vertex| self.state(vertex) == wanted);
        let met = of(State::Met).count();
        if met == count {
            return "all capacities met".to_owned();
        }
        let missed: Vec<usize> = of(State::Missed).collect();
        let name = |&vertex: &usize| {
            let vertices = self.game.field.vertices();
            format!("{} has {} instead of {}", vertices[vertex], self.sums[vertex], self.game.capacity[vertex])
        };
        let mut parts = vec![format!("{met} of {count} capacities met")];
        parts.extend(missed.iter().take(NAMED).map(name));
        if missed.len() > NAMED {
            parts.push(plural(missed.len() - NAMED, "more is missed", "more are missed"));
        }
        parts.join(", ")
    }
}

/// Capacities in one table.
const IN_TABLE: usize = 12;

/// A solution as instructions, face by face (Rizzo, listing 6), and as tables of the weights at each face's vertices (figure 10).
/// Weights are those of the tile as it lies. Faces without a tile are left out.
///
/// Without a solution: the capacities, and the tiles that lie already.
pub fn directions(name: &str, game: &Soku, solution: Option<&Solution>) -> Directions {
    let title = draw(name, game, solution).title;
    let mut directions = Directions { title, ..Directions::default() };
    if solution.is_none() {
        let capacities: Vec<(String, String)> =
            game.field.vertices().iter().cloned().zip(game.capacity.iter().map(u32::to_string)).collect();
        for (vertex, capacity) in &capacities {
            directions.sentences.push(format!("Vertex {vertex} has capacity {capacity}."));
        }
        for (index, columns) in capacities.chunks(IN_TABLE).enumerate() {
            let heading = if index == 0 { "capacities" } else { "" };
            directions.tables.push(SmallTable { heading: heading.to_owned(), columns: columns.to_vec() });
        }
    }
    let (what, lying) = match solution {
        Some(solution) => ("Put tile", &solution.placements),
        None => ("There lies tile", &game.placed),
    };
    for (face, weights) in arranged(game, lying).into_iter().enumerate() {
        let Some(weights) = weights.map(|weights| weights.map(|weight| weight.to_string())) else { continue };
        let corners = game.field.corners(face);
        directions.sentences.push(format!("{what} ({}) on face ({}).", weights.join(" "), corners.join(", ")));
        let columns = corners.map(str::to_owned).into_iter().zip(weights).collect();
        directions.tables.push(SmallTable { heading: format!("face {}", face + 1), columns });
    }
    directions
}
