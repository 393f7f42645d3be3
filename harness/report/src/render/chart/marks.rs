//! What curves look like: markers, patterns of lines and colours, bars, boxes. Curves are told apart without colour, in grey print
//! too; colours help where they are seen.

use puzzle::scene::Rgb;

use super::canvas::{At, BLACK, Canvas, Dash, Pen, WHITE, whole};
use crate::figures::{Chart, Curve, Kind, Trace};

/// Blue, ochre, green, pink and brick. Each has a contrast of at least 3 to 1 with white and with the dark page; the three common
/// forms of colour blindness keep all of them apart, and grey keeps those apart that are two places from each other.
const COLOURS: [Rgb; 5] = [Rgb(17, 109, 216), Rgb(169, 111, 0), Rgb(0, 154, 96), Rgb(232, 92, 186), Rgb(168, 72, 43)];

/// The colour of samples in the legend that stand for all curves.
const GREY: Rgb = Rgb(60, 60, 60);

/// Circle, square, diamond, triangle that points down, plus, hourglass, pentagon.
const FORMS: [Form; 7] = [
    Form::Circle,
    Form::Regular(4, 45.0, 1.2),
    Form::Regular(4, 0.0, 1.3),
    Form::Regular(3, 180.0, 1.35),
    Form::Plus,
    Form::Hourglass,
    Form::Regular(5, 0.0, 1.2),
];

/// Forms of published figures: no measured curve has a star.
const STARS: [Form; 6] =
    [Form::Star(5), Form::Rays(6, 0.0, 1.4), Form::Star(4), Form::Rays(3, 0.0, 1.4), Form::Star(7), Form::Star(3)];

/// Over a run with a wrong answer or an error.
const CROSS: Form = Form::Rays(4, 45.0, 1.3);

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

/// The form of a marker; sizes are multiples of the radius of a circle.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Circle,
    /// A polygon: corners, angle of the first, size.
    Regular(u32, f64, f64),
    Plus,
    Hourglass,
    /// With so many points.
    Star(u32),
    /// Strokes from the middle: how many, angle of the first, size.
    Rays(u32, f64, f64),
}

/// A marker, and the line it sits on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marker {
    form: Form,
    pub colour: Rgb,
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
/// only, for 7), no two look alike without colour; beyond that, colours tell them apart. Form and colour together
/// differ too, as far as that leaves forms and patterns: points have no pattern.
pub fn markers(chart: &Chart) -> Vec<Marker> {
    let measured = || chart.curves.iter().filter(|c| !c.published);
    let first = measured().next().map(|c| c.of).unwrap_or_default();
    let several = (measured().any(|c| c.of.0 != first.0), measured().any(|c| c.of.1 != first.1));
    let patterns = if measured().any(|c| !c.line.is_empty()) { DASHES.len() } else { 1 };
    let mut taken = Vec::new();
    let marker = |curve: &Curve| {
        let wanted = match curve.of {
            (number, _) if curve.published => return Marker::published(number),
            // A form for each solver, a colour for each formulation, and a pattern that differs between neighbours of either.
            (formulation, solver) if several == (true, true) => [solver, formulation + solver, formulation],
            (number, _) if several.0 => [number; 3],
            (_, number) => [number; 3],
        };
        let look = free(wanted, &taken, patterns);
        taken.push(look);
        Marker::measured(look)
    };
    let crowded = chart.points().count() > CROWD && measured().all(|c| c.trace == Trace::Straight);
    chart.curves.iter().map(marker).map(|m| if crowded { m.at_most(SMALL) } else { m }).collect()
}

/// What a measured curve looks like: indices into [`FORMS`], [`DASHES`] and [`COLOURS`].
type Look = [usize; 3];

/// The look with these numbers, modulo the lengths of the lists. Where its form is taken with its pattern or with its colour, one of the
/// same colour with another pattern or, if need be, another form; where all are taken, one whose form and pattern had another colour.
/// Only the first `patterns` are seen.
fn free([form, dash, colour]: Look, taken: &[Look], patterns: usize) -> Look {
    let further =
        |steps: usize| [(form + steps / patterns) % FORMS.len(), (dash + steps) % patterns, colour % COLOURS.len()];
    let all = || (0..FORMS.len() * patterns).map(further);
    let is_new_in_grey = |look: &Look| taken.iter().all(|other| other[..2] != look[..2]);
    let is_new_as_point = |look: &Look| taken.iter().all(|other| (other[0], other[2]) != (look[0], look[2]));
    let is_new = |look: &Look| !taken.contains(look);
    all()
        .find(|look| is_new_in_grey(look) && is_new_as_point(look))
        .or_else(|| all().find(is_new_in_grey))
        .or_else(|| all().find(is_new))
        .unwrap_or_else(|| further(0))
}

impl Marker {
    fn measured([form, dash, colour]: Look) -> Self {
        Self { form: FORMS[form], colour: COLOURS[colour], hollow: false, dash, radius: RADIUS }
    }

