//! How often each sort lies on the board, against how often it should.

use super::super::table::Table;
use super::chains::Link;

pub(super) struct Numbers {
    /// By value.
    sorts: Vec<usize>,
    /// By sort: copies that lie beyond the supply, or are missing (negative).
    surplus: Vec<i32>,
    /// Copies too many and copies missing, over all sorts.
    pub wrong: i32,
}

impl Numbers {
    pub fn new(table: &Table<1>, values: &[u8]) -> Self {
        let sorts: Vec<usize> = table.values.iter().map(|value| value.sort).collect();
        let mut surplus: Vec<i32> = table.supply.iter().map(|&count| -(count as i32)).collect();
        values.iter().for_each(|&value| surplus[sorts[usize::from(value)]] += 1);
        let wrong = surplus.iter().map(|surplus| surplus.abs()).sum();
        Self { sorts, surplus, wrong }
    }

    /// The chain is exchanged (`copies` 1), or is not after all (-1).
    pub fn exchange(&mut self, values: &[u8], links: &[Link], copies: i32) {
        for link in links {
            self.add(values[link.place], -copies);
            self.add(link.value, copies);
        }
    }

    fn add(&mut self, value: u8, copies: i32) {
        let surplus = &mut self.surplus[self.sorts[usize::from(value)]];
        self.wrong += (*surplus + copies).abs() - surplus.abs();
        *surplus += copies;
    }
}
