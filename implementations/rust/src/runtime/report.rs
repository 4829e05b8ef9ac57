//! What leads tell control (ACT-7). Nobody logs it.
#![allow(dead_code)] // Only ChatApp's poker tells the half of it.

use std::time::{Duration, Instant};

use super::name::Name;

pub enum Report {
    /// The poker: set-up is done.
    Ready,
    /// The poker: a turn is complete.
    Confirmed(Confirmed),
    /// The poker: everybody else has ended, and these are the sums.
    Finished([u64; 8]),
    /// A lead that counts windows: one has ended.
    Window { count: u64, ended: Instant },
    /// The source, before it is done: when each request was due, in nanoseconds after the start of
    /// the run, and what the clock said when it was answered and when it arrived (OPEN-5).
    Readings { due: Vec<u64>, answered: Vec<Instant>, arrived: Vec<Instant> },
    /// The alarm, before it is done: of all naps (SLEEP-5).
    Shortest(Duration),
    /// Any other lead: everything is done.
    Done { arguments: Vec<u64>, ended: Instant },
    /// An actor has failed (CTRL-10).
    Failed { actor: Name, reason: String },
}

/// A `confirmed` with the poker's stamps (MEAS-2).
pub struct Confirmed {
    pub turn: u32,
    pub value: u64,
    pub stops: u64,
    pub announced: u32,
    pub consumed: u32,
    pub began: Instant,
    pub ended: Instant,
}
