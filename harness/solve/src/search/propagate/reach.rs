//! Whether what is still open can become one line without holes.

use super::state::{DeadEnd, State};
use crate::search::places::{NOWHERE, Parallelogram, Places};
use crate::search::sets::{both, meets, size, without};

/// Larger boards are not looked at as a whole: most of their places never matter.
const MOST_FLOODED: usize = 400;

/// So many tiles before the end it pays to look at each sort alone.
const FEW_LEFT: usize = 14;

pub(super) struct Reach {
    no_holes: bool,
    seen: Vec<u32>,
    round: u32,
    flood: Vec<u32>,
}

impl Reach {
    pub fn new(places: &Places, no_holes: bool) -> Self {
        let count = places.beyond.len();
        Self { no_holes, seen: vec![0; count], round: 0, flood: Vec::new() }
    }

    /// Looks, and draws consequences until there are no more.
    pub fn check<const W: usize>(&mut self, state: &mut State<'_, W>) -> Result<(), DeadEnd> {
        loop {
            let before = state.mark_of_changes();
            if state.tiles_left == 0 {
                return if self.no_holes { self.holes(state) } else { Ok(()) };
            }
            self.distance(state)?;
            if state.domains.len() <= MOST_FLOODED {
                self.regions(state)?;
            }
            if self.no_holes {
                self.holes(state)?;
            }
            if state.tiles_left <= FEW_LEFT {
                self.supply(state)?;
            }
            state.propagate()?;
            if state.mark_of_changes() == before {
                return Ok(());
            }
        }
    }

    /// The two ends of the only line must be able to meet.
    fn distance<const W: usize>(&self, state: &State<'_, W>) -> Result<(), DeadEnd> {
        if state.lines != 1 {
            return Ok(());
        }
        let ahead = |end: u32| state.places.beyond[end as usize / 6][end as usize % 6];
        let (a, b) = (ahead(state.last_line.0), ahead(state.last_line.1));
        if a == NOWHERE || b == NOWHERE {
            return Err(DeadEnd);
        }
        let steps = state.places.at[a as usize].distance(state.places.at[b as usize]) as usize;
        if steps < state.tiles_left { Ok(()) } else { Err(DeadEnd) }
    }

    /// Lines run into each open region in pairs, or it stays empty.
    fn regions<const W: usize>(&mut self, state: &mut State<'_, W>) -> Result<(), DeadEnd> {
        if state.lines == 0 {
            return Ok(());
        }
        self.round += 1;
        state.worked(state.domains.len());
        let nothing = state.table.nothing();
        for start in 0..state.domains.len() {
            if state.is_settled[start] || self.seen[start] == self.round {
                continue;
            }
            self.seen[start] = self.round;
            self.flood.clear();
            self.flood.push(start as u32);
            let (mut next, mut ends, mut must) = (0, 0, false);
            while let Some(&place) = self.flood.get(next) {
                next += 1;
                let place = place as usize;
                let domain = state.domains[place];
                must |= !meets(&domain, &nothing);
                for edge in 0..6 {
                    let beyond = state.places.beyond[place][edge] as usize;
                    if beyond == NOWHERE as usize || !state.table.may_lead(&domain, edge) {
                        continue;
                    }
                    if state.is_settled[beyond] {
                        ends += 1;
                    } else if self.seen[beyond] != self.round {
                        self.seen[beyond] = self.round;
                        self.flood.push(beyond as u32);
                    }
                }
            }
            if ends == 0 {
                if must {
                    return Err(DeadEnd);
                }
                for index in 0..self.flood.len() {
                    state.keep(self.flood[index] as usize, nothing)?;
                }
            } else if ends % 2 == 1 {
                return Err(DeadEnd);
            }
        }
        Ok(())
    }

    /// What is enclosed by tiles must hold tiles. Outside of a parallelogram around all places that must hold one, nothing
    /// is enclosed.
    fn holes<const W: usize>(&mut self, state: &mut State<'_, W>) -> Result<(), DeadEnd> {
        let (places, nothing) = (state.places, state.table.nothing());
        let may_be_empty = |state: &State<'_, W>, place: u32| meets(&state.domains[place as usize], &nothing);
        let filled = state.touched.iter().filter(|&&place| !may_be_empty(state, place));
        let around: Parallelogram = filled.map(|&place| places.at[place as usize]).collect();
        let is_outside = |place: u32| place == NOWHERE || !around.contains(places.at[place as usize]);
        self.round += 1;
        self.flood.clear();
        for at in around.iter() {
            let place = places.number(at);
            let is_open = place != NOWHERE && may_be_empty(state, place);
            if is_open && places.beyond[place as usize].iter().any(|&beyond| is_outside(beyond)) {
                self.seen[place as usize] = self.round;
                self.flood.push(place);
            }
        }
        let mut next = 0;
        while let Some(&place) = self.flood.get(next) {
            next += 1;
            for &beyond in &places.beyond[place as usize] {
                if !is_outside(beyond) && self.seen[beyond as usize] != self.round && may_be_empty(state, beyond) {
                    self.seen[beyond as usize] = self.round;
                    self.flood.push(beyond);
                }
            }
        }
        let all = state.table.all();
        let mut looked_at = state.touched.len();
        for at in around.iter() {
            looked_at += 1;
            let place = places.number(at);
            if place != NOWHERE && self.seen[place as usize] != self.round && may_be_empty(state, place) {
                if state.tiles_left == 0 {
                    return Err(DeadEnd);
                }
                state.keep(place as usize, without(&all, &nothing))?;
            }
        }
        state.worked(looked_at);
        Ok(())
    }

    /// Each sort needs as many places as there are copies left.
    fn supply<const W: usize>(&mut self, state: &mut State<'_, W>) -> Result<(), DeadEnd> {
        for sort in 0..state.left.len() {
            let left = state.left[sort] as usize;
            if left == 0 {
                continue;
            }
            let values = state.table.of_sort[sort];
            let takes = |place: &usize| !state.is_settled[*place] && meets(&state.domains[*place], &values);
            let mut taking = (0..state.domains.len()).filter(takes);
            let places: Vec<usize> = taking.by_ref().take(left + 1).collect();
            if places.len() < left {
                return Err(DeadEnd);
            }
            if places.len() == left {
                for place in places {
                    let kept = both(&state.domains[place], &values);
                    if size(&kept) < size(&state.domains[place]) {
                        state.keep(place, kept)?;
                    }
                }
            }
        }
        Ok(())
    }
}
