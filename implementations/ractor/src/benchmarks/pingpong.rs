//! Ping-pong (spec/pingpong.md).

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold;
use super::windows::Windows;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_PING, CLASS_PONG};
use crate::runtime::world::World;

const PING: Name = Name::of(CLASS_PING, 0);
const PONG: Name = Name::of(CLASS_PONG, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    rounds: u32,
    windows: u32,
    window: u32,
    shift: u32,
}

messages! {
    pub enum PingMessage {
        Start { rounds: u32, salt: u32 } = KIND_PING_START,
        Pong { left: u32, value: u64 } = KIND_PING_PONG,
        Tick { number: u32 } = KIND_PING_TICK,
    }
}

messages! {
    pub enum PongMessage {
        Ping { left: u32, value: u64; from: Address<PingMessage> } = KIND_PONG_PING,
    }
}

struct Ping {
    world: World,
    windows: Windows,
    shift: u32,
}

struct PingState {
    pong: Address<PongMessage>,
    shift: u32,
    salt: u32,
    pongs: u64,
    sum: u32,
    counted: u64,
    over: bool,
}

impl Ping {
    async fn spawn_pong(&self) -> Address<PongMessage> {
        self.world.spawn(PONG, Pong { shift: self.shift }, ()).await
    }

    fn start(&self, me: Me<PingMessage>, state: &mut PingState, rounds: u32, salt: u32) {
        state.salt = salt;
        if self.windows.counted() {
            state.ping(me, rounds - 1);
        } else {
            self.start_timer(me.clone(), 0);
            state.ping(me, 1);
        }
    }

    fn pong(&self, me: Me<PingMessage>, state: &mut PingState, left: u32, value: u64) {
        state.pongs += 1;
        state.sum = state.sum.wrapping_add((value >> self.shift) as u32);
        if left == 0 {
            let ended = Instant::now();
            let arguments = vec![state.pongs, u64::from(state.sum)];
            self.world.report(Report::Done { arguments, ended });
            me.stop(None);
            return;
        }
        let left = match (self.windows.counted(), state.over) {
            (true, _) => left - 1,
            (false, over) => u32::from(!over),
        };
        state.ping(me, left);
    }

    fn tick(&self, me: Me<PingMessage>, state: &mut PingState, number: u32) {
        let ended = Instant::now();
        self.start_timer(me, number + 1);
        let count = state.pongs - state.counted;
        self.world.report(Report::Window { count, ended });
        state.counted = state.pongs;
        state.over = self.windows.is_last(number);
    }

    fn start_timer(&self, me: Me<PingMessage>, number: u32) {
        let tick = |number| PingMessage::Tick { number };
        self.windows.start_timer(&self.world, &me.into(), PING, number, tick);
    }
}

impl PingState {
    fn ping(&self, me: Me<PingMessage>, left: u32) {
        let value = wide(fold(self.salt, self.pongs as u32), self.shift);
        self.pong.send(PING, PongMessage::Ping { left, value, from: me.into() });
    }
}

impl Actor for Ping {
    type Msg = Envelope<PingMessage>;
    type State = PingState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<PingMessage>, (): ()) -> Outcome<PingState> {
        Ok(PingState {
            pong: self.spawn_pong().await,
            shift: self.shift,
            salt: 0,
            pongs: 0,
            sum: 0,
            counted: 0,
            over: false,
        })
    }

    async fn handle(
        &self,
        me: Me<PingMessage>,
        envelope: Envelope<PingMessage>,
        state: &mut PingState,
    ) -> Outcome {
        match envelope.message {
            PingMessage::Start { rounds, salt } => self.start(me, state, rounds, salt),
            PingMessage::Pong { left, value } => self.pong(me, state, left, value),
            PingMessage::Tick { number } => self.tick(me, state, number),
        }
        Ok(())
    }
}

struct Pong {
    shift: u32,
}

impl Actor for Pong {
    type Msg = Envelope<PongMessage>;
    /// The pings that it has taken.
    type State = u64;
    type Arguments = ();

    async fn pre_start(&self, _: Me<PongMessage>, (): ()) -> Outcome<u64> {
        Ok(0)
    }

    async fn handle(
        &self,
        me: Me<PongMessage>,
        envelope: Envelope<PongMessage>,
        pings: &mut u64,
    ) -> Outcome {
        let PongMessage::Ping { left, value, from } = envelope.message;
        let answer = fold((value >> self.shift) as u32, *pings as u32);
        let value = wide(answer, self.shift);
        *pings += 1;
        from.send(PONG, PingMessage::Pong { left, value });
        if left == 0 {
            me.stop(None);
        }
        Ok(())
    }
}

/// A value as it is sent: shifted, and its lowest bits once more behind it (PING-7).
fn wide(value: u32, shift: u32) -> u64 {
    let value = u64::from(value);
    value << shift | value & ((1 << shift) - 1)
}

pub struct PingPong {
    rounds: u32,
    lead: Address<PingMessage>,
}

impl PingPong {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { rounds, windows, window, shift } = parameters;
        let ping = Ping { world: world.clone(), windows: Windows { windows, window }, shift };
        if world.leads() {
            return Self { rounds, lead: world.spawn_lead(PING, ping, ()) };
        }
        world.populate(ping.spawn_pong());
        Self { rounds, lead: world.address(PING) }
    }
}

impl Benchmark for PingPong {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, PingMessage::Start { rounds: self.rounds, salt })
    }
}
