//! Plots, as JSON.

use serde::Serialize;

use crate::ReportError;
use crate::figures::{BoxMark, Curve, Dimension, Guide, GuideAt, Point, Scale, Spread, Trace};
use crate::page::Figure;

/// The plots of a page.
pub fn charts(figures: &[Figure]) -> Result<Vec<u8>, ReportError> {
    let charts: Vec<_> = figures.iter().map(ChartData::of).collect();
    Ok(serde_json::to_vec(&charts)?)
}

#[derive(Serialize)]
struct ChartData<'a> {
    name: &'a str,
    stem: &'a str,
    title: &'a str,
    x: Axis<'a>,
    y: Axis<'a>,
    curves: Vec<CurveData<'a>>,
    guides: Vec<GuideData<'a>>,
    notes: &'a [String],
    caveats: &'a [String],
}

impl<'a> ChartData<'a> {
    fn of(figure: &'a Figure) -> Self {
        let chart = &figure.chart;
        Self {
            name: figure.name,
            stem: &figure.stem,
            title: &chart.title,
            x: Axis::of(&chart.x),
            y: Axis::of(&chart.y),
            curves: chart.curves.iter().map(CurveData::of).collect(),
            guides: chart.guides.iter().map(GuideData::of).collect(),
            notes: &chart.notes,
            caveats: &chart.caveats,
        }
    }
}

#[derive(Serialize)]
struct Axis<'a> {
    label: &'a str,
    scale: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<(f64, f64)>,
}

impl<'a> Axis<'a> {
    fn of(dimension: &'a Dimension) -> Self {
        let (scale, names) = match &dimension.scale {
            Scale::Challenges => ("challenges", None),
            Scale::Counts => ("counts", None),
            Scale::Shares => ("shares", None),
            Scale::Seconds | Scale::SecondsWithin(..) => ("seconds", None),
            Scale::Ratios => ("ratios", None),
            Scale::Names(names) => ("names", Some(names.as_slice())),
        };
        let within = match dimension.scale {
            Scale::SecondsWithin(least, most) => Some((least, most)),
            _ => None,
        };
        Self { label: &dimension.label, scale, names, within }
    }
}

#[derive(Serialize)]
struct CurveData<'a> {
    label: &'a str,
    published: bool,
    of: (usize, usize),
    steps: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bars: bool,
    points: Vec<PointData<'a>>,
    line: &'a [(f64, Option<f64>)],
    boxes: Vec<BoxData<'a>>,
}

impl<'a> CurveData<'a> {
    fn of(curve: &'a Curve) -> Self {
        Self {
            label: &curve.label,
            published: curve.published,
            of: curve.of,
            steps: curve.trace == Trace::Steps,
            bars: curve.trace == Trace::Bars,
            points: curve.points.iter().map(PointData::of).collect(),
            line: &curve.line,
            boxes: curve.boxes.iter().map(BoxData::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct PointData<'a> {
    x: f64,
    y: f64,
    kind: &'static str,
    instance: &'a str,
    members: &'a [u32],
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    open: bool,
}

impl<'a> PointData<'a> {
    fn of(point: &'a Point) -> Self {
        let range = point.spread.as_ref().and_then(|s: &Spread| s.range);
        Self {
            x: point.x,
            y: point.y,
            kind: point.kind.name(),
            instance: &point.instance,
            members: &point.members,
            least: range.map(|r| r.0),
            most: range.map(|r| r.1),
            open: point.spread.as_ref().is_some_and(|s| s.open),
        }
    }
}

#[derive(Serialize)]
struct BoxData<'a> {
    x: f64,
    five: [f64; 5],
    open: bool,
    members: &'a [u32],
}

impl<'a> BoxData<'a> {
    fn of(mark: &'a BoxMark) -> Self {
        Self { x: mark.x, five: mark.five, open: mark.open, members: &mark.members }
    }
}

#[derive(Serialize)]
struct GuideData<'a> {
    at: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    label: &'a str,
}

impl<'a> GuideData<'a> {
    fn of(guide: &'a Guide) -> Self {
        let (at, value) = match guide.at {
            GuideAt::X(value) => ("x", Some(value)),
            GuideAt::Y(value) => ("y", Some(value)),
            GuideAt::Equal => ("equal", None),
        };
        Self { at, value, label: &guide.label }
    }
}
