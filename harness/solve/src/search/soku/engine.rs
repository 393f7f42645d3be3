//! Backtracking on the face that has the fewest options left; when it begins anew, and how it then orders its values.

use puzzle::Placement;
use puzzle::soku::{Soku, placements_so_far};

use super::states::{Bounds, Face, Rows, States, Table};
use crate::backend::*;
use crate::search::control::{Control, NAME};
use crate::search::sets::{Set, members, size, union, without};

/// Words of the largest sets of options.
const MOST_WORDS: usize = 160;

/// A search on one field with one set of tiles, for any capacities.
pub(super) trait Engine: Send + Sync {
    fn copy(&self) -> Box<dyn Engine>;

    fn seed(&mut self, seed: u64);

    /// Begins a board anew; false if its capacities or placed tiles are refuted at once.
    fn begin(&mut self, capacity: &[u32]) -> bool;

    /// After [`Engine::begin`]: no tile comes onto these faces, and the board is solved where all others have one. What their vertices
    /// lack then is a sum that these faces can reach.
    fn leave(&mut self, faces: &[usize]);

    /// Goes on from where the search is, for so many nodes.
    fn go(&mut self, control: &mut Control<'_>, patience: u64, taste: Taste) -> Go;

    /// Takes the last option back, so that the search goes on behind a solution; false if there is none.
    fn take_back(&mut self, control: &mut Control<'_>) -> bool;

    /// Writes the option on each face that is not open.
    fn write(&self, shown: &mut [u16]);

    /// The tiles on the faces that are not open.
    fn lying(&self) -> Vec<Placement>;
}

/// An engine for a game and other capacities of its vertices up to `most`: for sets of as many words as the options need, with all
/// states of vertices in a table where that is small enough.
/// Errors: more options (triples of weights that tiles can show) than there is room for.
pub(super) fn engine(game: &Soku, most: u32) -> Result<Box<dyn Engine>, SolveError> {
    let options = game.sorts().options().count();
    Ok(match options.div_ceil(64) {
        0 | 1 => with_words::<1>(game, most),
        2..=4 => with_words::<4>(game, most),
        5..=12 => with_words::<12>(game, most),
        13..=36 => with_words::<36>(game, most),
        37..=MOST_WORDS => with_words::<MOST_WORDS>(game, most),
        _ => {
            let room = 64 * MOST_WORDS;
            let reason = format!("{options} triples of weights that tiles can show; there is room for {room}");
            return Err(unsupported(NAME, reason));
        }
    })
}

fn with_words<const W: usize>(game: &Soku, most: u32) -> Box<dyn Engine> {
    let table = Table::<W>::new(game);
    match Rows::new(&table, most) {
        Some(rows) => Box::new(Search::new(game, table, rows)),
        None => {
            let bounds = Bounds::new(&table);
            Box::new(Search::new(game, table, bounds))
        }
    }
}

/// How values are ordered in one go: the lowest sum comes first of what its weights cost (their distances from what the vertices
/// lack on average, squared), less a bonus for extreme weights (which fit ever fewer vertices later), plus noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taste {
    pub bonus: i32,
    pub noise: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    Solved,
    Exhausted,
    /// So many options were tried that a new beginning is due, or the time is over.
    Given,
}

/// A face that was chosen, and the option that lies on it.
#[derive(Debug, Clone)]
struct Frame<const W: usize> {
    face: Face,
    /// Where it was in the list of open faces.
    slot: u32,
    /// Options that were not tried.
    untried: Set<W>,
    choice: u16,
}

/// A vertex: its state, and the options that it permits as each corner of a face.
#[derive(Debug, Clone)]
struct Vertex<const W: usize, T> {
    state: T,
    permitted: [Set<W>; 3],
}

#[derive(Debug, Clone)]
struct Search<const W: usize, S: States<W>> {
    game: Soku,
    table: Table<W>,
    states: S,
    /// Options on faces that are not to be chosen.
    placed: Vec<(u32, u16)>,
    vertices: Vec<Vertex<W, S::State>>,
    left: Vec<u16>,
    /// The options of the sorts that are left.
    options: Set<W>,
    open: Vec<Face>,
    frames: Vec<Frame<W>>,
    random: Xorshift,
}

impl<const W: usize, S: States<W>> Engine for Search<W, S> {
    fn copy(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn seed(&mut self, seed: u64) {
        self.random = Xorshift::new(seed);
    }

    fn begin(&mut self, capacity: &[u32]) -> bool {
        self.frames.clear();
        self.vertices.clear();
        for (&degree, &capacity) in self.table.degrees.iter().zip(capacity) {
            let Some(state) = self.states.start(degree, capacity) else { return false };
            self.vertices.push(Vertex { state, permitted: self.states.permitted(state) });
        }
        self.left.clear();
        self.left.extend(&self.table.counts);
        self.options = self.table.sorts.iter().fold([0; W], |all, sort| union(&all, sort));
        self.open.clone_from(&self.table.faces);
        for index in 0..self.placed.len() {
            let (place, choice) = self.placed[index];
            let face = self.table.faces[place as usize];
            let (word, bit) = (usize::from(choice) / 64, choice % 64);
            if self.fitting(face)[word] >> bit & 1 == 0 {
                return false;
            }
            self.open.retain(|other| other.place != place);
            self.lay(face, choice);
        }
        true
    }

    fn leave(&mut self, faces: &[usize]) {
        self.open.retain(|face| !faces.contains(&(face.place as usize)));
    }

    fn go(&mut self, control: &mut Control<'_>, patience: u64, taste: Taste) -> Go {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
            // SAFETY: this processor has the instructions.
            return unsafe { self.go_on_by_bits(control, patience, taste) };
        }
        self.go_on(control, patience, taste)
    }

