//! The small run of web under an open load, whose receipt has times in it.

#[path = "small_runs/program.rs"]
mod program;

use serde_json::{json, Value};

use self::program::Program;

/// Its receipt has times, so it is compared but for these.
#[test]
fn the_open_load_has_the_receipt_of_the_chapter() {
    let mut program = Program::start(&[]);
    program.prepare(&json!({"openweb": {
        "servers": 2, "requests": 2, "gap": 1000, "seed": 42, "fib_n": 6,
    }}));
    program.call("run", &json!({"salt": 42}));
    let (_, answer) = program.call("teardown", &json!({}));
    let receipt = &answer["reply"]["receipt"];
    let said = &receipt["done"];
    assert_eq!(receipt["alive"], 0);
    assert_eq!(said["arguments"], json!([2, 2_935_558_185_u64, 2]));
    for field in ["latency", "lateness"] {
        let counts = said[field].as_array().unwrap();
        assert_eq!(counts.iter().filter_map(Value::as_u64).sum::<u64>(), 2, "{field}");
    }
    program.end();
}
