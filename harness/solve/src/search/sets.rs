//! Sets of small numbers as bits, in as many words as a search needs.

use std::array;

pub(super) type Set<const W: usize> = [u64; W];

#[inline(always)]
pub(super) fn insert<const W: usize>(set: &mut Set<W>, number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// The set of one number.
pub(super) fn only<const W: usize>(number: usize) -> Set<W> {
    let mut set = [0; W];
    insert(&mut set, number);
    set
}

#[inline(always)]
pub(super) fn union<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    array::from_fn(|i| a[i] | b[i])
}

#[inline(always)]
pub(super) fn both<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    array::from_fn(|i| a[i] & b[i])
}

#[inline(always)]
pub(super) fn without<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    array::from_fn(|i| a[i] & !b[i])
}

#[inline(always)]
pub(super) fn meets<const W: usize>(a: &Set<W>, b: &Set<W>) -> bool {
    (0..W).any(|i| a[i] & b[i] != 0)
}

#[inline(always)]
pub(super) fn size<const W: usize>(set: &Set<W>) -> u32 {
    set.iter().map(|bits| bits.count_ones()).sum()
}

/// The members, least first.
pub(super) fn members<const W: usize>(set: Set<W>) -> impl Iterator<Item = usize> {
    set.into_iter().enumerate().flat_map(|(word, mut bits)| {
        std::iter::from_fn(move || {
            let number = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (number < 64).then_some(64 * word + number)
        })
    })
}