    fn take_back(&mut self, control: &mut Control<'_>) -> bool {
        let Self { frames, table, states, vertices, left, options, .. } = self;
        let Some(frame) = frames.last_mut() else { return false };
        let choice = &table.choices[usize::from(std::mem::replace(&mut frame.choice, NONE))];
        let vertices = vertices.as_mut_slice();
        for (vertex, weight) in frame.face.corners.into_iter().zip(choice.weights) {
            let vertex = &mut vertices[vertex as usize];
            vertex.state = states.before(vertex.state, weight);
            vertex.permitted = states.permitted(vertex.state);
        }
        let sort = usize::from(choice.sort);
        let left = &mut left[sort];
        if *left == 0 {
            *options = union(options, &table.sorts[sort]);
        }
        *left += 1;
        control.backtracks += 1;
        control.step(|| self.lying());
        true
    }

    fn write(&self, shown: &mut [u16]) {
        for (face, choice) in self.laid() {
            shown[face as usize] = choice;
        }
    }

    fn lying(&self) -> Vec<Placement> {
        let mut shown = vec![None; self.table.faces.len()];
        for (face, choice) in self.laid() {
            shown[face as usize] = Some(self.table.choices[usize::from(choice)].weights);
        }
        placements_so_far(&self.game, &shown).unwrap_or_default()
    }
}

impl<const W: usize, S: States<W>> Search<W, S> {
    fn new(game: &Soku, table: Table<W>, states: S) -> Self {
        let placed = game.placed.iter().filter_map(|placed| {
            let shown = puzzle::soku::rotated(game.tiles[placed.tile - 1], placed.orientation);
            let choice = table.choices.iter().position(|choice| choice.weights == shown)?;
            Some((placed.place as u32 - 1, choice as u16))
        });
        Self {
            placed: placed.collect(),
            game: game.clone(),
            vertices: Vec::with_capacity(table.degrees.len()),
            left: Vec::with_capacity(table.counts.len()),
            options: [0; W],
            open: Vec::with_capacity(table.faces.len()),
            frames: Vec::with_capacity(table.faces.len()),
            random: Xorshift::new(0),
            table,
            states,
        }
    }

    /// [`Search::go_on`] with the instructions for bits that most processors have, but not all.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn go_on_by_bits(&mut self, control: &mut Control<'_>, patience: u64, taste: Taste) -> Go {
        self.go_on(control, patience, taste)
    }

