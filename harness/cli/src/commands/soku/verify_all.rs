//! `tilebench soku verify-all`: a solution of every class of boards, checked.

use std::process::ExitCode;
use std::time::Instant;

use combinatorics::soku::classes::{self, CLASSES, Classes, RECORD, check_records};
use indicatif::HumanCount;
use solve::search::solve_all;

use super::{Watch, threads};
use crate::args::SokuVerifyAll;
use crate::commands::show::check_folder;
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;

/// Prints how many classes are solved, and writes their solutions; exit code 1 if one has none.
pub fn verify_all(args: &SokuVerifyAll) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), check_folder)?;
    let (count, threads, watch) = (args.classes.unwrap_or(CLASSES), threads(args.threads), Watch::new()?);
    let start = Instant::now();
    let mut records = vec![[0; RECORD]; count as usize];
    watch.begin("solved", u64::from(count));
    let game = classes::game(&Classes::new().capacities(0)).map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    let solved = solve_all(&game, &mut records, threads, args.seed, &|classes| watch.add(classes))?;
    let solving = start.elapsed();
    watch.begin("checked", u64::from(count));
    let is_checked = solved.is_some()
        && check_records(&records, threads, &|classes| watch.add(classes))
            .map_err(|flaw| Failed(format!("a solution that was found is wrong: {flaw}")))?;
    let checking = start.elapsed() - solving;
    watch.bar.finish_and_clear();
    let Some(solved) = solved.filter(|_| is_checked) else { return Ok(ExitCode::from(INTERRUPTED)) };
    if let Some(path) = &args.output {
        record::write_whole_with(path, |file| classes::write(file, &records))?;
    }
    say!("solved and verified: {}", super::classes(count));
    let [searched, moved] = [solved.searched, solved.moved].map(|count| HumanCount(u64::from(count)));
    say!(
        "{searched} by search, {moved} by moves from other solutions; {:.2} s to solve, {:.2} s to check, threads: {threads}",
        solving.as_secs_f64(),
        checking.as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}
