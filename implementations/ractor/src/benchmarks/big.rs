//! Big (spec/big.md): everybody pings everybody.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{fold, fold2};
use super::windows::Windows;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{all, Address, Crew, Envelope};
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

/// A window that not all peers have answered for.
struct Open {
    ended: Instant,
    answered: usize,
    pongs: u64,
}

struct Coordinator {
    world: World,
    size: u32,
    rounds: u32,
    peers: Crew<PeerMessage>,
    windows: Windows,
}

#[derive(Default)]
struct CoordinatorState {
    open: Vec<Open>,
    idle: usize,
    finished: usize,
    pings: u64,
    pongs: u64,
    given: u32,
    taken: u32,
}

impl Coordinator {
    async fn spawn_peers(&self, coordinator: Address<CoordinatorMessage>) {
        let mut peers = Vec::with_capacity(self.size as usize);
        for index in 0..self.size {
            let name = Name::of(CLASS_PEER, index);
            let peer = Peer {
                index,
                name,
                peers: self.peers.clone(),
                coordinator: coordinator.clone(),
                rounds: self.rounds,
                windows: self.windows,
            };
            peers.push(self.world.spawn(name, peer, ()).await);
        }
        let made = self.peers.set(peers);
        assert!(made.is_ok(), "peers are made once");
    }

    fn start(&self, me: Me<CoordinatorMessage>, salt: u32) {
        self.start_timer(me, 0);
        self.tell_all(|| PeerMessage::Go { salt });
    }

    fn tick(&self, me: Me<CoordinatorMessage>, state: &mut CoordinatorState, number: u32) {
        state.open.push(Open { ended: Instant::now(), answered: 0, pongs: 0 });
        self.start_timer(me, number + 1);
        self.tell_all(|| PeerMessage::Mark { number });
    }

    fn marked(&self, open: &mut Open, pongs: u64) {
        open.answered += 1;
        open.pongs += pongs;
        if open.answered == all(&self.peers).len() {
            let &mut Open { ended, pongs: count, .. } = open;
            self.world.report(Report::Window { count, ended });
        }
    }

    fn idle(&self, state: &mut CoordinatorState) {
        state.idle += 1;
        if state.idle == all(&self.peers).len() {
            self.tell_all(|| PeerMessage::Stop {});
        }
    }

    fn end_when_done(&self, me: &Me<CoordinatorMessage>, state: &CoordinatorState) {
        if state.finished < all(&self.peers).len() {
            return;
        }
        let ended = Instant::now();
        let &CoordinatorState { pings, pongs, given, taken, .. } = state;
        let arguments = vec![pings, pongs, u64::from(given), u64::from(taken)];
        self.world.report(Report::Done { arguments, ended });
        me.stop(None);
    }

    fn tell_all(&self, message: impl Fn() -> PeerMessage) {
        for peer in all(&self.peers) {
            peer.send(COORDINATOR, message());
        }
    }

    fn start_timer(&self, me: Me<CoordinatorMessage>, number: u32) {
        let tick = |number| CoordinatorMessage::Tick { number };
        self.windows.start_timer(&self.world, &me.into(), COORDINATOR, number, tick);
    }
}

impl CoordinatorState {
    fn finished(&mut self, pings: u64, pongs: u64, given: u32, taken: u32) {
        self.pings += pings;
        self.pongs += pongs;
        self.given = self.given.wrapping_add(given);
        self.taken = self.taken.wrapping_add(taken);
        self.finished += 1;
    }
}

impl Actor for Coordinator {
    type Msg = Envelope<CoordinatorMessage>;
    type State = CoordinatorState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<CoordinatorMessage>, (): ()) -> Outcome<CoordinatorState> {
        self.spawn_peers(me.into()).await;
        Ok(CoordinatorState::default())
    }

    async fn handle(
        &self,
        me: Me<CoordinatorMessage>,
        envelope: Envelope<CoordinatorMessage>,
        state: &mut CoordinatorState,
    ) -> Outcome {
        match envelope.message {
            CoordinatorMessage::Start { salt } => self.start(me, salt),
            CoordinatorMessage::Tick { number } => self.tick(me, state, number),
            CoordinatorMessage::Marked { number, pongs } => {
                self.marked(&mut state.open[number as usize], pongs);
            }
            CoordinatorMessage::Idle {} => self.idle(state),
            CoordinatorMessage::Finished { pings, pongs, given, taken } => {
                state.finished(pings, pongs, given, taken);
                self.end_when_done(&me, state);
            }
        }
        Ok(())
    }
}

