//! The poker: starts every turn, and ends the iteration.

use std::sync::Arc;
use std::time::Instant;

use super::accumulator::{self, AccumulatorMessage};
use super::client;
use super::directory::{self, DirectoryMessage};
use super::{Parameters, Sums};
use crate::benchmarks::lcg::Lcg;
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::Name;
use crate::runtime::report::{Confirmed, Report};
use crate::runtime::table::{CLASS_DIRECTORY, CLASS_POKER};
use crate::runtime::world::World;

pub const POKER: Name = Name::of(CLASS_POKER, 0);

messages! {
    pub enum PokerMessage {
        Prepare {} = KIND_POKER_PREPARE,
        Settled {} = KIND_POKER_SETTLED,
        Act { client: u32, choice: u32, index: u32, k: u32 } = KIND_POKER_ACT,
        Turn {} = KIND_POKER_TURN,
        Run { salt: u32 } = KIND_POKER_RUN,
        Confirm { turn: u32, value: u64, stops: u64, announced: u32, consumed: u32 }
            = KIND_POKER_CONFIRM,
        Disconnect {} = KIND_POKER_DISCONNECT,
        Finished {
            lcg: u64,
            computes: u64,
            posts: u64,
            leaves: u64,
            invites: u64,
            nones: u64,
            deliveries: u64,
            joins: u64
        } = KIND_POKER_FINISHED,
    }
}

impl From<Sums> for PokerMessage {
    fn from(sums: Sums) -> Self {
        let [lcg, computes, posts, leaves, invites, nones, deliveries, joins] = sums.in_order();
        Self::Finished { lcg, computes, posts, leaves, invites, nones, deliveries, joins }
    }
}

struct Poker {
    world: World,
    parameters: Arc<Parameters>,
}

struct PokerState {
    directories: Vec<Address<DirectoryMessage>>,
    /// When each turn began, before its accumulator was spawned.
    turns: Vec<Instant>,
    settling: u32,
    online: u32,
    sums: Sums,
}

impl Poker {
    async fn prepare(&self, me: &Me<PokerMessage>, state: &mut PokerState) {
        let mut lcg = Lcg::new(self.parameters.seed);
        for index in 0..self.parameters.directories {
            let (poker, parameters) = (me.clone().into(), Arc::clone(&self.parameters));
            let directory =
                directory::spawn(&self.world, index, lcg.draw(), poker, parameters).await;
            state.directories.push(directory);
        }
        for client in 0..self.parameters.clients {
            let directory = &state.directories[self.place(client)];
            directory.send(POKER, DirectoryMessage::Login { client });
        }
        for directory in &state.directories {
            if self.parameters.befriend > 0 {
                directory.send(POKER, DirectoryMessage::Befriend {});
            }
            directory.send(POKER, DirectoryMessage::Settle {});
        }
    }

    fn settled(&self, state: &mut PokerState) {
        state.settling -= 1;
        if state.settling == 0 {
            self.world.report(Report::Ready);
        }
    }

    async fn act(
        &self,
        me: &Me<PokerMessage>,
        state: &mut PokerState,
        client: u32,
        choice: u32,
        index: u32,
        k: u32,
    ) {
        let (turn, accumulator) = self.next_turn(me, state, 1).await;
        let act = DirectoryMessage::Act { turn, client, choice, index, k, accumulator };
        state.directories[self.place(client)].send(POKER, act);
    }

    async fn turn(&self, me: &Me<PokerMessage>, state: &mut PokerState) {
        self.poke(me, state, 0).await;
    }

    async fn run(&self, me: &Me<PokerMessage>, state: &mut PokerState, salt: u32) {
        for _ in 0..self.parameters.turns {
            self.poke(me, state, salt).await;
        }
    }

    async fn poke(&self, me: &Me<PokerMessage>, state: &mut PokerState, salt: u32) {
        let expected = u64::from(self.parameters.clients);
        let (turn, accumulator) = self.next_turn(me, state, expected).await;
        for directory in &state.directories {
            let accumulator = accumulator.clone();
            directory.send(POKER, DirectoryMessage::Poke { turn, salt, accumulator });
        }
    }

