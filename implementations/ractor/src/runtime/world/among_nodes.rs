//! What a world is among several nodes: who lives elsewhere, and who is born here for others.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use super::World;
use crate::runtime::gate::Parcel;
use crate::runtime::mailbox::Address;
use crate::runtime::message::Message;
use crate::runtime::name::{Name, CONTROL};
use crate::runtime::nodes::{self, Layout, Nodes};
use crate::runtime::report::Report;

/// Starts an actor of this name, with its maker's name and its seed, on its own node.
pub type Bearer = Box<dyn Fn(World, Name, Name, u32) -> Birth + Send + Sync>;
pub type Birth = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The nodes of a world that has several, and how those begin whom others make.
#[derive(Default)]
pub struct Others {
    nodes: OnceLock<Arc<Nodes>>,
    bearer: OnceLock<Bearer>,
}

impl World {
    fn nodes(&self) -> Option<&Arc<Nodes>> {
        self.0.others.nodes.get()
    }

    /// Leaves the nodes of the world before, and joins those of this one, if it has several. Who is not
    /// let in is reported.
    pub fn join(&self, layout: Option<Layout>) {
        let joined = self.0.runtime.block_on(async {
            nodes::leave().await;
            match layout {
                Some(layout) => Nodes::join(self, layout, self.0.reports.clone()).await.map(Some),
                None => Ok(None),
            }
        });
        match joined {
            Ok(Some(nodes)) => {
                assert!(self.0.others.nodes.set(nodes).is_ok(), "a world is joined once")
            }
            Ok(None) => {}
            Err(reason) => self.report(Report::Failed { actor: CONTROL, reason }),
        }
    }

    pub(super) fn is_elsewhere(&self, name: Name) -> bool {
        self.nodes().is_some_and(|nodes| nodes.elsewhere(name))
    }

    /// What ractor's registry knows an actor by: messages from other nodes come by its name.
    pub(super) fn registered(&self, name: Name) -> Option<String> {
        self.nodes().map(|nodes| nodes.registered(name))
    }

    /// Tells control of node 0 of a failure, if that is another node.
    pub(super) fn tell_node_0(&self, actor: Name, reason: &str) {
        if let Some(nodes) = self.nodes() {
            nodes.tell_node_0(actor, reason);
        }
    }

    /// Whether the lead lives here.
    pub fn leads(&self) -> bool {
        self.nodes().is_none_or(|nodes| nodes.leads())
    }

    /// Where to send to an actor, by its name.
    ///
    /// # Panics
    ///
    /// If it lives on this node, and is not there.
    pub fn address<M: Message>(&self, name: Name) -> Address<M> {
        let address = self.nodes().and_then(|nodes| nodes.address(name));
        address.unwrap_or_else(|| panic!("{name} is not here"))
    }

    /// Starts the actors of a node on which the lead does not live, as the lead starts its own.
    pub fn populate<F: Future>(&self, actors: F) -> F::Output {
        self.0.runtime.block_on(actors)
    }

    /// Says how those begin here whom actors of other nodes make.
    pub fn bears(&self, bearer: Bearer) {
        assert!(self.0.others.bearer.set(bearer).is_ok(), "a world has one benchmark");
    }

    /// Starts an actor that was made on another node.
    pub async fn bear(&self, name: Name, maker: Name, seed: u32) {
        if let Some(bearer) = self.0.others.bearer.get() {
            bearer(self.clone(), name, maker, seed).await;
        }
    }

    /// Has an actor begin on another node, if it lives there. That is sent like the messages of its
    /// maker, and so before those that follow (DIST-7).
    pub fn bear_elsewhere<M: Message>(
        &self,
        name: Name,
        maker: Name,
        seed: u32,
    ) -> Option<Address<M>> {
        let nodes = self.nodes().filter(|nodes| nodes.elsewhere(name))?;
        nodes.way(name).send(Parcel::Birth { name, maker, seed });
        nodes.address(name)
    }
}
