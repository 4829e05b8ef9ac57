//! Count (spec/count.md): many adders, one counter.

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold2;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_ADDER, CLASS_COUNTER, CLASS_TALLY};
use crate::runtime::world::World;

const TALLY: Name = Name::of(CLASS_TALLY, 0);
const COUNTER: Name = Name::of(CLASS_COUNTER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    adders: u32,
    adds: u32,
}

messages! {
    pub enum TallyMessage {
        Start { salt: u32 } = KIND_TALLY_START,
        Counted { adds: u64, sum: u32 } = KIND_TALLY_COUNTED,
    }
}

messages! {
    pub enum AdderMessage {
        Go { salt: u32 } = KIND_ADDER_GO,
        Total { adds: u64, sum: u32 } = KIND_ADDER_TOTAL,
    }
}

messages! {
    pub enum CounterMessage {
        Add { value: u32 } = KIND_COUNTER_ADD,
        GetAndReset {} = KIND_COUNTER_GET_AND_RESET,
    }
}

struct Tally {
    world: World,
    adders: Vec<Address<AdderMessage>>,
    counted: usize,
    adds: u64,
    sum: u32,
}

impl Tally {
    fn start(&mut self, salt: u32) -> Fate {
        for adder in &self.adders {
            adder.send(TALLY, AdderMessage::Go { salt });
        }
        Fate::Lives
    }

    fn counted(&mut self, adds: u64, sum: u32) -> Fate {
        self.adds += adds;
        self.sum = self.sum.wrapping_add(sum);
        self.counted += 1;
        if self.counted < self.adders.len() {
            return Fate::Lives;
        }
        let ended = Instant::now();
        let arguments = vec![self.adds, u64::from(self.sum)];
        self.world.report(Report::Done { arguments, ended });
        Fate::Ends
    }
}

impl Actor for Tally {
    type Message = TallyMessage;

    fn take(&mut self, _: Name, message: TallyMessage) -> Fate {
        match message {
            TallyMessage::Start { salt } => self.start(salt),
            TallyMessage::Counted { adds, sum } => self.counted(adds, sum),
        }
    }
}

struct Adder {
    index: u32,
    name: Name,
    tally: Address<TallyMessage>,
    counter: Address<CounterMessage>,
    adds: u32,
}

impl Actor for Adder {
    type Message = AdderMessage;

    fn take(&mut self, _: Name, message: AdderMessage) -> Fate {
        match message {
            AdderMessage::Go { salt } => {
                for n in 0..self.adds {
                    let value = fold2(salt, self.index, n);
                    self.counter.send(self.name, CounterMessage::Add { value });
                }
                self.counter.send(self.name, CounterMessage::GetAndReset {});
                Fate::Lives
            }
            AdderMessage::Total { adds, sum } => {
                self.tally.send(self.name, TallyMessage::Counted { adds, sum });
                Fate::Ends
            }
        }
    }
}

struct Counter {
    adders: Vec<Address<AdderMessage>>,
    adds: u64,
    sum: u32,
    asked: usize,
}

impl Counter {
    fn get_and_reset(&mut self, from: Name) -> Fate {
        let total = AdderMessage::Total { adds: self.adds, sum: self.sum };
        self.adders[from.first() as usize].send(COUNTER, total);
        self.adds = 0;
        self.sum = 0;
        self.asked += 1;
        match self.asked == self.adders.len() {
            true => Fate::Ends,
            false => Fate::Lives,
        }
    }
}

impl Actor for Counter {
    type Message = CounterMessage;

    fn take(&mut self, from: Name, message: CounterMessage) -> Fate {
        match message {
            CounterMessage::Add { value } => {
                self.adds += 1;
                self.sum = self.sum.wrapping_add(value);
                Fate::Lives
            }
            CounterMessage::GetAndReset {} => self.get_and_reset(from),
        }
    }
}

pub struct Count {
    lead: Address<TallyMessage>,
}

impl Count {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let (lead, leads) = mailbox();
        let (counter, counters) = mailbox();
        let mut adders = Vec::with_capacity(parameters.adders as usize);
        for index in 0..parameters.adders {
            let (address, mailbox) = mailbox();
            let name = Name::of(CLASS_ADDER, index);
            let adder = Adder {
                index,
                name,
                tally: lead.clone(),
                counter: counter.clone(),
                adds: parameters.adds,
            };
            world.spawn(name, mailbox, adder);
            adders.push(address);
        }
        let counter = Counter { adders: adders.clone(), adds: 0, sum: 0, asked: 0 };
        world.spawn(COUNTER, counters, counter);
        let tally = Tally { world: world.clone(), adders, counted: 0, adds: 0, sum: 0 };
        world.spawn(TALLY, leads, tally);
        Self { lead }
    }
}

impl Benchmark for Count {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, TallyMessage::Start { salt })
    }
}
