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
pub mod pingpong;
mod registry;
mod said;
pub mod sleepers;
#[cfg(test)]
mod vectors;
pub mod web;
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
