//! Constraint models as JSON, for solvers outside of this program.
//!
//! One object with these keys, in which variables and tables are named by their indices from 0:
//!
//! - `variables`: `[name, lower, upper]` of each;
//! - `tables`: of each its rows, a row a list of values;
//! - `constraints`: in the order of the model, each an object of one of four kinds:
//!   `{"family", "table": index, "variables": [index, ...]}`: the values of the variables are a row of the table;
//!   `{"family", "clause": [literal, ...]}`: at least one literal holds;
//!   `{"family", "sum": [[coefficient, literal], ...], "lower", "upper"}`: the coefficients of the literals that hold add
//!   up to something within the bounds; `upper` is `null` where there is none;
//!   `{"family", "linear": [[coefficient, variable], ...], "lower", "upper"}`: the same of the values of variables;
//! - `single_loop`: `null`, or `{"nodes", "length", "edges": [[node, node, literal], ...]}`: the edges whose literals hold
//!   have no cycle of fewer than `length` nodes. Other constraints see to it that none or two of them meet at a node.
//!
//! A literal is `[variable, value, is]`: the variable has the value (`is` = 1) or any other (`is` = 0).

use std::io::{self, Write};

use super::{Constraint, Literal, Model, Rule};

/// Writes a model.
///
/// # Errors
/// What the writer says.
pub fn write(model: &Model, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"variables\":[")?;
    list(out, model.variables(), |out, v| write!(out, "[{},{},{}]", quoted(&v.name), v.lower, v.upper))?;
    write!(out, "],\"tables\":[")?;
    list(out, model.tables(), |out, rows| {
        write!(out, "[")?;
        list(out, rows, |out, row| {
            write!(out, "[")?;
            list(out, row, |out, value| write!(out, "{value}"))?;
            write!(out, "]")
        })?;
        write!(out, "]")
    })?;
    write!(out, "],\"constraints\":[")?;
    list(out, model.constraints(), constraint)?;
    write!(out, "],\"single_loop\":")?;
    match model.single_loop() {
        None => write!(out, "null")?,
        Some(rule) => {
            write!(out, "{{\"nodes\":{},\"length\":{},\"edges\":[", rule.nodes, rule.length)?;
            list(out, &rule.edges, |out, edge| {
                write!(out, "[{},{},{}]", edge.ends[0], edge.ends[1], literal(&edge.designated))
            })?;
            write!(out, "]}}")?;
        }
    }
    write!(out, "}}")
}

fn constraint(out: &mut dyn Write, constraint: &Constraint) -> io::Result<()> {
    write!(out, "{{\"family\":{},", quoted(constraint.family))?;
    match &constraint.rule {
        Rule::Table { variables, table } => {
            write!(out, "\"table\":{},\"variables\":[", table.0)?;
            list(out, variables, |out, var| write!(out, "{}", var.0))?;
            write!(out, "]}}")
        }
        Rule::Clause(literals) => {
            write!(out, "\"clause\":[")?;
            list(out, literals, |out, l| write!(out, "{}", literal(l)))?;
            write!(out, "]}}")
        }
        Rule::Sum { terms, lower, upper } => {
            write!(out, "\"sum\":[")?;
            list(out, terms, |out, (factor, l)| write!(out, "[{factor},{}]", literal(l)))?;
            bounds(out, *lower, *upper)
        }
        Rule::Linear { terms, lower, upper } => {
            write!(out, "\"linear\":[")?;
            list(out, terms, |out, (factor, var)| write!(out, "[{factor},{}]", var.0))?;
            bounds(out, *lower, *upper)
        }
    }
}

/// The end of a sum.
fn bounds(out: &mut dyn Write, lower: i32, upper: i32) -> io::Result<()> {
    let upper = if upper == i32::MAX { "null".to_owned() } else { upper.to_string() };
    write!(out, "],\"lower\":{lower},\"upper\":{upper}}}")
}

fn literal(literal: &Literal) -> String {
    format!("[{},{},{}]", literal.var.0, literal.value, u8::from(literal.is))
}

fn list<T>(
    out: &mut dyn Write,
    items: &[T],
    mut item: impl FnMut(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    for (index, it) in items.iter().enumerate() {
        if index > 0 {
            write!(out, ",")?;
        }
        item(out, it)?;
    }
    Ok(())
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
