//! Sub-multisets of the tiles, as numbers in a mixed radix: how often each sort is used.

/// The tiles of a job by sorts.
#[derive(Debug)]
pub(super) struct Stock {
    /// Copies of each sort.
    copies: Vec<u64>,
    /// What one tile of a sort adds to the number of a multiset.
    strides: Vec<u64>,
    /// How many multisets have 0, 1, 2, ... tiles.
    sizes: Vec<f64>,
}

impl Stock {
    /// `None` where there are more multisets than a number can tell apart.
    pub fn new(copies: &[usize]) -> Option<Self> {
        let sizes = numbers(copies);
        let copies: Vec<u64> = copies.iter().map(|&copies| copies as u64).collect();
        let mut strides = vec![1; copies.len()];
        let mut next = 1_u64;
        // The first sort has the greatest stride, so that multisets come up in the order of their numbers.
        for (stride, copies) in strides.iter_mut().zip(&copies).rev() {
            *stride = next;
            next = next.checked_mul(copies + 1)?;
        }
        Some(Self { copies, strides, sizes })
    }

    /// How many multisets have so many tiles.
    pub fn number(&self, size: usize) -> f64 {
        self.sizes[size]
    }

    /// All tiles.
    pub fn all(&self) -> u64 {
        self.copies.iter().zip(&self.strides).map(|(copies, stride)| copies * stride).sum()
    }

    /// How many sorts there are.
    pub fn sorts(&self) -> usize {
        self.copies.len()
    }

    /// How many tiles of a sort a multiset has.
    pub fn used(&self, multiset: u64, sort: usize) -> u64 {
        multiset / self.strides[sort] % (self.copies[sort] + 1)
    }

    /// How many it has of every sort.
    pub fn uses(&self, multiset: u64) -> Vec<usize> {
        (0..self.sorts()).map(|sort| self.used(multiset, sort) as usize).collect()
    }

    /// A multiset with one tile of a sort more, if there is one.
    pub fn with(&self, multiset: u64, sort: usize) -> Option<u64> {
        (self.used(multiset, sort) < self.copies[sort]).then(|| multiset + self.strides[sort])
    }

    /// A multiset with one tile of a sort less, if it has one.
    pub fn without(&self, multiset: u64, sort: usize) -> Option<u64> {
        (self.used(multiset, sort) > 0).then(|| multiset - self.strides[sort])
    }

    /// All multisets of so many tiles, in the order of their numbers.
    pub fn of_size(&self, size: usize) -> Vec<u64> {
        let mut found = Vec::with_capacity(self.sizes[size] as usize);
        self.choose(0, size as u64, 0, &mut found);
        found
    }

    fn choose(&self, sort: usize, left: u64, chosen: u64, found: &mut Vec<u64>) {
        let Some(&copies) = self.copies.get(sort) else {
            if left == 0 {
                found.push(chosen);
            }
            return;
        };
        let later: u64 = self.copies[sort + 1..].iter().sum();
        for used in left.saturating_sub(later)..=copies.min(left) {
            self.choose(sort + 1, left - used, chosen + used * self.strides[sort], found);
        }
    }

    /// Binary logarithm of the greatest number of ways in which the tiles of one multiset of a size can lie on as many faces,
    /// where a tile of sort s shows `shown[s]` things.
    pub fn greatest_ways(&self, size: usize, shown: &[usize]) -> f64 {
        let log_factorial = |n: u64| (1..=n).map(|i| (i as f64).log2()).sum::<f64>();
        let ways = |multiset: u64| {
            let of_sort = |sort: usize| {
                let used = self.used(multiset, sort);
                used as f64 * (shown[sort] as f64).log2() - log_factorial(used)
            };
            (0..self.sorts()).map(of_sort).sum::<f64>()
        };
        log_factorial(size as u64) + self.of_size(size).into_iter().map(ways).fold(0.0, f64::max)
    }
}

/// How many multisets have 0, 1, 2, ... tiles, where there are so many copies of each sort.
pub(super) fn numbers(copies: &[usize]) -> Vec<f64> {
    let mut numbers = vec![0.0; copies.iter().sum::<usize>() + 1];
    numbers[0] = 1.0;
    for &copies in copies {
        // Times 1 + x + ... + x^copies, coefficient by coefficient.
        let before = numbers.clone();
        for (size, number) in numbers.iter_mut().enumerate() {
            *number = before[size.saturating_sub(copies)..=size].iter().sum();
        }
    }
    numbers
}
