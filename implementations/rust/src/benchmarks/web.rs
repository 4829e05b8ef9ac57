//! Web (spec/web.md): browsers, a dispatcher, workers that compute.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;

use super::fibonacci::fibonacci;
use super::fold::{fold, fold2};
use super::{hand_over, Benchmark, Farewell};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::{Name, CONTROL};
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_BROWSER, CLASS_DISPATCHER, CLASS_WORKER};
use crate::runtime::world::World;

const DISPATCHER: Name = Name::of(CLASS_DISPATCHER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    browsers: u32,
    workers: u32,
    requests: u32,
    fib_n: u32,
}

messages! {
    pub enum DispatcherMessage {
        Start { salt: u32 } = KIND_DISPATCHER_START,
        Request { number: u32, value: u32 } = KIND_DISPATCHER_REQUEST,
        Idle {} = KIND_DISPATCHER_IDLE,
        Finished { answers: u64, sum: u32 } = KIND_DISPATCHER_FINISHED,
        Disconnect {} = KIND_DISPATCHER_DISCONNECT,
    }
}

messages! {
    pub enum WorkerMessage {
        Work { browser: u32, number: u32, value: u32 } = KIND_WORKER_WORK,
        Stop {} = KIND_WORKER_STOP,
    }
}

messages! {
    pub enum BrowserMessage {
        Go { salt: u32 } = KIND_BROWSER_GO,
        Answer { number: u32, value: u32 } = KIND_BROWSER_ANSWER,
    }
}

type Browsers = Arc<[Address<BrowserMessage>]>;

struct Request {
    browser: u32,
    number: u32,
    value: u32,
}

struct Dispatcher {
    world: World,
    workers: Vec<Address<WorkerMessage>>,
    browsers: Browsers,
    waiting: VecDeque<Request>,
    idle: VecDeque<u32>,
    worked: Vec<bool>,
    used: u64,
    finished: usize,
    answers: u64,
    sum: u32,
}

impl Dispatcher {
    fn start(&mut self, salt: u32) {
        for browser in self.browsers.iter() {
            browser.send(DISPATCHER, BrowserMessage::Go { salt });
        }
    }

    fn request(&mut self, from: Name, number: u32, value: u32) {
        self.waiting.push_back(Request { browser: from.first(), number, value });
        self.dispatch();
    }

    fn idle(&mut self, from: Name) {
        self.idle.push_back(from.first());
        self.dispatch();
        self.report_if_complete();
    }

    fn finished(&mut self, answers: u64, sum: u32) {
        self.answers += answers;
        self.sum = self.sum.wrapping_add(sum);
        self.finished += 1;
        self.report_if_complete();
    }

    fn disconnect(&mut self) {
        for worker in self.idle.drain(..) {
            self.workers[worker as usize].send(DISPATCHER, WorkerMessage::Stop {});
        }
    }

    fn dispatch(&mut self) {
        if self.idle.is_empty() {
            return;
        }
        if let Some(Request { browser, number, value }) = self.waiting.pop_front() {
            let worker = self.idle.pop_front().expect("a worker is idle") as usize;
            if !std::mem::replace(&mut self.worked[worker], true) {
                self.used += 1;
            }
            self.workers[worker].send(DISPATCHER, WorkerMessage::Work { browser, number, value });
        }
    }

    fn report_if_complete(&self) {
        if self.finished == self.browsers.len() && self.idle.len() == self.workers.len() {
            let ended = Instant::now();
            let arguments = vec![self.answers, u64::from(self.sum), self.used];
            self.world.report(Report::Done { arguments, ended });
        }
    }
}

impl Actor for Dispatcher {
    type Message = DispatcherMessage;

