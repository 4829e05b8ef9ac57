//! The benchmarks: one file for each, by the name of its model.

pub mod bang;
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
pub mod pingpong;
pub mod sleepers;
#[cfg(test)]
mod vectors;
pub mod web;
mod windows;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::runtime::mailbox::Address;
use crate::runtime::name::CONTROL;
use crate::runtime::world::World;

/// A benchmark by its parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parameters {
    Chatapp(chatapp::Parameters),
    Pingpong(pingpong::Parameters),
    Big(big::Parameters),
    Bang(bang::Parameters),
    Web(web::Parameters),
    Count(count::Parameters),
    Chain(chain::Parameters),
    Fanout(fanout::Parameters),
    Sleepers(sleepers::Parameters),
    Mergesort(mergesort::Parameters),
    Broker(broker::Parameters),
}

/// A benchmark's own receipt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Receipt {
    Chatapp(chatapp::ChatAppReceipt),
    Pingpong(pingpong::PingPongReceipt),
    Big(big::BigReceipt),
    Bang(bang::BangReceipt),
    Web(web::WebReceipt),
    Count(count::CountReceipt),
    Chain(chain::ChainReceipt),
    Fanout(fanout::FanoutReceipt),
    Sleepers(sleepers::SleepersReceipt),
    Mergesort(mergesort::MergesortReceipt),
    Broker(broker::BrokerReceipt),
}

/// What a lead has said to control since `Prepare`.
#[derive(Default)]
pub struct Said {
    pub done: [u64; 4],
    pub finished: [u64; 8],
    pub windows: Vec<u64>,
    pub window_nanos: Vec<u64>,
    pub confirmed: chatapp::Sums,
}

/// What `Act` says. `choice` is a `Choice`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Act {
    pub client: u32,
    pub choice: u32,
    pub index: u32,
    pub k: u32,
}

/// What a lead does upon Teardown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// It was told nothing: all end by themselves.
    Unsaid,
    /// It was told to `disconnect`.
    Said,
    /// It was told so, and reports `finished`.
    Answered,
}

/// What control knows of a benchmark: what its lead is told, and how a receipt is filled.
pub trait Benchmark: Send {
    /// Says what set-up needs. True if the lead reports `ready` in the end.
    fn set_up(&mut self) -> bool {
        false
    }

    /// Hands over the message that starts a run. Returns the stamp S (MEAS-3).
    fn run(&mut self, salt: u32) -> Instant;

    /// How many `confirmed` end a run. None: the lead's `done` does.
    fn turns(&self) -> Option<usize> {
        None
    }

    /// One client acts.
    fn act(&mut self, _: Act) {
        unreachable!("only ChatApp is driven by acts")
    }

    /// All clients act once.
    fn turn(&mut self) {
        unreachable!("only ChatApp is driven by turns")
    }

    /// Tells the lead to end, where it has to be told.
    fn disconnect(&mut self) -> Farewell {
        Farewell::Unsaid
    }

    /// The benchmark's own receipt.
    fn receipt(&self, said: &Said) -> Receipt;
}

/// Makes the first actors of a benchmark in a world.
pub fn populate(world: &World, parameters: &Parameters) -> Box<dyn Benchmark> {
    match parameters {
        Parameters::Chatapp(p) => Box::new(chatapp::ChatApp::new(world, p)),
        Parameters::Pingpong(p) => Box::new(pingpong::PingPong::new(world, p)),
        Parameters::Big(p) => Box::new(big::Big::new(world, p)),
        Parameters::Bang(p) => Box::new(bang::Bang::new(world, p)),
        Parameters::Web(p) => Box::new(web::Web::new(world, p)),
        Parameters::Count(p) => Box::new(count::Count::new(world, p)),
        Parameters::Chain(p) => Box::new(chain::Chain::new(world, p)),
        Parameters::Fanout(p) => Box::new(fanout::Fanout::new(world, p)),
        Parameters::Sleepers(p) => Box::new(sleepers::Sleepers::new(world, p)),
        Parameters::Mergesort(p) => Box::new(mergesort::Mergesort::new(world, p)),
        Parameters::Broker(p) => Box::new(broker::Broker::new(world, p)),
    }
}

/// Hands control's first message over. Returns the stamp taken just before.
fn hand_over<M>(lead: &Address<M>, message: M) -> Instant {
    let stamp = Instant::now();
    lead.send(CONTROL, message);
    stamp
}
