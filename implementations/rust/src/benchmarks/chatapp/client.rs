//! A client: acts once a turn, with friends and chats of its own.

use std::sync::Arc;

use super::accumulator::AccumulatorMessage;
use super::chat::{self, ChatMessage};
use super::directory::DirectoryMessage;
use super::{Parameters, Selection, Sums, LOGOUT};
use crate::benchmarks::fibonacci::fibonacci;
use crate::benchmarks::fold::digest;
use crate::benchmarks::lcg::Lcg;
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::table::{
    CHOICE_COMPUTE, CHOICE_DRAW, CHOICE_INVITE, CHOICE_JOIN, CHOICE_LEAVE, CHOICE_NONE,
    CHOICE_POST, CLASS_CLIENT,
};
use crate::runtime::world::World;

messages! {
    pub enum ClientMessage {
        Befriend { friend: u32; address: Address<ClientMessage> } = KIND_CLIENT_BEFRIEND,
        Settle {} = KIND_CLIENT_SETTLE,
        Act {
            turn: u32, choice: u32, index: u32, k: u32, salt: u32;
            accumulator: Address<AccumulatorMessage>
        } = KIND_CLIENT_ACT,
        Forward { turn: u32, level: u32, payload: u64; accumulator: Address<AccumulatorMessage> }
            = KIND_CLIENT_FORWARD,
        Accepted {
            turn: u32, level: u32;
            chat: Address<ChatMessage>, accumulator: Address<AccumulatorMessage>
        } = KIND_CLIENT_ACCEPTED,
        Left { turn: u32; accumulator: Option<Address<AccumulatorMessage>> } = KIND_CLIENT_LEFT,
        Logout {} = KIND_CLIENT_LOGOUT,
    }
}

/// A friend, by number and address.
type Friend = (u32, Address<ClientMessage>);

struct Client {
    world: World,
    number: u32,
    me: Address<ClientMessage>,
    directory: Address<DirectoryMessage>,
    lcg: Lcg,
    parameters: Arc<Parameters>,
    friends: Vec<Friend>,
    chats: Vec<Address<ChatMessage>>,
    /// Chats created, and posts sent.
    created: u32,
    posted: u32,
    /// Once it logs out: `leave`s that are not answered.
    leaving: usize,
    /// What it did, and what it took.
    picks: Sums,
}

/// One act, as it came or was drawn.
struct Act {
    turn: u32,
    index: usize,
    k: u32,
    salt: u32,
    accumulator: Address<AccumulatorMessage>,
}

impl Client {
    fn befriend(&mut self, friend: Friend) {
        self.friends.push(friend);
    }

    fn settle(&self) {
        self.directory.send(self.name(), DirectoryMessage::Settled {});
    }

    fn act(&mut self, choice: u32, mut act: Act) {
        let directed = choice != CHOICE_DRAW;
        let choice = match directed {
            true => choice,
            false => {
                act.index = self.lcg.next_int(self.chats.len() as u32) as usize;
                self.select()
            }
        };
        self.pick(choice);
        let accumulator = match choice {
            CHOICE_COMPUTE => {
                let value = fibonacci(self.parameters.fib_n);
                return self.stop(&act.accumulator, 0, value);
            }
            CHOICE_POST => self.post(act),
            CHOICE_LEAVE => self.leave(act),
            CHOICE_INVITE => self.invite(directed, act),
            CHOICE_JOIN => self.join(act),
            _ => Some(act.accumulator),
        };
        if let Some(accumulator) = accumulator {
            self.stop(&accumulator, 0, 0);
        }
    }

    fn select(&mut self) -> u32 {
        let &Parameters { compute, post, leave, invite, .. } = &*self.parameters;
        let chances = [
            (CHOICE_COMPUTE, compute),
            (CHOICE_POST, post),
            (CHOICE_LEAVE, leave),
            (CHOICE_INVITE, invite),
        ];
        let lcg = &mut self.lcg;
        let chosen = match self.parameters.selection {
            Selection::Cascade => chances.iter().find(|(_, chance)| lcg.next_int(100) < *chance),
            Selection::Cumulative => {
                let draw = lcg.next_int(100);
                let mut limit = 0;
                chances.iter().find(|(_, chance)| {
                    limit += chance;
                    draw < limit
                })
            }
        };
        chosen.map_or(CHOICE_NONE, |(action, _)| *action)
    }

    fn pick(&mut self, choice: u32) {
        let picks = &mut self.picks;
        match choice {
            CHOICE_COMPUTE => picks.computes += 1,
            CHOICE_POST => picks.posts += 1,
            CHOICE_LEAVE => picks.leaves += 1,
            CHOICE_INVITE => picks.invites += 1,
            CHOICE_NONE => picks.nones += 1,
            _ => {}
        }
    }

    /// An action that cannot be carried out gives its accumulator back.
    fn post(&mut self, act: Act) -> Option<Address<AccumulatorMessage>> {
        let Act { turn, index, salt, accumulator, .. } = act;
        let chat = match self.chats.get(index) {
            Some(chat) => chat,
            None => return Some(accumulator),
        };
        let payload = u64::from(self.number) << 32 | u64::from(salt.wrapping_add(self.posted));
        chat.send(self.name(), ChatMessage::Post { turn, payload, accumulator });
        self.posted = self.posted.wrapping_add(1);
        None
    }

