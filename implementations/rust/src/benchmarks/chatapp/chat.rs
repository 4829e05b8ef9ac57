//! A chat: a list of members, in which a client can occur several times, and a history.

use super::accumulator::AccumulatorMessage;
use super::client::ClientMessage;
use crate::benchmarks::fold::digest;
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::table::{CLASS_CHAT, CLASS_CLIENT};
use crate::runtime::world::World;

messages! {
    pub enum ChatMessage {
        Post { turn: u32, payload: u64; accumulator: Address<AccumulatorMessage> }
            = KIND_CHAT_POST,
        Join {
            turn: u32, friend: u32;
            address: Address<ClientMessage>, accumulator: Address<AccumulatorMessage>
        } = KIND_CHAT_JOIN,
        Leave { turn: u32; accumulator: Option<Address<AccumulatorMessage>> } = KIND_CHAT_LEAVE,
    }
}

/// A member, by name and address.
type Member = (Name, Address<ClientMessage>);

struct Chat {
    name: Name,
    me: Address<ChatMessage>,
    members: Vec<Member>,
    /// Posts, if they are kept.
    history: Option<Vec<u64>>,
    /// The sum of their digests.
    digests: u32,
}

impl Chat {
    fn post(&mut self, turn: u32, payload: u64, accumulator: &Address<AccumulatorMessage>) {
        let posted = digest(payload);
        if let Some(history) = &mut self.history {
            history.push(payload);
            self.digests = self.digests.wrapping_add(posted);
        }
        let count = self.members.len();
        let announced = (count as u32).wrapping_mul(posted);
        self.bump(accumulator, 0, count, announced);
        for (_, member) in &self.members {
            self.forward(member, turn, 1, payload, accumulator);
        }
    }

    fn join(
        &mut self,
        turn: u32,
        friend: u32,
        address: Address<ClientMessage>,
        accumulator: Address<AccumulatorMessage>,
    ) {
        let mut level = 1;
        let history = self.history.as_deref().unwrap_or_default();
        if !history.is_empty() {
            level = 2;
            self.bump(&accumulator, 1, history.len() + 1, self.digests);
            for payload in history {
                self.forward(&address, turn, level, *payload, &accumulator);
            }
        }
        let chat = self.me.clone();
        address.send(self.name, ClientMessage::Accepted { turn, level, chat, accumulator });
        self.members.push((Name::of(CLASS_CLIENT, friend), address));
    }

    fn leave(
        &mut self,
        from: Name,
        turn: u32,
        accumulator: Option<Address<AccumulatorMessage>>,
    ) -> Fate {
        let place = self.members.iter().position(|(name, _)| *name == from);
        let (_, member) = self.members.remove(place.expect("only members leave"));
        member.send(self.name, ClientMessage::Left { turn, accumulator });
        match self.members.is_empty() {
            true => Fate::Ends,
            false => Fate::Lives,
        }
    }

    fn forward(
        &self,
        to: &Address<ClientMessage>,
        turn: u32,
        level: u32,
        payload: u64,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        let accumulator = accumulator.clone();
        to.send(self.name, ClientMessage::Forward { turn, level, payload, accumulator });
    }

    fn bump(&self, to: &Address<AccumulatorMessage>, level: u32, n: usize, digest: u32) {
        to.send(self.name, AccumulatorMessage::Bump { level, n: n as u64, digest });
    }
}

impl Actor for Chat {
    type Message = ChatMessage;

    fn take(&mut self, from: Name, message: ChatMessage) -> Fate {
        match message {
            ChatMessage::Post { turn, payload, accumulator } => {
                self.post(turn, payload, &accumulator);
                Fate::Lives
            }
            ChatMessage::Join { turn, friend, address, accumulator } => {
                self.join(turn, friend, address, accumulator);
                Fate::Lives
            }
            ChatMessage::Leave { turn, accumulator } => self.leave(from, turn, accumulator),
        }
    }
}

/// The chat of `creator` that has `created` others before it.
pub fn spawn(
    world: &World,
    creator: Name,
    created: u32,
    member: Address<ClientMessage>,
    history: bool,
) -> Address<ChatMessage> {
    let (me, mailbox) = mailbox();
    let name = Name::of_second(CLASS_CHAT, creator.first(), created);
    let chat = Chat {
        name,
        me: me.clone(),
        members: vec![(creator, member)],
        history: history.then(Vec::new),
        digests: 0,
    };
    world.spawn(name, mailbox, chat);
    me
}
