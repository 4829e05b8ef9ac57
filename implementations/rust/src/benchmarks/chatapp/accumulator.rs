//! An accumulator: counts the work of one turn in units, on three levels.

use super::poker::PokerMessage;
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
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
    expected: [u64; 3],
    reported: [u64; 3],
    value: u64,
    stops: u64,
    announced: u32,
    consumed: u32,
}

impl Accumulator {
    fn stop(&mut self, level: usize, value: u64) -> Fate {
        if level == 0 {
            self.value += value;
        } else {
            self.stops += 1;
            self.consumed = self.consumed.wrapping_add(value as u32);
        }
        self.report(level)
    }

    fn bump(&mut self, level: usize, n: u64, digest: u32) -> Fate {
        self.expected[level + 1] += n;
        self.announced = self.announced.wrapping_add(digest);
        self.report(level)
    }

    fn report(&mut self, level: usize) -> Fate {
        self.reported[level] += 1;
        if self.reported != self.expected {
            return Fate::Lives;
        }
        let &mut Self { turn, value, stops, announced, consumed, .. } = self;
        let confirm = PokerMessage::Confirm { turn, value, stops, announced, consumed };
        self.poker.send(Name::of(CLASS_ACCUMULATOR, turn), confirm);
        Fate::Ends
    }
}

impl Actor for Accumulator {
    type Message = AccumulatorMessage;

    fn take(&mut self, _: Name, message: AccumulatorMessage) -> Fate {
        match message {
            AccumulatorMessage::Stop { level, value } => self.stop(level as usize, value),
            AccumulatorMessage::Bump { level, n, digest } => self.bump(level as usize, n, digest),
        }
    }
}

/// The accumulator of a turn, with the units that it expects at level 0.
pub fn spawn(
    world: &World,
    turn: u32,
    expected: u64,
    poker: Address<PokerMessage>,
) -> Address<AccumulatorMessage> {
    let (me, mailbox) = mailbox();
    let accumulator = Accumulator {
        turn,
        poker,
        expected: [expected, 0, 0],
        reported: [0; 3],
        value: 0,
        stops: 0,
        announced: 0,
        consumed: 0,
    };
    world.spawn(Name::of(CLASS_ACCUMULATOR, turn), mailbox, accumulator);
    me
}
