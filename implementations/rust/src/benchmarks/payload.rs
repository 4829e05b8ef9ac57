//! Payloads: made from a number, and read whole (spec/broker.md).

use super::fold::{checksum, fold, stream};
use crate::runtime::message::Argument;

/// What a task carries. The log has its checksum, which is not sent: who logs makes it
/// (BROKER-5).
pub struct Payload(pub Box<[u8]>);

impl Payload {
    /// That of a task, byte by byte (BROKER-3).
    pub fn new(salt: u32, number: u32, size: u32) -> Self {
        let drawn = stream(fold(salt, number)).take(size as usize);
        Self(drawn.map(|number| (number >> 24) as u8).collect())
    }

    pub fn checksum(&self) -> u32 {
        checksum(0, self.0.iter().map(|byte| u32::from(*byte)))
    }

    /// What is found by who reads it (BROKER-3).
    pub fn result(&self, number: u32) -> u32 {
        fold(self.checksum(), number)
    }
}

impl Argument for Payload {
    fn logged(&self) -> u64 {
        self.checksum().into()
    }
}

/// The results of so many tasks, each payload made and read (`Probe.payloads`).
pub fn sum_of_results(salt: u32, tasks: u32, size: u32) -> u32 {
    let results = (0..tasks).map(|number| Payload::new(salt, number, size).result(number));
    results.fold(0, u32::wrapping_add)
}
