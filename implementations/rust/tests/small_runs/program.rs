//! The whole program over its pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{json, Value};

/// The program, as the harness runs it.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: u64,
}

impl Program {
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_benchmarks"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output, calls: 0 }
    }

    /// Makes a call and does not wait for its answer.
    pub fn begin(&mut self, call: &str, request: &Value) {
        self.calls += 1;
        writeln!(self.input, "{}", json!({"id": self.calls, "call": call, "request": request}))
            .unwrap();
    }

    /// The items of a call, and its last answer.
    pub fn call(&mut self, call: &str, request: &Value) -> (Vec<Value>, Value) {
        self.begin(call, request);
        let mut items = Vec::new();
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["id"], self.calls);
            match answer.get("item") {
                Some(item) => items.push(item.clone()),
                None => return (items, answer),
            }
        }
    }

    pub fn prepare(&mut self, benchmark: &Value) {
        let everybody = json!([{
            "class": 0, "modulus": 1, "remainder": 0, "first": 0, "last": u32::MAX,
            "from": 0, "events": u32::MAX,
        }]);
        let request = json!({
            "benchmark": benchmark, "watches": everybody, "node": 0, "peers": [], "secret": "",
        });
        self.call("prepare", &request);
    }

    /// Ends its input; it exits with status 0 (CTRL-11).
    pub fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}
