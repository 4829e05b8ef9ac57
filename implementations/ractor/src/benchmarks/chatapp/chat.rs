//! A chat: a list of members, in which a client can occur several times, and a history.

use super::accumulator::AccumulatorMessage;
use super::client::ClientMessage;
use crate::benchmarks::fold::digest;
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
}

struct ChatState {
    members: Vec<Member>,
    /// Posts, if they are kept.
    history: Option<Vec<u64>>,
    /// The sum of their digests.
    digests: u32,
}

impl Chat {
    fn post(
        &self,
        state: &mut ChatState,
        turn: u32,
        payload: u64,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        let posted = digest(payload);
        if let Some(history) = &mut state.history {
            history.push(payload);
            state.digests = state.digests.wrapping_add(posted);
        }
        let count = state.members.len();
        let announced = (count as u32).wrapping_mul(posted);
        self.bump(accumulator, 0, count, announced);
        for (_, member) in &state.members {
            self.forward(member, turn, 1, payload, accumulator);
        }
    }

    fn join(
        &self,
        me: Me<ChatMessage>,
        state: &mut ChatState,
        turn: u32,
        member: Member,
        accumulator: Address<AccumulatorMessage>,
    ) {
        let address = &member.1;
        let mut level = 1;
        let history = state.history.as_deref().unwrap_or_default();
        if !history.is_empty() {
            level = 2;
            self.bump(&accumulator, 1, history.len() + 1, state.digests);
            for payload in history {
                self.forward(address, turn, level, *payload, &accumulator);
            }
        }
        let chat = me.into();
        address.send(self.name, ClientMessage::Accepted { turn, level, chat, accumulator });
        state.members.push(member);
    }

    fn leave(
        &self,
        me: &Me<ChatMessage>,
        state: &mut ChatState,
        from: Name,
        turn: u32,
        accumulator: Option<Address<AccumulatorMessage>>,
    ) {
        let place = state.members.iter().position(|(name, _)| *name == from);
        let (_, member) = state.members.remove(place.expect("only members leave"));
        member.send(self.name, ClientMessage::Left { turn, accumulator });
        if state.members.is_empty() {
            me.stop(None);
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
    type Msg = Envelope<ChatMessage>;
    type State = ChatState;
    /// Its first member, and whether it keeps a history.
    type Arguments = (Member, bool);

    async fn pre_start(
        &self,
        _: Me<ChatMessage>,
        (member, history): (Member, bool),
    ) -> Outcome<ChatState> {
        Ok(ChatState { members: vec![member], history: history.then(Vec::new), digests: 0 })
    }

    async fn handle(
        &self,
        me: Me<ChatMessage>,
        envelope: Envelope<ChatMessage>,
        state: &mut ChatState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            ChatMessage::Post { turn, payload, accumulator } => {
                self.post(state, turn, payload, &accumulator);
            }
            ChatMessage::Join { turn, friend, address, accumulator } => {
                let member = (Name::of(CLASS_CLIENT, friend), address);
                self.join(me, state, turn, member, accumulator);
            }
            ChatMessage::Leave { turn, accumulator } => {
                self.leave(&me, state, from, turn, accumulator);
            }
        }
        Ok(())
    }
}

/// The chat of `creator` that has `created` others before it.
pub async fn spawn(
    world: &World,
    creator: Name,
    created: u32,
    member: Address<ClientMessage>,
    history: bool,
) -> Address<ChatMessage> {
    let name = Name::of_second(CLASS_CHAT, creator.first(), created);
    world.spawn(name, Chat { name }, ((creator, member), history)).await
}
