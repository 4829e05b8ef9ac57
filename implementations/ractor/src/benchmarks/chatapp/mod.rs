//! ChatApp (spec/chatapp.md): a chat service and its users.

mod accumulator;
#[path = "../../../../rust/src/benchmarks/chatapp/benchmark.rs"]
mod benchmark;
mod chat;
mod client;
mod directory;
mod poker;

pub use self::benchmark::{ChatApp, ChatAppReceipt, Parameters};
use self::benchmark::{Selection, Sums, LOGOUT};
