//! The ends of the designated lines: each knows the other end of its line.

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

    pub fn put_back(&mut self, at: u32, old: u32) {
        self.mates[at as usize] = old;
    }
}
