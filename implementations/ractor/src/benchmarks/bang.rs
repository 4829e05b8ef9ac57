//! Bang (spec/bang.md): many senders, one receiver.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::windows::Windows;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_RECEIVER, CLASS_SENDER};
use crate::runtime::world::World;

const RECEIVER: Name = Name::of(CLASS_RECEIVER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    senders: u32,
    messages: u32,
    windows: u32,
    window: u32,
}

messages! {
    pub enum ReceiverMessage {
        Start { salt: u32 } = KIND_RECEIVER_START,
        Bang { number: u32, value: u32 } = KIND_RECEIVER_BANG,
        Finished { answers: u64, taken: u32 } = KIND_RECEIVER_FINISHED,
        Tick { number: u32 } = KIND_RECEIVER_TICK,
    }
}

messages! {
    pub enum SenderMessage {
        Go { salt: u32 } = KIND_SENDER_GO,
        Answer { number: u32, value: u32 } = KIND_SENDER_ANSWER,
        Stop {} = KIND_SENDER_STOP,
    }
}

struct Receiver {
    world: World,
    senders: u32,
    messages: u32,
    windows: Windows,
}

struct ReceiverState {
    senders: Vec<Address<SenderMessage>>,
    salt: u32,
    bangs: u64,
    given: u32,
    counted: u64,
    finished: usize,
    answers: u64,
    taken: u32,
}

impl Receiver {
    async fn spawn_senders(
        &self,
        receiver: Address<ReceiverMessage>,
    ) -> Vec<Address<SenderMessage>> {
        let mut senders = Vec::with_capacity(self.senders as usize);
        for index in 0..self.senders {
            let name = Name::of(CLASS_SENDER, index);
            let receiver = receiver.clone();
            let sender = Sender { index, name, receiver, messages: self.messages };
            senders.push(self.world.spawn(name, sender, self.windows.counted()).await);
        }
        senders
    }

    fn start(&self, me: Me<ReceiverMessage>, state: &mut ReceiverState, salt: u32) {
        state.salt = salt;
        self.start_timer(me, 0);
        state.tell_all(|| SenderMessage::Go { salt });
    }

    fn finished(
        &self,
        me: &Me<ReceiverMessage>,
        state: &mut ReceiverState,
        answers: u64,
        taken: u32,
    ) {
        state.answers += answers;
        state.taken = state.taken.wrapping_add(taken);
        state.finished += 1;
        if state.finished < state.senders.len() {
            return;
        }
        let ended = Instant::now();
        let arguments =
            vec![state.bangs, state.answers, u64::from(state.given), u64::from(state.taken)];
        self.world.report(Report::Done { arguments, ended });
        me.stop(None);
    }

    fn tick(&self, me: Me<ReceiverMessage>, state: &mut ReceiverState, number: u32) {
        let ended = Instant::now();
        self.start_timer(me, number + 1);
        let count = state.bangs - state.counted;
        self.world.report(Report::Window { count, ended });
        state.counted = state.bangs;
        if self.windows.is_last(number) {
            state.tell_all(|| SenderMessage::Stop {});
        }
    }

    fn start_timer(&self, me: Me<ReceiverMessage>, number: u32) {
        let tick = |number| ReceiverMessage::Tick { number };
        self.windows.start_timer(&self.world, &me.into(), RECEIVER, number, tick);
    }
}

impl ReceiverState {
    fn bang(&mut self, from: Name, number: u32, value: u32) {
        self.bangs += 1;
        let value = fold(value, self.salt);
        self.senders[from.first() as usize].send(RECEIVER, SenderMessage::Answer { number, value });
        self.given = self.given.wrapping_add(value);
    }

    fn tell_all(&self, message: impl Fn() -> SenderMessage) {
        for sender in self.senders.iter() {
            sender.send(RECEIVER, message());
        }
    }
}

impl Actor for Receiver {
    type Msg = Envelope<ReceiverMessage>;
    type State = ReceiverState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<ReceiverMessage>, (): ()) -> Outcome<ReceiverState> {
        Ok(ReceiverState {
            senders: self.spawn_senders(me.into()).await,
            salt: 0,
            bangs: 0,
            given: 0,
            counted: 0,
            finished: 0,
            answers: 0,
            taken: 0,
        })
    }

    async fn handle(
        &self,
        me: Me<ReceiverMessage>,
        envelope: Envelope<ReceiverMessage>,
        state: &mut ReceiverState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            ReceiverMessage::Start { salt } => self.start(me, state, salt),
            ReceiverMessage::Bang { number, value } => state.bang(from, number, value),
            ReceiverMessage::Finished { answers, taken } => {
                self.finished(&me, state, answers, taken);
            }
            ReceiverMessage::Tick { number } => self.tick(me, state, number),
        }
        Ok(())
    }
}

struct Sender {
    index: u32,
    name: Name,
    receiver: Address<ReceiverMessage>,
    messages: u32,
}

struct SenderState {
    salt: u32,
    sent: u64,
    answers: u64,
    taken: u32,
    /// Whether its answers make it send no more: from the beginning in the counted form.
    stopped: bool,
}

impl Sender {
    fn go(&self, state: &mut SenderState, salt: u32) {
        state.salt = salt;
        for _ in 0..self.messages {
            self.bang(state);
        }
    }

    fn answer(&self, state: &mut SenderState, value: u32) {
        state.answers += 1;
        state.taken = state.taken.wrapping_add(value);
        if !state.stopped {
            self.bang(state);
        }
    }

    fn end_if_complete(&self, me: &Me<SenderMessage>, state: &SenderState) {
        let &SenderState { answers, taken, stopped, sent, .. } = state;
        if stopped && answers == sent {
            self.receiver.send(self.name, ReceiverMessage::Finished { answers, taken });
            me.stop(None);
        }
    }

    fn bang(&self, state: &mut SenderState) {
        let number = state.sent as u32;
        let value = fold2(state.salt, self.index, number);
        self.receiver.send(self.name, ReceiverMessage::Bang { number, value });
        state.sent += 1;
    }
}

impl Actor for Sender {
    type Msg = Envelope<SenderMessage>;
    type State = SenderState;
    /// Whether it is stopped from the beginning.
    type Arguments = bool;

    async fn pre_start(&self, _: Me<SenderMessage>, stopped: bool) -> Outcome<SenderState> {
        Ok(SenderState { salt: 0, sent: 0, answers: 0, taken: 0, stopped })
    }

    async fn handle(
        &self,
        me: Me<SenderMessage>,
        envelope: Envelope<SenderMessage>,
        state: &mut SenderState,
    ) -> Outcome {
        match envelope.message {
            SenderMessage::Go { salt } => {
                self.go(state, salt);
                return Ok(());
            }
            SenderMessage::Answer { value, .. } => self.answer(state, value),
            SenderMessage::Stop {} => state.stopped = true,
        }
        self.end_if_complete(&me, state);
        Ok(())
    }
}

pub struct Bang {
    lead: Address<ReceiverMessage>,
}

impl Bang {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { senders, messages, windows, window } = parameters;
        let windows = Windows { windows, window };
        let receiver = Receiver { world: world.clone(), senders, messages, windows };
        if world.leads() {
            return Self { lead: world.spawn_lead(RECEIVER, receiver, ()) };
        }
        let lead = world.address(RECEIVER);
        world.populate(receiver.spawn_senders(lead.clone()));
        Self { lead }
    }
}

impl Benchmark for Bang {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, ReceiverMessage::Start { salt })
    }
}
