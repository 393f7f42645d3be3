//! What every backend checks of its options: those that the harness sets itself, found however they are written (in other case,
//! abbreviated, in parts, as arguments), threads and seeds.

use std::collections::BTreeMap;

use crate::backend::SessionOptions;
use crate::error::SolveError;

/// Options of HiGHS, the library and the program, that are set from the run; that cut off solutions or change the problem, so that a
/// proof would be of another one; and files.
pub(crate) const HIGHS_OWN: &str = "random_seed threads parallel time_limit output_flag log_to_console log_file objective_bound objective_target \
     small_matrix_value large_matrix_value infinite_bound infinite_cost solve_relaxation user_bound_scale user_objective_scale \
     user_cost_scale read_solution_file read_basis_file solution_file write_solution_to_file write_solution_style \
     write_model_file write_model_to_file write_presolved_model_file write_presolved_model_to_file write_basis_file \
     write_iis_model_file mip_improving_solution_file mip_improving_solution_save options_file model_file";

/// The same of CBC; and, from `branchAndCut` on, all that it calls an action: it would be done at once, most of them in the middle of a
/// solve, and may crash, as `dwHeuristic` does. CBC takes abbreviations in any case.
pub(crate) const CBC_OWN: &str = "seconds timeMode threads randomSeed randomCbcSeed logLevel slogLevel cutoff increment fixOnDj integerTolerance \
     objectiveScale reallyObjectiveScale rhsScale printingOptions direction dwHeuristic branchAndCut doHeuristic miplib mipstart nextBestSolution priorityIn \
     solve userCbc allSlack barrier basisIn basisOut csvStatistics debugIn directory dirSample dirNetlib dirMiplib dualSimplex \
     eitherSimplex end environment exit export fakeBound gsolution guess help import initialSolve maximize minimize netlib \
     netlibBarrier netlibDual netlibPrimal netlibTune network outDuplicates parametrics plusMinus primalSimplex printMask quit \
     restoreSolution readStored reallyScale restoreModel reverse saveModel saveSolution sleep solution statistics stop tightLP \
     unitTest userClp";

/// The same of SCIP, the library and the program; the last two are arguments of the latter: a batch file, and bounds on the objective.
pub(crate) const SCIP_OWN: &str = "limits/time timing/clocktype timing/enabled randomization/randomseedshift limits/objective limits/primal limits/dual \
     lp/threads parallel/minnthreads parallel/maxnthreads display/verblevel constraints/countsols/active b o";

/// What stands in a line that CBC, the library or the program, prints because of an option that there is not, of which only the
/// beginning is given, or that does not take such a word or number. It goes on without it.
pub(crate) const CBC_COMPLAINTS: [&str; 6] = [
    "No match for ",
    "Short match for ",
    "Multiple matches for ",
    "Possible options for ",
    " is illegal for ",
    " - valid range is ",
];

/// An option that the solver does not have, or a value that it refuses.
pub(crate) fn refused(solver: &'static str, option: &str, value: &str) -> SolveError {
    refused_because(solver, option, value, "")
}

/// The same, with the reason.
pub(crate) fn refused_because(solver: &'static str, option: &str, value: &str, why: &str) -> SolveError {
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    SolveError::Option { solver, option: option.to_owned(), value: value.to_owned(), why }
}

/// What the solver cannot do.
pub(crate) fn unsupported(solver: &'static str, reason: impl Into<String>) -> SolveError {
    SolveError::Unsupported { solver, reason: reason.into() }
}

impl SessionOptions {
    /// Refuses what no solver can take, and what the harness sets itself: a row that says one thread and seed 1
    /// must not come from a run with others.
    ///
    /// `own` are the solver's names of those options, with spaces between. They are compared part by part without regard to
    /// case and, where the solver takes abbreviations, by their beginnings. Control characters and `=` in names could bring in further options
    /// where options are lines of a file.
    pub fn refuse_own(&self, solver: &'static str, own: &str, abbreviations: bool) -> Result<(), SolveError> {
        for (option, value) in &self.options {
            let unfit = |c: char| c == '=' || c.is_control();
            // HiGHS and CBC take nothing for 0.
            let is_nothing = value.trim().is_empty() && option != "arguments";
            if is_nothing || option.trim().is_empty() || option.contains(unfit) || value.contains(char::is_control) {
                return Err(refused(solver, option, value));
            }
            if is_own(option, value, own, abbreviations) {
                return Err(SolveError::OwnOption { solver, option: option.clone() });
            }
        }
        Ok(())
    }

    /// Refuses several threads, for a solver that runs in one.
    pub(crate) fn one_thread(&self, solver: &'static str) -> Result<(), SolveError> {
        match self.threads {
            0 | 1 => Ok(()),
            threads => Err(unsupported(solver, format!("{threads} threads: it runs in one"))),
        }
    }

    /// Refuses seeds above the greatest that a solver takes.
    pub(crate) fn seed_up_to(&self, solver: &'static str, most: u64) -> Result<(), SolveError> {
        match self.seed {
            seed if seed <= most => Ok(()),
            seed => Err(unsupported(solver, format!("a seed of {seed}, above {most}"))),
        }
    }
}