    #[inline(always)]
    fn go_on(&mut self, control: &mut Control<'_>, patience: u64, taste: Taste) -> Go {
        let limit = control.nodes.saturating_add(patience);
        let mut is_chosen = self.frames.last().is_some_and(|frame| frame.choice == NONE);
        loop {
            if !is_chosen {
                if self.open.is_empty() {
                    return Go::Solved;
                }
                match self.tightest() {
                    Some((slot, untried)) => {
                        let face = self.open.swap_remove(slot);
                        self.frames.push(Frame { face, slot: slot as u32, untried, choice: NONE });
                    }
                    None if !self.take_back(control) => return Go::Exhausted,
                    None => {}
                }
            }
            is_chosen = false;
            loop {
                if control.nodes >= limit || control.is_late() {
                    return Go::Given;
                }
                if self.choose(taste) {
                    control.count();
                    control.worked(self.open.len() as u64 * W as u64);
                    control.step(|| self.lying());
                    break;
                }
                self.reopen();
                if !self.take_back(control) {
                    return Go::Exhausted;
                }
            }
        }
    }

    /// The option on each face that is not open: face and option.
    fn laid(&self) -> impl Iterator<Item = (u32, u16)> + '_ {
        let chosen =
            self.frames.iter().filter(|frame| frame.choice != NONE).map(|frame| (frame.face.place, frame.choice));
        self.placed.iter().copied().chain(chosen)
    }

    /// Where the open face with the fewest options is, and which; `None` if there is one with none.
    #[inline(always)]
    fn tightest(&self) -> Option<(usize, Set<W>)> {
        // One number, the count before the place, needs no jump that the processor would guess wrong.
        let (mut fewest, mut best) = (u64::MAX, [0; W]);
        for (slot, &face) in self.open.iter().enumerate() {
            let options = self.fitting(face);
            let count = size(&options);
            if count == 0 {
                return None;
            }
            let key = u64::from(count) << 32 | slot as u64;
            (fewest, best) = if key < fewest { (key, options) } else { (fewest, best) };
        }
        Some(((fewest & u64::from(u32::MAX)) as usize, best))
    }

    #[inline(always)]
    fn fitting(&self, face: Face) -> Set<W> {
        let [a, b, c] = face.corners.map(|vertex| &self.vertices[vertex as usize].permitted);
        std::array::from_fn(|word| self.options[word] & a[0][word] & b[1][word] & c[2][word])
    }

    /// Lays the best untried option on the face that was chosen last; false if there is none left.
    #[inline(always)]
    fn choose(&mut self, taste: Taste) -> bool {
        let Self { frames, vertices, states, table, random, .. } = self;
        let Some(frame) = frames.last_mut() else { return false };
        let mut noise = || if taste.noise > 0 { random.below(taste.noise) } else { 0 };
        let index = match size(&frame.untried) {
            0 => return false,
            // There is nothing to compare. Its noise is drawn all the same, as for each option.
            1 => {
                noise();
                members(frame.untried).next().unwrap_or_default()
            }
            _ => {
                let corners = frame.face.corners.map(|vertex| vertices[vertex as usize].state);
                let (mut lowest, mut best) = (i32::MAX, 0);
                for (word, &bits) in frame.untried.iter().enumerate() {
                    let mut bits = bits;
                    while bits != 0 {
                        let index = word * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        let choice = &table.choices[index];
                        let [a, b, c]: [i32; 3] = std::array::from_fn(|corner| {
                            states.cost(corners[corner], choice.weights[corner], choice.ranks[corner])
                        });
                        let cost = a + b + c - taste.bonus * choice.extremes + noise();
                        if cost < lowest {
                            (lowest, best) = (cost, index);
                        }
                    }
                }
                best
            }
        };
        frame.untried[index / 64] &= !(1 << (index % 64));
        frame.choice = index as u16;
        let face = frame.face;
        self.lay(face, index as u16);
        true
    }

    #[inline(always)]
    fn lay(&mut self, face: Face, choice: u16) {
        let Self { table, states, vertices, left, options, .. } = self;
        let choice = &table.choices[usize::from(choice)];
        let vertices = vertices.as_mut_slice();
        for (vertex, weight) in face.corners.into_iter().zip(choice.weights) {
            let vertex = &mut vertices[vertex as usize];
            vertex.state = states.after(vertex.state, weight);
            vertex.permitted = states.permitted(vertex.state);
        }
        let sort = usize::from(choice.sort);
        let left = &mut left[sort];
        *left -= 1;
        if *left == 0 {
            *options = without(options, &table.sorts[sort]);
        }
    }

    /// Puts the face that was chosen last back among the open ones, where it was.
    fn reopen(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.open.push(frame.face);
        let last = self.open.len() - 1;
        self.open.swap(last, frame.slot as usize);
    }
}

