//! The ends of the designated lines: each knows the other end of its line.

/// To come back to; see [`Lines::undo`].
#[derive(Clone, Copy)]
pub(super) struct LinesMark {
    count: usize,
    last: (u32, u32),
}

/// Lines between half edges (six times the place, plus the edge).
pub(super) struct Lines {
    mates: Vec<u32>,
    /// How many lines there are.
    pub count: usize,
    /// The ends of the line that was made longer last.
    pub last: (u32, u32),
}

impl Lines {
    pub fn new(places: usize) -> Self {
        Self { mates: vec![0; 6 * places], count: 0, last: (0, 0) }
    }

    /// The other end of the line that ends here.
    pub fn mate(&self, end: u32) -> u32 {
        self.mates[end as usize]
    }

    /// A line of one tile.
    pub fn add(&mut self, a: u32, b: u32, save: &mut impl FnMut(u32, u32)) {
        self.set(a, b, save);
        self.set(b, a, save);
        self.count += 1;
        self.last = (a, b);
    }

    /// Joins two lines where their ends meet; tells whether they were the two ends of one line, which is closed now.
    pub fn join(&mut self, a: u32, b: u32, save: &mut impl FnMut(u32, u32)) -> bool {
        let (u, v) = (self.mate(a), self.mate(b));
        if u == b {
            return true;
        }
        self.set(u, v, save);
        self.set(v, u, save);
        self.count -= 1;
        self.last = (u, v);
        false
    }

    fn set(&mut self, at: u32, mate: u32, save: &mut impl FnMut(u32, u32)) {
        save(at, self.mates[at as usize]);
        self.mates[at as usize] = mate;
    }

    pub fn mark(&self) -> LinesMark {
        LinesMark { count: self.count, last: self.last }
    }

    /// Takes back what was done since, but for the ends that `save` was told of: see [`Lines::put_back`].
    pub fn undo(&mut self, mark: LinesMark) {
        (self.count, self.last) = (mark.count, mark.last);
    }

    /// What `save` was told, in the opposite order.
    pub fn put_back(&mut self, at: u32, old: u32) {
        self.mates[at as usize] = old;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_knows_the_ends_of_the_line_again() {
        let mut lines = Lines::new(3);
        let mut saved = Vec::new();
        let mut save = |at, old| saved.push((at, old));
        lines.add(0, 3, &mut save);
        let mark = lines.mark();
        lines.add(6, 8, &mut save);
        assert!(!lines.join(3, 6, &mut save), "two lines become one");
        assert_eq!((lines.count, lines.last, lines.mate(8)), (1, (0, 8), 0));
        lines.undo(mark);
        saved.drain(2..).rev().for_each(|(at, old)| lines.put_back(at, old));
        assert_eq!((lines.count, lines.last, lines.mate(0), lines.mate(3)), (1, (0, 3), 3, 0));
    }
}
