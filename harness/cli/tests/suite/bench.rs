//! A folder with small instances, and the command run in it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Three places, three tiles, one yellow loop: solvable in six ways.
pub const TRIANGLE: &str = r#"kind = "tantrix-fixed"
challenge = 3
tiles = "repeated"
colour = "yellow"
places = [[0, 0], [1, 0], [0, 1]]
known = "solvable"
source = "test"
"#;

/// A game of 3SoKu with two equal tiles.
pub const TETRAHEDRON: &str = r#"kind = "soku"
field = "tetrahedron"
capacity = { A = 1, B = 2, C = 2, D = 4 }
tiles = [[0, 0, 1], [0, 0, 1], [0, 0, 3], [1, 1, 2]]
known = "solvable"
source = "test"
"#;

/// The formulation "colour" in a config.
pub const COLOUR: &str = "[[formulation]]\nname = \"colour\"\nfamilies = \"C1 C2' C4c C5x C6x\"\n";

/// Three places in a row, on which no line can close.
pub fn row() -> String {
    TRIANGLE.replace("[0, 1]]", "[2, 0]]").replace("\"solvable\"", "\"unsolvable\"")
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the workspace")
}

/// Whether a file of the workspace belongs to the repository: a config that somebody keeps there is nothing to test. Where git cannot
/// tell, and outside of the workspace, every file does.
pub fn is_shipped(path: &Path) -> bool {
    static SHIPPED: LazyLock<HashSet<PathBuf>> = LazyLock::new(|| {
        let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(workspace()).output();
        let text = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned()).unwrap_or_default();
        text.split_terminator('\0').map(|name| workspace().join(name)).collect()
    });
    SHIPPED.is_empty() || !path.starts_with(workspace()) || SHIPPED.contains(path)
}

/// A folder that goes with the test, with `tri.toml` and `row.toml` in it.
pub struct Bench {
    program: &'static str,
    folder: TempDir,
    /// Where the command has its temporary files: one that is killed leaves some.
    temporary: TempDir,
    /// What the command finds in its environment, beside the rest.
    variables: Vec<String>,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Waits for the end of a command.
    pub fn of(child: Child) -> Self {
        let output = child.wait_with_output().expect("the command runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { code: output.status.code().expect("no signal"), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The command succeeded.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// The command refused its input and said so in these words.
    #[track_caller]
    pub fn refused(self, words: &[&str]) {
        assert_eq!(self.code, 2, "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word:?} is missing: {}", self.err);
        }
    }
}

impl Bench {
    pub fn new() -> Self {
        Self::of(env!("CARGO_BIN_EXE_tilebench"))
    }

    /// The same for the executable that has the solver `mock` too.
    pub fn mock() -> Self {
        Self::of(env!("CARGO_BIN_EXE_tilebench-mock"))
    }

    fn of(program: &'static str) -> Self {
        let [folder, temporary] = [(); 2].map(|()| TempDir::new().expect("a temporary folder"));
        let bench = Self { program, folder, temporary, variables: Vec::new() };
        bench.write("tri.toml", TRIANGLE);
        bench.write("row.toml", &row());
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of temporary files of its commands.
    pub fn temporary(&self) -> Vec<String> {
        let entries = fs::read_dir(self.temporary.path()).expect("the folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file can be written");
    }

    /// Copies an instance of the project into the folder.
    pub fn copy(&self, instance: &str, name: &str) {
        let from = workspace().join("instances").join(instance);
        fs::copy(&from, self.path(name)).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Gives a variable of the environment a value.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.push(format!("{name}={value}"));
    }

    /// Names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Writes `NAME.toml`: an experiment of that name on an instance, within 30 seconds a run, with these formulations and solvers.
    pub fn config(&self, name: &str, instance: &str, tables: &str) {
        let head = format!("experiment = \"{name}\"\ntitle = \"{name}\"\ninstances = [\"{instance}\"]\n");
        self.write(&format!("{name}.toml"), &format!("{head}[limits]\ntime = \"30s\"\n{tables}"));
    }

    /// Runs the command in the folder.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        self.feed(args, "")
    }

    /// Runs the command in the folder with this on standard input.
    pub fn feed<S: AsRef<OsStr>>(&self, args: &[S], input: &str) -> Ran {
        let mut child = self.start(args);
        // A command that wants no input may be gone by now.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        Ran::of(child)
    }

    /// Starts the command in the folder and does not wait for it.
    pub fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Child {
        self.start_into(args, Stdio::piped())
    }

    /// Runs the command with a standard output that nobody reads any more, as `| head` leaves it.
    pub fn run_unread<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        Ran::of(self.start_into(args, Stdio::from(writer)))
    }

    fn start_into<S: AsRef<OsStr>>(&self, args: &[S], stdout: Stdio) -> Child {
        // Signals that the tests were started with ignored (nohup, a background job) would stay ignored in it.
        let mut command = Command::new("env");
        command.arg("--default-signal=HUP,INT,TERM").args(&self.variables).arg(self.program).args(args);
        // Tests run beside each other.
        command.env("TILEBENCH_ANYWAY", "1").env("TMPDIR", self.temporary.path());
        command.current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped()).spawn().expect("starts")
    }

    /// Processes that still work in the folder after five seconds, in words.
    pub fn survivors(&self) -> Vec<String> {
        let start = Instant::now();
        loop {
            let found = self.processes();
            if found.is_empty() || start.elapsed() > Duration::from_secs(5) {
                return found;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Processes that work in the folder now. What a command starts works there too; what is dead works nowhere.
    pub fn processes(&self) -> Vec<String> {
        let folder = fs::canonicalize(self.folder.path()).expect("the folder");
        let entries = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
        let here = entries.filter(|path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder));
        here.map(|path| {
            let line = fs::read_to_string(path.join("cmdline")).unwrap_or_default().replace('\0', " ");
            format!("{} {line}", path.display())
        })
        .collect()
    }
}

/// Waits so many seconds for something.
#[track_caller]
pub fn wait_for(seconds: u64, mut what: impl FnMut() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(seconds), "nothing happened within {seconds} s");
        // What takes long is seldom looked for: it may take much to look.
        thread::sleep((start.elapsed() / 10).clamp(Duration::from_millis(5), Duration::from_millis(200)));
    }
}

/// Sends a signal to a process.
#[track_caller]
pub fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{signal}"), process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// Splits a command line written with single spaces.
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Lists programs whose tests must not be left out, separated by spaces.
const NEEDED: &str = "TILEBENCH_TEST_PROGRAMS";

/// Says that the tests of a program are left out, or fails where they must not be.
pub fn leave_out(name: &str, how: &str) {
    let needed = std::env::var(NEEDED).unwrap_or_default();
    assert!(
        !needed.split_whitespace().any(|needed| needed == name),
        "{NEEDED} names {name}, which is not there: {how}"
    );
    eprintln!("NOT TESTED HERE: {name}, which is not there ({how})");
}
