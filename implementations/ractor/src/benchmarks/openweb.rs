//! Web under an open load (spec/openweb.md): requests arrive when they are due.

use std::collections::VecDeque;
use std::mem::take;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::arrivals::arrivals;
use super::fibonacci::fibonacci;
use super::fold::{fold, fold2};
use super::{hand_over, Benchmark, Farewell};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::{Name, CONTROL};
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_BALANCER, CLASS_SERVER, CLASS_SOURCE};
use crate::runtime::world::World;

const SOURCE: Name = Name::of(CLASS_SOURCE, 0);
const BALANCER: Name = Name::of(CLASS_BALANCER, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    servers: u32,
    requests: u32,
    /// Microseconds.
    gap: u32,
    seed: u32,
    fib_n: u32,
}

messages! {
    pub enum SourceMessage {
        Start { salt: u32 } = KIND_SOURCE_START,
        Arrive { number: u32, due: u64 } = KIND_SOURCE_ARRIVE,
        Answer { number: u32, value: u32 } = KIND_SOURCE_ANSWER,
        Drained { used: u64 } = KIND_SOURCE_DRAINED,
        Disconnect {} = KIND_SOURCE_DISCONNECT,
    }
}

messages! {
    pub enum BalancerMessage {
        Request { number: u32, value: u32 } = KIND_BALANCER_REQUEST,
        Idle {} = KIND_BALANCER_IDLE,
        Close {} = KIND_BALANCER_CLOSE,
    }
}

messages! {
    pub enum ServerMessage {
        Work { number: u32, value: u32 } = KIND_SERVER_WORK,
        Stop {} = KIND_SERVER_STOP,
    }
}

/// Sends each request when it is due, and waits for no answer.
struct Source {
    world: World,
    /// Nanoseconds after the start of the run, by requests.
    due: Vec<u64>,
    servers: u32,
    fib_n: u32,
}

struct SourceState {
    balancer: Address<BalancerMessage>,
    /// When it took `start`: a little later than S, so that nothing is early.
    started: Instant,
    /// What the clock said, by requests.
    arrived: Vec<Instant>,
    answered: Vec<Instant>,
    salt: u32,
    answers: u64,
    sum: u32,
    used: u64,
}

impl Source {
    fn start(&self, me: Me<SourceMessage>, state: &mut SourceState, salt: u32) {
        state.started = Instant::now();
        state.salt = salt;
        self.await_arrival(me, state, 0);
    }

    fn arrive(&self, me: Me<SourceMessage>, state: &mut SourceState, number: u32, due: u64) {
        state.arrived[number as usize] = Instant::now();
        let value = fold2(state.salt, number, due as u32);
        state.balancer.send(SOURCE, BalancerMessage::Request { number, value });
        if number as usize + 1 < self.due.len() {
            self.await_arrival(me, state, number + 1);
        }
    }

    fn answer(&self, state: &mut SourceState, number: u32, value: u32) {
        state.answered[number as usize] = Instant::now();
        state.answers += 1;
        state.sum = state.sum.wrapping_add(value);
        self.report_when_done(state);
    }

    fn drained(&self, state: &mut SourceState, used: u64) {
        state.used = used;
        self.report_when_done(state);
    }

    fn disconnect(&self, me: &Me<SourceMessage>, state: &SourceState) {
        state.balancer.send(SOURCE, BalancerMessage::Close {});
        me.stop(None);
    }

    /// ractor's `send_after` is tokio's timer, which counts milliseconds, and so is up to one
    /// late. The clock's thread is not.
    fn await_arrival(&self, me: Me<SourceMessage>, state: &SourceState, number: u32) {
        let due = self.due[number as usize];
        let moment = state.started + Duration::from_nanos(due);
        let arrive = SourceMessage::Arrive { number, due };
        self.world.send_at(moment, me.into(), SOURCE, arrive);
    }

    fn report_when_done(&self, state: &mut SourceState) {
        if state.used > 0 && state.answers == self.due.len() as u64 {
            let ended = Instant::now();
            let arguments = vec![state.answers, u64::from(state.sum), state.used];
            let (answered, arrived) = (take(&mut state.answered), take(&mut state.arrived));
            self.world.report(Report::Readings { due: self.due.clone(), answered, arrived });
            self.world.report(Report::Done { arguments, ended });
        }
    }
}

impl Actor for Source {
    type Msg = Envelope<SourceMessage>;
    type State = SourceState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<SourceMessage>, (): ()) -> Outcome<SourceState> {
        let balancer = Balancer {
            world: self.world.clone(),
            source: me.into(),
            servers: self.servers,
            requests: self.due.len(),
            fib_n: self.fib_n,
        };
        let now = Instant::now();
        Ok(SourceState {
            balancer: self.world.spawn(BALANCER, balancer, ()).await,
            started: now,
            arrived: vec![now; self.due.len()],
            answered: vec![now; self.due.len()],
            salt: 0,
            answers: 0,
            sum: 0,
            used: 0,
        })
    }

    async fn handle(
        &self,
        me: Me<SourceMessage>,
        envelope: Envelope<SourceMessage>,
        state: &mut SourceState,
    ) -> Outcome {
        match envelope.message {
            SourceMessage::Start { salt } => self.start(me, state, salt),
            SourceMessage::Arrive { number, due } => self.arrive(me, state, number, due),
            SourceMessage::Answer { number, value } => self.answer(state, number, value),
            SourceMessage::Drained { used } => self.drained(state, used),
            SourceMessage::Disconnect {} => self.disconnect(&me, state),
        }
        Ok(())
    }
}

