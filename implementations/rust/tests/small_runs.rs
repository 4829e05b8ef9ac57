//! The small run of each chapter: its receipt, from the whole program over its pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{json, Value};

/// The program, as the harness runs it.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: u64,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
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

    /// The items of a call, and its last answer.
    fn call(&mut self, call: &str, request: Value) -> (Vec<Value>, Value) {
        self.calls += 1;
        writeln!(self.input, "{}", json!({"id": self.calls, "call": call, "request": request}))
            .unwrap();
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

    fn prepare(&mut self, benchmark: &Value) {
        let everybody = json!([{
            "class": 0, "modulus": 1, "remainder": 0, "first": 0, "last": u32::MAX,
            "from": 0, "events": u32::MAX,
        }]);
        let request = json!({
            "benchmark": benchmark, "watches": everybody, "node": 0, "peers": [], "secret": "",
        });
        self.call("prepare", request);
    }

    /// Ends its input; it exits with status 0 (CTRL-11).
    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

/// Benchmarks by their parameters, the messages of a run (the budget, and what control says),
/// and the receipts, all with the salt 42.
fn small_runs() -> Vec<(Value, u64, Value)> {
    vec![
        (
            json!({"pingpong": {"rounds": 2, "windows": 0, "window": 0}}),
            5,
            json!({"pongs": 2, "sum": 3_415_947_900_u32, "windows": [], "window_nanos": []}),
        ),
        (
            json!({"big": {"peers": 3, "rounds": 1, "windows": 0, "window": 0}}),
            19,
            json!({
                "pings": 6, "pongs": 6, "given": 1_706_678_110, "taken": 1_706_678_110,
                "windows": [], "window_nanos": [],
            }),
        ),
        (
            json!({"bang": {"senders": 1, "messages": 2, "windows": 0, "window": 0}}),
            7,
            json!({
                "bangs": 2, "answers": 2, "given": 1_972_876_074, "taken": 1_972_876_074,
                "windows": [], "window_nanos": [],
            }),
        ),
        (
            json!({"web": {"browsers": 1, "workers": 2, "requests": 2, "fib_n": 6}}),
            14,
            json!({"answers": 2, "sum": 1_972_876_010, "workers_used": 2}),
        ),
        (
            json!({"count": {"adders": 2, "adds": 1}}),
            11,
            json!({"adds": 2, "sum": 3_415_947_901_u32}),
        ),
        (json!({"chain": {"length": 3}}), 5, json!({"length": 3, "digest": 575_270_900})),
        (
            json!({"fanout": {"runners": 2, "tasks": 3, "window": 2}}),
            13,
            json!({"completed": 6, "sum": 502_963_918}),
        ),
        (
            json!({"sleepers": {"sleepers": 1, "naps": 2, "delay": 5}}),
            7,
            json!({"naps": 2, "sum": 1_972_876_022}),
        ),
        (
            json!({"mergesort": {"length": 3, "leaf": 1, "seed": 42}}),
            9,
            json!({"length": 3, "sorters": 5, "checksum": 4_772_440}),
        ),
        (
            json!({"broker": {"employees": 1, "tasks": 1, "size": 4}}),
            11,
            json!({"results": 1, "sum": 3_379_571_905_u32}),
        ),
    ]
}

fn hold_small_runs(arguments: &[&str]) {
    let mut program = Program::start(arguments);
    for (benchmark, messages, expected) in small_runs() {
        program.prepare(&benchmark);
        program.call("run", json!({"salt": 42}));
        let (_, answer) = program.call("teardown", json!({}));
        let receipt = &answer["reply"]["receipt"];
        let name = benchmark.as_object().unwrap().keys().next().unwrap();
        assert_eq!(receipt[name], expected, "{benchmark}");
        assert_eq!(receipt["alive"], 0, "{benchmark}");
        let (items, _) = program.call("trace", json!({}));
        let events = &items.last().unwrap()["footer"]["events"];
        assert_eq!(*events, messages, "{benchmark}");
    }
    program.end();
}

#[test]
fn receipts_and_budgets_are_those_of_the_chapters() {
    hold_small_runs(&[]);
}

#[test]
fn they_are_so_on_one_thread() {
    hold_small_runs(&["--single"]);
}

#[test]
fn an_act_and_a_turn_log_what_the_session_of_the_chapter_has() {
    let mut program = Program::start(&[]);
    program.prepare(&json!({"chatapp": {
        "clients": 2, "directories": 1, "turns": 1, "compute": 0, "post": 90, "leave": 0,
        "invite": 10, "befriend": 50, "selection": 1, "fib_n": 3, "history": true, "seed": 42,
    }}));
    program.call("act", json!({"client": 0, "choice": 4, "index": 0, "k": 1}));
    program.call("turn", json!({}));
    let (_, answer) = program.call("teardown", json!({}));
    let receipt = &answer["reply"]["receipt"]["chatapp"];
    for (field, value) in [
        ("posts", 1),
        ("invites", 2),
        ("joins", 2),
        ("deliveries", 2),
        ("lcg_checksum", 88_267),
        ("confirms", 2),
        ("stops", 4),
        ("announced", 2_031_143_880),
        ("consumed", 2_031_143_880),
    ] {
        assert_eq!(receipt[field], value, "{field}");
    }
    assert_eq!(receipt["turn_nanos"].as_array().unwrap().len(), 2);
    program.end();
}

#[test]
fn the_end_of_the_input_ends_the_process_while_a_run_is_under_way() {
    let mut program = Program::start(&[]);
    program.prepare(&json!({"sleepers": {"sleepers": 1, "naps": 1, "delay": 60_000}}));
    writeln!(program.input, r#"{{"id":9,"call":"run","request":{{"salt":0}}}}"#).unwrap();
    program.end();
}
