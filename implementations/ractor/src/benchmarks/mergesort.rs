//! Mergesort (spec/mergesort.md): a tree of actors, lists in messages.

use std::time::Instant;

use serde::Deserialize;

use super::fold::{checksum, fold, stream};
use super::{hand_over, Benchmark};
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
    /// Who made it. Nobody made the root.
    maker: Option<Address<SorterMessage>>,
}

struct SorterState {
    salt: u32,
    sorters: u64,
    /// The half that came first.
    half: Option<Vec<u32>>,
}

impl Sorter {
    async fn sort(
        &self,
        me: &Me<SorterMessage>,
        state: &mut SorterState,
        first: u32,
        length: u32,
        mut list: Vec<u32>,
    ) {
        if self.maker.is_none() {
            list = numbers(length, self.seed, state.salt);
        }
        if length <= self.leaf {
            list.sort_unstable();
            self.finish(me, state, list);
            return;
        }
        let middle = length.div_ceil(2);
        let second = list.split_off(middle as usize);
        let halves = [(2 * self.index, first, list), (2 * self.index + 1, first + middle, second)];
        for (index, first, list) in halves {
            let maker = Some(me.clone().into());
            let &Self { leaf, seed, .. } = self;
            let child = Sorter { world: self.world.clone(), index, leaf, seed, maker };
            let child = self.world.spawn(child.name(), child, ()).await;
            let (length, salt) = (list.len() as u32, state.salt);
            child.send(self.name(), SorterMessage::Sort { first, length, salt, list });
        }
    }

    fn sorted(
        &self,
        me: &Me<SorterMessage>,
        state: &mut SorterState,
        sorters: u64,
        list: Vec<u32>,
    ) {
        state.sorters += sorters;
        match state.half.take() {
            None => state.half = Some(list),
            Some(half) => self.finish(me, state, merge(&half, &list)),
        }
    }

    fn finish(&self, me: &Me<SorterMessage>, state: &SorterState, list: Vec<u32>) {
        let &SorterState { salt, sorters, .. } = state;
        match &self.maker {
            Some(maker) => maker.send(self.name(), SorterMessage::Sorted { sorters, salt, list }),
            None => {
                let ended = Instant::now();
                let checksum = checksum(salt, list.iter().copied());
                let arguments = vec![list.len() as u64, sorters, checksum.into()];
                self.world.report(Report::Done { arguments, ended });
            }
        }
        me.stop(None);
    }

    fn name(&self) -> Name {
        Name::of(CLASS_SORTER, self.index)
    }
}

impl Actor for Sorter {
    type Msg = Envelope<SorterMessage>;
    type State = SorterState;
    type Arguments = ();

    async fn pre_start(&self, _: Me<SorterMessage>, (): ()) -> Outcome<SorterState> {
        Ok(SorterState { salt: 0, sorters: 1, half: None })
    }

    async fn handle(
        &self,
        me: Me<SorterMessage>,
        envelope: Envelope<SorterMessage>,
        state: &mut SorterState,
    ) -> Outcome {
        match envelope.message {
            SorterMessage::Sort { first, length, salt, list } => {
                state.salt = salt;
                self.sort(&me, state, first, length, list).await;
            }
            SorterMessage::Sorted { sorters, list, .. } => self.sorted(&me, state, sorters, list),
        }
        Ok(())
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

pub struct Mergesort {
    length: u32,
    lead: Address<SorterMessage>,
}

impl Mergesort {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let &Parameters { length, leaf, seed } = parameters;
        let root = Sorter { world: world.clone(), index: ROOT, leaf, seed, maker: None };
        Self { length, lead: world.spawn_lead(root.name(), root, ()) }
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
