//! Markers, colours and patterns of lines: curves are told apart by form as well as by colour.

use plotters::prelude::*;

use super::canvas::{At, Canvas, Dash};
use super::frame::whole;
use crate::figures::{Chart, Curve, Trace};

/// Okabe and Ito's palette, which colour-blind readers can tell apart, without its yellow and black.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];

/// The colour of samples in the legend that stand for all curves.
const GREY: RGBColor = RGBColor(60, 60, 60);

const FORMS: [Form; 6] = [Form::Circle, Form::Square, Form::Diamond, Form::Down, Form::Pentagon, Form::Plus];

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
    Pentagon,
    Plus,
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

pub fn markers(chart: &Chart) -> Vec<Marker> {
    let measured = || chart.curves.iter().filter(|c| !c.published);
    let first = measured().next().map(|c| c.of).unwrap_or_default();
    let several = (measured().any(|c| c.of.0 != first.0), measured().any(|c| c.of.1 != first.1));
    let marker = |curve: &Curve| match curve.of {
        (number, _) if curve.published => Marker::published(number),
        (formulation, solver) if several == (true, true) => Marker::of_pair(formulation, solver),
        (number, _) if several.0 => Marker::of_list(number),
        (_, number) => Marker::of_list(number),
    };
    let crowded = chart.points().count() > CROWD && measured().all(|c| c.trace == Trace::Straight);
    chart.curves.iter().map(marker).map(|m| if crowded { m.at_most(SMALL) } else { m }).collect()
}

impl Marker {
    /// The marker of the n-th measured curve, where curves differ by formulation or by solver only. Neighbours differ by the pattern of
    /// their lines too, so that both are seen where one covers the other.
    fn of_list(index: usize) -> Self {
        Self::measured(index, index, index)
    }

    /// The marker of a measured curve, where curves differ by both: a colour for each formulation, a form and a pattern
    /// of lines for each solver.
    fn of_pair(formulation: usize, solver: usize) -> Self {
        Self::measured(formulation, solver + formulation / COLOURS.len(), solver)
    }

    fn measured(colour: usize, form: usize, dash: usize) -> Self {
        let (form, colour) = (FORMS[form % FORMS.len()], COLOURS[colour % COLOURS.len()]);
        Self { form, colour, hollow: false, dash: dash % DASHES.len(), radius: RADIUS }
    }

    /// The marker of the n-th published curve: black, and of a form that no other has.
    fn published(index: usize) -> Self {
        Self { form: STARS[index % STARS.len()], colour: BLACK, ..Self::of_list(0) }
    }

    pub fn at_most(self, radius: i32) -> Self {
        Self { radius: self.radius.min(radius), ..self }
    }

    /// Its colour for areas: a light one, since nothing in a plot is transparent.
    pub fn tint(self) -> RGBColor {
        let light = |part: u8| u8::MAX - (u8::MAX - part) / 3;
        RGBColor(light(self.colour.0), light(self.colour.1), light(self.colour.2))
    }

    /// The marker of a run of this curve that did not solve the puzzle.
    pub fn unsolved(self) -> Self {
        Self { hollow: true, ..self }
    }

    /// A marker that stands for all curves.
    pub fn grey() -> Self {
        Self { colour: GREY, ..Self::of_list(0) }
    }

    pub fn wrong() -> Self {
        Self { form: Form::Cross, colour: RGBColor(200, 0, 0), ..Self::of_list(0) }
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
            Form::Plus => return rays(regular(4, 0.0, 1.2)),
            Form::Cross => return rays(regular(4, 45.0, 1.3)),
            Form::Asterisk(count) => return rays(regular(count, 0.0, 1.4)),
            Form::Star(points) => star(points),
            Form::Square => regular(4, 45.0, 1.2),
            Form::Diamond => regular(4, 0.0, 1.3),
            Form::Pentagon => regular(5, 0.0, 1.2),
            Form::Down => regular(3, 180.0, 1.35),
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
    fn no_two_curves_look_alike() {
        let looks = |m: Marker| (m.form, (m.colour.0, m.colour.1, m.colour.2), m.dash);
        let distinct = |all: Vec<Marker>| all.into_iter().map(looks).collect::<BTreeSet<_>>().len();
        assert_eq!(distinct((0..40).map(Marker::of_list).collect()), 40);
        assert_eq!(distinct((0..14).flat_map(|f| (0..8).map(move |s| Marker::of_pair(f, s))).collect()), 14 * 8);
    }

    #[test]
    fn published_figures_have_forms_of_their_own() {
        let measured: BTreeSet<_> = (0..40).map(|i| Marker::of_list(i).form).collect();
        let published: BTreeSet<_> = (0..6).map(|i| Marker::published(i).form).collect();
        assert_eq!(published.len(), 6);
        assert!(measured.is_disjoint(&published) && !published.contains(&Form::Cross));
    }
}
