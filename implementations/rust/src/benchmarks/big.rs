//! Big (spec/big.md): everybody pings everybody.

use std::sync::Arc;
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
use crate::runtime::table::{CLASS_COORDINATOR, CLASS_PEER};
use crate::runtime::world::World;

const COORDINATOR: Name = Name::of(CLASS_COORDINATOR, 0);

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    peers: u32,
    rounds: u32,
    windows: u32,
    window: u32,
}

messages! {
    pub enum CoordinatorMessage {
        Start { salt: u32 } = KIND_COORDINATOR_START,
        Tick { number: u32 } = KIND_COORDINATOR_TICK,
        Marked { number: u32, pongs: u64 } = KIND_COORDINATOR_MARKED,
        Idle {} = KIND_COORDINATOR_IDLE,
        Finished { pings: u64, pongs: u64, given: u32, taken: u32 } = KIND_COORDINATOR_FINISHED,
    }
}

messages! {
    pub enum PeerMessage {
        Go { salt: u32 } = KIND_PEER_GO,
        Ping { round: u32, value: u32 } = KIND_PEER_PING,
        Pong { round: u32, value: u32 } = KIND_PEER_PONG,
        Mark { number: u32 } = KIND_PEER_MARK,
        Stop {} = KIND_PEER_STOP,
    }
}

type Peers = Arc<[Address<PeerMessage>]>;

/// What peers have answered of a window.
struct Marks {
    ended: Instant,
    answered: usize,
    pongs: u64,
}

struct Coordinator {
    world: World,
    me: Address<CoordinatorMessage>,
    peers: Peers,
    playing: u32,
    pings: u64,
    pongs: u64,
    given: u32,
    taken: u32,
    windows: Windows,
    /// By windows that have ended.
    marks: Vec<Marks>,
    waiting: u32,
}

impl Coordinator {
    fn start(&mut self, salt: u32) -> Fate {
        self.start_timer(0);
        self.tell_all(|| PeerMessage::Go { salt });
        Fate::Lives
    }

    fn tick(&mut self, number: u32) -> Fate {
        self.marks.push(Marks { ended: Instant::now(), answered: 0, pongs: 0 });
        self.start_timer(number + 1);
        self.tell_all(|| PeerMessage::Mark { number });
        Fate::Lives
    }

    fn marked(&mut self, number: u32, pongs: u64) -> Fate {
        let marks = &mut self.marks[number as usize];
        marks.answered += 1;
        marks.pongs += pongs;
        if marks.answered == self.peers.len() {
            let &mut Marks { ended, pongs: count, .. } = marks;
            self.world.report(Report::Window { count, ended });
        }
        Fate::Lives
    }

    fn idle(&mut self) -> Fate {
        self.waiting -= 1;
        if self.waiting == 0 {
            self.tell_all(|| PeerMessage::Stop {});
        }
        Fate::Lives
    }

    fn finished(&mut self, pings: u64, pongs: u64, given: u32, taken: u32) -> Fate {
        self.pings += pings;
        self.pongs += pongs;
        self.given = self.given.wrapping_add(given);
        self.taken = self.taken.wrapping_add(taken);
        self.playing -= 1;
        if self.playing > 0 {
            return Fate::Lives;
        }
        let ended = Instant::now();
        let arguments = vec![self.pings, self.pongs, u64::from(self.given), u64::from(self.taken)];
        self.world.report(Report::Done { arguments, ended });
        Fate::Ends
    }

    fn tell_all(&self, message: impl Fn() -> PeerMessage) {
        for peer in self.peers.iter() {
            peer.send(COORDINATOR, message());
        }
    }

    fn start_timer(&self, number: u32) {
        let tick = |number| CoordinatorMessage::Tick { number };
        self.windows.start_timer(&self.world, &self.me, COORDINATOR, number, tick);
    }
}

impl Actor for Coordinator {
    type Message = CoordinatorMessage;

    fn take(&mut self, _: Name, message: CoordinatorMessage) -> Fate {
        match message {
            CoordinatorMessage::Start { salt } => self.start(salt),
            CoordinatorMessage::Tick { number } => self.tick(number),
            CoordinatorMessage::Marked { number, pongs } => self.marked(number, pongs),
            CoordinatorMessage::Idle {} => self.idle(),
            CoordinatorMessage::Finished { pings, pongs, given, taken } => {
                self.finished(pings, pongs, given, taken)
            }
        }
    }
}