struct Peer {
    index: u32,
    name: Name,
    peers: Crew<PeerMessage>,
    coordinator: Address<CoordinatorMessage>,
    rounds: u32,
    windows: Windows,
}

#[derive(Default)]
struct PeerState {
    salt: u32,
    pings: u64,
    pongs: u64,
    given: u32,
    taken: u32,
    marked: u64,
    over: bool,
}

impl Peer {
    fn ping(&self, state: &mut PeerState, from: Name, round: u32, value: u32) {
        let value = fold(value, self.index);
        state.pings += 1;
        state.given = state.given.wrapping_add(value);
        let pong = PeerMessage::Pong { round, value };
        all(&self.peers)[from.first() as usize].send(self.name, pong);
    }

    fn pong(&self, state: &mut PeerState, value: u32) {
        state.pongs += 1;
        state.taken = state.taken.wrapping_add(value);
        if state.over {
            self.coordinator.send(self.name, CoordinatorMessage::Idle {});
        } else if !self.windows.counted() || state.pongs < self.total() {
            self.ping_next(state);
        }
    }

    fn mark(&self, state: &mut PeerState, number: u32) {
        let pongs = state.pongs - state.marked;
        state.marked = state.pongs;
        state.over = self.windows.is_last(number);
        self.coordinator.send(self.name, CoordinatorMessage::Marked { number, pongs });
    }

    fn finish(&self, me: &Me<PeerMessage>, state: &PeerState) {
        let &PeerState { pings, pongs, given, taken, .. } = state;
        let finished = CoordinatorMessage::Finished { pings, pongs, given, taken };
        self.coordinator.send(self.name, finished);
        me.stop(None);
    }

    /// How many pings a peer sends in the counted form, and how many it is sent.
    fn total(&self) -> u64 {
        u64::from(self.rounds) * (all(&self.peers).len() as u64 - 1)
    }

    fn end_when_done(&self, me: &Me<PeerMessage>, state: &PeerState) {
        if self.windows.counted() && state.pings == self.total() && state.pongs == self.total() {
            self.finish(me, state);
        }
    }

    /// Sends its next ping. One is out at any time, so its number is that of the pongs taken.
    fn ping_next(&self, state: &PeerState) {
        let peers = all(&self.peers);
        let others = peers.len() as u64 - 1;
        let to = (u64::from(self.index) + 1 + state.pongs % others) % (others + 1);
        let round = (state.pongs / others) as u32;
        let value = fold2(state.salt, self.index, round);
        peers[to as usize].send(self.name, PeerMessage::Ping { round, value });
    }
}

impl Actor for Peer {
    type Msg = Envelope<PeerMessage>;
    type State = PeerState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<PeerMessage>, (): ()) -> Outcome<PeerState> {
        Ok(PeerState::default())
    }

    async fn handle(
        &self,
        me: Me<PeerMessage>,
        envelope: Envelope<PeerMessage>,
        state: &mut PeerState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            PeerMessage::Go { salt } => {
                state.salt = salt;
                self.ping_next(state);
            }
            PeerMessage::Ping { round, value } => {
                self.ping(state, from, round, value);
                self.end_when_done(&me, state);
            }
            PeerMessage::Pong { value, .. } => {
                self.pong(state, value);
                self.end_when_done(&me, state);
            }
            PeerMessage::Mark { number } => self.mark(state, number),
            PeerMessage::Stop {} => self.finish(&me, state),
        }
        Ok(())
    }
}

pub struct Big {
    lead: Address<CoordinatorMessage>,
}

impl Big {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { peers: size, rounds, windows, window } = parameters;
        let windows = Windows { windows, window };
        let peers = Crew::default();
        let coordinator = Coordinator { world: world.clone(), size, rounds, peers, windows };
        if world.leads() {
            return Self { lead: world.spawn_lead(COORDINATOR, coordinator, ()) };
        }
        let lead = world.address(COORDINATOR);
        world.populate(coordinator.spawn_peers(lead.clone()));
        Self { lead }
    }
}

impl Benchmark for Big {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, CoordinatorMessage::Start { salt })
    }
}
