//! Markers, patterns of lines and colours: curves are told apart without colour, in grey print too; colours help where they are seen.

use plotters::prelude::*;

use super::canvas::{At, Canvas, Dash};
use super::frame::whole;
use crate::figures::{Chart, Curve, Trace};

/// Blue, ochre, green, pink and brick. Each has a contrast of at least 3 to 1 with white and with the dark page; the three common
/// forms of colour blindness keep all of them apart, and grey keeps those apart that are two places from each other.
const COLOURS: [RGBColor; 5] = [
    RGBColor(17, 109, 216),
    RGBColor(169, 111, 0),
    RGBColor(0, 154, 96),
    RGBColor(232, 92, 186),
    RGBColor(168, 72, 43),
];

/// The colour of samples in the legend that stand for all curves.
const GREY: RGBColor = RGBColor(60, 60, 60);

const FORMS: [Form; 7] =
    [Form::Circle, Form::Square, Form::Diamond, Form::Down, Form::Plus, Form::Hourglass, Form::Pentagon];

/// Forms of published figures: no measured curve has a star.
const STARS: [Form; 6] =
    [Form::Star(5), Form::Asterisk(6), Form::Star(4), Form::Asterisk(3), Form::Star(7), Form::Star(3)];

/// The first is a line without gaps.
const DASHES: [Dash; 4] = ["", "14 7", "4 5", "12 5 3 5"];

/// Size of a marker: the radius of its circle in pixels.
const RADIUS: i32 = 7;

/// The same where there are many of them.
const SMALL: i32 = 5;

/// With more points than these, marks and lines are smaller.
const CROWD: usize = 120;

/// Length of arrows, in pixels.
const ARROW: i32 = 13;

/// The form of a marker. A cross means a wrong answer or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Circle,
    Square,
    Diamond,
    Down,
    Plus,
    Hourglass,
    Pentagon,
    Cross,
    /// With so many points.
    Star(u32),
    /// Of so many strokes.
    Asterisk(u32),
}

/// A marker, and the line it sits on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marker {
    pub form: Form,
    pub colour: RGBColor,
    /// Whether it is an outline only.
    hollow: bool,
    /// Index into [`DASHES`].
    dash: usize,
    radius: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    Up,
    Right,
}

/// The markers of the curves of a chart. As long as there are forms and patterns enough (for 28 measured curves; without lines forms
/// only, for 7), no two look alike without colour; beyond that, colours tell them apart.
pub fn markers(chart: &Chart) -> Vec<Marker> {
    let measured = || chart.curves.iter().filter(|c| !c.published);
    let first = measured().next().map(|c| c.of).unwrap_or_default();
    let several = (measured().any(|c| c.of.0 != first.0), measured().any(|c| c.of.1 != first.1));
    let patterns = if measured().any(|c| !c.line.is_empty()) { DASHES.len() } else { 1 };
    let mut taken = Vec::new();
    let marker = |curve: &Curve| {
        let look = match curve.of {
            (number, _) if curve.published => return Marker::published(number),
            (formulation, solver) if several == (true, true) => Look::of_pair(formulation, solver),
            (number, _) if several.0 => Look::of_list(number),
            (_, number) => Look::of_list(number),
        };
        let look = look.free(&taken, patterns);
        taken.push(look);
        Marker::measured(look)
    };
    let crowded = chart.points().count() > CROWD && measured().all(|c| c.trace == Trace::Straight);
    chart.curves.iter().map(marker).map(|m| if crowded { m.at_most(SMALL) } else { m }).collect()
}

/// What a measured curve looks like: places in [`FORMS`], [`DASHES`] and [`COLOURS`], whatever their lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    form: usize,
    dash: usize,
    colour: usize,
}

impl Look {
    /// That of the n-th formulation or solver, where curves differ by one of these only.
    fn of_list(number: usize) -> Self {
        Self { form: number, dash: number, colour: number }
    }

    /// Where curves differ by both: a form for each solver, a colour for each formulation, and a pattern that differs between
    /// neighbours of either.
    fn of_pair(formulation: usize, solver: usize) -> Self {
        Self { form: solver, dash: formulation + solver, colour: formulation }
    }

    /// This one or, where form and pattern are taken, one of the same colour whose are not: with another pattern, or else another form.
    /// If all are taken, one is used again that had another colour. `patterns`: how many of them are seen.
    fn free(self, taken: &[Self], patterns: usize) -> Self {
        let further = |steps: usize| Self {
            form: (self.form + steps / patterns) % FORMS.len(),
            dash: (self.dash + steps) % patterns,
            colour: self.colour % COLOURS.len(),
        };
        let all = || (0..FORMS.len() * patterns).map(further);
        let is_new = |look: &Self| taken.iter().all(|other| (other.form, other.dash) != (look.form, look.dash));
        let is_new_in_colour = |look: &Self| !taken.contains(look);
        all().find(is_new).or_else(|| all().find(is_new_in_colour)).unwrap_or_else(|| further(0))
    }
}

impl Marker {
    fn measured(Look { form, dash, colour }: Look) -> Self {
        Self { form: FORMS[form], colour: COLOURS[colour], hollow: false, dash, radius: RADIUS }
    }