struct Request {
    number: u32,
    value: u32,
}

/// Gives the request that waits longest to the server that is idle longest.
struct Balancer {
    world: World,
    source: Address<SourceMessage>,
    servers: u32,
    requests: usize,
    fib_n: u32,
}

struct BalancerState {
    servers: Vec<Address<ServerMessage>>,
    idle_servers: VecDeque<u32>,
    waiting: VecDeque<Request>,
    given: usize,
    /// Whether each server has had work.
    used: Vec<bool>,
}

impl Balancer {
    fn request(&self, state: &mut BalancerState, number: u32, value: u32) {
        state.waiting.push_back(Request { number, value });
        self.assign(state);
    }

    fn idle(&self, state: &mut BalancerState, from: Name) {
        state.idle_servers.push_back(from.first());
        self.assign(state);
        if state.given == self.requests && state.idle_servers.len() == state.servers.len() {
            let used = state.used.iter().filter(|used| **used).count() as u64;
            self.source.send(BALANCER, SourceMessage::Drained { used });
        }
    }

    fn close(&self, me: &Me<BalancerMessage>, state: &BalancerState) {
        for server in &state.idle_servers {
            state.servers[*server as usize].send(BALANCER, ServerMessage::Stop {});
        }
        me.stop(None);
    }

    fn assign(&self, state: &mut BalancerState) {
        if state.idle_servers.is_empty() {
            return;
        }
        if let Some(Request { number, value }) = state.waiting.pop_front() {
            let server = state.idle_servers.pop_front().expect("a server is idle") as usize;
            state.given += 1;
            state.used[server] = true;
            state.servers[server].send(BALANCER, ServerMessage::Work { number, value });
        }
    }
}

impl Actor for Balancer {
    type Msg = Envelope<BalancerMessage>;
    type State = BalancerState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<BalancerMessage>, (): ()) -> Outcome<BalancerState> {
        let mut servers = Vec::with_capacity(self.servers as usize);
        for index in 0..self.servers {
            let name = Name::of(CLASS_SERVER, index);
            let (source, balancer) = (self.source.clone(), me.clone().into());
            let server = Server { name, source, balancer, fib_n: self.fib_n };
            servers.push(self.world.spawn(name, server, ()).await);
        }
        Ok(BalancerState {
            servers,
            idle_servers: (0..self.servers).collect(),
            waiting: VecDeque::new(),
            given: 0,
            used: vec![false; self.servers as usize],
        })
    }

    async fn handle(
        &self,
        me: Me<BalancerMessage>,
        envelope: Envelope<BalancerMessage>,
        state: &mut BalancerState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            BalancerMessage::Request { number, value } => self.request(state, number, value),
            BalancerMessage::Idle {} => self.idle(state, from),
            BalancerMessage::Close {} => self.close(&me, state),
        }
        Ok(())
    }
}

struct Server {
    name: Name,
    source: Address<SourceMessage>,
    balancer: Address<BalancerMessage>,
    fib_n: u32,
}

impl Server {
    fn work(&self, number: u32, value: u32) {
        let answer = fold(value, fibonacci(self.fib_n) as u32);
        self.source.send(self.name, SourceMessage::Answer { number, value: answer });
        self.balancer.send(self.name, BalancerMessage::Idle {});
    }
}

impl Actor for Server {
    type Msg = Envelope<ServerMessage>;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: Me<ServerMessage>, (): ()) -> Outcome {
        Ok(())
    }

    async fn handle(
        &self,
        me: Me<ServerMessage>,
        envelope: Envelope<ServerMessage>,
        (): &mut (),
    ) -> Outcome {
        match envelope.message {
            ServerMessage::Work { number, value } => self.work(number, value),
            ServerMessage::Stop {} => me.stop(None),
        }
        Ok(())
    }
}

pub struct OpenWeb {
    lead: Address<SourceMessage>,
}

impl OpenWeb {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { servers, requests, gap, seed, fib_n } = parameters;
        let due = arrivals(requests, gap, seed);
        let source = Source { world: world.clone(), due, servers, fib_n };
        Self { lead: world.spawn_lead(SOURCE, source, ()) }
    }
}

impl Benchmark for OpenWeb {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, SourceMessage::Start { salt })
    }

    fn disconnect(&mut self) -> Farewell {
        self.lead.send(CONTROL, SourceMessage::Disconnect {});
        Farewell::Said
    }
}
