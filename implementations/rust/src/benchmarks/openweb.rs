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
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
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
    me: Address<SourceMessage>,
    balancer: Address<BalancerMessage>,
    due: Vec<u64>,
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
    fn start(&mut self, salt: u32) {
        self.started = Instant::now();
        self.salt = salt;
        self.await_arrival(0);
    }

    fn arrive(&mut self, number: u32, due: u64) {
        self.arrived[number as usize] = Instant::now();
        let value = fold2(self.salt, number, due as u32);
        self.balancer.send(SOURCE, BalancerMessage::Request { number, value });
        if number as usize + 1 < self.due.len() {
            self.await_arrival(number + 1);
        }
    }

    fn answer(&mut self, number: u32, value: u32) {
        self.answered[number as usize] = Instant::now();
        self.answers += 1;
        self.sum = self.sum.wrapping_add(value);
        self.report_when_done();
    }

    fn drained(&mut self, used: u64) {
        self.used = used;
        self.report_when_done();
    }

    fn disconnect(&self) -> Fate {
        self.balancer.send(SOURCE, BalancerMessage::Close {});
        Fate::Ends
    }

    /// Tokio's timer counts milliseconds, and so is up to one late. The clock's thread is not.
    fn await_arrival(&self, number: u32) {
        let due = self.due[number as usize];
        let moment = self.started + Duration::from_nanos(due);
        let arrive = SourceMessage::Arrive { number, due };
        self.world.send_at(moment, self.me.clone(), SOURCE, arrive);
    }

    fn report_when_done(&mut self) {
        if self.used > 0 && self.answers == self.due.len() as u64 {
            let ended = Instant::now();
            let arguments = vec![self.answers, u64::from(self.sum), self.used];
            let (answered, arrived) = (take(&mut self.answered), take(&mut self.arrived));
            self.world.report(Report::Readings { due: take(&mut self.due), answered, arrived });
            self.world.report(Report::Done { arguments, ended });
        }
    }
}

impl Actor for Source {
    type Message = SourceMessage;

    fn take(&mut self, _: Name, message: SourceMessage) -> Fate {
        match message {
            SourceMessage::Start { salt } => self.start(salt),
            SourceMessage::Arrive { number, due } => self.arrive(number, due),
            SourceMessage::Answer { number, value } => self.answer(number, value),
            SourceMessage::Drained { used } => self.drained(used),
            SourceMessage::Disconnect {} => return self.disconnect(),
        }
        Fate::Lives
    }
}

struct Request {
    number: u32,
    value: u32,
}

/// Gives the request that waits longest to the server that is idle longest.
struct Balancer {
    source: Address<SourceMessage>,
    servers: Vec<Address<ServerMessage>>,
    requests: u32,
    idle_servers: VecDeque<u32>,
    waiting: VecDeque<Request>,
    given: u32,
    /// Whether each server has had work.
    used: Vec<bool>,
}

impl Balancer {
    fn request(&mut self, number: u32, value: u32) {
        self.waiting.push_back(Request { number, value });
        self.assign();
    }

    fn idle(&mut self, from: Name) {
        self.idle_servers.push_back(from.first());
        self.assign();
        if self.given == self.requests && self.idle_servers.len() == self.servers.len() {
            let used = self.used.iter().filter(|used| **used).count() as u64;
            self.source.send(BALANCER, SourceMessage::Drained { used });
        }
    }

    fn close(&self) -> Fate {
        for server in &self.idle_servers {
            self.servers[*server as usize].send(BALANCER, ServerMessage::Stop {});
        }
        Fate::Ends
    }

    fn assign(&mut self) {
        if self.idle_servers.is_empty() {
            return;
        }
        if let Some(Request { number, value }) = self.waiting.pop_front() {
            let server = self.idle_servers.pop_front().expect("a server is idle") as usize;
            self.given += 1;
            self.used[server] = true;
            self.servers[server].send(BALANCER, ServerMessage::Work { number, value });
        }
    }
}

impl Actor for Balancer {
    type Message = BalancerMessage;

    fn take(&mut self, from: Name, message: BalancerMessage) -> Fate {
        match message {
            BalancerMessage::Request { number, value } => self.request(number, value),
            BalancerMessage::Idle {} => self.idle(from),
            BalancerMessage::Close {} => return self.close(),
        }
        Fate::Lives
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
    type Message = ServerMessage;

    fn take(&mut self, _: Name, message: ServerMessage) -> Fate {
        match message {
            ServerMessage::Work { number, value } => self.work(number, value),
            ServerMessage::Stop {} => return Fate::Ends,
        }
        Fate::Lives
    }
}

pub struct OpenWeb {
    lead: Address<SourceMessage>,
}

impl OpenWeb {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { servers: size, requests, gap, seed, fib_n } = parameters;
        let (lead, leads) = mailbox();
        let (balancer, requested) = mailbox();
        let mut servers = Vec::with_capacity(size as usize);
        for index in 0..size {
            let (address, mailbox) = mailbox();
            let name = Name::of(CLASS_SERVER, index);
            let (source, balancer) = (lead.clone(), balancer.clone());
            world.spawn(name, mailbox, Server { name, source, balancer, fib_n });
            servers.push(address);
        }
        let gives = Balancer {
            source: lead.clone(),
            servers,
            requests,
            idle_servers: (0..size).collect(),
            waiting: VecDeque::new(),
            given: 0,
            used: vec![false; size as usize],
        };
        world.spawn(BALANCER, requested, gives);
        let now = Instant::now();
        let source = Source {
            world: world.clone(),
            me: lead.clone(),
            balancer,
            due: arrivals(requests, gap, seed),
            started: now,
            arrived: vec![now; requests as usize],
            answered: vec![now; requests as usize],
            salt: 0,
            answers: 0,
            sum: 0,
            used: 0,
        };
        world.spawn(SOURCE, leads, source);
        Self { lead }
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
