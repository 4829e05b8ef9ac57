//! A directory: makes its clients, makes them friends, and passes the poker's word on.

use std::sync::Arc;

use super::accumulator::AccumulatorMessage;
use super::client::{self, ClientMessage};
use super::poker::PokerMessage;
use super::{Parameters, Sums};
use crate::benchmarks::lcg::Lcg;
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::table::{CHOICE_DRAW, CLASS_DIRECTORY};
use crate::runtime::world::World;

messages! {
    pub enum DirectoryMessage {
        Login { client: u32 } = KIND_DIRECTORY_LOGIN,
        Befriend {} = KIND_DIRECTORY_BEFRIEND,
        Settle {} = KIND_DIRECTORY_SETTLE,
        Settled {} = KIND_DIRECTORY_SETTLED,
        Poke { turn: u32, salt: u32; accumulator: Address<AccumulatorMessage> }
            = KIND_DIRECTORY_POKE,
        Act {
            turn: u32, client: u32, choice: u32, index: u32, k: u32;
            accumulator: Address<AccumulatorMessage>
        } = KIND_DIRECTORY_ACT,
        Disconnect {} = KIND_DIRECTORY_DISCONNECT,
        Left {
            lcg: u64,
            computes: u64,
            posts: u64,
            leaves: u64,
            invites: u64,
            nones: u64,
            deliveries: u64,
            joins: u64
        } = KIND_DIRECTORY_LEFT,
    }
}

impl From<Sums> for DirectoryMessage {
    fn from(sums: Sums) -> Self {
        let [lcg, computes, posts, leaves, invites, nones, deliveries, joins] = sums.in_order();
        Self::Left { lcg, computes, posts, leaves, invites, nones, deliveries, joins }
    }
}

struct Directory {
    world: World,
    name: Name,
    me: Address<DirectoryMessage>,
    poker: Address<PokerMessage>,
    parameters: Arc<Parameters>,
    lcg: Lcg,
    /// In login order.
    clients: Vec<(u32, Address<ClientMessage>)>,
    settling: usize,
    online: usize,
    sums: Sums,
}

impl Directory {
    fn login(&mut self, client: u32) {
        let parameters = Arc::clone(&self.parameters);
        let seed = self.lcg.draw();
        let address = client::spawn(&self.world, client, seed, self.me.clone(), parameters);
        self.clients.push((client, address));
    }

    fn befriend(&mut self) {
        for (friend, to_friend) in &self.clients {
            let mut befriended = false;
            while !befriended {
                for (client, to_client) in &self.clients {
                    let draw = self.lcg.next_int(100);
                    if draw < self.parameters.befriend && client != friend {
                        let (friend, address) = (*friend, to_friend.clone());
                        to_client.send(self.name, ClientMessage::Befriend { friend, address });
                        let (friend, address) = (*client, to_client.clone());
                        to_friend.send(self.name, ClientMessage::Befriend { friend, address });
                        befriended = true;
                    }
                }
            }
        }
    }

    fn settle(&mut self) {
        self.settling = self.clients.len();
        for (_, client) in &self.clients {
            client.send(self.name, ClientMessage::Settle {});
        }
    }

    fn settled(&mut self) {
        self.settling -= 1;
        if self.settling == 0 {
            self.poker.send(self.name, PokerMessage::Settled {});
        }
    }

    fn poke(&self, turn: u32, salt: u32, accumulator: &Address<AccumulatorMessage>) {
        for (_, client) in &self.clients {
            let accumulator = accumulator.clone();
            let act =
                ClientMessage::Act { turn, choice: CHOICE_DRAW, index: 0, k: 0, salt, accumulator };
            client.send(self.name, act);
        }
    }

    fn act(
        &self,
        turn: u32,
        client: u32,
        choice: u32,
        index: u32,
        k: u32,
        accumulator: Address<AccumulatorMessage>,
    ) {
        let act = ClientMessage::Act { turn, choice, index, k, salt: 0, accumulator };
        self.client(client).send(self.name, act);
    }

    fn disconnect(&mut self) {
        self.online = self.clients.len();
        for (_, client) in &self.clients {
            client.send(self.name, ClientMessage::Logout {});
        }
    }

    fn left(&mut self, sums: Sums) -> Fate {
        self.sums.add(sums);
        self.online -= 1;
        if self.online > 0 {
            return Fate::Lives;
        }
        self.poker.send(self.name, self.sums.into());
        Fate::Ends
    }

    /// The client with this number: numbers are dealt to directories in turn (CHAT-3).
    fn client(&self, number: u32) -> &Address<ClientMessage> {
        &self.clients[(number / self.parameters.directories) as usize].1
    }
}

impl Actor for Directory {
    type Message = DirectoryMessage;

    fn take(&mut self, _: Name, message: DirectoryMessage) -> Fate {
        match message {
            DirectoryMessage::Login { client } => self.login(client),
            DirectoryMessage::Befriend {} => self.befriend(),
            DirectoryMessage::Settle {} => self.settle(),
            DirectoryMessage::Settled {} => self.settled(),
            DirectoryMessage::Poke { turn, salt, accumulator } => {
                self.poke(turn, salt, &accumulator);
            }
            DirectoryMessage::Act { turn, client, choice, index, k, accumulator } => {
                self.act(turn, client, choice, index, k, accumulator);
            }
            DirectoryMessage::Disconnect {} => self.disconnect(),
            DirectoryMessage::Left {
                lcg,
                computes,
                posts,
                leaves,
                invites,
                nones,
                deliveries,
                joins,
            } => {
                return self.left(Sums {
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

/// Directory `index` with its seed.
pub fn spawn(
    world: &World,
    index: u32,
    seed: u32,
    poker: Address<PokerMessage>,
    parameters: Arc<Parameters>,
) -> Address<DirectoryMessage> {
    let (me, mailbox) = mailbox();
    let name = Name::of(CLASS_DIRECTORY, index);
    let directory = Directory {
        world: world.clone(),
        name,
        me: me.clone(),
        poker,
        parameters,
        lcg: Lcg::new(seed),
        clients: Vec::new(),
        settling: 0,
        online: 0,
        sums: Sums::default(),
    };
    world.spawn(name, mailbox, directory);
    me
}
