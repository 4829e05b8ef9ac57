//! The benchmarks: one file for each, by the name of its model, and the table of them.
//!
//! Ping-pong does not need all that they share. Once others do, take away what allows that.

#[allow(dead_code)]
mod benchmark;
pub mod fibonacci;
#[allow(dead_code)]
pub mod fold;
pub mod lcg;
pub mod payload;
pub mod pingpong;
mod place;
mod registry;
mod said;
#[cfg(test)]
mod vectors;
mod windows;

use serde::Serialize;

pub use self::benchmark::{hand_over, Act, Benchmark, Farewell};
pub use self::place::Place;
pub use self::said::{DoneReceipt, Said};
use crate::registry;

registry! {
    Pingpong: pingpong::PingPong,
}

/// What a receipt has of the benchmark.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Receipt {
    Done(DoneReceipt),
}
