//! The small run of each chapter, and the session that ChatApp's has.

use serde_json::{json, Value};

use crate::program::Program;

/// Benchmarks by their parameters, the messages of a run (the budget, and what control says),
/// and what the receipts repeat, all with the salt 42.
pub fn small_runs() -> Vec<(Value, u64, Vec<u64>)> {
    vec![
        (
            json!({"pingpong": {"rounds": 2, "windows": 0, "window": 0, "shift": 0}}),
            5,
            vec![2, 3_415_947_900],
        ),
        (
            json!({"big": {"peers": 3, "rounds": 1, "windows": 0, "window": 0}}),
            19,
            vec![6, 6, 1_706_678_110, 1_706_678_110],
        ),
        (
            json!({"bang": {"senders": 1, "messages": 2, "windows": 0, "window": 0}}),
            7,
            vec![2, 2, 1_972_876_074, 1_972_876_074],
        ),
        (
            json!({"web": {"browsers": 1, "workers": 2, "requests": 2, "fib_n": 6}}),
            14,
            vec![2, 1_972_876_010, 2],
        ),
        (json!({"count": {"adders": 2, "adds": 1}}), 11, vec![2, 3_415_947_901]),
        (json!({"chain": {"length": 3}}), 5, vec![3, 575_270_900]),
        (json!({"fanout": {"runners": 2, "tasks": 3, "window": 2}}), 13, vec![6, 502_963_918]),
        (json!({"sleepers": {"sleepers": 1, "naps": 2, "delay": 5}}), 7, vec![2, 1_972_876_022]),
        (json!({"mergesort": {"length": 3, "leaf": 1, "seed": 42}}), 9, vec![3, 5, 16_318_805]),
        (json!({"broker": {"employees": 1, "tasks": 1, "size": 4}}), 11, vec![1, 332_602_561]),
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
