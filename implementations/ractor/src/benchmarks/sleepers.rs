//! Sleepers (spec/sleepers.md): many timers, no thread that waits.

use std::time::{Duration, Instant};

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
    sleepers: u32,
    naps: u32,
    /// Milliseconds.
    delay: u32,
}

struct AlarmState {
    sleepers: Vec<Address<SleeperMessage>>,
    salt: u32,
    /// When each was last sent to sleep.
    asleep: Vec<Instant>,
    shortest: Duration,
    awoken: u64,
    sum: u32,
}

impl Alarm {
    fn awake(
        &self,
        me: &Me<AlarmMessage>,
        state: &mut AlarmState,
        from: Name,
        number: u32,
        value: u32,
    ) {
        let nap = state.asleep[from.first() as usize].elapsed();
        state.shortest = state.shortest.min(nap);
        state.awoken += 1;
        state.sum = state.sum.wrapping_add(value);
        if number + 1 < self.naps {
            state.send_to_sleep(from.first() as usize, number + 1);
        }
        if state.awoken < u64::from(self.sleepers) * u64::from(self.naps) {
            return;
        }
        let ended = Instant::now();
        let arguments = vec![state.awoken, u64::from(state.sum)];
        self.world.report(Report::Shortest(state.shortest));
        self.world.report(Report::Done { arguments, ended });
        me.stop(None);
    }
}

impl AlarmState {
    fn start(&mut self, salt: u32) {
        self.salt = salt;
        for sleeper in 0..self.sleepers.len() {
            self.send_to_sleep(sleeper, 0);
        }
    }

    fn send_to_sleep(&mut self, sleeper: usize, number: u32) {
        let value = fold2(self.salt, sleeper as u32, number);
        self.asleep[sleeper] = Instant::now();
        self.sleepers[sleeper].send(ALARM, SleeperMessage::Sleep { number, value });
    }
}

impl Actor for Alarm {
    type Msg = Envelope<AlarmMessage>;
    type State = AlarmState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<AlarmMessage>, (): ()) -> Outcome<AlarmState> {
        let mut sleepers = Vec::with_capacity(self.sleepers as usize);
        for index in 0..self.sleepers {
            let name = Name::of(CLASS_SLEEPER, index);
            let sleeper = Sleeper {
                world: self.world.clone(),
                name,
                alarm: me.clone().into(),
                naps: self.naps,
                delay: self.delay,
            };
            sleepers.push(self.world.spawn(name, sleeper, ()).await);
        }
        let asleep = vec![Instant::now(); sleepers.len()];
        let shortest = Duration::MAX;
        Ok(AlarmState { sleepers, salt: 0, asleep, shortest, awoken: 0, sum: 0 })
    }

    async fn handle(
        &self,
        me: Me<AlarmMessage>,
        envelope: Envelope<AlarmMessage>,
        state: &mut AlarmState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            AlarmMessage::Start { salt } => state.start(salt),
            AlarmMessage::Awake { number, value } => self.awake(&me, state, from, number, value),
        }
        Ok(())
    }
}

struct Sleeper {
    world: World,
    name: Name,
    alarm: Address<AlarmMessage>,
    naps: u32,
    /// Milliseconds.
    delay: u32,
}

impl Sleeper {
    fn sleep(&self, me: Me<SleeperMessage>, number: u32) {
        let delay = Duration::from_millis(u64::from(self.delay));
        self.world.send_after(delay, me.into(), self.name, SleeperMessage::Wake { number });
    }

    fn wake(&self, me: &Me<SleeperMessage>, number: u32, value: u32) {
        let value = fold(value, self.delay);
        self.alarm.send(self.name, AlarmMessage::Awake { number, value });
        if number + 1 == self.naps {
            me.stop(None);
        }
    }
}

impl Actor for Sleeper {
    type Msg = Envelope<SleeperMessage>;
    /// What the last `sleep` said.
    type State = u32;
    type Arguments = ();

    async fn pre_start(&self, _: Me<SleeperMessage>, (): ()) -> Outcome<u32> {
        Ok(0)
    }

    async fn handle(
        &self,
        me: Me<SleeperMessage>,
        envelope: Envelope<SleeperMessage>,
        said: &mut u32,
    ) -> Outcome {
        match envelope.message {
            SleeperMessage::Sleep { number, value } => {
                *said = value;
                self.sleep(me, number);
            }
            SleeperMessage::Wake { number } => self.wake(&me, number, *said),
        }
        Ok(())
    }
}

pub struct Sleepers {
    lead: Address<AlarmMessage>,
}

impl Sleepers {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { sleepers, naps, delay } = parameters;
        let alarm = Alarm { world: world.clone(), sleepers, naps, delay };
        Self { lead: world.spawn_lead(ALARM, alarm, ()) }
    }
}

impl Benchmark for Sleepers {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, AlarmMessage::Start { salt })
    }
}
