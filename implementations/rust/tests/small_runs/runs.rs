//! The small run of each chapter, and the session that ChatApp's has.

use serde_json::{json, Value};

use crate::program::Program;

/// Benchmarks by their parameters, the messages of a run (the budget, and what control says),
/// and the receipts, all with the salt 42.
pub fn small_runs() -> Vec<(Value, u64, Value)> {
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

#[test]
fn an_act_and_a_turn_log_what_the_session_of_the_chapter_has() {
    let mut program = Program::start(&[]);
    program.prepare(&json!({"chatapp": {
        "clients": 2, "directories": 1, "turns": 1, "compute": 0, "post": 90, "leave": 0,
        "invite": 10, "befriend": 50, "selection": 1, "fib_n": 3, "history": true, "seed": 42,
    }}));
    program.call("act", &json!({"client": 0, "choice": 4, "index": 0, "k": 1}));
    program.call("turn", &json!({}));
    let (_, answer) = program.call("teardown", &json!({}));
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
