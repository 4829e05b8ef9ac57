//! Mailboxes are ractor's: channels of tokio without a bound, in the order of sending (ACT-5).

use std::sync::{Arc, OnceLock};

use ractor::ActorRef;

use super::message::Message;
use super::name::Name;
#[cfg(feature = "cluster")]
use super::nodes::Way;

/// A message on its way, with the name of who sent it (IMPL-11).
pub struct Envelope<M> {
    pub from: Name,
    pub message: M,
}

/// Where to send to one actor. Who sends is said beside.
pub enum Address<M> {
    /// Of this node: ractor's reference.
    Here(ActorRef<Envelope<M>>),
    /// Of another one: its name, and the way to that node.
    #[cfg(feature = "cluster")]
    There(Name, Arc<Way>),
}

impl<M: Message> Address<M> {
    /// Sends a message.
    ///
    /// # Panics
    ///
    /// If the actor has ended: no chapter lets anybody send to it then. Of an actor of another node
    /// that node says so.
    pub fn send(&self, from: Name, message: M) {
        let envelope = Envelope { from, message };
        match self {
            Self::Here(reference) => {
                let sent = reference.send_message(envelope);
                assert!(sent.is_ok(), "{from} sent a message to an actor that has ended");
            }
            #[cfg(feature = "cluster")]
            Self::There(to, way) => way.deliver(*to, envelope),
        }
    }

    /// ractor's own reference.
    ///
    /// # Panics
    ///
    /// If the actor lives on another node.
    pub fn reference(&self) -> &ActorRef<Envelope<M>> {
        match self {
            Self::Here(reference) => reference,
            #[cfg(feature = "cluster")]
            Self::There(name, _) => panic!("{name} lives on another node"),
        }
    }
}

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        match self {
            Self::Here(reference) => Self::Here(reference.clone()),
            #[cfg(feature = "cluster")]
            Self::There(name, way) => Self::There(*name, Arc::clone(way)),
        }
    }
}

impl<M> From<ActorRef<Envelope<M>>> for Address<M> {
    fn from(reference: ActorRef<Envelope<M>>) -> Self {
        Self::Here(reference)
    }
}

/// The addresses of actors that have to know each other, or that two others know: who makes them
/// fills it in before `Prepare` is answered. It never changes again.
pub type Crew<M> = Arc<OnceLock<Vec<Address<M>>>>;

/// Everybody of a crew.
///
/// # Panics
///
/// If the crew is not there yet.
pub fn all<M>(crew: &Crew<M>) -> &[Address<M>] {
    crew.get().expect("the crew is made before anybody takes a message")
}

#[cfg(all(test, not(feature = "cluster")))]
mod tests {
    use std::mem::size_of;

    use super::*;

    #[test]
    fn an_address_on_one_node_is_ractors_reference_alone() {
        assert_eq!(size_of::<Address<()>>(), size_of::<ActorRef<Envelope<()>>>());
    }
}
