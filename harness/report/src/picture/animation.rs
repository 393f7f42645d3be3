//! Animations: scenes that follow each other in one SVG document that plays by itself.
//!
//! Each frame is a group that CSS shows in its turn. Where animations are not played, or not wanted
//! (`prefers-reduced-motion`), the last frame stands still. What several frames share is written once and used by number.

use std::collections::HashMap;
use std::fmt::Write;

use puzzle::Scene;
use puzzle::scene::Item;

use super::svg::{document, render};

/// How often something is shown, and under which number it is shared, once it is.
struct Drawn {
    text: String,
    uses: usize,
    shared: Option<usize>,
}

/// A scene of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What it shows.
    pub scene: Scene,
    /// For how long, in seconds.
    pub seconds: f64,
}

/// Renders frames, all of one size, as an SVG document that shows one after the other, again and again.
#[must_use]
pub fn render_animation(frames: &[Frame]) -> String {
    let turns = turns(frames);
    let Some(last) = frames.last() else { return document(&Scene::default(), "") };
    // Most of what a frame shows stands in others too: each thing is kept once.
    let (mut known, mut things): (HashMap<String, u32>, Vec<Drawn>) = (HashMap::new(), Vec::new());
    let mut drawn: Vec<Vec<u32>> = Vec::with_capacity(frames.len());
    for frame in frames {
        drawn.push(frame.scene.items.iter().map(|item| number(item, &mut known, &mut things)).collect());
    }
    drop(known);
    let (mut shared, mut groups) = (String::new(), String::new());
    let mut next = 0;
    let total: f64 = frames.iter().map(|frame| frame.seconds).sum();
    let mut begin = 0.0;
    // Writing to a string cannot fail.
    for (index, (frame, items)) in frames.iter().zip(&drawn).enumerate() {
        let hidden = if index + 1 < frames.len() { " visibility=\"hidden\"" } else { "" };
        // A delay that is over already: the animation begins in the middle, when this frame's turn is still to come.
        let delay = seconds(begin - total);
        let turn = turn(&turns, frame.seconds);
        let _ = writeln!(groups, "<g class=\"frame {turn}\" style=\"animation-delay:{delay}s\"{hidden}>");
        for thing in items {
            let Some(Drawn { text, uses, shared: id }) = things.get_mut(*thing as usize) else { continue };
            if *uses == 1 {
                groups.push_str(text);
                continue;
            }
            let id = *id.get_or_insert_with(|| {
                shared.push_str(&text.replacen(' ', &format!(" id=\"i{next}\" "), 1));
                next += 1;
                next - 1
            });
            let _ = writeln!(groups, "<use href=\"#i{id}\"/>");
        }
        groups.push_str("</g>\n");
        begin += frame.seconds;
    }
    let style = style(total, &turns);
    document(&last.scene, &format!("{style}<defs>\n{shared}</defs>\n{groups}"))
}

/// The number of a thing, a new one for what was not seen before.
fn number(item: &Item, known: &mut HashMap<String, u32>, things: &mut Vec<Drawn>) -> u32 {
    let mut text = String::new();
    render(item, &mut text);
    if let Some(&number) = known.get(&text) {
        things[number as usize].uses += 1;
        return number;
    }
    let number = u32::try_from(things.len()).unwrap_or(u32::MAX);
    things.push(Drawn { text: text.clone(), uses: 1, shared: None });
    known.insert(text, number);
    number
}

fn turns(frames: &[Frame]) -> Vec<f64> {
    let mut turns: Vec<f64> = frames.iter().map(|frame| frame.seconds).collect();
    turns.sort_by(f64::total_cmp);
    turns.dedup();
    turns
}

fn turn(turns: &[f64], seconds: f64) -> String {
    format!("t{}", turns.partition_point(|turn| *turn < seconds))
}

fn style(total: f64, turns: &[f64]) -> String {
    let (mut keyframes, mut classes) = (String::new(), String::new());
    // Writing to a string cannot fail.
    for shown in turns {
        let (name, until) = (turn(turns, *shown), 100.0 * shown / total);
        let _ = writeln!(
            keyframes,
            "@keyframes {name} {{ 0% {{ visibility: visible }} {until:.4}% {{ visibility: hidden }} \
             100% {{ visibility: hidden }} }}"
        );
        let _ = writeln!(classes, ".{name} {{ animation-name: {name} }}");
    }
    format!(
        "<style>\n{keyframes}@media (prefers-reduced-motion: no-preference) {{\n\
         .frame {{ animation: {total}s step-end infinite }}\n{classes}}}\n</style>\n",
        total = seconds(total),
    )
}

fn seconds(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
