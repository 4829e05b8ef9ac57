//! The poker: starts every turn, and ends the iteration.

use std::sync::Arc;
use std::time::Instant;

use super::accumulator::{self, AccumulatorMessage};
use super::directory::{self, DirectoryMessage};
use super::{Parameters, Sums};
use crate::benchmarks::lcg::Lcg;
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::report::{Confirmed, Report};
use crate::runtime::table::CLASS_POKER;
use crate::runtime::world::World;

const POKER: Name = Name::of(CLASS_POKER, 0);

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
    me: Address<PokerMessage>,
    parameters: Arc<Parameters>,
    directories: Vec<Address<DirectoryMessage>>,
    /// When each turn began, before its accumulator was spawned.
    turns: Vec<Instant>,
    settling: u32,
    online: u32,
    sums: Sums,
}

impl Poker {
    fn prepare(&mut self) {
        let mut lcg = Lcg::new(self.parameters.seed);
        for index in 0..self.parameters.directories {
            let parameters = Arc::clone(&self.parameters);
            let directory =
                directory::spawn(&self.world, index, lcg.draw(), self.me.clone(), parameters);
            self.directories.push(directory);
        }
        for client in 0..self.parameters.clients {
            self.directory_of(client).send(POKER, DirectoryMessage::Login { client });
        }
        for directory in &self.directories {
            if self.parameters.befriend > 0 {
                directory.send(POKER, DirectoryMessage::Befriend {});
            }
            directory.send(POKER, DirectoryMessage::Settle {});
        }
    }

    fn settled(&mut self) {
        self.settling -= 1;
        if self.settling == 0 {
            self.world.report(Report::Ready);
        }
    }

    fn act(&mut self, client: u32, choice: u32, index: u32, k: u32) {
        let (turn, accumulator) = self.next_turn(1);
        let act = DirectoryMessage::Act { turn, client, choice, index, k, accumulator };
        self.directory_of(client).send(POKER, act);
    }

    fn turn(&mut self) {
        self.poke(0);
    }

    fn run(&mut self, salt: u32) {
        for _ in 0..self.parameters.turns {
            self.poke(salt);
        }
    }

    fn poke(&mut self, salt: u32) {
        let (turn, accumulator) = self.next_turn(u64::from(self.parameters.clients));
        for directory in &self.directories {
            let accumulator = accumulator.clone();
            directory.send(POKER, DirectoryMessage::Poke { turn, salt, accumulator });
        }
    }

    fn next_turn(&mut self, expected: u64) -> (u32, Address<AccumulatorMessage>) {
        let turn = self.turns.len() as u32;
        self.turns.push(Instant::now());
        (turn, accumulator::spawn(&self.world, turn, expected, self.me.clone()))
    }

    fn confirm(&mut self, turn: u32, value: u64, stops: u64, announced: u32, consumed: u32) {
        let ended = Instant::now();
        let began = self.turns[turn as usize];
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

    fn disconnect(&mut self) {
        for directory in &self.directories {
            directory.send(POKER, DirectoryMessage::Disconnect {});
        }
    }

    fn finished(&mut self, sums: Sums) -> Fate {
        self.sums.add(sums);
        self.online -= 1;
        if self.online > 0 {
            return Fate::Lives;
        }
        self.world.report(Report::Finished(self.sums.in_order()));
        Fate::Ends
    }

    fn directory_of(&self, client: u32) -> &Address<DirectoryMessage> {
        &self.directories[(client % self.parameters.directories) as usize]
    }
}

impl Actor for Poker {
    type Message = PokerMessage;

    fn take(&mut self, _: Name, message: PokerMessage) -> Fate {
        match message {
            PokerMessage::Prepare {} => self.prepare(),
            PokerMessage::Settled {} => self.settled(),
            PokerMessage::Act { client, choice, index, k } => self.act(client, choice, index, k),
            PokerMessage::Turn {} => self.turn(),
            PokerMessage::Run { salt } => self.run(salt),
            PokerMessage::Confirm { turn, value, stops, announced, consumed } => {
                self.confirm(turn, value, stops, announced, consumed);
            }
            PokerMessage::Disconnect {} => self.disconnect(),
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
                return self.finished(Sums {
                    lcg,
                    computes,
                    posts,
                    leaves,
                    invites,
                    nones,
                    deliveries,
                    joins,
                });
            }
        }
        Fate::Lives
    }
}

/// The poker of a world.
pub fn spawn(world: &World, parameters: &Parameters) -> Address<PokerMessage> {
    let (me, mailbox) = mailbox();
    let poker = Poker {
        world: world.clone(),
        me: me.clone(),
        parameters: Arc::new(parameters.clone()),
        directories: Vec::new(),
        turns: Vec::new(),
        settling: parameters.directories,
        online: parameters.directories,
        sums: Sums::default(),
    };
    world.spawn(POKER, mailbox, poker);
    me
}
