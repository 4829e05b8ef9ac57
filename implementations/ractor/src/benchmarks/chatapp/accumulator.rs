//! An accumulator: counts the work of one turn in units, on three levels.

use super::poker::PokerMessage;
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
use crate::runtime::name::Name;
use crate::runtime::table::CLASS_ACCUMULATOR;
use crate::runtime::world::World;

messages! {
    pub enum AccumulatorMessage {
        Stop { level: u32, value: u64 } = KIND_ACCUMULATOR_STOP,
        Bump { level: u32, n: u64, digest: u32 } = KIND_ACCUMULATOR_BUMP,
    }
}

struct Accumulator {
    turn: u32,
    poker: Address<PokerMessage>,
}

struct AccumulatorState {
    expected: [u64; 3],
    reported: [u64; 3],
    value: u64,
    stops: u64,
    announced: u32,
    consumed: u32,
}

impl Accumulator {
    fn stop(
        &self,
        me: &Me<AccumulatorMessage>,
        state: &mut AccumulatorState,
        level: usize,
        value: u64,
    ) {
        if level == 0 {
            state.value += value;
        } else {
            state.stops += 1;
            state.consumed = state.consumed.wrapping_add(value as u32);
        }
        self.report(me, state, level);
    }

    fn bump(
        &self,
        me: &Me<AccumulatorMessage>,
        state: &mut AccumulatorState,
        level: usize,
        n: u64,
        digest: u32,
    ) {
        state.expected[level + 1] += n;
        state.announced = state.announced.wrapping_add(digest);
        self.report(me, state, level);
    }

    fn report(&self, me: &Me<AccumulatorMessage>, state: &mut AccumulatorState, level: usize) {
        state.reported[level] += 1;
        if state.reported != state.expected {
            return;
        }
        let turn = self.turn;
        let &mut AccumulatorState { value, stops, announced, consumed, .. } = state;
        let confirm = PokerMessage::Confirm { turn, value, stops, announced, consumed };
        self.poker.send(Name::of(CLASS_ACCUMULATOR, turn), confirm);
        me.stop(None);
    }
}

impl Actor for Accumulator {
    type Msg = Envelope<AccumulatorMessage>;
    type State = AccumulatorState;
    /// The units that it expects at level 0.
    type Arguments = u64;

    async fn pre_start(
        &self,
        _: Me<AccumulatorMessage>,
        expected: u64,
    ) -> Outcome<AccumulatorState> {
        Ok(AccumulatorState {
            expected: [expected, 0, 0],
            reported: [0; 3],
            value: 0,
            stops: 0,
            announced: 0,
            consumed: 0,
        })
    }

    async fn handle(
        &self,
        me: Me<AccumulatorMessage>,
        envelope: Envelope<AccumulatorMessage>,
        state: &mut AccumulatorState,
    ) -> Outcome {
        match envelope.message {
            AccumulatorMessage::Stop { level, value } => {
                self.stop(&me, state, level as usize, value);
            }
            AccumulatorMessage::Bump { level, n, digest } => {
                self.bump(&me, state, level as usize, n, digest);
            }
        }
        Ok(())
    }
}

/// The accumulator of a turn, with the units that it expects at level 0.
pub async fn spawn(
    world: &World,
    turn: u32,
    expected: u64,
    poker: Address<PokerMessage>,
) -> Address<AccumulatorMessage> {
    world.spawn(Name::of(CLASS_ACCUMULATOR, turn), Accumulator { turn, poker }, expected).await
}