/// Refuses values that a program or library which reads options from a line of arguments would take for the next option.
pub(crate) fn refuse_dashed(solver: &'static str, options: &BTreeMap<String, String>) -> Result<(), SolveError> {
    let dashed = |value: &String| value.starts_with('-') && value.parse::<f64>().is_err();
    match options.iter().find(|(_, value)| dashed(value)) {
        Some((option, value)) => Err(refused(solver, option, value)),
        None => Ok(()),
    }
}

/// Whether an option is one of `own`. Names may have parts, with a space or `/` between (`mip/tolerances/uppercutoff`); the last of
/// them may stand in the value, where a program takes all as one line.
pub(crate) fn is_own(option: &str, value: &str, own: &str, abbreviations: bool) -> bool {
    let given: Vec<&str> = parts(option).chain(parts(value)).collect();
    own.split_whitespace().any(|own| begins_with(&given, own, abbreviations))
}

/// The first of the arguments of a program that sets one of `own`: as `--name`, `-name=value` or `-n5`, or in a command
/// `set name value` of programs with a shell, which takes abbreviations. Values count too, since which words are values only the program
/// knows. Paths set nothing.
pub(crate) fn own_argument<'a>(arguments: &'a [String], own: &str, abbreviations: bool) -> Option<&'a str> {
    let as_option = |word: &str| {
        let dashed = word.starts_with('-');
        let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
        let letter = |own: &str| {
            own.chars().count() == 1 && name.strip_prefix(own).is_some_and(|rest| rest.parse::<f64>().is_ok())
        };
        // A single letter abbreviates too much to be taken, and is `-c command` elsewhere.
        let abbreviations = abbreviations && name.chars().count() > 1;
        !name.is_empty()
            && (own.split_whitespace().any(|own| begins_with(&[name], own, abbreviations))
                || dashed && own.split_whitespace().any(letter))
    };
    if let Some(word) = arguments.iter().find(|word| as_option(word)) {
        return Some(word);
    }
    let in_shell = |word: &&String| !word.starts_with(['-', '/', '.']);
    let words: Vec<(&str, &str)> =
        arguments.iter().filter(in_shell).flat_map(|word| parts(word).map(move |part| (part, word.as_str()))).collect();
    let flat: Vec<&str> = words.iter().map(|(part, _)| *part).collect();
    let set = |index: &usize| !flat[*index].is_empty() && "set".starts_with(&flat[*index].to_lowercase());
    let own_after = |index: &usize| own.split_whitespace().any(|own| begins_with(&flat[index + 1..], own, true));
    (0..flat.len()).filter(set).find(own_after).map(|index| words[index].1)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == '/' || c.is_whitespace()).filter(|part| !part.is_empty())
}

/// Whether words begin with the parts of a name. Letters have two cases where they are options of their own (`-o`, `-O`).
fn begins_with(given: &[&str], own: &str, abbreviations: bool) -> bool {
    let same = |(given, own): (&&str, &str)| {
        let (lower, lower_own) = (given.to_lowercase(), own.to_lowercase());
        match own.chars().count() {
            1 => *given == own,
            _ => lower == lower_own || abbreviations && lower_own.starts_with(&lower),
        }
    };
    parts(own).count() <= given.len() && given.iter().zip(parts(own)).all(same)
}

#[cfg(test)]
mod tests {
    use super::{is_own, own_argument};

    const OWN: &str = "timelimit mip/tolerances/uppercutoff limits/objective t cutoff";

    #[test]
    fn options_of_the_run_are_found_however_they_are_written() {
        for (option, value) in [
            ("TimeLimit", "5"),
            (" timelimit ", "5"),
            ("tim", "5"),
            ("mip/tolerances/uppercutoff", "1"),
            ("m tol upp", "1"),
            ("mip", "tolerances uppercutoff 1"),
            ("t", "5"),
        ] {
            assert!(is_own(option, value, OWN, true), "{option} = {value}");
        }
        for (option, value) in [("mip tolerances mipgap", "0.1"), ("presolve", "cutoff"), ("mip", "x")] {
            assert!(!is_own(option, value, OWN, true), "{option} = {value}");
        }
        assert!(!is_own("cut", "5", OWN, false) && !is_own("T", "5", OWN, false));
    }

    #[test]
    fn so_are_arguments() {
        let found = |line: &str, abbreviations| {
            let words: Vec<String> = line.split('|').map(str::to_owned).collect();
            own_argument(&words, OWN, abbreviations).is_some()
        };
        for line in ["-cutoff|5", "--cutoff=5", "-CUTOFF", "-t|5", "-t5", "-c|set limits objective 5", "se|m|t|u|5"] {
            assert!(found(line, false), "{line}");
        }
        assert!(found("-cut|5", true) && !found("-cuts|on", true) && !found("-cut|5", false));
        for line in ["/x/cutoff", "./cutoff", "-T5", "-test", "-c|set limits nodes 5", "-", ""] {
            assert!(!found(line, true), "{line}");
        }
    }
}