struct Peer {
    index: u32,
    name: Name,
    peers: Peers,
    coordinator: Address<CoordinatorMessage>,
    rounds: u32,
    windows: Windows,
    salt: u32,
    pings: u64,
    pongs: u64,
    given: u32,
    taken: u32,
    marked: u64,
    /// Until the last window ends; in the counted form always.
    pinging: bool,
}

impl Peer {
    fn go(&mut self, salt: u32) -> Fate {
        self.salt = salt;
        self.send_ping();
        Fate::Lives
    }

    fn ping(&mut self, from: Name, round: u32, value: u32) -> Fate {
        let answer = fold(value, self.index);
        self.pings += 1;
        self.given = self.given.wrapping_add(answer);
        let pong = PeerMessage::Pong { round, value: answer };
        self.peers[from.first() as usize].send(self.name, pong);
        match self.windows.counted() {
            true => self.end_when_done(),
            false => Fate::Lives,
        }
    }

    fn pong(&mut self, value: u32) -> Fate {
        self.pongs += 1;
        self.taken = self.taken.wrapping_add(value);
        if !self.windows.counted() {
            match self.pinging {
                true => self.send_ping(),
                false => self.coordinator.send(self.name, CoordinatorMessage::Idle {}),
            }
            return Fate::Lives;
        }
        if self.pongs < self.total() {
            self.send_ping();
        }
        self.end_when_done()
    }

    fn mark(&mut self, number: u32) -> Fate {
        let pongs = self.pongs - self.marked;
        self.marked = self.pongs;
        self.coordinator.send(self.name, CoordinatorMessage::Marked { number, pongs });
        self.pinging = !self.windows.is_last(number);
        Fate::Lives
    }

    fn stop(&self) -> Fate {
        self.finish()
    }

    /// How many pings a peer sends in the counted form, and how many it is sent.
    fn total(&self) -> u64 {
        u64::from(self.rounds) * (self.peers.len() as u64 - 1)
    }

    /// Sends its next ping. One is out at any time, so its number is that of the pongs taken.
    fn send_ping(&self) {
        let others = self.peers.len() as u64 - 1;
        let (round, place) = ((self.pongs / others) as u32, self.pongs % others);
        let target = (u64::from(self.index) + 1 + place) % (others + 1);
        let value = fold2(self.salt, self.index, round);
        self.peers[target as usize].send(self.name, PeerMessage::Ping { round, value });
    }

    fn end_when_done(&self) -> Fate {
        let total = self.total();
        match self.pings == total && self.pongs == total {
            true => self.finish(),
            false => Fate::Lives,
        }
    }

    fn finish(&self) -> Fate {
        let &Self { pings, pongs, given, taken, .. } = self;
        let finished = CoordinatorMessage::Finished { pings, pongs, given, taken };
        self.coordinator.send(self.name, finished);
        Fate::Ends
    }
}

impl Actor for Peer {
    type Message = PeerMessage;

    fn take(&mut self, from: Name, message: PeerMessage) -> Fate {
        match message {
            PeerMessage::Go { salt } => self.go(salt),
            PeerMessage::Ping { round, value } => self.ping(from, round, value),
            PeerMessage::Pong { value, .. } => self.pong(value),
            PeerMessage::Mark { number } => self.mark(number),
            PeerMessage::Stop {} => self.stop(),
        }
    }
}

pub struct Big {
    lead: Address<CoordinatorMessage>,
}

impl Big {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { peers: size, rounds, windows, window } = parameters;
        let windows = Windows { windows, window };
        let (lead, leads) = mailbox();
        let (addresses, mailboxes): (Vec<_>, Vec<_>) = (0..size).map(|_| mailbox()).unzip();
        let peers: Peers = addresses.into();
        for (index, mailbox) in (0..).zip(mailboxes) {
            let name = Name::of(CLASS_PEER, index);
            let peer = Peer {
                index,
                name,
                peers: Arc::clone(&peers),
                coordinator: lead.clone(),
                rounds,
                windows,
                salt: 0,
                pings: 0,
                pongs: 0,
                given: 0,
                taken: 0,
                marked: 0,
                pinging: true,
            };
            world.spawn(name, mailbox, peer);
        }
        let coordinator = Coordinator {
            world: world.clone(),
            me: lead.clone(),
            peers,
            playing: size,
            pings: 0,
            pongs: 0,
            given: 0,
            taken: 0,
            windows,
            marks: Vec::new(),
            waiting: size,
        };
        world.spawn(COORDINATOR, leads, coordinator);
        Self { lead }
    }
}

impl Benchmark for Big {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, CoordinatorMessage::Start { salt })
    }
}
