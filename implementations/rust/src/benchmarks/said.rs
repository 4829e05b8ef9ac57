//! What a lead has said to control since `Prepare`: what receipts are filled with.

use serde::Serialize;

use crate::runtime::report::Confirmed;

#[derive(Default)]
pub struct Said {
    pub done: DoneReceipt,
    pub finished: [u64; 8],
    pub confirmed: Sums,
}

/// The receipt of any benchmark but ChatApp: the arguments of `done`, and what was counted and
/// timed beside it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DoneReceipt {
    pub benchmark: &'static str,
    pub arguments: Vec<u64>,
    pub windows: Vec<u64>,
    pub window_nanos: Vec<u64>,
    pub shortest_nanos: u64,
    pub latency: Vec<u64>,
    pub lateness: Vec<u64>,
}

/// The sums over all `confirmed`, and the poker's stamps.
#[derive(Default)]
pub struct Sums {
    pub confirms: usize,
    pub value: u64,
    pub stops: u64,
    pub announced: u32,
    pub consumed: u32,
    pub turn_nanos: Vec<u64>,
}

impl Sums {
    pub fn add(&mut self, confirmed: &Confirmed) {
        self.confirms += 1;
        self.value += confirmed.value;
        self.stops += confirmed.stops;
        self.announced = self.announced.wrapping_add(confirmed.announced);
        self.consumed = self.consumed.wrapping_add(confirmed.consumed);
        let turn = confirmed.turn as usize;
        if self.turn_nanos.len() <= turn {
            self.turn_nanos.resize(turn + 1, 0);
        }
        let took = confirmed.ended - confirmed.began;
        self.turn_nanos[turn] = took.as_nanos() as u64;
    }
}
