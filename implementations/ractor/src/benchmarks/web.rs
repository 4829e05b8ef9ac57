//! Web (spec/web.md): browsers, a dispatcher, workers that compute.

use std::collections::VecDeque;
use std::time::Instant;

use serde::Deserialize;

use super::fibonacci::fibonacci;
use super::fold::{fold, fold2};
use super::{hand_over, Benchmark, Farewell};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
        Work { browser: u32, number: u32, value: u32; address: Address<BrowserMessage> }
            = KIND_WORKER_WORK,
        Stop {} = KIND_WORKER_STOP,
    }
}

messages! {
    pub enum BrowserMessage {
        Go { salt: u32 } = KIND_BROWSER_GO,
        Answer { number: u32, value: u32 } = KIND_BROWSER_ANSWER,
    }
}

struct Request {
    browser: u32,
    number: u32,
    value: u32,
}

struct Dispatcher {
    world: World,
    workers: u32,
    browsers: u32,
    requests: u32,
    fib_n: u32,
}

struct DispatcherState {
    workers: Vec<Address<WorkerMessage>>,
    browsers: Vec<Address<BrowserMessage>>,
    waiting: VecDeque<Request>,
    idle: VecDeque<u32>,
    worked: Vec<bool>,
    used: u64,
    finished: usize,
    answers: u64,
    sum: u32,
}

impl Dispatcher {
    async fn spawn_browsers(
        &self,
        dispatcher: Address<DispatcherMessage>,
    ) -> Vec<Address<BrowserMessage>> {
        let mut browsers = Vec::with_capacity(self.browsers as usize);
        for index in 0..self.browsers {
            let name = Name::of(CLASS_BROWSER, index);
            let dispatcher = dispatcher.clone();
            let browser = Browser { index, name, dispatcher, requests: self.requests };
            browsers.push(self.world.spawn(name, browser, ()).await);
        }
        browsers
    }
}

impl DispatcherState {
    fn start(&self, salt: u32) {
        for browser in &self.browsers {
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
    }

    fn finished(&mut self, answers: u64, sum: u32) {
        self.answers += answers;
        self.sum = self.sum.wrapping_add(sum);
        self.finished += 1;
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
            let address = self.browsers[browser as usize].clone();
            let work = WorkerMessage::Work { browser, number, value, address };
            self.workers[worker].send(DISPATCHER, work);
        }
    }

    fn report_if_complete(&self, world: &World) {
        if self.finished == self.browsers.len() && self.idle.len() == self.workers.len() {
            let ended = Instant::now();
            let arguments = vec![self.answers, u64::from(self.sum), self.used];
            world.report(Report::Done { arguments, ended });
        }
    }
}

impl Actor for Dispatcher {
    type Msg = Envelope<DispatcherMessage>;
    type State = DispatcherState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<DispatcherMessage>, (): ()) -> Outcome<DispatcherState> {
        let mut workers = Vec::with_capacity(self.workers as usize);
        for index in 0..self.workers {
            let name = Name::of(CLASS_WORKER, index);
            let worker = Worker { name, dispatcher: me.clone().into(), fib_n: self.fib_n };
            workers.push(self.world.spawn(name, worker, ()).await);
        }
        Ok(DispatcherState {
            workers,
            browsers: self.spawn_browsers(me.into()).await,
            waiting: VecDeque::new(),
            idle: (0..self.workers).collect(),
            worked: vec![false; self.workers as usize],
            used: 0,
            finished: 0,
            answers: 0,
            sum: 0,
        })
    }

    async fn handle(
        &self,
        me: Me<DispatcherMessage>,
        envelope: Envelope<DispatcherMessage>,
        state: &mut DispatcherState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            DispatcherMessage::Start { salt } => state.start(salt),
            DispatcherMessage::Request { number, value } => state.request(from, number, value),
            DispatcherMessage::Idle {} => {
                state.idle(from);
                state.report_if_complete(&self.world);
            }
            DispatcherMessage::Finished { answers, sum } => {
                state.finished(answers, sum);
                state.report_if_complete(&self.world);
            }
            DispatcherMessage::Disconnect {} => {
                state.disconnect();
                me.stop(None);
            }
        }
        Ok(())
    }
}

struct Worker {
    name: Name,
    dispatcher: Address<DispatcherMessage>,
    fib_n: u32,
}

impl Actor for Worker {
    type Msg = Envelope<WorkerMessage>;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: Me<WorkerMessage>, (): ()) -> Outcome {
        Ok(())
    }

    async fn handle(
        &self,
        me: Me<WorkerMessage>,
        envelope: Envelope<WorkerMessage>,
        (): &mut (),
    ) -> Outcome {
        match envelope.message {
            WorkerMessage::Work { number, value, address, .. } => {
                let value = fold(value, fibonacci(self.fib_n) as u32);
                address.send(self.name, BrowserMessage::Answer { number, value });
                self.dispatcher.send(self.name, DispatcherMessage::Idle {});
            }
            WorkerMessage::Stop {} => me.stop(None),
        }
        Ok(())
    }
}

struct Browser {
    index: u32,
    name: Name,
    dispatcher: Address<DispatcherMessage>,
    requests: u32,
}

#[derive(Default)]
struct BrowserState {
    salt: u32,
    answers: u32,
    sum: u32,
}

impl Browser {
    fn answer(&self, me: &Me<BrowserMessage>, state: &mut BrowserState, value: u32) {
        state.sum = state.sum.wrapping_add(value);
        state.answers += 1;
        if state.answers < self.requests {
            self.request(state);
            return;
        }
        let answers = state.answers.into();
        self.dispatcher.send(self.name, DispatcherMessage::Finished { answers, sum: state.sum });
        me.stop(None);
    }

    fn request(&self, state: &BrowserState) {
        let number = state.answers;
        let value = fold2(state.salt, self.index, number);
        self.dispatcher.send(self.name, DispatcherMessage::Request { number, value });
    }
}

impl Actor for Browser {
    type Msg = Envelope<BrowserMessage>;
    type State = BrowserState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<BrowserMessage>, (): ()) -> Outcome<BrowserState> {
        Ok(BrowserState::default())
    }

    async fn handle(
        &self,
        me: Me<BrowserMessage>,
        envelope: Envelope<BrowserMessage>,
        state: &mut BrowserState,
    ) -> Outcome {
        match envelope.message {
            BrowserMessage::Go { salt } => {
                state.salt = salt;
                self.request(state);
            }
            BrowserMessage::Answer { value, .. } => self.answer(&me, state, value),
        }
        Ok(())
    }
}

pub struct Web {
    lead: Address<DispatcherMessage>,
}

impl Web {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { browsers, workers, requests, fib_n } = parameters;
        let dispatcher = Dispatcher { world: world.clone(), workers, browsers, requests, fib_n };
        if world.leads() {
            return Self { lead: world.spawn_lead(DISPATCHER, dispatcher, ()) };
        }
        let lead = world.address(DISPATCHER);
        world.populate(dispatcher.spawn_browsers(lead.clone()));
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
