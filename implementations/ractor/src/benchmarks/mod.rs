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
pub mod pingpong;
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

pub use self::benchmark::{hand_over, Act, Benchmark, Farewell};
pub use self::said::Said;
use crate::registry;

registry! {
    Chatapp: chatapp::{ChatApp, ChatAppReceipt},
    Pingpong: pingpong::{PingPong, PingPongReceipt},
    Big: big::{Big, BigReceipt},
    Bang: bang::{Bang, BangReceipt},
    Web: web::{Web, WebReceipt},
    Count: count::{Count, CountReceipt},
    Chain: chain::{Chain, ChainReceipt},
    Fanout: fanout::{Fanout, FanoutReceipt},
    Sleepers: sleepers::{Sleepers, SleepersReceipt},
    Mergesort: mergesort::{Mergesort, MergesortReceipt},
    Broker: broker::{Broker, BrokerReceipt},
    Openweb: openweb::{OpenWeb, OpenWebReceipt},
}
