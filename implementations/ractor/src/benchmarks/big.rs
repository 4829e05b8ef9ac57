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

/// What peers have answered of a window.
struct Marks {
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

struct CoordinatorState {
    playing: u32,
    pings: u64,
    pongs: u64,
    given: u32,
    taken: u32,
    /// By windows that have ended.
    marks: Vec<Marks>,
    waiting: u32,
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
        state.marks.push(Marks { ended: Instant::now(), answered: 0, pongs: 0 });
        self.start_timer(me, number + 1);
        self.tell_all(|| PeerMessage::Mark { number });
    }

    fn marked(&self, state: &mut CoordinatorState, number: u32, pongs: u64) {
        let marks = &mut state.marks[number as usize];
        marks.answered += 1;
        marks.pongs += pongs;
        if marks.answered == all(&self.peers).len() {
            let &mut Marks { ended, pongs: count, .. } = marks;
            self.world.report(Report::Window { count, ended });
        }
    }

    fn idle(&self, state: &mut CoordinatorState) {
        state.waiting -= 1;
        if state.waiting == 0 {
            self.tell_all(|| PeerMessage::Stop {});
        }
    }

    fn finished(
        &self,
        me: &Me<CoordinatorMessage>,
        state: &mut CoordinatorState,
        pings: u64,
        pongs: u64,
        given: u32,
        taken: u32,
    ) {
        state.pings += pings;
        state.pongs += pongs;
        state.given = state.given.wrapping_add(given);
        state.taken = state.taken.wrapping_add(taken);
        state.playing -= 1;
        if state.playing == 0 {
            let ended = Instant::now();
            let &mut CoordinatorState { pings, pongs, given, taken, .. } = state;
            let arguments = vec![pings, pongs, u64::from(given), u64::from(taken)];
            self.world.report(Report::Done { arguments, ended });
            me.stop(None);
        }
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

impl Actor for Coordinator {
    type Msg = Envelope<CoordinatorMessage>;
    type State = CoordinatorState;
    type Arguments = ();

    async fn pre_start(&self, me: Me<CoordinatorMessage>, (): ()) -> Outcome<CoordinatorState> {
        self.spawn_peers(me.into()).await;
        Ok(CoordinatorState {
            playing: self.size,
            pings: 0,
            pongs: 0,
            given: 0,
            taken: 0,
            marks: Vec::new(),
            waiting: self.size,
        })
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
                self.marked(state, number, pongs);
            }
            CoordinatorMessage::Idle {} => self.idle(state),
            CoordinatorMessage::Finished { pings, pongs, given, taken } => {
                self.finished(&me, state, pings, pongs, given, taken);
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

struct PeerState {
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
    fn go(&self, state: &mut PeerState, salt: u32) {
        state.salt = salt;
        self.send_ping(state);
    }

    fn ping(
        &self,
        me: &Me<PeerMessage>,
        state: &mut PeerState,
        from: Name,
        round: u32,
        value: u32,
    ) {
        let answer = fold(value, self.index);
        state.pings += 1;
        state.given = state.given.wrapping_add(answer);
        let pong = PeerMessage::Pong { round, value: answer };
        all(&self.peers)[from.first() as usize].send(self.name, pong);
        if self.windows.counted() {
            self.end_when_done(me, state);
        }
    }

    fn pong(&self, me: &Me<PeerMessage>, state: &mut PeerState, value: u32) {
        state.pongs += 1;
        state.taken = state.taken.wrapping_add(value);
        if !self.windows.counted() {
            match state.pinging {
                true => self.send_ping(state),
                false => self.coordinator.send(self.name, CoordinatorMessage::Idle {}),
            }
            return;
        }
        if state.pongs < self.total() {
            self.send_ping(state);
        }
        self.end_when_done(me, state);
    }

    fn mark(&self, state: &mut PeerState, number: u32) {
        let pongs = state.pongs - state.marked;
        state.marked = state.pongs;
        self.coordinator.send(self.name, CoordinatorMessage::Marked { number, pongs });
        state.pinging = !self.windows.is_last(number);
    }

    fn stop(&self, me: &Me<PeerMessage>, state: &PeerState) {
        self.finish(me, state);
    }

    /// How many pings a peer sends in the counted form, and how many it is sent.
    fn total(&self) -> u64 {
        u64::from(self.rounds) * (all(&self.peers).len() as u64 - 1)
    }

    /// Sends its next ping. One is out at any time, so its number is that of the pongs taken.
    fn send_ping(&self, state: &PeerState) {
        let peers = all(&self.peers);
        let others = peers.len() as u64 - 1;
        let (round, place) = ((state.pongs / others) as u32, state.pongs % others);
        let target = (u64::from(self.index) + 1 + place) % (others + 1);
        let value = fold2(state.salt, self.index, round);
        peers[target as usize].send(self.name, PeerMessage::Ping { round, value });
    }

    fn end_when_done(&self, me: &Me<PeerMessage>, state: &PeerState) {
        let total = self.total();
        if state.pings == total && state.pongs == total {
            self.finish(me, state);
        }
    }

    fn finish(&self, me: &Me<PeerMessage>, state: &PeerState) {
        let &PeerState { pings, pongs, given, taken, .. } = state;
        let finished = CoordinatorMessage::Finished { pings, pongs, given, taken };
        self.coordinator.send(self.name, finished);
        me.stop(None);
    }
}

impl Actor for Peer {
    type Msg = Envelope<PeerMessage>;
    type State = PeerState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<PeerMessage>, (): ()) -> Outcome<PeerState> {
        Ok(PeerState { salt: 0, pings: 0, pongs: 0, given: 0, taken: 0, marked: 0, pinging: true })
    }

    async fn handle(
        &self,
        me: Me<PeerMessage>,
        envelope: Envelope<PeerMessage>,
        state: &mut PeerState,
    ) -> Outcome {
        let Envelope { from, message } = envelope;
        match message {
            PeerMessage::Go { salt } => self.go(state, salt),
            PeerMessage::Ping { round, value } => self.ping(&me, state, from, round, value),
            PeerMessage::Pong { value, .. } => self.pong(&me, state, value),
            PeerMessage::Mark { number } => self.mark(state, number),
            PeerMessage::Stop {} => self.stop(&me, state),
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
