//! What a world is on one node, in a build without `ractor_cluster`: all live here.

use std::future::Future;
use std::pin::Pin;

use super::World;
use crate::runtime::mailbox::Address;
use crate::runtime::message::Message;
use crate::runtime::name::Name;

/// Starts an actor of this name, with its maker's name and its seed, on its own node.
pub type Bearer = Box<dyn Fn(World, Name, Name, u32) -> Birth + Send + Sync>;
pub type Birth = Pin<Box<dyn Future<Output = ()> + Send>>;

impl World {
    pub(super) fn is_elsewhere(&self, _: Name) -> bool {
        false
    }

    /// What ractor's registry knows an actor by: it knows none.
    pub(super) fn registered(&self, _: Name) -> Option<String> {
        None
    }

    pub(super) fn tell_node_0(&self, _: Name, _: &str) {}

    /// Whether the lead lives here.
    pub fn leads(&self) -> bool {
        true
    }

    /// Where to send to an actor of another node.
    ///
    /// # Panics
    ///
    /// Always: there is no other node.
    pub fn address<M: Message>(&self, name: Name) -> Address<M> {
        panic!("{name} is not here")
    }

    /// Starts the actors of a node on which the lead does not live.
    pub fn populate<F: Future>(&self, actors: F) -> F::Output {
        self.0.runtime.block_on(actors)
    }

    /// Says how those begin here whom actors of other nodes make.
    pub fn bears(&self, _: Bearer) {}

    /// Has an actor begin on another node, if it lives there.
    pub fn bear_elsewhere<M: Message>(&self, _: Name, _: Name, _: u32) -> Option<Address<M>> {
        None
    }
}
