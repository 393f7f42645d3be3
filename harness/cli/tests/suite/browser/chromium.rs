//! A headless Chromium that tests press keys and buttons in: the DevTools protocol over pipes, as far as they need it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bench::leave_out;

/// What a test waits for is there within this time, or it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long it may take to close.
const CLOSING: Duration = Duration::from_secs(10);

/// Names under which the browser is installed.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A page in a browser of its own, which ends with it.
pub struct Chromium {
    browser: Child,
    orders: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// Everything that was said and is no answer.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Chromium {
    /// Starts it. Where there is none that is said, and the test has nothing to do, unless one must be there.
    pub fn start() -> Option<Self> {
        let runs = |name: &&str| {
            let mut command = Command::new(name);
            let version = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let Some(name) = NAMES.into_iter().find(runs) else {
            leave_out("chromium", "apt-get install chromium");
            return None;
        };
        let profile = TempDir::new().expect("a temporary folder");
        // The browser reads its orders from file 3 and answers on file 4.
        let call = format!(
            "exec {name} --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
             --disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe \
             --user-data-dir=\"$0\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1"
        );
        let mut browser = Command::new("sh")
            .args(["-c", &call])
            .arg(profile.path())
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let orders = browser.stdin.take().expect("a pipe");
        let mut answers = BufReader::new(browser.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while answers.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                let said = serde_json::from_slice(&message[..message.len() - 1]).expect("JSON");
                if sender.send(said).is_err() {
                    return;
                }
                message.clear();
            }
        });
        let events = Vec::new();
        let mut page = Self { browser, orders, messages, session: None, sent: 0, events, _profile: profile };
        let targets = page.call("Target.getTargets", &json!({}));
        let target = targets["targetInfos"].as_array().expect("a list").iter().find(|t| t["type"] == "page");
        let target = &target.expect("a page")["targetId"];
        let attached = page.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        page.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        Some(page)
    }

    /// Gives an order and waits for its answer.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let mut order = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            order["sessionId"] = json!(session);
        }
        self.orders.write_all(format!("{order}\0").as_bytes()).expect("the browser listens");
        loop {
            let said = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
            if said["id"] == self.sent {
                assert!(said["error"].is_null(), "{method}: {}", said["error"]);
                return said["result"].clone();
            }
            self.events.push(said);
        }
    }

    /// Opens an address, and waits until this holds of it.
    pub fn open(&mut self, address: &str, ready: &str) {
        // The same file with another end would not be loaded anew.
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.call("Page.navigate", &json!({"url": address}));
        self.wait(ready);
    }

    /// The value of an expression.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        let guarded = format!("(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()");
        while self.value(&guarded) != true {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}; {:?}", self.complaints());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text of an element.
    #[track_caller]
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().expect("a text").to_owned()
    }

    /// Presses the mouse in the middle of an element, once that stays where it is: what was done before may still move it.
    #[track_caller]
    pub fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const element = document.querySelector({});
               element.scrollIntoView({{ block: 'center', inline: 'nearest', behavior: 'instant' }});
               const box = element.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        );
        let (mut before, mut place) = (Value::Null, self.value(&middle));
        while before != place {
            thread::sleep(Duration::from_millis(20));
            before = std::mem::replace(&mut place, self.value(&middle));
        }
        self.click_at([0, 1].map(|i| place[i].as_f64().expect("a number")));
    }

    /// Moves the mouse to a place.
    pub fn point_at(&mut self, [x, y]: [f64; 2]) {
        self.call("Input.dispatchMouseEvent", &json!({"type": "mouseMoved", "x": x, "y": y}));
    }

    /// Presses the mouse at a place.
    pub fn click_at(&mut self, [x, y]: [f64; 2]) {
        for (kind, count) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)] {
            let button = if count == 0 { "none" } else { "left" };
            let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    /// Drags what is at a place to another one.
    pub fn drag(&mut self, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) {
        for (kind, x, y) in [("mousePressed", x, y), ("mouseMoved", to_x, to_y), ("mouseReleased", to_x, to_y)] {
            let params = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    /// Presses a key, by its name in the DOM.
    pub fn key(&mut self, key: &str) {
        const CODES: [(&str, u32); 10] = [
            ("Tab", 9),
            ("Enter", 13),
            ("Escape", 27),
            (" ", 32),
            ("End", 35),
            ("Home", 36),
            ("ArrowLeft", 37),
            ("ArrowUp", 38),
            ("ArrowRight", 39),
            ("ArrowDown", 40),
        ];
        let letter = || key.chars().next().map_or(0, |c| u32::from(c.to_ascii_uppercase()));
        let code = CODES.iter().find(|(name, _)| *name == key).map_or_else(letter, |(_, code)| *code);
        let mut params = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if key == "Enter" {
            params["text"] = json!("\r");
        } else if key.chars().count() == 1 {
            params["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", &params);
        self.call("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
    }

    /// Types a text into what has the focus.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", &json!({"text": text}));
    }

    /// Makes the page that large, as on a phone or not.
    pub fn size(&mut self, width: u32, height: u32, mobile: bool) {
        let params = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.call("Emulation.setDeviceMetricsOverride", &params);
    }

    /// Sets a preference of the reader, such as `prefers-color-scheme`.
    pub fn prefer(&mut self, name: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", &json!({"features": [{"name": name, "value": value}]}));
    }

    /// What went wrong in the page so far: exceptions, and everything that the console says.
    pub fn complaints(&self) -> Vec<String> {
        let wrong = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        let found = self.events.iter().filter(|e| wrong.iter().any(|method| e["method"] == *method));
        found.map(|event| event["params"].to_string()).collect()
    }

    /// The addresses that the page asked for.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.events.iter().filter(|e| e["method"] == "Network.requestWillBeSent");
        asked.map(|e| e["params"]["request"]["url"].as_str().expect("a text").to_owned()).collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may be gone already. Its other processes write to its folder until it has closed them.
        let _ = self.orders.write_all(b"{\"id\": 0, \"method\": \"Browser.close\"}\0");
        let start = Instant::now();
        while matches!(self.browser.try_wait(), Ok(None)) && start.elapsed() < CLOSING {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
