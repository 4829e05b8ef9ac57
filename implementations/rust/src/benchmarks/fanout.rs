//! Fanout (spec/fanout.md): one master, many runners.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_MASTER, CLASS_RUNNER};
use crate::runtime::world::World;

const MASTER: Name = Name::of(CLASS_MASTER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    runners: u32,
    tasks: u32,
    window: u32,
}

messages! {
    pub enum MasterMessage {
        Start { salt: u32 } = KIND_MASTER_START,
        Completed { number: u32, value: u32 } = KIND_MASTER_COMPLETED,
    }
}

messages! {
    pub enum RunnerMessage {
        Task { number: u32, value: u32 } = KIND_RUNNER_TASK,
    }
}

struct Master {
    world: World,
    runners: Vec<Address<RunnerMessage>>,
    /// How many tasks each runner has been given.
    given: Vec<u32>,
    tasks: u32,
    window: u32,
    salt: u32,
    completed: u64,
    sum: u32,
}

impl Master {
    fn start(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        let rounds = match self.window {
            0 => self.tasks,
            window => window.min(self.tasks),
        };
        for _ in 0..rounds {
            for runner in 0..self.runners.len() {
                self.give(runner);
            }
        }
        Fate::Lives
    }

    fn completed(&mut self, from: Name, value: u32) -> Fate {
        self.completed += 1;
        self.sum = self.sum.wrapping_add(value);
        let runner = from.first() as usize;
        if self.given[runner] < self.tasks {
            self.give(runner);
        }
        if self.completed < self.runners.len() as u64 * u64::from(self.tasks) {
            return Fate::Lives;
        }
        let ended = Instant::now();
        let arguments = vec![self.completed, u64::from(self.sum)];
        self.world.report(Report::Done { arguments, ended });
        Fate::Ends
    }

    fn give(&mut self, runner: usize) {
        let number = self.given[runner];
        let value = fold2(self.salt, runner as u32, number);
        self.runners[runner].send(MASTER, RunnerMessage::Task { number, value });
        self.given[runner] += 1;
    }
}

impl Actor for Master {
    type Message = MasterMessage;

    fn take(&mut self, from: Name, message: MasterMessage) -> Fate {
        match message {
            MasterMessage::Start { salt } => self.start(salt),
            MasterMessage::Completed { value, .. } => self.completed(from, value),
        }
    }
}

struct Runner {
    name: Name,
    master: Address<MasterMessage>,
    tasks: u32,
    taken: u32,
}

impl Actor for Runner {
    type Message = RunnerMessage;

    fn take(&mut self, _: Name, message: RunnerMessage) -> Fate {
        let RunnerMessage::Task { number, value } = message;
        let value = fold(value, self.taken);
        self.master.send(self.name, MasterMessage::Completed { number, value });
        self.taken += 1;
        match self.taken == self.tasks {
            true => Fate::Ends,
            false => Fate::Lives,
        }
    }
}

pub struct Fanout {
    lead: Address<MasterMessage>,
}

impl Fanout {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { runners: size, tasks, window } = parameters;
        let (lead, leads) = mailbox();
        let mut runners = Vec::with_capacity(size as usize);
        for index in 0..size {
            let (address, mailbox) = mailbox();
            let name = Name::of(CLASS_RUNNER, index);
            world.spawn(name, mailbox, Runner { name, master: lead.clone(), tasks, taken: 0 });
            runners.push(address);
        }
        let master = Master {
            world: world.clone(),
            runners,
            given: vec![0; size as usize],
            tasks,
            window,
            salt: 0,
            completed: 0,
            sum: 0,
        };
        world.spawn(MASTER, leads, master);
        Self { lead }
    }
}

impl Benchmark for Fanout {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, MasterMessage::Start { salt })
    }
}
