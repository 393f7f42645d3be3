//! Claims of sources with what was measured and the verdict.

use record::{Measure, Selection, Test};

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
    let of_boards = |measure: Measure| measure.is_share() && measure != Measure::LaterSolves;
    let shares = Measure::WORDS.iter().filter(|(_, measure)| of_boards(*measure)).map(|(word, _)| *word);
    let shares: Vec<_> = shares.collect();
    vec![
        format!(
            "Figure: the geometric mean over boards of the quotient of both sides (over), or the share of boards ({}) and the \
             difference of two (less). It counts all boards: what was not solved takes twice its limit, and a number of solves \
             or nodes that a limit cut short is at least the other side's. Where no effect is claimed (a range around 1), \
             boards that neither side solved are left out. A growth (of solves: solves-growth) counts what was not solved at its \
             limit, or with its solves until then: it is a lower bound then, and there is no upper end. later-solves is a mean of \
             shares of the time, of what was not solved the least that they may come to; the upper end takes the greatest",
            shares.join(", ")
        ),
        "From, to: 95 % interval over the boards, by bootstrap; of shares by Wilson's and Newcombe's methods. Runs: seeds and \
         repeats of a board, which count once: a board has what half of them have or more, and under several solvers what half \
         of these have or more"
            .to_owned(),
        format!(
            "Verdict: confirmed if the interval is as claimed over all boards and for each number of tiles and each solver with \
             enough boards; partly if not for each of these, or if the faster side solves fewer boards; contradicted if the \
             interval lies outside of what is claimed; no effect if a quotient is said to be on one side of 1 and its interval, of the \
             boards that a side solved, is on both and within {} to {}; no verdict if it is on both sides or there is no figure",
            NO_EFFECT.0, NO_EFFECT.1
        ),
    ]
}
