//! The small run of each chapter: its receipt, from the whole program over its pipes.

mod program;
mod runs;

use serde_json::json;

use self::program::Program;
use self::runs::small_runs;

fn hold_small_runs(arguments: &[&str]) {
    let mut program = Program::start(arguments);
    for (benchmark, messages, expected) in small_runs() {
        program.prepare(&benchmark);
        program.call("run", &json!({"salt": 42}));
        let (_, answer) = program.call("teardown", &json!({}));
        let receipt = &answer["reply"]["receipt"];
        let name = benchmark.as_object().unwrap().keys().next().unwrap();
        assert_eq!(receipt["done"]["benchmark"], *name);
        assert_eq!(receipt["done"]["arguments"], json!(expected), "{benchmark}");
        assert_eq!(receipt["alive"], 0, "{benchmark}");
        let (items, _) = program.call("trace", &json!({}));
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
fn the_end_of_the_input_ends_the_process_while_a_run_is_under_way() {
    let mut program = Program::start(&[]);
    program
        .prepare(&json!({"pingpong": {"rounds": 0, "windows": 1, "window": 60_000, "shift": 0}}));
    program.begin("run", &json!({"salt": 0}));
    program.end();
}

/// What is logged of this is more than a pipe holds.
#[test]
fn the_end_of_the_input_ends_the_process_while_nobody_reads_a_trace() {
    let mut program = Program::start(&[]);
    program
        .prepare(&json!({"pingpong": {"rounds": 20_000, "windows": 0, "window": 0, "shift": 0}}));
    program.call("run", &json!({"salt": 0}));
    program.begin("trace", &json!({}));
    program.end();
}
