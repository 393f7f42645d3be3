//! The queries: joins and groups over the frames.
//!
//! A run that did not come to its end enters medians as infinitely slow, so that a median is infinite (or,
//! between two such, not a number) exactly if the median run did not end; then the bounds are shown.

use polars::prelude::*;

use super::Ends;

/// Prefixes of the columns that count statuses and categories.
pub const STATUS: &str = "status:";
pub const CATEGORY: &str = "category:";

const KEY: [&str; 1] = ["cell"];

/// Adds `total_s` (the sum of a run's iterations, as in the papers) and `bound_s`, its lower bound: the time
/// spent in solves, those included that were cut off.
pub fn with_totals(runs: LazyFrame, solves: LazyFrame) -> LazyFrame {
    let sums = solves
        .filter(col("time_s").is_not_null())
        .group_by([col("run")])
        .agg([col("time_s").sum().alias("iterated_s")]);
    let spent = coalesce(&[col("iterated_s"), col("solve_time_s")]);
    runs.join(sums, [col("run")], [col("run")], JoinArgs::new(JoinType::Left)).with_columns([
        when(col("ended")).then(spent.clone()).otherwise(lit(f64::INFINITY)).alias("total_s"),
        // A run without any solve is a bound of 0: left out, it would raise the median.
        coalesce(&[spent, lit(0.0)]).alias("bound_s"),
    ])
}

/// One line for each instance, formulation and solver.
pub fn outcomes(runs: LazyFrame, ends: &Ends) -> LazyFrame {
    let medians =
        ["total_s", "bound_s", "loops", "holes", "solves", "variables", "constraints", "nonzeros", "build_time_s"];
    let mut columns: Vec<_> = medians.iter().map(|c| col(*c).median()).collect();
    columns.extend(statuses(ends));
    columns.extend(["unproven", "restricted", "disturbed", "overdrawn"].map(sum));
    columns.push(col("ended").not().cast(DataType::UInt64).sum().alias("open"));
    columns.extend(ends.categories.iter().map(|&c| count("category", c as u32, c.as_str(), CATEGORY)));
    columns.extend(["seed", "repeat"].map(|c| col(c).n_unique().cast(DataType::UInt64)));
    columns.push(col("run").sort(SortOptions::default()).alias("members"));
    columns.push(col("total_s").filter(col("ended")).min().alias("least_s"));
    columns.push(col("bound_s").max().alias("most_s"));
    runs.group_by(KEY.map(col)).agg(columns).sort(KEY, SortMultipleOptions::default())
}

/// One line for each iteration of an instance, formulation and solver.
pub fn steps(solves: LazyFrame, ends: &Ends) -> LazyFrame {
    let keys = [KEY[0], "iteration"];
    let total = when(col("ended")).then(col("time_s")).otherwise(lit(f64::INFINITY));
    // As with runs: a solve of unknown time is a bound of 0.
    let spent = coalesce(&[col("time_s"), lit(0.0)]);
    let mut columns = vec![total.median().alias("total_s"), spent.median().alias("bound_s"), col("loops").median()];
    columns.extend(statuses(ends));
    columns.extend([sum("unproven"), sum("restricted")]);
    solves.group_by(keys.map(col)).agg(columns).sort(keys, SortMultipleOptions::default())
}

/// One line for each published formulation and board.
pub fn published(rows: LazyFrame) -> LazyFrame {
    let keys = ["source", "formulation", "objective", "challenge", "places"];
    rows.group_by(keys.map(col))
        .agg([col("time_s").sum().alias("total_s"), col("iteration").max().alias("last"), sum("unsolved")])
        .sort(keys, SortMultipleOptions::default())
}

fn statuses(ends: &Ends) -> impl Iterator<Item = Expr> {
    ends.statuses.iter().map(|&s| count("status", s as u32, s.as_str(), STATUS))
}

fn sum(flag: &str) -> Expr {
    col(flag).cast(DataType::UInt64).sum()
}

fn count(column: &str, value: u32, name: &str, prefix: &str) -> Expr {
    col(column).eq(lit(value)).cast(DataType::UInt64).sum().alias(format!("{prefix}{name}"))
}
