//! Scenes that follow each other, as one SVG document that plays by itself.
//!
//! Each frame is a group that CSS shows in its turn. Where animations are not played, or not wanted
//! (`prefers-reduced-motion`), the last frame stands still. What several frames share is written once and used by number.

use std::collections::HashMap;
use std::fmt::Write;

use puzzle::Scene;

use super::svg::{document, render};

/// A scene of a film.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What it shows.
    pub scene: Scene,
    /// For how long, in seconds.
    pub seconds: f64,
}

/// Renders frames, all of one size, as an SVG document that shows one after the other, again and again.
#[must_use]
pub fn render_film(frames: &[Frame]) -> String {
    let Some(last) = frames.last() else { return document(&Scene::default(), "") };
    let drawn: Vec<Vec<String>> = frames.iter().map(|frame| frame.scene.items.iter().map(drawn).collect()).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for item in drawn.iter().flatten() {
        *uses.entry(item).or_default() += 1;
    }
    let (mut shared, mut groups) = (String::new(), String::new());
    let mut ids: HashMap<&str, usize> = HashMap::new();
    let total: f64 = frames.iter().map(|frame| frame.seconds).sum();
    let mut begin = 0.0;
    // Writing to a string cannot fail.
    for (index, (frame, items)) in frames.iter().zip(&drawn).enumerate() {
        let hidden = if index + 1 < frames.len() { " visibility=\"hidden\"" } else { "" };
        let class = if index + 1 < frames.len() { "frame" } else { "frame last" };
        // A delay that is over already: the animation begins in the middle, when this frame's turn is still to come.
        let delay = seconds(begin - total);
        let _ = writeln!(groups, "<g class=\"{class}\" style=\"animation-delay:{delay}s\"{hidden}>");
        for item in items {
            if uses.get(item.as_str()) == Some(&1) {
                groups.push_str(item);
                continue;
            }
            let next = ids.len();
            let id = *ids.entry(item).or_insert_with(|| {
                let _ = write!(shared, "{}", item.replacen(' ', &format!(" id=\"i{next}\" "), 1));
                next
            });
            let _ = writeln!(groups, "<use href=\"#i{id}\"/>");
        }
        groups.push_str("</g>\n");
        begin += frame.seconds;
    }
    let style = style(total, frames[0].seconds, last.seconds);
    document(&last.scene, &format!("{style}<defs>\n{shared}</defs>\n{groups}"))
}

/// Frames take turns; the last one may stay for longer.
fn style(total: f64, each: f64, last: f64) -> String {
    let keyframes = |name: &str, shown: f64| {
        let until = 100.0 * shown / total;
        format!(
            "@keyframes {name} {{ 0% {{ visibility: visible }} {until:.4}% {{ visibility: hidden }} \
             100% {{ visibility: hidden }} }}\n"
        )
    };
    format!(
        "<style>\n{}{}@media (prefers-reduced-motion: no-preference) {{\n\
         .frame {{ animation: turn {total}s step-end infinite }}\n.last {{ animation-name: last-turn }}\n}}\n</style>\n",
        keyframes("turn", each),
        keyframes("last-turn", last),
        total = seconds(total),
    )
}

fn drawn(item: &puzzle::scene::Item) -> String {
    let mut text = String::new();
    render(item, &mut text);
    text
}

fn seconds(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
