//! Chain (spec/chain.md): each actor makes the next.

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Fate};
use crate::runtime::mailbox::{mailbox, Address};
use crate::runtime::name::Name;
use crate::runtime::report::Report;
use crate::runtime::table::CLASS_LINK;
use crate::runtime::world::World;

#[derive(Clone, Debug, Deserialize)]
pub struct Parameters {
    length: u32,
}

messages! {
    pub enum LinkMessage {
        Grow { left: u32, digest: u32 } = KIND_LINK_GROW,
        Finish { length: u32, digest: u32 } = KIND_LINK_FINISH,
    }
}

struct Link {
    world: World,
    index: u32,
    me: Address<LinkMessage>,
    /// Who made it. Nobody made the first.
    maker: Option<Address<LinkMessage>>,
}

impl Link {
    fn grow(&mut self, left: u32, digest: u32) -> Fate {
        let digest = fold(digest, left);
        if left == 0 {
            return self.finish(1, digest);
        }
        let next = spawn(&self.world, self.index + 1, Some(self.me.clone()));
        next.send(self.name(), LinkMessage::Grow { left: left - 1, digest });
        Fate::Lives
    }

    fn finish(&self, length: u32, digest: u32) -> Fate {
        match &self.maker {
            Some(maker) => maker.send(self.name(), LinkMessage::Finish { length, digest }),
            None => {
                let ended = Instant::now();
                let arguments = vec![u64::from(length), u64::from(digest)];
                self.world.report(Report::Done { arguments, ended });
            }
        }
        Fate::Ends
    }

    fn name(&self) -> Name {
        Name::of(CLASS_LINK, self.index)
    }
}

impl Actor for Link {
    type Message = LinkMessage;

    fn take(&mut self, _: Name, message: LinkMessage) -> Fate {
        match message {
            LinkMessage::Grow { left, digest } => self.grow(left, digest),
            LinkMessage::Finish { length, digest } => self.finish(length + 1, fold(digest, length)),
        }
    }
}

fn spawn(world: &World, index: u32, maker: Option<Address<LinkMessage>>) -> Address<LinkMessage> {
    let (me, mailbox) = mailbox();
    let link = Link { world: world.clone(), index, me: me.clone(), maker };
    world.spawn(link.name(), mailbox, link);
    me
}

pub struct Chain {
    length: u32,
    lead: Address<LinkMessage>,
}

impl Chain {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        Self { length: parameters.length, lead: spawn(world, 0, None) }
    }
}

impl Benchmark for Chain {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, LinkMessage::Grow { left: self.length - 1, digest: salt })
    }
}
