//! Options of Pumpkin, which has none by name of its own: those of its choices that are worth comparing.

use pumpkin_core::options::{RestartOptions, SequenceGeneratorType, SolverOptions};
use pumpkin_core::rand::SeedableRng;
use pumpkin_core::rand::rngs::SmallRng;

use super::NAME;
use crate::backend::SessionOptions;
use crate::error::SolveError;

/// What to decide next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Branching {
    /// What was in recent conflicts (VSIDS), and where nothing is left of these at random.
    #[default]
    Vsids,
    /// A variable with the fewest values left, a random value.
    FirstFail,
    /// Variables in the order of the model, least value first.
    InputOrder,
    /// Any variable, a random value.
    Random,
}

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choices {
    pub branching: Branching,
    pub restarts: RestartOptions,
    pub seed: u64,
}

impl Choices {
    /// Reads the options of a run.
    ///
    /// # Errors
    /// An option that there is not, a value that makes no sense, several threads.
    pub fn read(options: &SessionOptions) -> Result<Self, SolveError> {
        if options.threads > 1 {
            return Err(SolveError::Unsupported { solver: NAME, reason: format!("{} threads", options.threads) });
        }
        options.refuse_own(NAME, &["seed", "threads", "time-limit"], false)?;
        let mut choices =
            Self { branching: Branching::default(), restarts: RestartOptions::default(), seed: options.seed };
        for (option, value) in &options.options {
            let refused = || SolveError::Option { solver: NAME, option: option.clone(), value: value.clone() };
            let set = match option.as_str() {
                "branching" => branching(value).map(|branching| choices.branching = branching),
                "restarts" => restarts(value, &mut choices.restarts),
                "restart-interval" => {
                    let interval = value.parse().ok().filter(|interval| *interval > 0);
                    interval.map(|interval| choices.restarts.base_interval = interval)
                }
                _ => None,
            };
            set.ok_or_else(refused)?;
        }
        Ok(choices)
    }

    /// Options for a new solver.
    pub fn solver(&self) -> SolverOptions {
        SolverOptions {
            restart_options: self.restarts,
            random_generator: SmallRng::seed_from_u64(self.seed),
            ..SolverOptions::default()
        }
    }
}

fn branching(word: &str) -> Option<Branching> {
    Some(match word {
        "vsids" => Branching::Vsids,
        "first-fail" => Branching::FirstFail,
        "input-order" => Branching::InputOrder,
        "random" => Branching::Random,
        _ => return None,
    })
}

fn restarts(word: &str, options: &mut RestartOptions) -> Option<()> {
    match word {
        // Pumpkin's default: by the quality of what is learned, as Glucose does.
        "constant" => options.sequence_generator_type = SequenceGeneratorType::Constant,
        "luby" => options.sequence_generator_type = SequenceGeneratorType::Luby,
        "geometric" => {
            options.sequence_generator_type = SequenceGeneratorType::Geometric;
            options.geometric_coef = Some(1.5);
        }
        "none" => options.no_restarts = true,
        _ => return None,
    }
    Some(())
}
