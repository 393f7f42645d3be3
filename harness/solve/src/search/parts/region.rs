//! Where there are more places than tiles: those that get one.

use std::collections::BTreeSet;

use puzzle::hex::Axial;

use super::super::places::{NOWHERE, Places};
use super::super::random::Random;

/// A unit of distances that are compared, in places.
const UNIT: f64 = 1.0 / 1024.0;

/// So many of the places as lie nearest to a random point, in one part and without holes; fewer where the board is too narrow.
///
/// It grows place by place: the next one has two neighbours at least in it, and these lie side by side, so that no hole
/// closes. No loop passes all places of a region with a place whose neighbours do not.
pub(super) fn region(room: &Places, count: usize, random: &mut Random) -> Vec<Axial> {
    let middle = random.below(room.at.len());
    let (x, y) = room.at[middle].centre();
    let (x, y) = (x + random.next() - 0.5, y + random.next() - 0.5);
    let far = |place: usize| {
        let centre = room.at[place].centre();
        ((centre.0 - x).hypot(centre.1 - y) / UNIT) as u64
    };
    let mut is_in = vec![false; room.at.len()];
    let mut region = Vec::with_capacity(count);
    let mut next = BTreeSet::from([(0, middle)]);
    while region.len() < count
        && let Some((_, place)) = next.pop_first()
    {
        let beyond = room.beyond[place];
        let beside = beyond.map(|beyond| beyond != NOWHERE && is_in[beyond as usize]);
        let neighbours = beside.iter().filter(|&&is_in| is_in).count();
        let sides = (0..6).filter(|&edge| beside[edge] && !beside[(edge + 1) % 6]).count();
        if neighbours < region.len().min(2) || sides > 1 {
            continue;
        }
        is_in[place] = true;
        region.push(room.at[place]);
        let open = beyond.iter().filter(|&&beyond| beyond != NOWHERE).map(|&beyond| beyond as usize);
        next.extend(open.filter(|&beyond| !is_in[beyond]).map(|beyond| (far(beyond), beyond)));
    }
    region
}
