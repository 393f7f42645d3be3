//! Markers and colours, told apart by form as well as by colour.

use plotters::prelude::*;

use super::stroke::{Pattern, whole};
use super::{Canvas, CanvasError};

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

/// What stands for the colours of all curves, in the legend.
const GREY: RGBColor = RGBColor(60, 60, 60);

const FORMS: [Form; 6] = [Form::Circle, Form::Square, Form::Diamond, Form::Down, Form::Pentagon, Form::Plus];

/// What published figures have: no measured curve has a star.
const STARS: [Form; 6] =
    [Form::Star(5), Form::Asterisk(6), Form::Star(4), Form::Asterisk(3), Form::Star(7), Form::Star(3)];

/// The first is a line without gaps.
const DASHES: [Pattern; 4] = [&[], &[(14.0, 7.0)], &[(4.0, 5.0)], &[(12.0, 5.0), (3.0, 5.0)]];

/// Size of a marker: the radius of its circle in pixels.
pub const RADIUS: i32 = 7;

/// The same where there are many of them.
const SMALL: i32 = 5;

/// Length of arrows, in pixels.
const ARROW: i32 = 13;

/// The form of a marker. A cross has a meaning: a wrong answer or an error.
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
    /// Its form.
    pub form: Form,
    /// Its colour.
    pub colour: RGBColor,
    /// Whether it is an outline only.
    pub hollow: bool,
    /// Which of the patterns of lines its line has.
    dash: usize,
    /// Size in pixels.
    radius: i32,
}

/// Where an arrow points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    Up,
    Right,
}

impl Marker {
    /// The marker of the n-th measured curve, where curves differ by formulation or by solver only. Beyond the colours
    /// there are the forms, and the patterns of lines.
    pub fn of_list(index: usize) -> Self {
        Self::measured(index, index, index / COLOURS.len())
    }

    /// The same for curves that cross and cover each other without markers on all of their points: neighbours have
    /// different patterns.
    pub fn of_steps(index: usize) -> Self {
        Self::measured(index, index, index)
    }

    /// The marker of a measured curve, where curves differ by both: a colour for each formulation, a form and a pattern
    /// of lines for each solver.
    pub fn of_pair(formulation: usize, solver: usize) -> Self {
        Self::measured(formulation, solver + formulation / COLOURS.len(), solver)
    }

    fn measured(colour: usize, form: usize, dash: usize) -> Self {
        let (form, colour) = (FORMS[form % FORMS.len()], COLOURS[colour % COLOURS.len()]);
        Self { form, colour, hollow: false, dash: dash % DASHES.len(), radius: RADIUS }
    }

    /// The marker of the n-th published curve: black, and of a form that no other has.
    pub fn published(index: usize) -> Self {
        Self { form: STARS[index % STARS.len()], colour: BLACK, hollow: false, dash: 0, radius: RADIUS }
    }

    /// The same for a picture with many of them.
    pub fn small(self) -> Self {
        self.at_most(SMALL)
    }

    /// The same, not larger than that.
    pub fn at_most(self, radius: i32) -> Self {
        Self { radius: self.radius.min(radius), ..self }
    }

    /// Its colour for areas: a light one, since nothing in a plot is transparent.
    pub fn tint(self) -> RGBColor {
        let light = |part: u8| u8::MAX - (u8::MAX - part) / 3;
        RGBColor(light(self.colour.0), light(self.colour.1), light(self.colour.2))
    }

    /// How its line is drawn.
    pub fn line_style(self) -> ShapeStyle {
        self.colour.stroke_width(if self.radius < RADIUS { 2 } else { 3 })
    }

    /// The marker of a run of this curve that did not solve the puzzle.
    pub fn unsolved(self) -> Self {
        Self { hollow: true, ..self }
    }

    /// A marker of this form for all curves.
    pub fn grey() -> Self {
        Self { colour: GREY, ..Self::of_list(0) }
    }

    /// The marker of a wrong answer.
    pub fn wrong() -> Self {
        Self { form: Form::Cross, colour: RGBColor(200, 0, 0), hollow: true, dash: 0, radius: RADIUS }
    }

