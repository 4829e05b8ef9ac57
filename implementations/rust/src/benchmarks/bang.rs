//! Bang (spec/bang.md): many senders, one receiver.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::windows::Windows;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
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
    me: Address<ReceiverMessage>,
    senders: Vec<Address<SenderMessage>>,
    windows: Windows,
    salt: u32,
    bangs: u64,
    given: u32,
    counted: u64,
    finished: usize,
    answers: u64,
    taken: u32,
}

impl Receiver {
    fn start(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        self.start_timer(0);
        self.tell_all(|| SenderMessage::Go { salt });
        Fate::Lives
    }

    fn bang(&mut self, from: Name, number: u32, value: u32) -> Fate {
        self.bangs += 1;
        let value = fold(value, self.salt);
        self.senders[from.first() as usize].send(RECEIVER, SenderMessage::Answer { number, value });
        self.given = self.given.wrapping_add(value);
        Fate::Lives
    }

    fn finished(&mut self, answers: u64, taken: u32) -> Fate {
        self.answers += answers;
        self.taken = self.taken.wrapping_add(taken);
        self.finished += 1;
        if self.finished < self.senders.len() {
            return Fate::Lives;
        }
        let ended = Instant::now();
        let arguments =
            vec![self.bangs, self.answers, u64::from(self.given), u64::from(self.taken)];
        self.world.report(Report::Done { arguments, ended });
        Fate::Ends
    }

    fn tick(&mut self, number: u32) -> Fate {
        let ended = Instant::now();
        self.start_timer(number + 1);
        let count = self.bangs - self.counted;
        self.world.report(Report::Window { count, ended });
        self.counted = self.bangs;
        if self.windows.is_last(number) {
            self.tell_all(|| SenderMessage::Stop {});
        }
        Fate::Lives
    }

    fn tell_all(&self, message: impl Fn() -> SenderMessage) {
        for sender in self.senders.iter() {
            sender.send(RECEIVER, message());
        }
    }

    fn start_timer(&self, number: u32) {
        let tick = |number| ReceiverMessage::Tick { number };
        self.windows.start_timer(&self.world, &self.me, RECEIVER, number, tick);
    }
}

impl Actor for Receiver {
    type Message = ReceiverMessage;

    fn take(&mut self, from: Name, message: ReceiverMessage) -> Fate {
        match message {
            ReceiverMessage::Start { salt } => self.start(salt),
            ReceiverMessage::Bang { number, value } => self.bang(from, number, value),
            ReceiverMessage::Finished { answers, taken } => self.finished(answers, taken),
            ReceiverMessage::Tick { number } => self.tick(number),
        }
    }
}

struct Sender {
    index: u32,
    name: Name,
    receiver: Address<ReceiverMessage>,
    messages: u32,
    salt: u32,
    sent: u64,
    answers: u64,
    taken: u32,
    /// Whether its answers make it send no more: from the beginning in the counted form.
    stopped: bool,
}

impl Sender {
    fn go(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        for _ in 0..self.messages {
            self.bang();
        }
        Fate::Lives
    }

    fn answer(&mut self, value: u32) -> Fate {
        self.answers += 1;
        self.taken = self.taken.wrapping_add(value);
        if !self.stopped {
            self.bang();
        }
        self.end_if_complete()
    }

    fn stop(&mut self) -> Fate {
        self.stopped = true;
        self.end_if_complete()
    }

    fn end_if_complete(&mut self) -> Fate {
        if !self.stopped || self.answers < self.sent {
            return Fate::Lives;
        }
        let &mut Self { answers, taken, .. } = self;
        self.receiver.send(self.name, ReceiverMessage::Finished { answers, taken });
        Fate::Ends
    }

    fn bang(&mut self) {
        let number = self.sent as u32;
        let value = fold2(self.salt, self.index, number);
        self.receiver.send(self.name, ReceiverMessage::Bang { number, value });
        self.sent += 1;
    }
}

impl Actor for Sender {
    type Message = SenderMessage;

    fn take(&mut self, _: Name, message: SenderMessage) -> Fate {
        match message {
            SenderMessage::Go { salt } => self.go(salt),
            SenderMessage::Answer { value, .. } => self.answer(value),
            SenderMessage::Stop {} => self.stop(),
        }
    }
}

pub struct Bang {
    lead: Address<ReceiverMessage>,
}

impl Bang {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { senders, messages, windows, window } = parameters;
        let windows = Windows { windows, window };
        let (lead, leads) = mailbox();
        let (addresses, mailboxes): (Vec<_>, Vec<_>) = (0..senders).map(|_| mailbox()).unzip();
        for (index, mailbox) in (0..).zip(mailboxes) {
            let name = Name::of(CLASS_SENDER, index);
            let sender = Sender {
                index,
                name,
                receiver: lead.clone(),
                messages,
                salt: 0,
                sent: 0,
                answers: 0,
                taken: 0,
                stopped: windows.counted(),
            };
            world.spawn(name, mailbox, sender);
        }
        let receiver = Receiver {
            world: world.clone(),
            me: lead.clone(),
            senders: addresses,
            windows,
            salt: 0,
            bangs: 0,
            given: 0,
            counted: 0,
            finished: 0,
            answers: 0,
            taken: 0,
        };
        world.spawn(RECEIVER, leads, receiver);
        Self { lead }
    }
}

impl Benchmark for Bang {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, ReceiverMessage::Start { salt })
    }
}
