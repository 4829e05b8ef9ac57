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

/// What is drawn, and counted in `picks`.
const ACTIONS: [u32; 5] = [CHOICE_COMPUTE, CHOICE_POST, CHOICE_LEAVE, CHOICE_INVITE, CHOICE_NONE];

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
    /// By `ACTIONS`.
    picks: [u64; ACTIONS.len()],
    deliveries: u64,
    joins: u64,
}

impl Client {
    fn befriend(&mut self, friend: Friend) {
        self.friends.push(friend);
    }

    fn settle(&self) {
        self.directory.send(self.name(), DirectoryMessage::Settled {});
    }

    fn act(
        &mut self,
        turn: u32,
        mut choice: u32,
        mut index: usize,
        mut k: u32,
        salt: u32,
        accumulator: Address<AccumulatorMessage>,
    ) {
        let directed = choice != CHOICE_DRAW;
        if !directed {
            index = self.lcg.next_int(self.chats.len() as u32) as usize;
            choice = self.select();
        }
        if let Some(picked) = ACTIONS.iter().position(|action| *action == choice) {
            self.picks[picked] += 1;
        }
        match choice {
            CHOICE_COMPUTE => self.stop(&accumulator, 0, fibonacci(self.parameters.fib_n)),
            CHOICE_POST if index < self.chats.len() => {
                let payload = self.payload(salt);
                let post = ChatMessage::Post { turn, payload, accumulator };
                self.chats[index].send(self.name(), post);
            }
            CHOICE_LEAVE if index < self.chats.len() => {
                let leave = ChatMessage::Leave { turn, accumulator: Some(accumulator) };
                self.chats.remove(index).send(self.name(), leave);
            }
            CHOICE_INVITE if !self.friends.is_empty() => {
                if !directed {
                    self.lcg.shuffle(&mut self.friends);
                    k = self.lcg.next_int(self.friends.len() as u32);
                }
                let guests = (k as usize).clamp(1, self.friends.len());
                self.invite(turn, guests, &accumulator);
            }
            CHOICE_JOIN if index < self.chats.len() && (k as usize) < self.friends.len() => {
                self.bump(&accumulator, 1);
                let (chat, friend) = (&self.chats[index], &self.friends[k as usize]);
                self.send_join(chat, turn, friend, &accumulator);
            }
            _ => self.stop(&accumulator, 0, 0),
        }
    }

    fn select(&mut self) -> u32 {
        let lcg = &mut self.lcg;
        let &Parameters { compute, post, leave, invite, selection, .. } = &*self.parameters;
        let mut chances = ACTIONS.iter().zip([compute, post, leave, invite]);
        let chosen = match selection {
            Selection::Cascade => chances.find(|(_, chance)| lcg.next_int(100) < *chance),
            Selection::Cumulative => {
                let draw = lcg.next_int(100);
                let mut limit = 0;
                chances.find(|(_, chance)| {
                    limit += chance;
                    draw < limit
                })
            }
        };
        chosen.map_or(CHOICE_NONE, |(action, _)| *action)
    }

    fn payload(&mut self, salt: u32) -> u64 {
        let payload = u64::from(self.number) << 32 | u64::from(salt.wrapping_add(self.posted));
        self.posted = self.posted.wrapping_add(1);
        payload
    }

    fn invite(&mut self, turn: u32, guests: usize, accumulator: &Address<AccumulatorMessage>) {
        let history = self.parameters.history;
        let chat = chat::spawn(&self.world, self.name(), self.created, self.me.clone(), history);
        self.created += 1;
        self.bump(accumulator, guests);
        for friend in &self.friends[..guests] {
            self.send_join(&chat, turn, friend, accumulator);
        }
        self.chats.push(chat);
    }

    fn forward(&mut self, level: u32, payload: u64, accumulator: &Address<AccumulatorMessage>) {
        self.deliveries += 1;
        let taken = digest(payload);
        self.stop(accumulator, level, taken.into());
    }

    fn accepted(
        &mut self,
        level: u32,
        chat: Address<ChatMessage>,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        self.joins += 1;
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

    fn report(&self) -> Fate {
        let [computes, posts, leaves, invites, nones] = self.picks;
        let &Self { deliveries, joins, .. } = self;
        let lcg = self.lcg.state().into();
        let sums = Sums { lcg, computes, posts, leaves, invites, nones, deliveries, joins };
        self.directory.send(self.name(), sums.into());
        Fate::Ends
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
                self.act(turn, choice, index as usize, k, salt, accumulator);
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
        picks: [0; ACTIONS.len()],
        deliveries: 0,
        joins: 0,
    };
    world.spawn(client.name(), mailbox, client);
    me
}
