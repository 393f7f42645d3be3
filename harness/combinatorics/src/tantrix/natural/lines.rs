//! Every way in which a closed line can run over n places of the plane and leave no hole, with all that tiles on it must
//! agree on.
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

use puzzle::hex::Axial;

/// Most tiles that the search takes. What can be counted in reasonable time is far less.
pub const MOST_COUNTED: usize = 30;

/// A closed line over n places of the plane that leaves no hole.
///
/// Edges of a place are counted here from the edge where the line leaves it, counterclockwise: the line
/// leaves at 0 and came in at the angle; the edges between lie inside the line, the others outside.
pub(super) struct Outline {
    pub places: Vec<Place>,
    /// Number of pairs of edges that touch and that the line does not cross.
    pub touching: usize,
    /// Number of rotations that carry the line into itself; they shift the places by `places.len() / symmetry`.
    pub symmetry: usize,
}

/// A place of the line.
pub(super) struct Place {
    pub at: Axial,
    pub angle: u8,
    /// Where the line leaves it: 0 for edge 1.
    pub exit: usize,
    /// For each edge the number of the touching pair that it belongs to.
    pub pairs: [Option<u8>; 6],
}

/// Which of the three kinds of tile has this angle: 0 for 60 and 300 degrees, 1 for 120 and 240, 2 for 180.
pub(super) fn kind(angle: u8) -> usize {
    match angle {
        1 | 5 => 0,
        2 | 4 => 1,
        _ => 2,
    }
}

/// Calls `found` with every closed line without a hole that has these numbers of places of each [`kind`], until it returns false.
///
/// `ours` is asked at every beginning of half the length whether to go on there; threads share the lines so.
pub(super) fn outlines(kinds: [usize; 3], ours: &mut dyn FnMut() -> bool, found: &mut dyn FnMut(&Outline) -> bool) {
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
        numbers: vec![None; SIDE * SIDE],
        ours,
        found,
    };
    let home = Axial { q: 0, r: 0 };
    search.enter(home, 1);
    search.go(1, home.neighbour(1), 0, &Rest { values: [1; MOST_COUNTED], len: 1 });
}

/// Side of the square of cells that the walk has room in.
const SIDE: usize = 64;

/// Number of a place among the cells.
fn cell(at: Axial) -> usize {
    (at.r + SIDE as i32 / 2) as usize * SIDE + (at.q + SIDE as i32 / 2) as usize
}

/// What is left of the polygon when every place of angle 1 that was passed is cut off.
#[derive(Clone)]
struct Rest {
    values: [i8; MOST_COUNTED],
    len: usize,
}

impl Rest {
    /// Goes on to a place, with `after` more to come; false if no triangulation has these angles.
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

    /// Whether `after` more places can close the polygon.
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

/// The line so far, and what may still come.
struct Search<'a> {
    n: usize,
    /// Places of each kind that are still to come.
    left: [usize; 3],
    /// Sum of the angles that are still to come.
    sum: i32,
    angles: Vec<u8>,
    places: Vec<Axial>,
    /// Of each cell the index of the place of the line that lies there.
    numbers: Vec<Option<u8>>,
    ours: &'a mut dyn FnMut() -> bool,
    found: &'a mut dyn FnMut(&Outline) -> bool,
}

impl Search<'_> {
    fn enter(&mut self, at: Axial, angle: u8) {
        self.left[kind(angle)] -= 1;
        self.sum -= i32::from(angle);
        self.angles.push(angle);
        self.places.push(at);
        self.numbers[cell(at)] = Some(self.places.len() as u8 - 1);
    }

    fn leave(&mut self) {
        if let (Some(angle), Some(at)) = (self.angles.pop(), self.places.pop()) {
            self.left[kind(angle)] += 1;
            self.sum += i32::from(angle);
            self.numbers[cell(at)] = None;
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
                let outline = if closed && rest.vanishes() { self.outline(self.n / period) } else { None };
                outline.is_none_or(|outline| (self.found)(&outline))
            } else {
                let last = self.places[0].neighbour(2);
                let mut inside = 1..rest.values[rest.len - 1] as usize;
                !self.can_balance()
                    || !rest.can_close(after)
                    || inside.any(|i| self.numbers[cell(at.neighbour((direction + i) % 6 + 1))].is_some())
                    || self.numbers[cell(next)].is_some()
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

    /// The line that is closed now, which `symmetry` rotations carry into itself, with the neighbours of all its places;
    /// nothing if it encloses a hole between places that touch.
    fn outline(&self, symmetry: usize) -> Option<Outline> {
        let number = |at: Axial| self.numbers[cell(at)].map(usize::from);
        let around = |at: Axial| -> [Option<usize>; 6] { std::array::from_fn(|i| number(at.neighbour(i + 1))) };
        let neighbours: Vec<[Option<usize>; 6]> = self.places.iter().map(|&at| around(at)).collect();
        // Euler: places - pairs of neighbours + triangles = 1 - holes.
        let degrees: usize = neighbours.iter().map(|around| around.iter().flatten().count()).sum();
        let corners = |a: &[Option<usize>; 6]| (0..6).filter(|&i| a[i].is_some() && a[(i + 1) % 6].is_some()).count();
        let triangles = neighbours.iter().map(corners).sum::<usize>() / 3;
        if self.n + triangles != degrees / 2 + 1 {
            return None;
        }
        let mut touching = 0;
        let mut places: Vec<Place> = Vec::with_capacity(self.n);
        for (index, (&at, &angle)) in self.places.iter().zip(&self.angles).enumerate() {
            let next = (index + 1) % self.n;
            let exit = neighbours[index].iter().position(|&other| other == Some(next))?;
            let mut pairs = [None; 6];
            for edge in (1..6).filter(|&edge| edge != usize::from(angle)) {
                let direction = (exit + edge) % 6;
                let Some(other) = neighbours[index][direction] else { continue };
                pairs[edge] = if other < index {
                    places[other].pairs[(direction + 9 - places[other].exit) % 6]
                } else {
                    touching += 1;
                    Some(touching as u8 - 1)
                };
            }
            places.push(Place { at, angle, exit, pairs });
        }
        Some(Outline { places, touching, symmetry })
    }

    /// Whether the kinds of places to come can have angles of the sum that is due.
    fn can_balance(&self) -> bool {
        let [sharp, wide, straight] = self.left.map(|count| count as i32);
        let over = self.sum - 3 * straight - sharp - 2 * wide;
        over >= 0 && over <= 4 * sharp + 2 * wide && over % 2 == 0 && (wide > 0 || over % 4 == 0)
    }
}
