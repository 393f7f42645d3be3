//! A board that is searched, from one beginning to the next.

use super::places::{NOWHERE, Places};
use super::reach::Reach;
use super::state::{DeadEnd, Mark, State};
use super::table::{Table, insert, meets, members, size};
use super::{Run, Watch};
use crate::search::End;

/// How one beginning ended.
pub(super) enum Attempt {
    Ended(End),
    /// There were as many dead ends as it was granted.
    RestartDue,
}

/// A choice that was made.
struct Choice {
    place: usize,
    /// The values that are still to be tried, the last one first.
    values: Vec<usize>,
    mark: Mark,
}

/// A board with the state of the search on it.
pub(super) struct BoardSearch<'a, const W: usize> {
    state: State<'a, W>,
    reach: Reach,
    /// The place and value that lie from the beginning, if any do.
    pub first: Option<(usize, usize)>,
}

impl<'a, const W: usize> BoardSearch<'a, W> {
    pub fn new(table: &'a Table<W>, places: &'a Places, no_holes: bool) -> Self {
        Self { state: State::new(table, places), reach: Reach::new(places, no_holes), first: None }
    }

    /// What holds before any choice.
    pub fn begin(&mut self) -> Result<(), DeadEnd> {
        self.state.begin()?;
        if let Some((place, value)) = self.first {
            self.state.keep(place, only(value))?;
        }
        self.state.propagate()?;
        self.reach.check(&mut self.state)
    }

    /// Goes on until there were so many dead ends more; then everything is as at the beginning.
    pub fn attempt<O: Watch>(&mut self, run: &mut Run<'_, O>, patience: u64) -> Attempt {
        let most = run.control.backtracks.saturating_add(patience);
        let start = self.state.mark();
        let mut choices: Vec<Choice> = Vec::new();
        loop {
            if self.state.tiles_left == 0 {
                if !run.report(&self.state) {
                    return Attempt::Ended(End::Stopped);
                }
            } else if let Some(choice) = self.choose(run) {
                choices.push(choice);
            }
            // The next value of the last choice that has one.
            loop {
                if run.control.is_late() {
                    return Attempt::Ended(End::OutOfTime);
                }
                let Some(choice) = choices.last_mut() else { return Attempt::Ended(End::Exhausted) };
                let (place, before) = (choice.place, self.state.settled.len());
                self.state.undo(choice.mark);
                if self.state.settled.len() < before {
                    run.show(&self.state);
                }
                let Some(value) = choice.values.pop() else {
                    choices.pop();
                    continue;
                };
                run.control.count();
                let is_laid = self.lay(place, value).is_ok();
                run.control.worked(self.state.take_work());
                if is_laid {
                    run.show(&self.state);
                    break;
                }
                run.control.backtracks += 1;
                if run.control.backtracks >= most {
                    self.state.undo(start);
                    run.show(&self.state);
                    return Attempt::RestartDue;
                }
            }
        }
    }

    /// Settles a place and draws all consequences.
    fn lay(&mut self, place: usize, value: usize) -> Result<(), DeadEnd> {
        self.state.keep(place, only(value))?;
        self.state.propagate()?;
        self.reach.check(&mut self.state)
    }

    /// The place to go on with, and its values in the order in which they are tried.
    fn choose<O>(&self, run: &mut Run<'_, O>) -> Option<Choice> {
        let state = &self.state;
        run.control.worked(state.touched.len() as u64);
        let nothing = state.table.nothing();
        let open = |place: usize| !state.is_settled[place] && !meets(&state.domains[place], &nothing);
        let touched = state.touched.iter().map(|&place| place as usize).filter(|&place| open(place));
        let settled_beside = |place: usize| {
            let beyond = state.places.beyond[place].iter();
            beyond.filter(|&&next| next == NOWHERE || state.is_settled[next as usize]).count()
        };
        let place = touched
            .min_by_key(|&place| (size(&state.domains[place]), 6 - settled_beside(place)))
            .or_else(|| (0..state.domains.len()).find(|&place| open(place)))
            .or_else(|| (0..state.domains.len()).find(|&place| !state.is_settled[place]))?;
        let left = |value: usize| state.table.values.get(value).map(|value| state.left[value.sort]);
        let mut values: Vec<(f64, usize)> = members(state.domains[place])
            .filter(|&value| left(value) != Some(0))
            // The greatest of numbers drawn so has a chance proportional to the copies left; nothing comes last.
            .map(|value| (left(value).map_or(-1.0, |left| run.random.next().powf(1.0 / f64::from(left))), value))
            .collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let values = values.into_iter().map(|(_, value)| value).collect();
        Some(Choice { place, values, mark: state.mark() })
    }
}

fn only<const W: usize>(value: usize) -> [u64; W] {
    let mut set = [0; W];
    insert(&mut set, value);
    set
}
