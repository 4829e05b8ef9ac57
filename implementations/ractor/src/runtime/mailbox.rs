//! Mailboxes are ractor's: channels of tokio without a bound, in the order of sending (ACT-5).

use std::sync::{Arc, OnceLock};

use ractor::message::{BoxedDowncastErr, SerializedMessage};
use ractor::ActorRef;

use super::gate::Parcel;
use super::message::Message;
use super::name::Name;
use super::nodes::{self, Way};
use super::travel::{Part, Unread};

/// A message on its way, with the name of who sent it (IMPL-11).
pub struct Envelope<M> {
    pub from: Name,
    pub message: M,
}

impl<M: Message> Envelope<M> {
    /// As it goes to another node. Who sends it does this, and not the connection.
    fn sealed(self) -> Vec<u8> {
        let mut sealed = Vec::new();
        self.from.write(&mut sealed);
        self.message.kind().write(&mut sealed);
        self.message.write(&mut sealed);
        sealed
    }

    fn opened(sealed: Vec<u8>) -> Option<Self> {
        let mut unread = Unread::new(sealed);
        let from = Name::read(&mut unread)?;
        let kind = u32::read(&mut unread)?;
        let message = M::read(kind, &mut unread)?;
        unread.is_empty().then_some(Self { from, message })
    }
}

/// No actor of a world is made known to other nodes by ractor: gates are, and what comes for an actor
/// is read by ractor in that actor's own task.
impl<M: Message> ractor::Message for Envelope<M> {
    fn deserialize(message: SerializedMessage) -> Result<Self, BoxedDowncastErr> {
        let opened = match message {
            SerializedMessage::Cast { args, .. } => Self::opened(args),
            _ => None,
        };
        // ractor leaves out what cannot be read, and says nothing.
        opened.ok_or_else(|| {
            nodes::complain("a message came that cannot be read".to_owned());
            BoxedDowncastErr
        })
    }
}

/// Where to send to one actor. Who sends is said beside.
pub enum Address<M> {
    /// Of this node: ractor's reference.
    Here(ActorRef<Envelope<M>>),
    /// Of another one: its name, and the way to that node.
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
            Self::There(to, way) => {
                way.send(Parcel::Letter { to: *to, sealed: envelope.sealed() });
            }
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
            Self::There(name, _) => panic!("{name} lives on another node"),
        }
    }

    /// The actor's name. On one node alone nobody asks, and ractor does not know it.
    pub fn name(&self) -> Name {
        match self {
            Self::Here(reference) => nodes::name_of(reference),
            Self::There(name, _) => *name,
        }
    }
}

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        match self {
            Self::Here(reference) => Self::Here(reference.clone()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;
    use crate::runtime::name::CONTROL;

    messages! {
        enum Order {
            Task { number: u32, value: u32 } = KIND_RUNNER_TASK,
        }
    }

    messages! {
        enum Other {
            Wake { number: u32 } = KIND_SLEEPER_WAKE,
        }
    }

    fn sealed() -> Vec<u8> {
        Envelope { from: CONTROL, message: Order::Task { number: 3, value: u32::MAX } }.sealed()
    }

    #[test]
    fn a_message_is_opened_as_it_was_sealed() {
        let Envelope { from, message } = Envelope::opened(sealed()).unwrap();
        let Order::Task { number, value } = message;
        assert_eq!((from, number, value), (CONTROL, 3, u32::MAX));
    }

    #[test]
    fn a_message_of_another_class_or_length_is_not_opened() {
        assert!(Envelope::<Other>::opened(sealed()).is_none());
        let mut longer = sealed();
        longer.push(0);
        assert!(Envelope::<Order>::opened(longer).is_none());
    }
}