    /// The marker of what failed.
    pub fn error() -> Self {
        Self { colour: BLACK, ..Self::wrong() }
    }

    /// The pattern of its line.
    pub fn pattern(self) -> Pattern {
        DASHES[self.dash]
    }

    /// Draws it.
    pub fn draw(self, canvas: &Canvas, at: (i32, i32)) -> Result<(), CanvasError> {
        let wide = if self.form == Form::Cross { 5 } else { 3 };
        let stroke = self.colour.stroke_width(if self.radius < RADIUS { wide - 1 } else { wide });
        let shift = |corners: &[(f64, f64)]| -> Vec<(i32, i32)> {
            corners.iter().map(|(dx, dy)| (at.0 + self.pixels(*dx), at.1 + self.pixels(*dy))).collect()
        };
        let corners = match self.form {
            Form::Circle => {
                let style = if self.hollow { stroke } else { self.colour.filled() };
                return canvas.draw(&Circle::new(at, self.radius, style));
            }
            Form::Plus => return strokes(canvas, &regular(4, 0.0, 1.2), stroke, shift),
            Form::Cross => return strokes(canvas, &regular(4, 45.0, 1.3), stroke, shift),
            Form::Asterisk(count) => return strokes(canvas, &regular(count, 0.0, 1.4), stroke, shift),
            Form::Star(points) => star(points),
            Form::Square => regular(4, 45.0, 1.2),
            Form::Diamond => regular(4, 0.0, 1.3),
            Form::Pentagon => regular(5, 0.0, 1.2),
            Form::Down => regular(3, 180.0, 1.35),
        };
        let mut outline = shift(&corners);
        if !self.hollow {
            return canvas.draw(&Polygon::new(outline, self.colour.filled()));
        }
        // The first side once more, or the last corner would be open.
        outline.extend_from_within(..2);
        canvas.draw(&PathElement::new(outline, stroke))
    }

    /// Draws an arrow that leaves it: what it stands for is a lower bound.
    pub fn draw_arrow(self, canvas: &Canvas, (x, y): (i32, i32), arrow: Arrow) -> Result<(), CanvasError> {
        // Along the arrow and to its side.
        let point = |along: i32, aside: i32| match arrow {
            Arrow::Up => (x + aside, y - along),
            Arrow::Right => (x + along, y + aside),
        };
        let (stroke, tip) = (self.line_style(), self.radius + ARROW);
        canvas.draw(&PathElement::new(vec![point(self.radius, 0), point(tip, 0)], stroke))?;
        let head = [point(tip - 6, -6), point(tip, 0), point(tip - 6, 6)];
        canvas.draw(&PathElement::new(head.to_vec(), stroke))
    }

    fn pixels(self, offset: f64) -> i32 {
        whole(offset * f64::from(self.radius))
    }
}

/// Draws strokes from the middle to each of these points.
fn strokes(
    canvas: &Canvas,
    ends: &[(f64, f64)],
    style: ShapeStyle,
    shift: impl Fn(&[(f64, f64)]) -> Vec<(i32, i32)>,
) -> Result<(), CanvasError> {
    ends.iter().try_for_each(|end| canvas.draw(&PathElement::new(shift(&[(0.0, 0.0), *end]), style)))
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
        let list: BTreeSet<_> = (0..40).map(|i| looks(Marker::of_list(i))).collect();
        assert_eq!(list.len(), 40);
        let steps: BTreeSet<_> = (0..28).map(|i| looks(Marker::of_steps(i))).collect();
        assert_eq!(steps.len(), 28);
        let pairs = (0..14).flat_map(|f| (0..8).map(move |s| looks(Marker::of_pair(f, s))));
        assert_eq!(pairs.collect::<BTreeSet<_>>().len(), 14 * 8);
    }

    #[test]
    fn published_figures_have_forms_of_their_own() {
        let measured: BTreeSet<_> = (0..40).map(|i| Marker::of_list(i).form).collect();
        let published: BTreeSet<_> = (0..6).map(|i| Marker::published(i).form).collect();
        assert_eq!(published.len(), 6);
        assert!(measured.is_disjoint(&published) && !published.contains(&Form::Cross));
    }
}
