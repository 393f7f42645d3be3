//! Markers and colours, told apart by form as well as by colour.

use plotters::coord::Shift;
use plotters::prelude::*;

/// The whole picture, in pixels.
pub type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What can go wrong on a [`Canvas`].
pub type CanvasError = DrawingAreaErrorKind<std::io::Error>;

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

const FORMS: [Form; 6] = [Form::Circle, Form::Square, Form::Diamond, Form::Down, Form::Pentagon, Form::Plus];

/// Patterns of lines: pixels that are drawn and left out in turn. The first is a line without gaps.
const DASHES: [&[(f64, f64)]; 4] = [&[], &[(14.0, 8.0)], &[(4.0, 6.0)], &[(10.0, 5.0), (3.0, 5.0)]];

/// Size of a marker: the radius of its circle in pixels.
const RADIUS: i32 = 8;

/// The form of a marker. `Up` and `Cross` have meanings: a limit, a wrong answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Circle,
    Square,
    Diamond,
    Down,
    Pentagon,
    Plus,
    Up,
    Cross,
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
    /// Whether a line belongs to it.
    pub line: bool,
    /// Which of the patterns of lines that line has.
    pub dash: usize,
}

impl Marker {
    /// The marker of the n-th measured curve, where curves differ by formulation or by solver only. Beyond the colours
    /// there are the forms, and the patterns of lines.
    pub fn of_list(index: usize) -> Self {
        Self::measured(index, index, index / COLOURS.len())
    }

    /// The marker of a measured curve, where curves differ by both: a colour for each formulation, a form and a pattern
    /// of lines for each solver.
    pub fn of_pair(formulation: usize, solver: usize) -> Self {
        Self::measured(formulation, solver + formulation / COLOURS.len(), solver)
    }

    fn measured(colour: usize, form: usize, dash: usize) -> Self {
        let (form, colour) = (FORMS[form % FORMS.len()], COLOURS[colour % COLOURS.len()]);
        Self { form, colour, hollow: false, line: true, dash: dash % DASHES.len() }
    }

    /// The marker of the n-th published curve.
    pub fn published(index: usize) -> Self {
        Self { form: FORMS[index % FORMS.len()], colour: BLACK, hollow: true, line: false, dash: 0 }
    }

    /// The marker of a run that reached its limit.
    pub fn limit(colour: RGBColor) -> Self {
        Self { form: Form::Up, colour, hollow: true, line: false, dash: 0 }
    }

    /// The marker of a run of this curve that came to its end and did not solve the puzzle.
    pub fn unsolved(self) -> Self {
        Self { hollow: true, line: false, ..self }
    }

    /// The marker of a wrong answer.
    pub fn wrong() -> Self {
        Self { form: Form::Cross, colour: RGBColor(200, 0, 0), hollow: true, line: false, dash: 0 }
    }

    /// The marker of what failed.
    pub fn error() -> Self {
        Self { colour: BLACK, ..Self::wrong() }
    }

    /// Draws a piece of its line.
    pub fn draw_line(self, canvas: &Canvas, from: (i32, i32), to: (i32, i32)) -> Result<(), CanvasError> {
        let style = self.colour.stroke_width(3);
        let along = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = along.0.hypot(along.1);
        let pattern = DASHES[self.dash];
        if pattern.is_empty() || length < 1.0 {
            return canvas.draw(&PathElement::new(vec![from, to], style));
        }
        let point = |at: f64| {
            let share = at.min(length) / length;
            (from.0 + whole(share * along.0), from.1 + whole(share * along.1))
        };
        let mut at = 0.0;
        for (dash, space) in pattern.iter().cycle() {
            if at >= length {
                break;
            }
            canvas.draw(&PathElement::new(vec![point(at), point(at + dash)], style))?;
            at += dash + space;
        }
        Ok(())
    }

    /// Draws it.
    pub fn draw(self, canvas: &Canvas, (x, y): (i32, i32)) -> Result<(), CanvasError> {
        let stroke = self.colour.stroke_width(if self.form == Form::Cross { 5 } else { 3 });
        let shift = |corners: &[(f64, f64)]| -> Vec<(i32, i32)> {
            corners.iter().map(|(dx, dy)| (x + pixels(*dx), y + pixels(*dy))).collect()
        };
        if self.form == Form::Circle {
            let style = if self.hollow { stroke } else { self.colour.filled() };
            return canvas.draw(&Circle::new((x, y), RADIUS, style));
        }
        let corners = match self.form {
            Form::Plus | Form::Cross => {
                let d = if self.form == Form::Plus { (1.1, 0.0) } else { (0.9, 0.9) };
                canvas.draw(&PathElement::new(shift(&[(-d.0, -d.1), d]), stroke))?;
                let crossing = shift(&[(-d.1, d.0), (d.1, -d.0)]);
                return canvas.draw(&PathElement::new(crossing, stroke));
            }
            Form::Square => polygon(4, 45.0, 1.2),
            Form::Diamond => polygon(4, 0.0, 1.3),
            Form::Pentagon => polygon(5, 0.0, 1.2),
            Form::Down => polygon(3, 180.0, 1.35),
            Form::Up | Form::Circle => polygon(3, 0.0, 1.35),
        };
        let mut outline = shift(&corners);
        if !self.hollow {
            return canvas.draw(&Polygon::new(outline, self.colour.filled()));
        }
        // The first side once more, or the last corner would be open.
        outline.extend_from_within(..2);
        canvas.draw(&PathElement::new(outline, stroke))
    }
}

/// Corners of a regular polygon; the first one at the given angle, clockwise from the top.
fn polygon(corners: u32, angle: f64, size: f64) -> Vec<(f64, f64)> {
    let turn = |i: u32| (angle + 360.0 * f64::from(i) / f64::from(corners)).to_radians();
    (0..corners).map(|i| (size * turn(i).sin(), -size * turn(i).cos())).collect()
}

fn pixels(offset: f64) -> i32 {
    whole(offset * f64::from(RADIUS))
}

/// The nearest whole number of pixels.
#[expect(clippy::cast_possible_truncation, reason = "the picture has a few hundred pixels")]
pub fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_curves_look_alike() {
        let looks = |m: Marker| (m.form as usize, (m.colour.0, m.colour.1, m.colour.2), m.dash);
        let list: std::collections::BTreeSet<_> = (0..40).map(|i| looks(Marker::of_list(i))).collect();
        assert_eq!(list.len(), 40);
        let pairs = (0..14).flat_map(|f| (0..8).map(move |s| looks(Marker::of_pair(f, s))));
        assert_eq!(pairs.collect::<std::collections::BTreeSet<_>>().len(), 14 * 8);
    }
}