/// No option: the face has none yet.
const NONE: u16 = u16::MAX;

/// Numbers from a seed (xorshift64; Marsaglia 2003), with fewer steps for each than the splitmix64 of the other searches.
#[derive(Debug, Clone)]
struct Xorshift(u64);

impl Xorshift {
    fn new(seed: u64) -> Self {
        // No seed gives zero, from which nothing would ever follow.
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x0D1B_54A3_2D19_2ED0 | 1)
    }

    /// Less than a bound; 0 if that is 0.
    #[inline(always)]
    fn below(&mut self, bound: u32) -> i32 {
        let mut bits = self.0;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        self.0 = bits;
        (((bits >> 40) * u64::from(bound)) >> 24) as i32
    }
}

/// Bonuses for extreme weights, which go round: which one is best depends on the weights and on the field. These, the noise and the
/// patience need the fewest nodes, of some hundred settings, on boards of IcoSoKu and on random games on fields of up to 320 faces
/// with weights up to 30; larger weights were not looked at.
const BONUSES: [i32; 3] = [80, 60, 40];

/// Noise that each beginning after the first has more than the one before. One without others has as much as the second, so that
/// seeds differ.
const NOISE: u32 = 50;
const MOST_NOISE: u32 = 400;

/// Nodes of the first beginning beyond one for each face.
const FIRST_PATIENCE: u64 = 80;

/// The beginnings of a search, one after the other. Patience grows without end, so that sooner or later one of them sees
/// everything.
#[derive(Debug, Clone)]
pub(super) struct Restarts {
    patience: u64,
    /// That of the last beginning.
    granted: u64,
    number: usize,
    is_on: bool,
}

impl Restarts {
    pub fn new(faces: usize, is_on: bool) -> Self {
        let patience = faces as u64 + FIRST_PATIENCE;
        Self { patience, granted: patience, number: 0, is_on }
    }

    /// The last beginning ended before its patience did: the next one has as much, and no more.
    pub fn keep(&mut self) {
        self.patience = self.granted;
    }
}

impl Iterator for Restarts {
    type Item = (u64, Taste);

    /// How many nodes the next beginning has, and how it orders values.
    fn next(&mut self) -> Option<(u64, Taste)> {
        let steps = if self.is_on { self.number as u32 } else { 1 };
        let noise = (NOISE * steps.min(MOST_NOISE)).min(MOST_NOISE);
        let taste = Taste { bonus: BONUSES[self.number % BONUSES.len()], noise };
        let patience = if self.is_on { self.patience } else { u64::MAX };
        self.granted = self.patience;
        self.patience = self.patience.saturating_add(self.patience / 8);
        self.number += 1;
        Some((patience, taste))
    }
}

#[cfg(test)]
mod tests {
    use super::Restarts;

    #[test]
    fn patience_grows_with_each_beginning_that_used_it_up() {
        let patience = |restarts: &mut Restarts| restarts.next().map_or(0, |(patience, _)| patience);
        let mut restarts = Restarts::new(20, true);
        let mut last = patience(&mut restarts);
        for _ in 0..400 {
            restarts.keep();
            assert_eq!(patience(&mut restarts), last);
            let next = patience(&mut restarts);
            assert!(next > last || last > u64::MAX / 2, "{next} after {last}");
            last = last.max(next);
        }
    }
}
