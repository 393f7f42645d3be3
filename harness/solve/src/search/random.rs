//! Numbers from a seed.

/// Numbers from a seed (splitmix64; Steele, Lea & Flood 2014).
pub(super) struct Random(pub u64);

impl Random {
    /// Bits of which each is equally likely to be set.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// Between 0 and 1.
    pub fn next(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Below a number of at most 2^32.
    pub fn below(&mut self, end: usize) -> usize {
        (((self.bits() >> 32) * end as u64) >> 32) as usize
    }

    /// Puts these into an order of which each is equally likely (Fisher & Yates; Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, (self.next() * (last + 1) as f64) as usize);
        }
    }
}
