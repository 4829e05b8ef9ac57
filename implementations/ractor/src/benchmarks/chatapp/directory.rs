//! A directory: makes its clients, makes them friends, and passes the poker's word on.

use std::sync::Arc;

use super::accumulator::AccumulatorMessage;
use super::client::{self, ClientMessage};
use super::poker::{PokerMessage, POKER};
use super::{Parameters, Sums};
use crate::benchmarks::lcg::Lcg;
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
    poker: Address<PokerMessage>,
    parameters: Arc<Parameters>,
}

struct DirectoryState {
    lcg: Lcg,
    /// In login order.
    clients: Vec<(u32, Address<ClientMessage>)>,
    settling: usize,
    online: usize,
    sums: Sums,
}

impl Directory {
    async fn login(&self, me: Me<DirectoryMessage>, state: &mut DirectoryState, client: u32) {
        let parameters = Arc::clone(&self.parameters);
        let seed = state.lcg.draw();
        let address = client::spawn(&self.world, client, seed, me.into(), parameters).await;
        state.clients.push((client, address));
    }

    fn befriend(&self, state: &mut DirectoryState) {
        for (friend, to_friend) in &state.clients {
            let mut befriended = false;
            while !befriended {
                for (client, to_client) in &state.clients {
                    let draw = state.lcg.next_int(100);
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

    fn settle(&self, state: &mut DirectoryState) {
        state.settling = state.clients.len();
        for (_, client) in &state.clients {
            client.send(self.name, ClientMessage::Settle {});
        }
    }

    fn settled(&self, state: &mut DirectoryState) {
        state.settling -= 1;
        if state.settling == 0 {
            self.poker.send(self.name, PokerMessage::Settled {});
        }
    }

    fn poke(
        &self,
        state: &DirectoryState,
        turn: u32,
        salt: u32,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        for (_, client) in &state.clients {
            let accumulator = accumulator.clone();
            let act =
                ClientMessage::Act { turn, choice: CHOICE_DRAW, index: 0, k: 0, salt, accumulator };
            client.send(self.name, act);
        }
    }

    fn act(&self, state: &DirectoryState, client: u32, act: ClientMessage) {
        state.clients[self.place(client)].1.send(self.name, act);
    }

    fn disconnect(&self, state: &mut DirectoryState) {
        state.online = state.clients.len();
        for (_, client) in &state.clients {
            client.send(self.name, ClientMessage::Logout {});
        }
    }

    fn left(&self, me: &Me<DirectoryMessage>, state: &mut DirectoryState, sums: Sums) {
        state.sums.add(sums);
        state.online -= 1;
        if state.online == 0 {
            self.poker.send(self.name, state.sums.into());
            me.stop(None);
        }
    }

    /// The place of the client with this number: they are dealt to directories in turn (CHAT-3).
    fn place(&self, number: u32) -> usize {
        (number / self.parameters.directories) as usize
    }
}

impl Actor for Directory {
    type Msg = Envelope<DirectoryMessage>;
    type State = DirectoryState;
    /// Its seed.
    type Arguments = u32;

    async fn pre_start(&self, _: Me<DirectoryMessage>, seed: u32) -> Outcome<DirectoryState> {
        Ok(DirectoryState {
            lcg: Lcg::new(seed),
            clients: Vec::new(),
            settling: 0,
            online: 0,
            sums: Sums::default(),
        })
    }

    async fn handle(
        &self,
        me: Me<DirectoryMessage>,
        envelope: Envelope<DirectoryMessage>,
        state: &mut DirectoryState,
    ) -> Outcome {
        match envelope.message {
            DirectoryMessage::Login { client } => self.login(me, state, client).await,
            DirectoryMessage::Befriend {} => self.befriend(state),
            DirectoryMessage::Settle {} => self.settle(state),
            DirectoryMessage::Settled {} => self.settled(state),
            DirectoryMessage::Poke { turn, salt, accumulator } => {
                self.poke(state, turn, salt, &accumulator);
            }
            DirectoryMessage::Act { turn, client, choice, index, k, accumulator } => {
                let act = ClientMessage::Act { turn, choice, index, k, salt: 0, accumulator };
                self.act(state, client, act);
            }
            DirectoryMessage::Disconnect {} => self.disconnect(state),
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
                let sums = Sums { lcg, computes, posts, leaves, invites, nones, deliveries, joins };
                self.left(&me, state, sums);
            }
        }
        Ok(())
    }
}

/// Directory `index` with its seed, wherever it lives.
pub async fn spawn(
    world: &World,
    index: u32,
    seed: u32,
    poker: Address<PokerMessage>,
    parameters: Arc<Parameters>,
) -> Address<DirectoryMessage> {
    let name = Name::of(CLASS_DIRECTORY, index);
    if let Some(elsewhere) = world.bear_elsewhere(name, POKER, seed) {
        return elsewhere;
    }
    let directory = Directory { world: world.clone(), name, poker, parameters };
    world.spawn(name, directory, seed).await
}