    fn leave(&mut self, act: Act) -> Option<Address<AccumulatorMessage>> {
        let Act { turn, index, accumulator, .. } = act;
        if index >= self.chats.len() {
            return Some(accumulator);
        }
        let chat = self.chats.remove(index);
        let accumulator = Some(accumulator);
        chat.send(self.name(), ChatMessage::Leave { turn, accumulator });
        None
    }

    fn invite(&mut self, directed: bool, act: Act) -> Option<Address<AccumulatorMessage>> {
        let Act { turn, k, accumulator, .. } = act;
        if self.friends.is_empty() {
            return Some(accumulator);
        }
        let friends = self.friends.len();
        let k = match directed {
            true => k,
            false => {
                self.lcg.shuffle(&mut self.friends);
                self.lcg.next_int(friends as u32)
            }
        };
        let guests = (k as usize).clamp(1, friends);
        let history = self.parameters.history;
        let chat = chat::spawn(&self.world, self.name(), self.created, self.me.clone(), history);
        self.created += 1;
        self.bump(&accumulator, guests);
        for friend in &self.friends[..guests] {
            self.send_join(&chat, turn, friend, &accumulator);
        }
        self.chats.push(chat);
        None
    }

    fn join(&mut self, act: Act) -> Option<Address<AccumulatorMessage>> {
        let Act { turn, index, k, accumulator, .. } = act;
        match (self.chats.get(index), self.friends.get(k as usize)) {
            (Some(chat), Some(friend)) => {
                self.bump(&accumulator, 1);
                self.send_join(chat, turn, friend, &accumulator);
                None
            }
            _ => Some(accumulator),
        }
    }

    fn send_join(
        &self,
        chat: &Address<ChatMessage>,
        turn: u32,
        friend: &Friend,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        let (friend, address) = (friend.0, friend.1.clone());
        let accumulator = accumulator.clone();
        chat.send(self.name(), ChatMessage::Join { turn, friend, address, accumulator });
    }

    fn forward(&mut self, level: u32, payload: u64, accumulator: &Address<AccumulatorMessage>) {
        self.picks.deliveries += 1;
        let taken = digest(payload);
        self.stop(accumulator, level, taken.into());
    }

    fn accepted(
        &mut self,
        level: u32,
        chat: Address<ChatMessage>,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        self.picks.joins += 1;
        self.chats.push(chat);
        self.stop(accumulator, level, 0);
    }

    fn left(&mut self, accumulator: Option<Address<AccumulatorMessage>>) -> Fate {
        if let Some(accumulator) = accumulator {
            self.stop(&accumulator, 0, 0);
            return Fate::Lives;
        }
        self.leaving -= 1;
        match self.leaving {
            0 => self.report(),
            _ => Fate::Lives,
        }
    }

    fn logout(&mut self) -> Fate {
        self.leaving = self.chats.len();
        for chat in &self.chats {
            let leave = ChatMessage::Leave { turn: LOGOUT, accumulator: None };
            chat.send(self.name(), leave);
        }
        match self.leaving {
            0 => self.report(),
            _ => Fate::Lives,
        }
    }

    fn report(&mut self) -> Fate {
        self.picks.lcg = self.lcg.state().into();
        self.directory.send(self.name(), self.picks.into());
        Fate::Ends
    }

    fn stop(&self, accumulator: &Address<AccumulatorMessage>, level: u32, value: u64) {
        accumulator.send(self.name(), AccumulatorMessage::Stop { level, value });
    }

    fn bump(&self, accumulator: &Address<AccumulatorMessage>, n: usize) {
        let bump = AccumulatorMessage::Bump { level: 0, n: n as u64, digest: 0 };
        accumulator.send(self.name(), bump);
    }

    fn name(&self) -> Name {
        Name::of(CLASS_CLIENT, self.number)
    }
}

impl Actor for Client {
    type Message = ClientMessage;

    fn take(&mut self, _: Name, message: ClientMessage) -> Fate {
        match message {
            ClientMessage::Befriend { friend, address } => self.befriend((friend, address)),
            ClientMessage::Settle {} => self.settle(),
            ClientMessage::Act { turn, choice, index, k, salt, accumulator } => {
                self.act(choice, Act { turn, index: index as usize, k, salt, accumulator });
            }
            ClientMessage::Forward { level, payload, accumulator, .. } => {
                self.forward(level, payload, &accumulator);
            }
            ClientMessage::Accepted { level, chat, accumulator, .. } => {
                self.accepted(level, chat, &accumulator);
            }
            ClientMessage::Left { accumulator, .. } => return self.left(accumulator),
            ClientMessage::Logout {} => return self.logout(),
        }
        Fate::Lives
    }
}

/// Client `number` with its seed.
pub fn spawn(
    world: &World,
    number: u32,
    seed: u32,
    directory: Address<DirectoryMessage>,
    parameters: Arc<Parameters>,
) -> Address<ClientMessage> {
    let (me, mailbox) = mailbox();
    let client = Client {
        world: world.clone(),
        number,
        me: me.clone(),
        directory,
        lcg: Lcg::new(seed),
        parameters,
        friends: Vec::new(),
        chats: Vec::new(),
        created: 0,
        posted: 0,
        leaving: 0,
        picks: Sums::default(),
    };
    world.spawn(client.name(), mailbox, client);
    me
}
