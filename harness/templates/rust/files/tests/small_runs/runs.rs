//! The small run of each chapter.

use serde_json::{json, Value};

/// Benchmarks by their parameters, the messages of a run (the budget, and what control says),
/// and the receipts, all with the salt 42.
pub fn small_runs() -> Vec<(Value, u64, Value)> {
    vec![(
        json!({"pingpong": {"rounds": 2, "windows": 0, "window": 0}}),
        5,
        json!({"pongs": 2, "sum": 3_415_947_900_u32, "windows": [], "window_nanos": []}),
    )]
}
