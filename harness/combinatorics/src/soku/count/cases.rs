//! A count in parts, so that it keeps to its memory: a case says of the first sorts how many of their tiles lie on the first side. Every
//! solution belongs to one case, and the more sorts a case tells of, the fewer states it has.

use super::effort::{Effort, Stop};
use super::frontier::Solved;
use super::job::{Share, Stock};

/// More cases than this are not planned.
const MOST_CASES: f64 = 1e4;

/// Counts what may take so many bytes in as many cases as their memory asks for, and every case that takes too much all the same as the
/// cases of one sort more. `count` is called with the shares of both sides and the solutions of earlier cases. With `first`, the
/// cases after one with a solution are left out.
/// Errors: what `count` says, [`Stop::Full`] only where a case of all sorts takes too much; [`Stop::Needs`] where there would be too many
/// cases.
pub(super) fn by_cases(
    stock: &Stock,
    laid: [usize; 2],
    bytes: f64,
    first: bool,
    effort: &Effort<'_>,
    count: impl Fn([&Share; 2], u128) -> Result<Solved, Stop>,
) -> Result<Solved, Stop> {
    let planned = bytes / effort.memory() as f64;
    if planned > MOST_CASES {
        // A float that is too great becomes the greatest number.
        return Err(Stop::Needs((bytes / MOST_CASES) as u64));
    }
    let mut cases = vec![stock.whole()];
    while (cases.len() as f64) < planned {
        let finer: Vec<Share> = cases.iter().flat_map(|case| divided(stock, case, laid)).collect();
        if finer.is_empty() {
            break;
        }
        cases = finer;
    }
    let (mut solutions, mut example) = (0_u128, None);
    while let Some(case) = cases.pop() {
        effort.begin();
        match count([&case, &stock.rest(&case)], solutions) {
            Ok((more, shown)) => {
                solutions = solutions.checked_add(more).ok_or(Stop::Overflow)?;
                example = example.or(shown);
                if first && more > 0 {
                    break;
                }
            }
            Err(Stop::Full) => {
                let before = cases.len();
                cases.extend(divided(stock, &case, laid));
                if cases.len() == before {
                    return Err(Stop::Full);
                }
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok((solutions, example))
}

/// The cases that tell of one sort more, the last one first; none where all are told.
fn divided<'a>(stock: &'a Stock, case: &'a Share, laid: [usize; 2]) -> impl Iterator<Item = Share> + 'a {
    // A sort without tiles divides nothing.
    let sort = (case.fixed..stock.sorts()).find(|&sort| case.most[sort] > 0);
    let told = sort.into_iter().flat_map(move |sort| (0..=case.most[sort]).rev().map(move |tiles| (sort, tiles)));
    let told = told.map(move |(sort, tiles)| {
        let mut most = case.most.clone();
        most[sort] = tiles;
        Share { most, fixed: sort + 1 }
    });
    told.filter(move |part| part.owed() <= laid[0] as u64 && stock.rest(part).owed() <= laid[1] as u64)
}
