# The verbs of the project. `./justw VERB` works on a machine without just.

# Runs at a time. Two runs on two cores disturb each other a little; 1 for figures to publish.
jobs := env("TILEBENCH_JOBS", "2")

tables := "configs/table1.toml configs/table2.toml configs/table3.toml configs/table4.toml configs/table5.toml"

# List the verbs
default:
    @just --list --justfile {{ justfile() }}

# Build the command: target/release/tilebench
build:
    cargo build --release

# Tables 1 to 5 of Kino and Uno beside the published figures, with short limits: about 10 minutes after the build
reproduce: build
    target/release/tilebench run {{ tables }} configs/matching.toml --profile quick --jobs {{ jobs }} --out results/quick --resume
    target/release/tilebench report results/quick/table1 results/quick/table2 results/quick/table3 results/quick/table4 results/quick/table5 results/quick/matching --output plots/quick
    @echo "The report begins at plots/quick/index.md; its LaTeX version is plots/quick/report.tex."

# The same with limits like the paper's longest times, on two boards a size: days
reproduce-full: build
    target/release/tilebench run {{ tables }} configs/matching.toml --profile full --jobs {{ jobs }} --out results/full --resume
    target/release/tilebench report results/full/table1 results/full/table2 results/full/table3 results/full/table4 results/full/table5 results/full/matching --output plots/full

# Compare the solvers on the same boards, short limits
solvers: build
    target/release/tilebench run configs/solvers.toml configs/unsolvable.toml --profile quick --jobs {{ jobs }} --out results/quick --resume
    target/release/tilebench report results/quick/solvers results/quick/unsolvable --output plots/solvers

# Run all tests
test:
    cargo test --release --workspace

# Formatting and lints
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings

# Measure functions: model building, loop tracing, verification, LP writing
bench:
    cargo bench --workspace

# Make the instances of the configs again and check their solutions
instances: build
    target/release/tilebench generate suite instances/tantrix/fixed/suite.toml
    target/release/tilebench generate suite instances/tantrix/bounded/suite.toml
    target/release/tilebench generate suite instances/tantrix/natural/suite.toml
