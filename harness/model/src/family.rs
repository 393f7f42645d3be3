//! What a constraint family is.

/// What a family contributes to a formulation. A list of families makes sense when each needed part is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// One tile on each place (C1), or at most one (B1).
    Placing,
    /// Each tile as often as the challenge says.
    Counting,
    /// Designated lines do not end: neither at the rim of the board nor beside an empty place.
    Boundary,
    /// Touching edges match.
    Matching,
    /// The weights around each vertex add up to its capacity.
    Capacity,
    /// Subloops are cut off and the model solved again.
    Cutting,
    /// Implied by the rules, or by the other families, or keeps one of any solutions that are the same but for a symmetry; speeds the
    /// search up, and where nothing is found under it, there is nothing.
    Strengthening,
    /// Forbids some solutions too: where nothing is found under it, nothing is proven.
    Restricting,
}

/// A constraint family as the command line and configs show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamilyInfo {
    /// The name used in configs.
    pub id: &'static str,
    /// One line of what it demands.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The kinds of instances it is for, as instance files name them.
    pub kinds: &'static [&'static str],
    /// What it contributes.
    pub roles: &'static [Role],
}
