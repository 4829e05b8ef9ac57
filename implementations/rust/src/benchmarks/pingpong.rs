//! Ping-pong (spec/pingpong.md).

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold;
use super::windows::Windows;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
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
    me: Address<PingMessage>,
    pong: Address<PongMessage>,
    windows: Windows,
    shift: u32,
    salt: u32,
    pongs: u64,
    sum: u32,
    counted: u64,
    over: bool,
}

impl Ping {
    fn start(&mut self, rounds: u32, salt: u32) -> Fate {
        self.salt = salt;
        if self.windows.counted() {
            self.ping(rounds - 1);
        } else {
            self.start_timer(0);
            self.ping(1);
        }
        Fate::Lives
    }

    fn pong(&mut self, left: u32, value: u64) -> Fate {
        self.pongs += 1;
        self.sum = self.sum.wrapping_add((value >> self.shift) as u32);
        if left == 0 {
            let ended = Instant::now();
            let arguments = vec![self.pongs, u64::from(self.sum)];
            self.world.report(Report::Done { arguments, ended });
            return Fate::Ends;
        }
        let left = match (self.windows.counted(), self.over) {
            (true, _) => left - 1,
            (false, over) => u32::from(!over),
        };
        self.ping(left);
        Fate::Lives
    }

    fn tick(&mut self, number: u32) -> Fate {
        let ended = Instant::now();
        self.start_timer(number + 1);
        let count = self.pongs - self.counted;
        self.world.report(Report::Window { count, ended });
        self.counted = self.pongs;
        self.over = self.windows.is_last(number);
        Fate::Lives
    }

    fn ping(&self, left: u32) {
        let value = wide(fold(self.salt, self.pongs as u32), self.shift);
        self.pong.send(PING, PongMessage::Ping { left, value, from: self.me.clone() });
    }

    fn start_timer(&self, number: u32) {
        let tick = |number| PingMessage::Tick { number };
        self.windows.start_timer(&self.world, &self.me, PING, number, tick);
    }
}

impl Actor for Ping {
    type Message = PingMessage;

    fn take(&mut self, _: Name, message: PingMessage) -> Fate {
        match message {
            PingMessage::Start { rounds, salt } => self.start(rounds, salt),
            PingMessage::Pong { left, value } => self.pong(left, value),
            PingMessage::Tick { number } => self.tick(number),
        }
    }
}

struct Pong {
    shift: u32,
    pings: u64,
}

impl Actor for Pong {
    type Message = PongMessage;

    fn take(&mut self, _: Name, message: PongMessage) -> Fate {
        let PongMessage::Ping { left, value, from } = message;
        let answer = fold((value >> self.shift) as u32, self.pings as u32);
        let value = wide(answer, self.shift);
        self.pings += 1;
        from.send(PONG, PingMessage::Pong { left, value });
        match left {
            0 => Fate::Ends,
            _ => Fate::Lives,
        }
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
        let (pong, pongs) = mailbox();
        world.spawn(PONG, pongs, Pong { shift, pings: 0 });
        let (lead, pings) = mailbox();
        let ping = Ping {
            world: world.clone(),
            me: lead.clone(),
            pong,
            windows: Windows { windows, window },
            shift,
            salt: 0,
            pongs: 0,
            sum: 0,
            counted: 0,
            over: false,
        };
        world.spawn(PING, pings, ping);
        Self { rounds, lead }
    }
}

impl Benchmark for PingPong {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, PingMessage::Start { rounds: self.rounds, salt })
    }
}
