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
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::Name;
use crate::runtime::table::{
    CHOICE_COMPUTE, CHOICE_DRAW, CHOICE_INVITE, CHOICE_JOIN, CHOICE_LEAVE, CHOICE_NONE,
    CHOICE_POST, CLASS_CLIENT, CLASS_DIRECTORY,
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
    directory: Address<DirectoryMessage>,
    parameters: Arc<Parameters>,
}

struct ClientState {
    lcg: Lcg,
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

/// What an `act` has, which is too much for arguments.
struct Act {
    turn: u32,
    choice: u32,
    index: usize,
    k: u32,
    salt: u32,
    accumulator: Address<AccumulatorMessage>,
}

impl Client {
    fn befriend(&self, state: &mut ClientState, friend: Friend) {
        state.friends.push(friend);
    }

    fn settle(&self) {
        self.directory.send(self.name(), DirectoryMessage::Settled {});
    }

    async fn act(&self, me: Me<ClientMessage>, state: &mut ClientState, act: Act) {
        let Act { turn, mut choice, mut index, mut k, salt, accumulator } = act;
        let directed = choice != CHOICE_DRAW;
        if !directed {
            index = state.lcg.next_int(state.chats.len() as u32) as usize;
            choice = self.select(state);
        }
        if let Some(picked) = ACTIONS.iter().position(|action| *action == choice) {
            state.picks[picked] += 1;
        }
        match choice {
            CHOICE_COMPUTE => self.stop(&accumulator, 0, fibonacci(self.parameters.fib_n)),
            CHOICE_POST if index < state.chats.len() => {
                let payload = self.payload(state, salt);
                let post = ChatMessage::Post { turn, payload, accumulator };
                state.chats[index].send(self.name(), post);
            }
            CHOICE_LEAVE if index < state.chats.len() => {
                let leave = ChatMessage::Leave { turn, accumulator: Some(accumulator) };
                state.chats.remove(index).send(self.name(), leave);
            }
            CHOICE_INVITE if !state.friends.is_empty() => {
                if !directed {
                    state.lcg.shuffle(&mut state.friends);
                    k = state.lcg.next_int(state.friends.len() as u32);
                }
                let guests = (k as usize).clamp(1, state.friends.len());
                self.invite(me, state, turn, guests, &accumulator).await;
            }
            CHOICE_JOIN if index < state.chats.len() && (k as usize) < state.friends.len() => {
                self.bump(&accumulator, 1);
                let (chat, friend) = (&state.chats[index], &state.friends[k as usize]);
                self.send_join(chat, turn, friend, &accumulator);
            }
            _ => self.stop(&accumulator, 0, 0),
        }
    }

    fn select(&self, state: &mut ClientState) -> u32 {
        let lcg = &mut state.lcg;
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

    fn payload(&self, state: &mut ClientState, salt: u32) -> u64 {
        let payload = u64::from(self.number) << 32 | u64::from(salt.wrapping_add(state.posted));
        state.posted = state.posted.wrapping_add(1);
        payload
    }

    async fn invite(
        &self,
        me: Me<ClientMessage>,
        state: &mut ClientState,
        turn: u32,
        guests: usize,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        let history = self.parameters.history;
        let chat = chat::spawn(&self.world, self.name(), state.created, me.into(), history).await;
        state.created += 1;
        self.bump(accumulator, guests);
        for friend in &state.friends[..guests] {
            self.send_join(&chat, turn, friend, accumulator);
        }
        state.chats.push(chat);
    }

    fn forward(
        &self,
        state: &mut ClientState,
        level: u32,
        payload: u64,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        state.deliveries += 1;
        let taken = digest(payload);
        self.stop(accumulator, level, taken.into());
    }

    fn accepted(
        &self,
        state: &mut ClientState,
        level: u32,
        chat: Address<ChatMessage>,
        accumulator: &Address<AccumulatorMessage>,
    ) {
        state.joins += 1;
        state.chats.push(chat);
        self.stop(accumulator, level, 0);
    }

    fn left(
        &self,
        me: &Me<ClientMessage>,
        state: &mut ClientState,
        accumulator: Option<Address<AccumulatorMessage>>,
    ) {
        if let Some(accumulator) = accumulator {
            self.stop(&accumulator, 0, 0);
            return;
        }
        state.leaving -= 1;
        if state.leaving == 0 {
            self.report(me, state);
        }
    }

    fn logout(&self, me: &Me<ClientMessage>, state: &mut ClientState) {
        state.leaving = state.chats.len();
        for chat in &state.chats {
            let leave = ChatMessage::Leave { turn: LOGOUT, accumulator: None };
            chat.send(self.name(), leave);
        }
        if state.leaving == 0 {
            self.report(me, state);
        }
    }

    fn report(&self, me: &Me<ClientMessage>, state: &ClientState) {
        let [computes, posts, leaves, invites, nones] = state.picks;
        let &ClientState { deliveries, joins, .. } = state;
        let lcg = state.lcg.state().into();
        let sums = Sums { lcg, computes, posts, leaves, invites, nones, deliveries, joins };
        self.directory.send(self.name(), sums.into());
        me.stop(None);
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
    type Msg = Envelope<ClientMessage>;
    type State = ClientState;
    /// Its seed.
    type Arguments = u32;

    async fn pre_start(&self, _: Me<ClientMessage>, seed: u32) -> Outcome<ClientState> {
        Ok(ClientState {
            lcg: Lcg::new(seed),
            friends: Vec::new(),
            chats: Vec::new(),
            created: 0,
            posted: 0,
            leaving: 0,
            picks: [0; ACTIONS.len()],
            deliveries: 0,
            joins: 0,
        })
    }

    async fn handle(
        &self,
        me: Me<ClientMessage>,
        envelope: Envelope<ClientMessage>,
        state: &mut ClientState,
    ) -> Outcome {
        match envelope.message {
            ClientMessage::Befriend { friend, address } => self.befriend(state, (friend, address)),
            ClientMessage::Settle {} => self.settle(),
            ClientMessage::Act { turn, choice, index, k, salt, accumulator } => {
                let act = Act { turn, choice, index: index as usize, k, salt, accumulator };
                self.act(me, state, act).await;
            }
            ClientMessage::Forward { level, payload, accumulator, .. } => {
                self.forward(state, level, payload, &accumulator);
            }
            ClientMessage::Accepted { level, chat, accumulator, .. } => {
                self.accepted(state, level, chat, &accumulator);
            }
            ClientMessage::Left { accumulator, .. } => self.left(&me, state, accumulator),
            ClientMessage::Logout {} => self.logout(&me, state),
        }
        Ok(())
    }
}

/// Client `number` with its seed, wherever it lives.
pub async fn spawn(
    world: &World,
    number: u32,
    seed: u32,
    directory: Address<DirectoryMessage>,
    parameters: Arc<Parameters>,
) -> Address<ClientMessage> {
    let name = Name::of(CLASS_CLIENT, number);
    let maker = Name::of(CLASS_DIRECTORY, number % parameters.directories);
    if let Some(elsewhere) = world.bear_elsewhere(name, maker, seed) {
        return elsewhere;
    }
    let client = Client { world: world.clone(), number, directory, parameters };
    world.spawn(name, client, seed).await
}