    async fn next_turn(
        &self,
        me: &Me<PokerMessage>,
        state: &mut PokerState,
        expected: u64,
    ) -> (u32, Address<AccumulatorMessage>) {
        let turn = state.turns.len() as u32;
        state.turns.push(Instant::now());
        (turn, accumulator::spawn(&self.world, turn, expected, me.clone().into()).await)
    }

    fn confirm(
        &self,
        state: &PokerState,
        turn: u32,
        value: u64,
        stops: u64,
        announced: u32,
        consumed: u32,
    ) {
        let ended = Instant::now();
        let began = state.turns[turn as usize];
        self.world.report(Report::Confirmed(Confirmed {
            turn,
            value,
            stops,
            announced,
            consumed,
            began,
            ended,
        }));
    }

    fn disconnect(&self, state: &PokerState) {
        for directory in &state.directories {
            directory.send(POKER, DirectoryMessage::Disconnect {});
        }
    }

    fn finished(&self, me: &Me<PokerMessage>, state: &mut PokerState, sums: Sums) {
        state.sums.add(sums);
        state.online -= 1;
        if state.online == 0 {
            self.world.report(Report::Finished(state.sums.in_order()));
            me.stop(None);
        }
    }

    /// The place of a client's directory.
    fn place(&self, client: u32) -> usize {
        (client % self.parameters.directories) as usize
    }
}

impl Actor for Poker {
    type Msg = Envelope<PokerMessage>;
    type State = PokerState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<PokerMessage>, (): ()) -> Outcome<PokerState> {
        Ok(PokerState {
            directories: Vec::new(),
            turns: Vec::new(),
            settling: self.parameters.directories,
            online: self.parameters.directories,
            sums: Sums::default(),
        })
    }

    async fn handle(
        &self,
        me: Me<PokerMessage>,
        envelope: Envelope<PokerMessage>,
        state: &mut PokerState,
    ) -> Outcome {
        match envelope.message {
            PokerMessage::Prepare {} => self.prepare(&me, state).await,
            PokerMessage::Settled {} => self.settled(state),
            PokerMessage::Act { client, choice, index, k } => {
                self.act(&me, state, client, choice, index, k).await;
            }
            PokerMessage::Turn {} => self.turn(&me, state).await,
            PokerMessage::Run { salt } => self.run(&me, state, salt).await,
            PokerMessage::Confirm { turn, value, stops, announced, consumed } => {
                self.confirm(state, turn, value, stops, announced, consumed);
            }
            PokerMessage::Disconnect {} => self.disconnect(state),
            PokerMessage::Finished {
                lcg,
                computes,
                posts,
                leaves,
                invites,
                nones,
                deliveries,
                joins,
            } => {
                let sums = Sums { lcg, computes, posts, leaves, invites, nones, deliveries, joins };
                self.finished(&me, state, sums);
            }
        }
        Ok(())
    }
}

/// The poker of a world, wherever it lives.
pub fn spawn(world: &World, parameters: &Parameters) -> Address<PokerMessage> {
    let parameters = Arc::new(parameters.clone());
    bear_for_others(world, Arc::clone(&parameters));
    if !world.leads() {
        return world.address(POKER);
    }
    world.spawn_lead(POKER, Poker { world: world.clone(), parameters }, ())
}

/// Begins directories and clients of this node that were made on another one, with what travels with
/// their birth (DIST-7). All others are made by actors of this node.
fn bear_for_others(world: &World, parameters: Arc<Parameters>) {
    world.bears(Box::new(move |world, name, maker, seed| {
        let (index, parameters) = (name.first(), Arc::clone(&parameters));
        Box::pin(async move {
            if name.class() == CLASS_DIRECTORY {
                let poker = world.address(maker);
                directory::spawn(&world, index, seed, poker, parameters).await;
            } else {
                let directory = world.address(maker);
                client::spawn(&world, index, seed, directory, parameters).await;
            }
        })
    }));
}
