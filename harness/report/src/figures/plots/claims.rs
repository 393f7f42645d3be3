//! Claims: the published figure of each beside ours with its interval.

use record::Test;

use crate::analysis::claims::{Finding, findings, shown};
use crate::analysis::{Analysis, caveats};
use crate::figures::{Chart, Curve, Dimension, Guide, GuideAt, Kind, Point, Scale, Spread};
use crate::stats::float;

/// One chart of quotients and factors, one of shares and one of their differences, of the claims that have a figure.
pub fn build(analysis: &Analysis, _: bool) -> Vec<Chart> {
    let findings = findings(analysis);
    let charts = [
        ("factors", "quotient or factor", Scale::Ratios, Some((1.0, "no effect"))),
        ("shares", "share", Scale::Shares, None),
    ];
    charts
        .into_iter()
        .filter_map(|(key, label, scale, guide)| {
            let of: Vec<_> = findings.iter().filter(|f| f.figure.is_some() && group(f) == Some(key)).cloned().collect();
            (!of.is_empty()).then(|| chart(analysis, key, &of, Dimension::new(label, scale), guide))
        })
        .collect()
}

/// The chart that a claim is in. Differences of shares may be negative and are in the table only.
fn group(finding: &Finding) -> Option<&'static str> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    match (test.measure.is_share(), &test.against) {
        (false, _) => Some("factors"),
        (true, None) => Some("shares"),
        (true, Some(_)) => None,
    }
}

fn chart(analysis: &Analysis, key: &str, findings: &[Finding], y: Dimension, guide: Option<(f64, &str)>) -> Chart {
    let places = || findings.iter().enumerate();
    let measured = places().filter_map(|(place, finding)| {
        let figure = finding.figure?;
        let (range, runs) = (Some(figure.interval), finding.boards as u64);
        Some(Point {
            x: float(place as u64),
            y: figure.value,
            members: finding.members.clone(),
            spread: Some(Spread { range, open: figure.unsolved > 0, runs, counted: false, disturbed: false }),
            ..Point::default()
        })
    });
    let published = places().filter_map(|(place, finding)| {
        Some(Point { x: float(place as u64), y: finding.claim.published?, kind: Kind::Published, ..Point::default() })
    });
    let (measured, published): (Vec<_>, Vec<_>) = (measured.collect(), published.collect());
    let ours = Curve { label: "measured".to_owned(), points: measured, ..Curve::default() };
    let theirs =
        Curve { label: "published".to_owned(), published: true, of: (0, 1), points: published, ..Curve::default() };
    Chart {
        key: key.to_owned(),
        title: "claims and what the runs say of them".to_owned(),
        curves: [ours, theirs].into_iter().filter(|curve| !curve.points.is_empty()).collect(),
        x: Dimension::named("claim", findings.iter().map(|finding| finding.claim.id.as_str())),
        y,
        guides: guide.map(|(at, label)| Guide { at: GuideAt::Y(at), label: label.to_owned() }).into_iter().collect(),
        notes: vec!["Bars: 95 % interval over boards. The table of claims says what each figure is".to_owned()],
        caveats: caveats::of_shown(shown(analysis, findings), false),
    }
}
