//! Mergesort (spec/mergesort.md): a tree of actors, lists in messages.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{checksum, fold, stream};
use super::{hand_over, Benchmark};
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::message::Message;
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::{CLASS_SORTER, KIND_SORTER_SORT, KIND_SORTER_SORTED};
use crate::runtime::world::World;

/// The root. The children of sorter i are 2i and 2i + 1.
const ROOT: u32 = 1;

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    length: u32,
    leaf: u32,
    seed: u32,
}

/// What a sorter takes. Both carry their integers, but control's, upon which the root makes them;
/// and the salt: a checksum is made of them by who logs the message, and not sent (SORT-2).
pub enum SorterMessage {
    Sort { first: u32, length: u32, salt: u32, list: Vec<u32> },
    Sorted { sorters: u64, salt: u32, list: Vec<u32> },
}

impl Message for SorterMessage {
    fn kind(&self) -> u32 {
        match self {
            Self::Sort { .. } => KIND_SORTER_SORT,
            Self::Sorted { .. } => KIND_SORTER_SORTED,
        }
    }

    fn arguments(&self, log: &mut Vec<u64>) {
        match self {
            Self::Sort { first, length, salt, list } => {
                let checksum = checksum(*salt, list.iter().copied());
                log.extend([*first, *length, *salt, checksum].map(u64::from));
            }
            Self::Sorted { sorters, salt, list } => {
                let checksum = checksum(*salt, list.iter().copied());
                log.extend([list.len() as u64, *sorters, checksum.into()]);
            }
        }
    }
}

struct Sorter {
    world: World,
    index: u32,
    leaf: u32,
    seed: u32,
    me: Address<SorterMessage>,
    /// Who made it. Nobody made the root.
    maker: Option<Address<SorterMessage>>,
    salt: u32,
    sorters: u64,
    /// The half that came first.
    half: Option<Vec<u32>>,
}

impl Sorter {
    fn sort(&mut self, first: u32, length: u32, salt: u32, mut list: Vec<u32>) -> Fate {
        self.salt = salt;
        if self.maker.is_none() {
            list = numbers(length, self.seed, salt);
        }
        if length <= self.leaf {
            list.sort_unstable();
            return self.finish(list);
        }
        let middle = (length + 1) / 2;
        let second = list.split_off(middle as usize);
        self.spawn(2 * self.index, first, list);
        self.spawn(2 * self.index + 1, first + middle, second);
        Fate::Lives
    }

    fn sorted(&mut self, sorters: u64, list: Vec<u32>) -> Fate {
        self.sorters += sorters;
        match self.half.take() {
            None => {
                self.half = Some(list);
                Fate::Lives
            }
            Some(half) => self.finish(merge(&half, &list)),
        }
    }

    fn finish(&mut self, list: Vec<u32>) -> Fate {
        let &mut Self { salt, sorters, .. } = self;
        match &self.maker {
            Some(maker) => maker.send(self.name(), SorterMessage::Sorted { sorters, salt, list }),
            None => {
                let ended = Instant::now();
                let checksum = checksum(salt, list.iter().copied());
                let arguments = vec![list.len() as u64, sorters, checksum.into()];
                self.world.report(Report::Done { arguments, ended });
            }
        }
        Fate::Ends
    }

    fn spawn(&self, index: u32, first: u32, list: Vec<u32>) {
        let child = spawn(&self.world, index, self.leaf, self.seed, Some(self.me.clone()));
        let (length, salt) = (list.len() as u32, self.salt);
        child.send(self.name(), SorterMessage::Sort { first, length, salt, list });
    }

    fn name(&self) -> Name {
        Name::of(CLASS_SORTER, self.index)
    }
}

impl Actor for Sorter {
    type Message = SorterMessage;

    fn take(&mut self, _: Name, message: SorterMessage) -> Fate {
        match message {
            SorterMessage::Sort { first, length, salt, list } => {
                self.sort(first, length, salt, list)
            }
            SorterMessage::Sorted { sorters, list, .. } => self.sorted(sorters, list),
        }
    }
}

/// The input (SORT-1).
fn numbers(length: u32, seed: u32, salt: u32) -> Vec<u32> {
    stream(fold(salt, seed)).take(length as usize).map(|number| number >> 16).collect()
}

/// Two sorted lists as one.
fn merge(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut merged = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one, other);
    while let (Some(a), Some(b)) = (one.first(), other.first()) {
        if a <= b {
            merged.push(*a);
            one = &one[1..];
        } else {
            merged.push(*b);
            other = &other[1..];
        }
    }
    merged.extend_from_slice(one);
    merged.extend_from_slice(other);
    merged
}

fn spawn(
    world: &World,
    index: u32,
    leaf: u32,
    seed: u32,
    maker: Option<Address<SorterMessage>>,
) -> Address<SorterMessage> {
    let (me, mailbox) = mailbox();
    let sorter = Sorter {
        world: world.clone(),
        index,
        leaf,
        seed,
        me: me.clone(),
        maker,
        salt: 0,
        sorters: 1,
        half: None,
    };
    world.spawn(sorter.name(), mailbox, sorter);
    me
}

pub struct Mergesort {
    length: u32,
    lead: Address<SorterMessage>,
}

impl Mergesort {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { length, leaf, seed } = parameters;
        Self { length, lead: spawn(world, ROOT, leaf, seed, None) }
    }
}

impl Benchmark for Mergesort {
    fn run(&mut self, salt: u32) -> Instant {
        let (length, list) = (self.length, Vec::new());
        hand_over(&self.lead, SorterMessage::Sort { first: 0, length, salt, list })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_has_everything_of_both_in_order() {
        assert_eq!(merge(&[1, 3, 3, 9], &[2, 3]), [1, 2, 3, 3, 3, 9]);
        assert_eq!(merge(&[], &[5]), [5]);
    }
}
