//! Count (spec/count.md): many adders, one counter.

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold2;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
        GetAndReset {; adder: Address<AdderMessage>} = KIND_COUNTER_GET_AND_RESET,
    }
}

struct Tally {
    world: World,
    adders: u32,
    adds: u32,
}

struct TallyState {
    adders: Vec<Address<AdderMessage>>,
    counted: usize,
    adds: u64,
    sum: u32,
}

impl Tally {
    fn counted(&self, me: &Me<TallyMessage>, state: &mut TallyState, adds: u64, sum: u32) {
        state.adds += adds;
        state.sum = state.sum.wrapping_add(sum);
        state.counted += 1;
        if state.counted < state.adders.len() {
            return;
        }
        let ended = Instant::now();
        let arguments = vec![state.adds, u64::from(state.sum)];
        self.world.report(Report::Done { arguments, ended });
        me.stop(None);
    }
}

impl Actor for Tally {
    type Msg = Envelope<TallyMessage>;
    type State = TallyState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<TallyMessage>, (): ()) -> Outcome<TallyState> {
        let counter = Counter { adders: self.adders };
        let counter = self.world.spawn(COUNTER, counter, ()).await;
        let mut adders = Vec::with_capacity(self.adders as usize);
        for index in 0..self.adders {
            let name = Name::of(CLASS_ADDER, index);
            let (tally, counter) = (me.clone().into(), counter.clone());
            let adder = Adder { index, name, tally, counter, adds: self.adds };
            adders.push(self.world.spawn(name, adder, ()).await);
        }
        Ok(TallyState { adders, counted: 0, adds: 0, sum: 0 })
    }

    async fn handle(
        &self,
        me: Me<TallyMessage>,
        envelope: Envelope<TallyMessage>,
        state: &mut TallyState,
    ) -> Outcome {
        match envelope.message {
            TallyMessage::Start { salt } => {
                for adder in &state.adders {
                    adder.send(TALLY, AdderMessage::Go { salt });
                }
            }
            TallyMessage::Counted { adds, sum } => self.counted(&me, state, adds, sum),
        }
        Ok(())
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
    type Msg = Envelope<AdderMessage>;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: Me<AdderMessage>, (): ()) -> Outcome {
        Ok(())
    }

    async fn handle(
        &self,
        me: Me<AdderMessage>,
        envelope: Envelope<AdderMessage>,
        (): &mut (),
    ) -> Outcome {
        match envelope.message {
            AdderMessage::Go { salt } => {
                for n in 0..self.adds {
                    let value = fold2(salt, self.index, n);
                    self.counter.send(self.name, CounterMessage::Add { value });
                }
                let adder = me.into();
                self.counter.send(self.name, CounterMessage::GetAndReset { adder });
            }
            AdderMessage::Total { adds, sum } => {
                self.tally.send(self.name, TallyMessage::Counted { adds, sum });
                me.stop(None);
            }
        }
        Ok(())
    }
}

struct Counter {
    adders: u32,
}

#[derive(Default)]
struct CounterState {
    adds: u64,
    sum: u32,
    asked: u32,
}

impl Actor for Counter {
    type Msg = Envelope<CounterMessage>;
    type State = CounterState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<CounterMessage>, (): ()) -> Outcome<CounterState> {
        Ok(CounterState::default())
    }

    async fn handle(
        &self,
        me: Me<CounterMessage>,
        envelope: Envelope<CounterMessage>,
        state: &mut CounterState,
    ) -> Outcome {
        match envelope.message {
            CounterMessage::Add { value } => {
                state.adds += 1;
                state.sum = state.sum.wrapping_add(value);
            }
            CounterMessage::GetAndReset { adder } => {
                adder.send(COUNTER, AdderMessage::Total { adds: state.adds, sum: state.sum });
                let asked = state.asked + 1;
                *state = CounterState { asked, ..CounterState::default() };
                if asked == self.adders {
                    me.stop(None);
                }
            }
        }
        Ok(())
    }
}

pub struct Count {
    lead: Address<TallyMessage>,
}

impl Count {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { adders, adds } = parameters;
        let tally = Tally { world: world.clone(), adders, adds };
        Self { lead: world.spawn_lead(TALLY, tally, ()) }
    }
}

impl Benchmark for Count {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, TallyMessage::Start { salt })
    }
}
