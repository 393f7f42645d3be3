//! Lines through several points, with or without gaps.

use plotters::prelude::*;

use super::{Canvas, CanvasError};

/// A pattern of lines: pixels that are drawn and left out in turn; empty for a line without gaps.
pub type Pattern = &'static [(f64, f64)];

/// Draws a line through these points. The pattern runs on around corners, so that short pieces show it too.
pub fn stroke(canvas: &Canvas, points: &[(i32, i32)], style: ShapeStyle, pattern: Pattern) -> Result<(), CanvasError> {
    if points.len() < 2 {
        return Ok(());
    }
    if pattern.is_empty() {
        return canvas.draw(&PathElement::new(points.to_vec(), style));
    }
    for dash in dashes(points, pattern) {
        canvas.draw(&PathElement::new(dash, style))?;
    }
    Ok(())
}

/// The pieces of the line that are drawn.
fn dashes(points: &[(i32, i32)], pattern: Pattern) -> Vec<Vec<(i32, i32)>> {
    let lengths: Vec<_> = pattern.iter().flat_map(|(dash, space)| [*dash, *space]).collect();
    let (mut turn, mut left) = (0, lengths[0]);
    let mut pieces = vec![vec![points[0]]];
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut at = 0.0;
        while length - at > left {
            at += left;
            let share = at / length;
            let point = (whole(from.0 + share * (to.0 - from.0)), whole(from.1 + share * (to.1 - from.1)));
            turn += 1;
            left = lengths[turn % lengths.len()];
            if turn % 2 == 0 {
                pieces.push(vec![point]);
            } else if let Some(piece) = pieces.last_mut() {
                piece.push(point);
            }
        }
        left -= length - at;
        if let Some(piece) = pieces.last_mut().filter(|_| turn % 2 == 0) {
            piece.push(pair[1]);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
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
    fn a_pattern_runs_on_around_corners() {
        let corner = [(0, 0), (6, 0), (6, 20)];
        let expected = [vec![(0, 0), (6, 0), (6, 4)], vec![(6, 9), (6, 19)]];
        assert_eq!(dashes(&corner, &[(10.0, 5.0)]), expected);
    }

    #[test]
    fn pieces_shorter_than_a_dash_show_the_gaps() {
        let steps: Vec<_> = (0..=40).map(|i| (3 * i, 0)).collect();
        let drawn: i32 = dashes(&steps, &[(14.0, 8.0)]).iter().map(|d| d[d.len() - 1].0 - d[0].0).sum();
        assert_eq!(drawn, 5 * 14 + 10);
    }
}
