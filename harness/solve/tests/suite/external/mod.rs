//! Solvers that are programs of their own.
//!
//! Programs that are not on the machine are skipped, which is printed. The environment says where they are, as for users:
//! TILEBENCH_SCIP=/opt/scip/bin/scip, TILEBENCH_HIGHS_EXE and so on. TILEBENCH_TEST_PROGRAMS lists those that
//! must be there: without one of them the tests fail. What Gurobi and CPLEX print and write was
//! recorded from their libraries and documents.

#![expect(clippy::print_stdout, reason = "says what is skipped")]

mod custom;
mod installed;
mod languages;
mod options;
mod processes;
mod recorded;
mod reference;
mod support;
