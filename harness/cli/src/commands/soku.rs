//! `tilebench soku`: a solution of every class of boards of IcoSoKu, and files of them.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use combinatorics::soku::classes::{self, CLASSES, Classes, RECORD, check_records};
use indicatif::{HumanCount, ProgressBar};
use puzzle::InputError;
use runner::Interrupt;
use solve::search::solve_all;

use crate::args::{Soku, SokuCheck, SokuVerifyAll};
use crate::output::{Failed, INTERRUPTED, bar, check_outputs, note, say};

pub fn soku(args: &Soku) -> anyhow::Result<ExitCode> {
    match args {
        Soku::VerifyAll(args) => verify_all(args),
        Soku::Check(args) => check(args),
    }
}

/// Prints how many classes are solved, and writes their solutions; exit code 1 if one has none.
fn verify_all(args: &SokuVerifyAll) -> anyhow::Result<ExitCode> {
    check_outputs(&[], args.output.as_deref().as_slice())?;
    let (count, threads, watch) = (args.classes.unwrap_or(CLASSES), args.threads.number(), Watch::new()?);
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
    let Some(solved) = solved.filter(|_| is_checked) else { return Ok(interrupted()) };
    if let Some(path) = &args.output {
        record::write_whole_with(path, |file| classes::write(file, &records))?;
    }
    say!("solved and verified: {}", classes_in_words(count));
    let [searched, moved] = [solved.searched, solved.moved].map(|count| HumanCount(u64::from(count)));
    say!(
        "{searched} by search, {moved} by moves from other solutions; {:.2} s to solve, {:.2} s to check, threads: {threads}",
        solving.as_secs_f64(),
        checking.as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// Prints what the file has; exit code 1 if something is wrong with it.
fn check(args: &SokuCheck) -> anyhow::Result<ExitCode> {
    let path = args.file.display();
    let file = puzzle::read_bytes(&args.file).map_err(InputError::io(&args.file))?;
    let watch = Watch::new()?;
    watch.begin("checked", u64::from(CLASSES));
    let checked = classes::check(&file, args.threads.number(), &|classes| watch.add(classes));
    watch.bar.finish_and_clear();
    let Some(count) = checked.map_err(|flaw| Failed(format!("{path}: {flaw}")))? else {
        return Ok(interrupted());
    };
    let count = u32::try_from(count).unwrap_or(CLASSES);
    if count < CLASSES && !args.sample {
        let found = classes_in_words(count);
        return Err(
            Failed(format!("{path}: its solutions are valid, but it has {found} only; --sample accepts that")).into()
        );
    }
    say!("valid: a solution for {}", classes_in_words(count));
    Ok(ExitCode::SUCCESS)
}

/// Says so, and that nothing was written.
fn interrupted() -> ExitCode {
    note!("interrupted; nothing is written");
    ExitCode::from(INTERRUPTED)
}

fn classes_in_words(count: u32) -> String {
    let (count, all) = (HumanCount(u64::from(count)), HumanCount(u64::from(CLASSES)));
    if count.0 == all.0 {
        format!("all {all} classes of boards")
    } else {
        format!("the first {count} of {all} classes of boards")
    }
}

/// Shows how far a work is, and stops it when asked to.
struct Watch {
    interrupt: Interrupt,
    bar: ProgressBar,
}

impl Watch {
    fn new() -> anyhow::Result<Self> {
        let interrupt = Interrupt::on_signals().context("cannot watch for Ctrl-C")?;
        Ok(Self { interrupt, bar: bar() })
    }

    fn add(&self, classes: usize) -> ControlFlow<()> {
        self.bar.inc(classes as u64);
        if self.interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn begin(&self, what: &'static str, classes: u64) {
        self.bar.reset();
        self.bar.set_length(classes);
        self.bar.set_message(what);
    }
}
