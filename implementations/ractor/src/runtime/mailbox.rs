//! Mailboxes are ractor's: channels of tokio without a bound, in the order of sending (ACT-5).

use std::sync::{Arc, OnceLock};

use ractor::ActorRef;

use super::message::Message;
use super::name::Name;

/// A message on its way, with the name of who sent it (IMPL-11).
pub struct Envelope<M> {
    pub from: Name,
    pub message: M,
}

/// Where to send to one actor: ractor's reference, and who sends is said beside.
pub struct Address<M>(ActorRef<Envelope<M>>);

impl<M: Message> Address<M> {
    /// Sends a message.
    ///
    /// # Panics
    ///
    /// If the actor has ended: no chapter lets anybody send to it then.
    pub fn send(&self, from: Name, message: M) {
        let sent = self.0.send_message(Envelope { from, message });
        assert!(sent.is_ok(), "{from} sent a message to an actor that has ended");
    }

    /// ractor's own reference.
    pub fn reference(&self) -> &ActorRef<Envelope<M>> {
        &self.0
    }
}

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<M> From<ActorRef<Envelope<M>>> for Address<M> {
    fn from(reference: ActorRef<Envelope<M>>) -> Self {
        Self(reference)
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
