//! The benchmarks: one file for each, by the name of its model, and the table of them. What is
//! no actor's is Rust's.

#[path = "../../../rust/src/benchmarks/arrivals.rs"]
mod arrivals;
pub mod bang;
#[path = "../../../rust/src/benchmarks/benchmark.rs"]
mod benchmark;
pub mod big;
pub mod broker;
pub mod chain;
pub mod chatapp;
pub mod count;
pub mod fanout;
#[path = "../../../rust/src/benchmarks/fibonacci.rs"]
pub mod fibonacci;
#[path = "../../../rust/src/benchmarks/fold.rs"]
pub mod fold;
#[path = "../../../rust/src/benchmarks/lcg.rs"]
pub mod lcg;
pub mod mergesort;
pub mod openweb;
#[path = "../../../rust/src/benchmarks/payload.rs"]
pub mod payload;
pub mod pingpong;
#[cfg_attr(not(feature = "cluster"), path = "../../../rust/src/benchmarks/place.rs")]
mod place;
#[path = "../../../rust/src/benchmarks/registry.rs"]
mod registry;
#[path = "../../../rust/src/benchmarks/said.rs"]
mod said;
pub mod sleepers;
#[cfg(test)]
#[path = "../../../rust/src/benchmarks/vectors.rs"]
mod vectors;
pub mod web;
#[path = "../../../rust/src/benchmarks/windows.rs"]
mod windows;

use serde::Serialize;

pub use self::benchmark::{hand_over, Act, Benchmark, Farewell};
use self::chatapp::ChatAppReceipt;
pub use self::place::Place;
pub use self::said::{DoneReceipt, Said};
use crate::registry;

registry! {
    Chatapp: chatapp::ChatApp,
    Pingpong: pingpong::PingPong,
    Big: big::Big,
    Bang: bang::Bang,
    Web: web::Web,
    Count: count::Count,
    Chain: chain::Chain,
    Fanout: fanout::Fanout,
    Sleepers: sleepers::Sleepers,
    Mergesort: mergesort::Mergesort,
    Broker: broker::Broker,
    Openweb: openweb::OpenWeb,
}

/// What a receipt has of the benchmark.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Receipt {
    Chatapp(ChatAppReceipt),
    Done(DoneReceipt),
}
