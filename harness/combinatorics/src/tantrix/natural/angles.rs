//! Every way in which a closed line can run over n places of the plane without a place inside it.
//!
//! A line walked counterclockwise has at each of its places an angle inside, of 1 to 5 times 60 degrees: the
//! number of triangles between that place and two neighbours that lie inside the line. As no place lies
//! inside, these triangles share only edges between places of the line, and the angles are those of a
//! triangulated polygon: there is a place of angle 1, and without it the neighbours' angles are one less
//! (Conway & Coxeter 1973). That prunes long before the line closes.
//!
//! The sequence of angles, read from any place on, is the line up to translation and rotation. The least of
//! the readings is a necklace, and the search makes necklaces only (Fredricksen, Kessler & Maiorana's
//! recursion), so that each line comes up once.

use super::MOST_COUNTED;
use puzzle::hex::Axial;

/// Side of the square of cells that the walk has room in.
pub(super) const SIDE: usize = 64;

/// Number of a place among the cells.
pub(super) fn cell(at: Axial) -> usize {
    (at.r + SIDE as i32 / 2) as usize * SIDE + (at.q + SIDE as i32 / 2) as usize
}

/// A closed line found: angles, places and the number of rotations that carry it into itself.
pub(super) struct Walk<'a> {
    pub angles: &'a [u8],
    pub places: &'a [Axial],
    pub symmetry: usize,
}

/// Which of the three kinds of tile has this angle: 0 for 60 and 300 degrees, 1 for 120 and 240, 2 for 180.
pub(super) fn kind(angle: u8) -> usize {
    match angle {
        1 | 5 => 0,
        2 | 4 => 1,
        _ => 2,
    }
}

/// Calls `found` with every line that has so many places of each [`kind`], until it returns false.
///
/// `ours` is asked at every beginning of half the length whether to go on there; workers share the lines so.
pub(super) fn walks(kinds: [usize; 3], ours: &mut dyn FnMut() -> bool, found: &mut dyn FnMut(&Walk) -> bool) {
    let n: usize = kinds.iter().sum();
    if !(3..=MOST_COUNTED).contains(&n) || kinds[0] == 0 {
        return;
    }
    let mut search = Search {
        n,
        left: kinds,
        sum: 3 * (n as i32 - 2),
        angles: Vec::with_capacity(n),
        places: Vec::with_capacity(n),
        taken: vec![false; SIDE * SIDE],
        ours,
        found,
    };
    let home = Axial { q: 0, r: 0 };
    search.enter(home, 1);
    search.go(1, home.neighbour(1), 0, &Rest { values: [1; MOST_COUNTED], len: 1 });
}

/// What is left of the polygon when every place of angle 1 that was passed is cut off.
#[derive(Clone)]
struct Rest {
    values: [i8; MOST_COUNTED],
    len: usize,
}

impl Rest {
    /// Goes on to a place, with so many more after it; false if no triangulation has these angles.
    fn push(&mut self, angle: u8, after: usize) -> bool {
        let mut angle = angle as i8;
        while self.len >= 2 && self.values[self.len - 1] == 1 && self.len + 1 + after > 3 {
            self.len -= 1;
            self.values[self.len - 1] -= 1;
            angle -= 1;
            if self.values[self.len - 1] < 1 || angle < 1 {
                return false;
            }
        }
        self.values[self.len] = angle;
        self.len += 1;
        true
    }

    /// Whether so many places more can close the polygon.
    ///
    /// No place of angle 1 is left but the ends, so that all triangles along it have their third place among
    /// those to come; counted around the places passed, they are that many different ones.
    fn can_close(&self, after: usize) -> bool {
        let sum: usize = self.values[..self.len].iter().map(|&value| value as usize).sum();
        sum + 3 <= after + 2 * self.len
    }

    /// Whether all of it can be cut off, down to one triangle.
    fn vanishes(mut self) -> bool {
        while self.len > 3 {
            let Some(ear) = self.values[..self.len].iter().position(|&value| value == 1) else { return false };
            for beside in [(ear + 1) % self.len, (ear + self.len - 1) % self.len] {
                self.values[beside] -= 1;
                if self.values[beside] < 1 {
                    return false;
                }
            }
            self.values.copy_within(ear + 1..self.len, ear);
            self.len -= 1;
        }
        self.values[..3] == [1; 3]
    }
}

struct Search<'a> {
    n: usize,
    /// Places of each kind that are still to come.
    left: [usize; 3],
    /// Sum of the angles that are still to come.
    sum: i32,
    angles: Vec<u8>,
    places: Vec<Axial>,
    taken: Vec<bool>,
    ours: &'a mut dyn FnMut() -> bool,
    found: &'a mut dyn FnMut(&Walk) -> bool,
}

impl Search<'_> {
    fn enter(&mut self, at: Axial, angle: u8) {
        self.left[kind(angle)] -= 1;
        self.sum -= i32::from(angle);
        self.angles.push(angle);
        self.places.push(at);
        self.taken[cell(at)] = true;
    }

    fn leave(&mut self) {
        if let (Some(angle), Some(at)) = (self.angles.pop(), self.places.pop()) {
            self.left[kind(angle)] += 1;
            self.sum += i32::from(angle);
            self.taken[cell(at)] = false;
        }
    }

    /// Goes on from a free place that is entered in a direction (0..=5); the angles so far have this period.
    /// False once enough was found.
    fn go(&mut self, period: usize, at: Axial, direction: usize, rest: &Rest) -> bool {
        let index = self.angles.len();
        if index == self.n / 2 && !(self.ours)() {
            return true;
        }
        let after = self.n - 1 - index;
        let least = self.angles[index - period];
        for angle in least..=5 {
            if self.left[kind(angle)] == 0 {
                continue;
            }
            let mut rest = rest.clone();
            if !rest.push(angle, after) {
                continue;
            }
            let period = if angle == least { period } else { index + 1 };
            let direction = (direction + 9 - usize::from(angle)) % 6;
            let next = at.neighbour(direction + 1);
            self.enter(at, angle);
            let go_on = if after == 0 {
                // The last place lies beside the first, at the edge that the first angle, 1, says.
                let closed = next == self.places[0] && direction == 4 && self.n.is_multiple_of(period);
                !(closed && rest.vanishes()) || {
                    let walk = Walk { angles: &self.angles, places: &self.places, symmetry: self.n / period };
                    (self.found)(&walk)
                }
            } else {
                let last = self.places[0].neighbour(2);
                let mut inside = 1..rest.values[rest.len - 1] as usize;
                !self.can_balance()
                    || !rest.can_close(after)
                    || inside.any(|i| self.taken[cell(at.neighbour((direction + i) % 6 + 1))])
                    || self.taken[cell(next)]
                    || next.distance(last) as usize >= after
                    || self.go(period, next, direction, &rest)
            };
            self.leave();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Whether the kinds of places to come can have angles of the sum that is due.
    fn can_balance(&self) -> bool {
        let [sharp, wide, straight] = self.left.map(|count| count as i32);
        let over = self.sum - 3 * straight - sharp - 2 * wide;
        over >= 0 && over <= 4 * sharp + 2 * wide && over % 2 == 0 && (wide > 0 || over % 4 == 0)
    }
}
