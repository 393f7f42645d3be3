//! How options are read: words, numbers within bounds, times.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Words of an option: each with what help says of it, and what it stands for.
pub(super) type Words<T> = &'static [(&'static str, &'static str, T)];

/// Takes one of some words.
pub(super) fn words<T: Copy + Send + Sync>(known: Words<T>) -> impl TypedValueParser<Value = T> {
    let parser = PossibleValuesParser::new(known.iter().map(|(word, help, _)| PossibleValue::new(*word).help(*help)));
    parser.map(|word| {
        let found = known.iter().find(|(known, ..)| *known == word);
        found.expect("the parser lets only known words through").2
    })
}

/// Wall time in seconds, if there is a limit.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimit(pub Option<f64>);

pub(super) fn time_limit(text: &str) -> Result<TimeLimit, String> {
    if text == "none" { Ok(TimeLimit(None)) } else { runner::parse_duration(text).map(|limit| TimeLimit(Some(limit))) }
}

pub(super) fn task_time(text: &str) -> Result<f64, String> {
    let seconds = runner::parse_duration(text)?;
    if (600.0..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("a time from 10m to 60m".to_owned()) }
}

pub(super) fn frame_time(text: &str) -> Result<f64, String> {
    within(text, 0.02..=60.0, "a number of seconds from 0.02 to 60")
}

pub(super) fn ratio(text: &str) -> Result<f64, String> {
    within(text, 1.0_f64.next_up()..=f64::MAX, "a ratio is a number above 1")
}

pub(super) fn level(text: &str) -> Result<f64, String> {
    let range = 0.0_f64.next_up()..=1.0_f64.next_down();
    within(text, range, "a level of significance is a number between 0 and 1")
}

fn within(text: &str, range: RangeInclusive<f64>, right: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| right.to_owned())
}

/// Takes whole numbers of a range.
pub(super) fn whole<T: Copy + Display + FromStr + PartialOrd>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let (least, most) = (range.start(), range.end());
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("a whole number from {least} to {most}"))
    }
}

/// Numbers of threads or of workers, as configs bound them.
pub(super) const THREADS: RangeInclusive<usize> = 1..=runner::MOST_THREADS as usize;

/// Seeds, as configs bound them.
pub(super) const SEEDS: RangeInclusive<u64> = 0..=i64::MAX as u64;

pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("an option is written NAME=VALUE".to_owned()),
    }
}
