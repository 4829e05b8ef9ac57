//! Fanout (spec/fanout.md): one master, many runners.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
    runners: u32,
    tasks: u32,
    window: u32,
}

struct MasterState {
    runners: Vec<Address<RunnerMessage>>,
    /// How many tasks each runner has been given.
    given: Vec<u32>,
    salt: u32,
    completed: u64,
    sum: u32,
}

impl Master {
    fn start(&self, state: &mut MasterState, salt: u32) {
        state.salt = salt;
        let rounds = match self.window {
            0 => self.tasks,
            window => window.min(self.tasks),
        };
        for _ in 0..rounds {
            for runner in 0..state.runners.len() {
                state.give(runner);
            }
        }
    }

    fn completed(
        &self,
        me: &Me<MasterMessage>,
        state: &mut MasterState,
        runner: usize,
        value: u32,
    ) {
        state.completed += 1;
        state.sum = state.sum.wrapping_add(value);
        if state.given[runner] < self.tasks {
            state.give(runner);
        }
        if state.completed < u64::from(self.runners) * u64::from(self.tasks) {
            return;
        }
        let ended = Instant::now();
        let arguments = vec![state.completed, u64::from(state.sum)];
        self.world.report(Report::Done { arguments, ended });
        me.stop(None);
    }
}

impl MasterState {
    fn give(&mut self, runner: usize) {
        let number = self.given[runner];
        let value = fold2(self.salt, runner as u32, number);
        self.runners[runner].send(MASTER, RunnerMessage::Task { number, value });
        self.given[runner] += 1;
    }
}

impl Actor for Master {
    type Msg = Envelope<MasterMessage>;
    type State = MasterState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<MasterMessage>, (): ()) -> Outcome<MasterState> {
        let mut runners = Vec::with_capacity(self.runners as usize);
        for index in 0..self.runners {
            let name = Name::of(CLASS_RUNNER, index);
            let runner = Runner { name, master: me.clone().into(), tasks: self.tasks };
            runners.push(self.world.spawn(name, runner, ()).await);
        }
        let given = vec![0; runners.len()];
        Ok(MasterState { runners, given, salt: 0, completed: 0, sum: 0 })
    }

    async fn handle(
        &self,
        me: Me<MasterMessage>,
        envelope: Envelope<MasterMessage>,
        state: &mut MasterState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            MasterMessage::Start { salt } => self.start(state, salt),
            MasterMessage::Completed { value, .. } => {
                self.completed(&me, state, from.first() as usize, value);
            }
        }
        Ok(())
    }
}

struct Runner {
    name: Name,
    master: Address<MasterMessage>,
    tasks: u32,
}

impl Actor for Runner {
    type Msg = Envelope<RunnerMessage>;
    /// The tasks that it has taken.
    type State = u32;
    type Arguments = ();

    async fn pre_start(&self, _: Me<RunnerMessage>, (): ()) -> Outcome<u32> {
        Ok(0)
    }

    async fn handle(
        &self,
        me: Me<RunnerMessage>,
        envelope: Envelope<RunnerMessage>,
        taken: &mut u32,
    ) -> Outcome {
        let RunnerMessage::Task { number, value } = envelope.message;
        let value = fold(value, *taken);
        self.master.send(self.name, MasterMessage::Completed { number, value });
        *taken += 1;
        if *taken == self.tasks {
            me.stop(None);
        }
        Ok(())
    }
}

pub struct Fanout {
    lead: Address<MasterMessage>,
}

impl Fanout {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { runners, tasks, window } = parameters;
        let master = Master { world: world.clone(), runners, tasks, window };
        Self { lead: world.spawn_lead(MASTER, master, ()) }
    }
}

impl Benchmark for Fanout {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, MasterMessage::Start { salt })
    }
}
