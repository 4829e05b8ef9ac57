//! The small run of each chapter.

use serde_json::{json, Value};

/// Benchmarks by their parameters, the messages of a run (the budget, and what control says),
/// and what the receipts repeat, all with the salt 42.
pub fn small_runs() -> Vec<(Value, u64, Vec<u64>)> {
    vec![(
        json!({"pingpong": {"rounds": 2, "windows": 0, "window": 0, "shift": 0}}),
        5,
        vec![2, 3_415_947_900],
    )]
}
