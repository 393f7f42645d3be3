//! Claims of sources with what was measured and the verdict.

use record::{Selection, Test};

use crate::analysis::claims::{Finding, NO_EFFECT, Verdicts, findings, shown};
use crate::analysis::{Analysis, caveats};
use crate::figures::{self, Cell, Grid};

type Column<'a> = figures::Column<'a, Finding<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let findings = findings(analysis);
    if findings.is_empty() {
        return Vec::new();
    }
    let labels = |finding: &Finding| {
        let claim = finding.claim;
        [claim.id.clone(), format!("{}, {}", claim.source, claim.place), claim.text.clone()].to_vec()
    };
    let figure = |of: fn(&Finding) -> Option<f64>| move |finding: &Finding| Cell::ratio(of(finding));
    let solved =
        |of: fn((u64, u64, Option<f64>)) -> Cell| move |finding: &Finding| finding.solved.map_or(Cell::DASH, of);
    let columns: Vec<Column> = vec![
        Column::new("", "verdict", |finding| Cell::text(finding.verdict.name())),
        Column::new("", "claimed", |finding| claimed(finding).map_or(Cell::DASH, Cell::text)),
        Column::new("", "published", figure(|finding| finding.claim.published)),
        Column::new("measured", "figure", figure(|finding| Some(finding.figure?.value))),
        Column::new("measured", "from", figure(|finding| Some(finding.figure?.interval.0))),
        Column::new(
            "measured",
            "to",
            figure(|finding| finding.figure.filter(|f| f.unsolved == 0).map(|f| f.interval.1)),
        ),
        Column::new("", "boards", |finding| Cell::number(finding.boards as u64)),
        Column::new("", "figure", |finding| what(finding).map_or(Cell::DASH, Cell::text)),
        Column::new("", "solver", |finding| text(&finding.solvers.join(", "))),
        Column::new("", "runs", |finding| Cell::number(finding.runs)),
        Column::new("solved by", "first only", solved(|(first, ..)| Cell::number(first))),
        Column::new("solved by", "second only", solved(|(_, second, _)| Cell::number(second))),
        Column::new("solved by", "McNemar", solved(|(.., p)| Cell::p(p))),
        Column::new("", "reason", |finding| text(&finding.reason)),
    ];
    let grid = Grid::of(&["claim", "source", "what is claimed"], labels, &columns, &findings);
    vec![Grid {
        // The plots have the name of the table.
        key: "verdicts".to_owned(),
        caption: format!("Claims of the sources, and what the runs say of them: {}", Verdicts::of(&findings).text()),
        notes: notes(),
        caveats: caveats::of_shown(shown(analysis, &findings), false),
        ..grid
    }]
}

fn text(text: &str) -> Cell {
    if text.is_empty() { Cell::BLANK } else { Cell::text(text) }
}

/// `time, C2 over C2'`, `holes, basic less B6`, `growth of C2`.
fn what(finding: &Finding) -> Option<String> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    // The column beside it names the solvers where they are the same.
    let solvers = test.against.as_ref().is_some_and(|against| against.solver != test.of.solver);
    let name = |of: &Selection| match &of.solver {
        Some(solver) if solvers => format!("{} ({solver})", of.formulation),
        _ => of.formulation.clone(),
    };
    let word = test.measure.word();
    Some(match (&test.against, test.measure.is_share()) {
        (None, _) => format!("{word} of {}", name(&test.of)),
        (Some(against), false) => format!("{word}, {} over {}", name(&test.of), name(against)),
        (Some(against), true) => format!("{word}, {} less {}", name(&test.of), name(against)),
    })
}

fn claimed(finding: &Finding) -> Option<String> {
    let Test::Runs(test) = &finding.claim.test else { return None };
    match (test.above, test.below) {
        (Some(above), Some(below)) => Some(format!("{above} to {below}")),
        (Some(above), None) => Some(format!("above {above}")),
        (None, below) => Some(format!("below {}", below?)),
    }
}

fn notes() -> Vec<String> {
    vec![
        "Figure: over boards, the geometric mean of the quotient of both sides (over), or a share, or the difference of two \
         (less). What was not solved takes twice its limit; seeds and repeats of a board count once"
            .to_owned(),
        "From, to: 95 % interval over boards".to_owned(),
        format!(
            "Verdict: confirmed if the interval is in the claimed range; partly if not so for each number of tiles and solver, \
             or if the faster side solves fewer boards; contradicted if it is outside; no effect if it holds 1 and is within {} to {}. \
             All rules: chapter Statistics of the book",
            NO_EFFECT.0, NO_EFFECT.1
        ),
    ]
}
