//! Puzzles and solutions as they are shown: pictures in puzzle-neutral terms, shapes with coordinates and colours to be
//! rendered elsewhere, and directions in words.

/// A picture. x grows to the right, y downwards; the unit is the side of a tile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// What the picture shows, for readers who cannot see it.
    pub title: String,
    /// Width; everything lies in 0..=width.
    pub width: f64,
    /// Height; everything lies in 0..=height.
    pub height: f64,
    /// Shapes, later ones on top.
    pub items: Vec<Item>,
    /// How the picture folds up, where it is the net of a solid.
    pub solid: Option<Solid>,
}

/// A solid whose net a picture is: its faces fold away from the reader.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// By how much faces that share an edge are bent out of one plane, in radians.
    pub bend: f64,
    /// The faces.
    pub faces: Vec<Facet>,
    /// What stands on corners of faces.
    pub pegs: Vec<Peg>,
}

/// A face of a [`Solid`]: an equilateral triangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Facet {
    /// Where its corners lie in the picture, clockwise.
    pub corners: [Point; 3],
    /// The vertices of the solid at these corners.
    pub vertices: [usize; 3],
    /// The face, by its index, to which the edge between their common vertices joins it; `None` of the one that stays where it is.
    pub hangs_on: Option<usize>,
    /// The items on it, by their indices.
    pub items: Vec<usize>,
}

/// Something that stands on a corner of a [`Facet`]. Where the net folds up, those of one vertex become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peg {
    /// The face, by its index.
    pub face: usize,
    /// The corner of it.
    pub corner: usize,
    /// The items that it is made of, by their indices.
    pub items: Vec<usize>,
}

/// A point of a [`Scene`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Rightwards.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// The least and the greatest coordinates of some points.
pub(crate) fn span(points: impl Iterator<Item = Point>) -> [Point; 2] {
    let none = [f64::INFINITY, f64::NEG_INFINITY].map(|start| Point { x: start, y: start });
    points.fold(none, |[least, most], at| {
        [Point { x: least.x.min(at.x), y: least.y.min(at.y) }, Point { x: most.x.max(at.x), y: most.y.max(at.y) }]
    })
}

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// What text and outlines are drawn with.
pub const INK: Rgb = Rgb(34, 34, 34);

/// How a shape is painted.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// Colour inside, if any.
    pub fill: Option<Rgb>,
    /// Colour of the line, if any.
    pub stroke: Option<Rgb>,
    /// Width of the line.
    pub stroke_width: f64,
    /// Lengths of dashes and gaps; empty: a solid line.
    pub dash: Vec<f64>,
    /// 0 (invisible) to 1.
    pub opacity: f64,
}

impl Style {
    /// A line.
    pub fn line(colour: Rgb, width: f64) -> Self {
        Self { fill: None, stroke: Some(colour), stroke_width: width, dash: Vec::new(), opacity: 1.0 }
    }

    /// A filled area, with a border if `stroke` is given.
    pub fn area(fill: Rgb, stroke: Option<(Rgb, f64)>) -> Self {
        Self {
            fill: Some(fill),
            stroke: stroke.map(|s| s.0),
            stroke_width: stroke.map_or(0.0, |s| s.1),
            dash: Vec::new(),
            opacity: 1.0,
        }
    }
}

/// A shape. `class` says what it stands for (`tile`, `line`, `cut`, ...).
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Item {
    /// A closed polygon.
    Polygon { class: &'static str, points: Vec<Point>, style: Style },
    /// A circular arc, or a straight line where there is no radius; `clockwise` as seen on the screen.
    Arc { class: &'static str, from: Point, to: Point, radius: Option<f64>, clockwise: bool, style: Style },
    /// A line through points.
    Polyline { class: &'static str, points: Vec<Point>, style: Style },
    /// A circle.
    Circle { class: &'static str, center: Point, radius: f64, style: Style },
    /// Text, centred at a point.
    Text { class: &'static str, at: Point, size: f64, text: String, bold: bool, colour: Rgb },
}

impl Item {
    /// A number as text.
    pub(crate) fn number(class: &'static str, at: Point, size: f64, number: usize, bold: bool, colour: Rgb) -> Self {
        Self::Text { class, at, size, text: number.to_string(), bold, colour }
    }
}

/// What to do, or what is given, step by step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Directions {
    /// What they are for.
    pub title: String,
    /// The steps as sentences.
    pub sentences: Vec<String>,
    /// The same as tables of two lines each.
    pub tables: Vec<SmallTable>,
}

/// A table with one line of figures under their headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallTable {
    /// What the table is of; may be empty.
    pub heading: String,
    /// Each figure under its heading.
    pub columns: Vec<(String, String)>,
}

impl Directions {
    /// The sentences, a line each.
    pub fn to_text(&self) -> String {
        self.sentences.iter().map(|sentence| format!("{sentence}\n")).collect()
    }
}
