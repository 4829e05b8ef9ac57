//! Sleepers (spec/sleepers.md): many timers, no thread that waits.

use std::time::{Duration, Instant};

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_ALARM, CLASS_SLEEPER};
use crate::runtime::world::World;

const ALARM: Name = Name::of(CLASS_ALARM, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    sleepers: u32,
    naps: u32,
    delay: u32,
}

messages! {
    pub enum AlarmMessage {
        Start { salt: u32 } = KIND_ALARM_START,
        Awake { number: u32, value: u32 } = KIND_ALARM_AWAKE,
    }
}

messages! {
    pub enum SleeperMessage {
        Sleep { number: u32, value: u32 } = KIND_SLEEPER_SLEEP,
        Wake { number: u32 } = KIND_SLEEPER_WAKE,
    }
}

struct Alarm {
    world: World,
    sleepers: Vec<Address<SleeperMessage>>,
    naps: u32,
    salt: u32,
    /// When each was last sent to sleep.
    asleep: Vec<Instant>,
    shortest: Duration,
    awoken: u64,
    sum: u32,
}

impl Alarm {
    fn start(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        for sleeper in 0..self.sleepers.len() {
            self.send_to_sleep(sleeper, 0);
        }
        Fate::Lives
    }

    fn awake(&mut self, from: Name, number: u32, value: u32) -> Fate {
        let nap = self.asleep[from.first() as usize].elapsed();
        self.shortest = self.shortest.min(nap);
        self.awoken += 1;
        self.sum = self.sum.wrapping_add(value);
        if number + 1 < self.naps {
            self.send_to_sleep(from.first() as usize, number + 1);
        }
        if self.awoken < self.sleepers.len() as u64 * u64::from(self.naps) {
            return Fate::Lives;
        }
        let ended = Instant::now();
        let arguments = vec![self.awoken, u64::from(self.sum)];
        self.world.report(Report::Shortest(self.shortest));
        self.world.report(Report::Done { arguments, ended });
        Fate::Ends
    }

    fn send_to_sleep(&mut self, sleeper: usize, number: u32) {
        let value = fold2(self.salt, sleeper as u32, number);
        self.asleep[sleeper] = Instant::now();
        self.sleepers[sleeper].send(ALARM, SleeperMessage::Sleep { number, value });
    }
}

impl Actor for Alarm {
    type Message = AlarmMessage;

    fn take(&mut self, from: Name, message: AlarmMessage) -> Fate {
        match message {
            AlarmMessage::Start { salt } => self.start(salt),
            AlarmMessage::Awake { number, value } => self.awake(from, number, value),
        }
    }
}

struct Sleeper {
    world: World,
    name: Name,
    me: Address<SleeperMessage>,
    alarm: Address<AlarmMessage>,
    naps: u32,
    /// Milliseconds.
    delay: u32,
    value: u32,
}

impl Sleeper {
    fn sleep(&mut self, number: u32, value: u32) -> Fate {
        self.value = value;
        let delay = Duration::from_millis(u64::from(self.delay));
        self.world.send_after(delay, self.me.clone(), self.name, SleeperMessage::Wake { number });
        Fate::Lives
    }

    fn wake(&mut self, number: u32) -> Fate {
        let value = fold(self.value, self.delay);
        self.alarm.send(self.name, AlarmMessage::Awake { number, value });
        match number + 1 == self.naps {
            true => Fate::Ends,
            false => Fate::Lives,
        }
    }
}

impl Actor for Sleeper {
    type Message = SleeperMessage;

    fn take(&mut self, _: Name, message: SleeperMessage) -> Fate {
        match message {
            SleeperMessage::Sleep { number, value } => self.sleep(number, value),
            SleeperMessage::Wake { number } => self.wake(number),
        }
    }
}

pub struct Sleepers {
    lead: Address<AlarmMessage>,
}

impl Sleepers {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { sleepers: size, naps, delay } = parameters;
        let (lead, leads) = mailbox();
        let mut sleepers = Vec::with_capacity(size as usize);
        for index in 0..size {
            let (me, mailbox) = mailbox();
            let name = Name::of(CLASS_SLEEPER, index);
            let sleeper = Sleeper {
                world: world.clone(),
                name,
                me: me.clone(),
                alarm: lead.clone(),
                naps,
                delay,
                value: 0,
            };
            world.spawn(name, mailbox, sleeper);
            sleepers.push(me);
        }
        let alarm = Alarm {
            world: world.clone(),
            asleep: vec![Instant::now(); sleepers.len()],
            sleepers,
            naps,
            salt: 0,
            shortest: Duration::MAX,
            awoken: 0,
            sum: 0,
        };
        world.spawn(ALARM, leads, alarm);
        Self { lead }
    }
}

impl Benchmark for Sleepers {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, AlarmMessage::Start { salt })
    }
}
