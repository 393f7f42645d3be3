//! A board as a linear model.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::mem;

use puzzle::Placement;
use puzzle::tantrix::{Arrangement, BoardTantrix, Line};

use super::builder::{Builder, Derived, check_size};
use super::cuts::{Found, HoleCut, LoopCut};
use super::loops::{Tour, check_flows, check_short};
use super::problem::OnBoard;
use crate::error::{ModelError, check_order};
use crate::family::Rows;
use crate::formulation::{Formulation, Objective, StartBy, Subloops};
use crate::ir::{Model, Term, VarId};

pub(crate) struct MipBoard {
    builder: Builder,
    distinguished: bool,
    /// The rows against a subloop of the family that cuts them off, if one does.
    cutting: Option<fn(&mut Builder, &LoopCut)>,
    /// The x that are fixed to 1 until there is no solution with them.
    fixed: Vec<VarId>,
    /// The x that are fixed to 0 because they do not follow the designated lines that were laid.
    ruled_out: Vec<VarId>,
}

impl MipBoard {
    /// The x that are 1 where these tiles lie. Equal tiles that are told apart come in the order of the places, as C2o wants them.
    fn laid(&self, mut lying: Vec<Placement>) -> Vec<VarId> {
        let b = &self.builder;
        let mut used = vec![false; b.tiles() + 1];
        lying.sort_by_key(|p| p.place);
        let x = |p: Placement| {
            let mut copies = (1..=b.tiles()).filter(|&i| b.tile(i).number == p.tile);
            let i = copies.clone().find(|&i| !used[i]).or(copies.next_back())?;
            // A copy that is told apart from the others is used up; a sort is not.
            used[i] = self.distinguished;
            Some(b.x(i, p.place, p.orientation))
        };
        lying.into_iter().filter_map(x).collect()
    }
}

impl OnBoard for MipBoard {
    type Form = Model;

    /// Builds the model with all its families and the objective.
    fn new(formulation: &Formulation, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let families = formulation.families();
        let has = |id| families.iter().any(|family| family.id == id);
        let distinguished = has("C2");
        check_size(if distinguished { puzzle.challenge } else { puzzle.tiles.sorts.len() }, puzzle.board.len())?;
        let mut builder = Builder::new(puzzle.clone(), full, distinguished);
        if formulation.objective() == Objective::Random {
            // While there are no variables but the x.
            builder.model.set_random_objective(formulation.seed());
        }
        if has("C2o") {
            check_order("C2o", "C2'", builder.equal_tiles().len(), puzzle.board.len(), 6)?;
        }
        if has("MCF") {
            check_flows(&builder)?;
        }
        let mut cutting = None;
        for family in families {
            match family.rows {
                Rows::Tantrix(add) => {
                    check_short(family, &builder)?;
                    add(&mut builder);
                }
                Rows::Cuts(add) => cutting = Some(add),
                Rows::Soku(_) => {}
            }
        }
        if matches!(formulation.subloops(), Subloops::Lazy(_)) {
            add_variables_of_cuts(&mut builder, has("C5"));
        }
        match formulation.objective() {
            Objective::Virtual => builder.model.set_objective(vec![(builder.x(1, 1, 1), 1.0)]),
            Objective::Weighted => builder.model.set_objective(weighted(&builder)),
            Objective::None | Objective::Random => {}
        }
        Ok(Self { builder, distinguished, cutting, fixed: Vec::new(), ruled_out: Vec::new() })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.builder.puzzle
    }

    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn read(&self, values: &[f64]) -> Result<Vec<Placement>, ModelError> {
        let b = &self.builder;
        let mut placements = Vec::new();
        for place in b.board().numbers() {
            for (i, orientation) in (1..=b.tiles()).flat_map(|i| (1..=6).map(move |k| (i, k))) {
                if b.model.is_one(values, b.x(i, place, orientation))? {
                    placements.push(Placement { place, tile: b.tile(i).number, orientation });
                }
            }
        }
        Ok(placements)
    }

    fn write(&self, lying: &[Placement], arrangement: &Arrangement) -> Vec<f64> {
        let b = &self.builder;
        let mut values = vec![0.0; b.model.variables().len()];
        self.laid(lying.to_vec()).into_iter().for_each(|x| values[x.0] = 1.0);
        let indicator = |holds: bool| f64::from(u8::from(holds));
        let tour = LazyCell::new(|| Tour::new(b, arrangement));
        let beyond = |j, l| b.board().neighbour(j, l).unwrap_or(j);
        for (&derived, var) in &b.derived {
            values[var.0] = match derived {
                Derived::Y(j, l) => arrangement.colour(j, l).map_or(0.0, |colour| b.colour_number(colour) as f64),
                Derived::Z(j, l) => indicator(arrangement.colour(j, l) == Some(b.puzzle.colour)),
                Derived::O(j) => indicator(arrangement.is_filled(j)),
                Derived::E(j, l, colour) => indicator(arrangement.colour(j, l) == Some(colour)),
                Derived::Arc(j, l) => tour.arc(j, beyond(j, l)),
                Derived::Rank(j) => tour.rank(j),
                Derived::Flow(towards, j, l) => tour.flow(towards, j, beyond(j, l)),
                Derived::U(j, next) => indicator(arrangement.is_filled(j) != arrangement.is_filled(next)),
            };
        }
        values
    }