    /// The first marker.
    fn plain() -> Self {
        Self::measured([0; 3])
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

    /// What is drawn over a run that failed or whose answer is wrong.
    pub fn cross(kind: Kind) -> Self {
        let colour = if kind == Kind::Wrong { Rgb(200, 0, 0) } else { BLACK };
        Self { form: CROSS, colour, ..Self::plain() }
    }

    /// A pen of its colour, thinner where markers are small.
    pub fn pen(self, width: u32) -> Pen {
        Pen::new(self.colour, if self.radius < RADIUS { width - 1 } else { width })
    }

    /// Draws a line as its curve has it.
    pub fn draw_line(self, canvas: &mut Canvas, points: &[At]) {
        if points.len() > 1 {
            canvas.line(points, Pen { dash: DASHES[self.dash], ..self.pen(3) });
        }
    }

    pub fn draw(self, canvas: &mut Canvas, at: At) {
        let pen = self.pen(if self.form == CROSS { 5 } else { 3 });
        let pixels = |offset: f64| whole(offset * f64::from(self.radius));
        let place = |(dx, dy): (f64, f64)| (at.0 + pixels(dx), at.1 + pixels(dy));
        let corners = match self.form {
            Form::Circle if self.hollow => return canvas.ring(at, self.radius, pen),
            Form::Circle => return canvas.disc(at, self.radius, self.colour),
            Form::Rays(count, angle, size) => {
                return regular(count, angle, size).into_iter().for_each(|end| canvas.line(&[at, place(end)], pen));
            }
            Form::Regular(count, angle, size) => regular(count, angle, size),
            Form::Star(points) => star(points),
            Form::Plus => plus(),
            Form::Hourglass => vec![(-1.0, -1.2), (1.0, -1.2), (-1.0, 1.2), (1.0, 1.2)],
        };
        let outline: Vec<_> = corners.into_iter().map(place).collect();
        if self.hollow { canvas.outline(&outline, pen) } else { canvas.polygon(&outline, self.colour) }
    }

    /// Draws an arrow that leaves it: the value is a lower bound.
    pub fn draw_arrow(self, canvas: &mut Canvas, (x, y): At, arrow: Arrow) {
        // Along the arrow and to its side.
        let point = |along: i32, aside: i32| match arrow {
            Arrow::Up => (x + aside, y - along),
            Arrow::Right => (x + along, y + aside),
        };
        let tip = self.radius + ARROW;
        canvas.line(&[point(self.radius, 0), point(tip, 0)], self.pen(3));
        canvas.line(&[point(tip - 6, -6), point(tip, 0), point(tip - 6, 6)], self.pen(3));
    }
}

/// Draws a box between left, right, lower and upper end.
pub fn draw_body(canvas: &mut Canvas, [left, right, lower, upper]: [i32; 4], marker: Marker) {
    let corners = [(left, lower), (right, lower), (right, upper), (left, upper)];
    canvas.polygon(&corners, WHITE);
    canvas.outline(&corners, Pen::new(marker.colour, 2));
}

/// Between the strokes of a hatched bar.
const HATCHED: usize = 7;

/// Draws a bar that stands on the axis: filled where the instance was solved, hatched at a limit, else empty.
pub fn draw_bar(canvas: &mut Canvas, [left, right, top, bottom]: [i32; 4], kind: Kind, marker: Marker) {
    let corners = [(left, bottom), (left, top), (right, top), (right, bottom)];
    if kind == Kind::Ended {
        return canvas.polygon(&corners, marker.colour);
    }
    canvas.polygon(&corners, WHITE);
    let pen = Pen::new(marker.colour, 2);
    if kind == Kind::Limit {
        // Strokes that begin above the bar are seen from its upper edge on.
        for y in (top - (right - left)..bottom).step_by(HATCHED) {
            let (begin, end) = (y.max(top), (y + right - left).min(bottom));
            if begin < end {
                canvas.line(&[(left + begin - y, begin), (left + end - y, end)], pen);
            }
        }
    }
    canvas.line(&corners, pen);
    if matches!(kind, Kind::Wrong | Kind::Error) {
        Marker::cross(kind).at_most(((right - left) / 2).max(3)).draw(canvas, (i32::midpoint(left, right), top));
    }
}

/// Draws a guide: thin, grey and dashed, so that no curve is taken for one.
pub fn draw_guide(canvas: &mut Canvas, ends: &[At; 2]) {
    canvas.line(ends, Pen { colour: Rgb(90, 90, 90), width: 2, dash: "7 5" });
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
    use super::*;

    #[test]
    fn curves_are_told_apart_in_grey_and_their_points_by_form_and_colour() {
        // Formulations under two solvers, and formulations alone.
        for wanted in [|number: usize| [number % 2, number / 2 + number % 2, number / 2], |number: usize| [number; 3]] {
            let mut taken: Vec<Look> = Vec::new();
            for number in 0..20 {
                let [form, dash, colour] = free(wanted(number), &taken, DASHES.len());
                let is_other =
                    |other: &Look| (other[0], other[1]) != (form, dash) && (other[0], other[2]) != (form, colour);
                assert!(taken.iter().all(is_other), "{number}: {form} {dash} {colour} among {taken:?}");
                taken.push([form, dash, colour]);
            }
        }
    }

    #[test]
    fn published_figures_have_forms_of_their_own() {
        for (index, star) in STARS.iter().enumerate() {
            assert!(!FORMS.contains(star) && *star != CROSS && !STARS[..index].contains(star), "{star:?}");
        }
    }
}
