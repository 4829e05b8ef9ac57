//! What control knows of a benchmark.

use std::time::Instant;

use serde::Deserialize;

use super::{Receipt, Said};
use crate::runtime::mailbox::Address;
use crate::runtime::message::Message;
use crate::runtime::name::CONTROL;

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

/// What a benchmark's lead is told, and how a receipt is filled.
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

    /// What the receipt has of the benchmark: what the lead has reported in the end.
    fn receipt(&self, said: &Said) -> Receipt {
        Receipt::Done(said.done.clone())
    }
}

/// Hands control's first message over. Returns the stamp taken just before.
pub fn hand_over<M: Message>(lead: &Address<M>, message: M) -> Instant {
    let stamp = Instant::now();
    lead.send(CONTROL, message);
    stamp
}
