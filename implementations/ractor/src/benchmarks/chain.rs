//! Chain (spec/chain.md): each actor makes the next.

use std::time::Instant;

use serde::Deserialize;

use super::fold::fold;
use super::{hand_over, Benchmark};
use crate::messages;
use crate::runtime::actor::{Actor, Me, Outcome};
use crate::runtime::mailbox::{Address, Envelope};
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
    /// Who made it. Nobody made the first.
    maker: Option<Address<LinkMessage>>,
}

impl Link {
    async fn grow(&self, me: Me<LinkMessage>, left: u32, digest: u32) {
        let digest = fold(digest, left);
        if left == 0 {
            self.finish(&me, 1, digest);
            return;
        }
        let maker = Some(me.into());
        let next = Link { world: self.world.clone(), index: self.index + 1, maker };
        let next = self.world.spawn(next.name(), next, ()).await;
        next.send(self.name(), LinkMessage::Grow { left: left - 1, digest });
    }

    fn finish(&self, me: &Me<LinkMessage>, length: u32, digest: u32) {
        match &self.maker {
            Some(maker) => maker.send(self.name(), LinkMessage::Finish { length, digest }),
            None => {
                let ended = Instant::now();
                let arguments = vec![u64::from(length), u64::from(digest)];
                self.world.report(Report::Done { arguments, ended });
            }
        }
        me.stop(None);
    }

    fn name(&self) -> Name {
        Name::of(CLASS_LINK, self.index)
    }
}

impl Actor for Link {
    type Msg = Envelope<LinkMessage>;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: Me<LinkMessage>, (): ()) -> Outcome {
        Ok(())
    }

    async fn handle(
        &self,
        me: Me<LinkMessage>,
        envelope: Envelope<LinkMessage>,
        (): &mut (),
    ) -> Outcome {
        match envelope.message {
            LinkMessage::Grow { left, digest } => self.grow(me, left, digest).await,
            LinkMessage::Finish { length, digest } => {
                self.finish(&me, length + 1, fold(digest, length));
            }
        }
        Ok(())
    }
}

pub struct Chain {
    length: u32,
    lead: Address<LinkMessage>,
}

impl Chain {
    pub fn new(world: &World, parameters: &Parameters) -> Self {
        let first = Link { world: world.clone(), index: 0, maker: None };
        Self { length: parameters.length, lead: world.spawn_lead(first.name(), first, ()) }
    }
}

impl Benchmark for Chain {
    fn run(&mut self, salt: u32) -> Instant {
        hand_over(&self.lead, LinkMessage::Grow { left: self.length - 1, digest: salt })
    }
}