    fn cut(&mut self, found: &Found) {
        if let Some(demand) = self.cutting {
            found.parts.iter().for_each(|cut| demand(&mut self.builder, cut));
        }
        found.holes.iter().for_each(|cut| forbid(&mut self.builder, cut));
    }

    fn start(&mut self, by: StartBy, placements: Vec<Placement>) {
        let mut laid = self.laid(placements);
        let model = &mut self.builder.model;
        laid.retain(|x| model.variables()[x.0].upper > 0.0);
        match by {
            StartBy::Hint => model.set_hint(laid),
            StartBy::Fix => {
                laid.iter().for_each(|&x| model.fix(x, 1.0));
                self.fixed = laid;
            }
        }
    }

    fn follow(&mut self, lines: &[(usize, Line)]) {
        let b = &mut self.builder;
        mem::take(&mut self.ruled_out).iter().for_each(|&x| b.model.bound(x, 0.0, 1.0));
        let follows: HashSet<VarId> =
            lines.iter().flat_map(|&(place, line)| b.joining(place, line.edges)).map(|(x, _)| x).collect();
        let all = b.board().numbers().flat_map(|place| b.lying(place)).map(|(x, _)| x);
        let others: Vec<VarId> = all.filter(|x| !follows.contains(x) && b.model.variables()[x.0].upper > 0.0).collect();
        others.iter().for_each(|&x| b.model.fix(x, 0.0));
        self.ruled_out = others;
    }

    fn avoid(&mut self, lines: &[(usize, Line)]) {
        let b = &mut self.builder;
        let terms: Vec<Term> = lines.iter().flat_map(|&(place, line)| b.joining(place, line.edges)).collect();
        let row = b.model.rows().len();
        b.model.at_most("lines", format!("lines_{row}"), terms, lines.len() as f64 - 1.0);
    }

    fn free(&mut self) -> bool {
        let fixed = mem::take(&mut self.fixed);
        fixed.iter().for_each(|&x| self.builder.model.bound(x, 0.0, 1.0));
        !fixed.is_empty()
    }
}

/// Adds all variables that rows against subloops and holes may have: only rows can be added to a model while it is solved.
fn add_variables_of_cuts(b: &mut Builder, on_z: bool) {
    if on_z {
        let edges: Vec<_> = b.board().touching().flat_map(|(here, there)| [here, there]).collect();
        for (j, l) in edges {
            b.z("C5", j, l);
        }
    }
    if !b.full {
        b.o(1);
    }
}

/// Adds the row that forbids a hole: sum of o over the ring - sum of o over the hole <= size of the ring - 1.
fn forbid(b: &mut Builder, HoleCut { hole, ring }: &HoleCut) {
    let row = b.model.rows().len();
    let ring: Vec<_> = ring.iter().map(|&j| (b.o(j), 1.0)).collect();
    let most = ring.len() as f64 - 1.0;
    let terms: Vec<_> = ring.into_iter().chain(hole.iter().map(|&j| (b.o(j), -1.0))).collect();
    b.model.at_most("holes", format!("holes_{row}"), terms, most);
}

/// Distances that differ by less than this part of R are the same: places farthest out weigh 0 and not what rounding
/// leaves.
const ROUNDING: f64 = 1e-9;

/// The weighted objective, round shapes first (Bindhu & Varkey 2024, section 5.2; the slides of Kino & Uno print no formula), as
/// terms to be minimised: -w\[j\] on every x\[i,j,k\].
///
/// max sum over j of w\[j\] o\[j\] with w\[j\] = 1 - dist(j, centre) / R. The centre is the mean of the places'
/// centres, distances are Euclidean, R is the distance of the place farthest out. As n tiles lie on the board, whatever
/// R, this minimises the sum of the distances.
fn weighted(b: &Builder) -> Vec<Term> {
    let weights = weights(b);
    let terms = b.board().numbers().flat_map(|j| b.lying(j).into_iter().map(move |(var, _)| (j, var)));
    terms.map(|(j, var)| (var, -weights[j - 1])).filter(|term| term.1 != 0.0).collect()
}

/// w\[j\] of every place, in the order of their numbers.
fn weights(b: &Builder) -> Vec<f64> {
    let points: Vec<(f64, f64)> = b.board().places().iter().map(|at| at.centre()).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let distances: Vec<f64> = points.iter().map(|p| (p.0 - x).hypot(p.1 - y)).collect();
    let radius = distances.iter().copied().fold(0.0, f64::max);
    let weight = |d: f64| match radius - d {
        _ if radius == 0.0 => 1.0,
        inwards if inwards < ROUNDING * radius => 0.0,
        _ => 1.0 - d / radius,
    };
    distances.into_iter().map(weight).collect()
}
