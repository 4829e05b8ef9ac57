//! What ChatApp is to control: its parameters, its steps and its receipt.

use std::time::Instant;

use serde::{Deserialize, Deserializer, Serialize};

use super::poker::{self, PokerMessage};
use crate::benchmarks::{hand_over, Act, Benchmark, Farewell, Receipt, Said};
use crate::runtime::mailbox::Address;
use crate::runtime::name::CONTROL;
use crate::runtime::world::World;

/// The `turn` of a `leave` upon `logout`.
pub const LOGOUT: u32 = u32::MAX;

/// How draws become an action (CHAT-20, CHAT-21).
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    Cumulative,
    Cascade,
}

impl<'de> Deserialize<'de> for Selection {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u32::deserialize(from)? {
            1 => Ok(Self::Cumulative),
            2 => Ok(Self::Cascade),
            other => Err(serde::de::Error::custom(format!("no selection {other}"))),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    pub clients: u32,
    pub directories: u32,
    pub turns: u32,
    pub compute: u32,
    pub post: u32,
    pub leave: u32,
    pub invite: u32,
    pub befriend: u32,
    pub selection: Selection,
    pub fib_n: u32,
    pub history: bool,
    pub seed: u32,
}

#[derive(Debug, Serialize)]
pub struct ChatAppReceipt {
    computes: u64,
    posts: u64,
    leaves: u64,
    invites: u64,
    nones: u64,
    joins: u64,
    deliveries: u64,
    lcg_checksum: u64,
    fib_sum: u64,
    confirms: u64,
    stops: u64,
    announced: u32,
    consumed: u32,
    turn_nanos: Vec<u64>,
}

/// What clients count and directories and the poker add up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    pub lcg: u64,
    pub computes: u64,
    pub posts: u64,
    pub leaves: u64,
    pub invites: u64,
    pub nones: u64,
    pub deliveries: u64,
    pub joins: u64,
}

impl Sums {
    pub fn add(&mut self, other: Self) {
        self.lcg += other.lcg;
        self.computes += other.computes;
        self.posts += other.posts;
        self.leaves += other.leaves;
        self.invites += other.invites;
        self.nones += other.nones;
        self.deliveries += other.deliveries;
        self.joins += other.joins;
    }

    /// In the order in which they are arguments of `left` and `finished`.
    pub fn in_order(&self) -> [u64; 8] {
        [
            self.lcg,
            self.computes,
            self.posts,
            self.leaves,
            self.invites,
            self.nones,
            self.deliveries,
            self.joins,
        ]
    }
}

pub struct ChatApp {
    turns: usize,
    lead: Address<PokerMessage>,
}

impl ChatApp {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        Self { turns: parameters.turns as usize, lead: poker::spawn(world, parameters) }
    }

    fn tell(&self, message: PokerMessage) {
        self.lead.send(CONTROL, message);
    }
}

impl Benchmark for ChatApp {
    fn set_up(&mut self) -> bool {
        self.tell(PokerMessage::Prepare {});
        true
    }

    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, PokerMessage::Run { salt })
    }

    fn turns(&self) -> Option<usize> {
        Some(self.turns)
    }

    fn act(&mut self, act: Act) {
        let Act { client, choice, index, k } = act;
        self.tell(PokerMessage::Act { client, choice, index, k });
    }

    fn turn(&mut self) {
        self.tell(PokerMessage::Turn {});
    }

    fn disconnect(&mut self) -> Farewell {
        self.tell(PokerMessage::Disconnect {});
        Farewell::Answered
    }

    fn receipt(&self, said: &Said) -> Receipt {
        let [lcg, computes, posts, leaves, invites, nones, deliveries, joins] = said.finished;
        let sums = &said.confirmed;
        Receipt::Chatapp(ChatAppReceipt {
            computes,
            posts,
            leaves,
            invites,
            nones,
            joins,
            deliveries,
            lcg_checksum: lcg,
            fib_sum: sums.value,
            confirms: sums.confirms as u64,
            stops: sums.stops,
            announced: sums.announced,
            consumed: sums.consumed,
            turn_nanos: sums.turn_nanos.clone(),
        })
    }
}