    /// The first marker.
    fn plain() -> Self {
        Self::measured(Look::of_list(0))
    }

    /// The marker of the n-th published curve: black, and of a form that no other has.
    fn published(index: usize) -> Self {
        Self { form: STARS[index % STARS.len()], colour: BLACK, ..Self::plain() }
    }

    pub fn at_most(self, radius: i32) -> Self {
        Self { radius: self.radius.min(radius), ..self }
    }

    /// The marker of a run of this curve that did not solve the puzzle.
    pub fn unsolved(self) -> Self {
        Self { hollow: true, ..self }
    }

    /// A marker that stands for all curves.
    pub fn grey() -> Self {
        Self { colour: GREY, ..Self::plain() }
    }

    pub fn wrong() -> Self {
        Self { form: Form::Cross, colour: RGBColor(200, 0, 0), ..Self::plain() }
    }

    pub fn error() -> Self {
        Self { colour: BLACK, ..Self::wrong() }
    }

    /// Its colour as a line, thinner where markers are small.
    pub fn stroke(self) -> ShapeStyle {
        self.colour.stroke_width(if self.radius < RADIUS { 2 } else { 3 })
    }

    /// Draws a line as its curve has it.
    pub fn draw_line(self, canvas: &Canvas, points: &[At]) {
        if points.len() > 1 {
            canvas.dashed(points, self.stroke(), DASHES[self.dash]);
        }
    }

    pub fn draw(self, canvas: &Canvas, at: At) {
        let wide = if self.form == Form::Cross { 5 } else { 3 };
        let stroke = self.colour.stroke_width(if self.radius < RADIUS { wide - 1 } else { wide });
        let pixels = |offset: f64| whole(offset * f64::from(self.radius));
        let place = |(dx, dy): (f64, f64)| (at.0 + pixels(dx), at.1 + pixels(dy));
        let rays = |ends: Vec<(f64, f64)>| ends.into_iter().for_each(|end| canvas.line(&[at, place(end)], stroke));
        let corners = match self.form {
            Form::Circle if self.hollow => return canvas.circle(at, self.radius, stroke),
            Form::Circle => return canvas.circle(at, self.radius, self.colour.filled()),
            Form::Cross => return rays(regular(4, 45.0, 1.3)),
            Form::Asterisk(count) => return rays(regular(count, 0.0, 1.4)),
            Form::Star(points) => star(points),
            Form::Square => regular(4, 45.0, 1.2),
            Form::Diamond => regular(4, 0.0, 1.3),
            Form::Down => regular(3, 180.0, 1.35),
            Form::Plus => plus(),
            Form::Hourglass => vec![(-1.0, -1.2), (1.0, -1.2), (-1.0, 1.2), (1.0, 1.2)],
            Form::Pentagon => regular(5, 0.0, 1.2),
        };
        let outline: Vec<_> = corners.into_iter().map(place).collect();
        if self.hollow { closed(canvas, &outline, stroke) } else { canvas.polygon(&outline, self.colour) }
    }

    /// Draws an arrow that leaves it: the value is a lower bound.
    pub fn draw_arrow(self, canvas: &Canvas, (x, y): At, arrow: Arrow) {
        // Along the arrow and to its side.
        let point = |along: i32, aside: i32| match arrow {
            Arrow::Up => (x + aside, y - along),
            Arrow::Right => (x + along, y + aside),
        };
        let tip = self.radius + ARROW;
        canvas.line(&[point(self.radius, 0), point(tip, 0)], self.stroke());
        canvas.line(&[point(tip - 6, -6), point(tip, 0), point(tip - 6, 6)], self.stroke());
    }
}

/// Draws the outline of an area: the first side twice, or the last corner would be open.
pub fn closed(canvas: &Canvas, corners: &[At], style: ShapeStyle) {
    canvas.line(&[corners, &corners[..2.min(corners.len())]].concat(), style);
}

/// Corners of a regular polygon; the first one at the given angle, clockwise from the top.
fn regular(corners: u32, angle: f64, size: f64) -> Vec<(f64, f64)> {
    let turn = |i: u32| (angle + 360.0 * f64::from(i) / f64::from(corners)).to_radians();
    (0..corners).map(|i| (size * turn(i).sin(), -size * turn(i).cos())).collect()
}

/// Corners of an upright cross of bars.
fn plus() -> Vec<(f64, f64)> {
    let (long, wide) = (1.35, 0.45);
    let right = [(wide, -long), (wide, -wide), (long, -wide), (long, wide), (wide, wide), (wide, long)];
    let left = right.iter().rev().map(|(x, y)| (-x, *y));
    right.iter().copied().chain(left).collect()
}

/// Corners of a star, the outer and the inner ones in turn.
fn star(points: u32) -> Vec<(f64, f64)> {
    let outer = regular(points, 0.0, 1.55);
    let inner = regular(points, 180.0 / f64::from(points), 0.6);
    outer.into_iter().zip(inner).flat_map(|(outer, inner)| [outer, inner]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn published_figures_have_forms_of_their_own() {
        let published: BTreeSet<_> = (0..6).map(|i| Marker::published(i).form).collect();
        assert_eq!(published.len(), 6);
        assert!(FORMS.iter().chain(&[Form::Cross]).all(|form| !published.contains(form)));
    }
}