    fn take(&mut self, from: Name, message: DispatcherMessage) -> Fate {
        match message {
            DispatcherMessage::Start { salt } => self.start(salt),
            DispatcherMessage::Request { number, value } => self.request(from, number, value),
            DispatcherMessage::Idle {} => self.idle(from),
            DispatcherMessage::Finished { answers, sum } => self.finished(answers, sum),
            DispatcherMessage::Disconnect {} => {
                self.disconnect();
                return Fate::Ends;
            }
        }
        Fate::Lives
    }
}

struct Worker {
    name: Name,
    dispatcher: Address<DispatcherMessage>,
    browsers: Browsers,
    fib_n: u32,
}

impl Actor for Worker {
    type Message = WorkerMessage;

    fn take(&mut self, _: Name, message: WorkerMessage) -> Fate {
        match message {
            WorkerMessage::Work { browser, number, value } => {
                let value = fold(value, fibonacci(self.fib_n) as u32);
                let answer = BrowserMessage::Answer { number, value };
                self.browsers[browser as usize].send(self.name, answer);
                self.dispatcher.send(self.name, DispatcherMessage::Idle {});
                Fate::Lives
            }
            WorkerMessage::Stop {} => Fate::Ends,
        }
    }
}

struct Browser {
    index: u32,
    name: Name,
    dispatcher: Address<DispatcherMessage>,
    requests: u32,
    salt: u32,
    answers: u32,
    sum: u32,
}

impl Browser {
    fn go(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        self.request()
    }

    fn answer(&mut self, value: u32) -> Fate {
        self.sum = self.sum.wrapping_add(value);
        self.answers += 1;
        if self.answers < self.requests {
            return self.request();
        }
        let finished = DispatcherMessage::Finished { answers: self.answers.into(), sum: self.sum };
        self.dispatcher.send(self.name, finished);
        Fate::Ends
    }

    fn request(&self) -> Fate {
        let number = self.answers;
        let value = fold2(self.salt, self.index, number);
        self.dispatcher.send(self.name, DispatcherMessage::Request { number, value });
        Fate::Lives
    }
}

impl Actor for Browser {
    type Message = BrowserMessage;

    fn take(&mut self, _: Name, message: BrowserMessage) -> Fate {
        match message {
            BrowserMessage::Go { salt } => self.go(salt),
            BrowserMessage::Answer { value, .. } => self.answer(value),
        }
    }
}

pub struct Web {
    lead: Address<DispatcherMessage>,
}

impl Web {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { browsers, workers, requests, fib_n } = parameters;
        let (lead, leads) = mailbox();
        let (addresses, mailboxes): (Vec<_>, Vec<_>) = (0..browsers).map(|_| mailbox()).unzip();
        let browsers: Browsers = addresses.into();
        let mut staff = Vec::with_capacity(workers as usize);
        for index in 0..workers {
            let (address, mailbox) = mailbox();
            let name = Name::of(CLASS_WORKER, index);
            let worker =
                Worker { name, dispatcher: lead.clone(), browsers: Arc::clone(&browsers), fib_n };
            world.spawn(name, mailbox, worker);
            staff.push(address);
        }
        for (index, mailbox) in (0..).zip(mailboxes) {
            let name = Name::of(CLASS_BROWSER, index);
            let dispatcher = lead.clone();
            let browser =
                Browser { index, name, dispatcher, requests, salt: 0, answers: 0, sum: 0 };
            world.spawn(name, mailbox, browser);
        }
        let dispatcher = Dispatcher {
            world: world.clone(),
            workers: staff,
            browsers,
            waiting: VecDeque::new(),
            idle: (0..workers).collect(),
            worked: vec![false; workers as usize],
            used: 0,
            finished: 0,
            answers: 0,
            sum: 0,
        };
        world.spawn(DISPATCHER, leads, dispatcher);
        Self { lead }
    }
}

impl Benchmark for Web {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, DispatcherMessage::Start { salt })
    }

    fn disconnect(&mut self) -> Farewell {
        self.lead.send(CONTROL, DispatcherMessage::Disconnect {});
        Farewell::Said
    }
}
