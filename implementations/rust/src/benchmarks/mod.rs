//! The benchmarks: one file for each, by the name of its model, and the table of them.

mod arrivals;
pub mod bang;
mod benchmark;
pub mod big;
pub mod broker;
pub mod chain;
pub mod chatapp;
pub mod count;
pub mod fanout;
pub mod fibonacci;
pub mod fold;
pub mod lcg;
pub mod mergesort;
pub mod openweb;
pub mod payload;
pub mod pingpong;
mod place;
mod registry;
mod said;
pub mod sleepers;
#[cfg(test)]
mod vectors;
pub mod web;
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
