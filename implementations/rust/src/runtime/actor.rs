//! What an actor is, and the one way in which it takes messages.

use std::future::Future;

use super::log::Log;
use super::mailbox::{Envelope, Mailbox};
use super::message::Message;
use super::name::Name;

/// Whether an actor takes another message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Lives,
    Ends,
}

/// One actor: its state, and what it does upon a message (ACT-1, ACT-2).
pub trait Actor: Send + 'static {
    type Message: Message;

    /// Does what its chapter says upon a message.
    fn take(&mut self, from: Name, message: Self::Message) -> Fate;
}

/// The life of an actor, watched or not: `log` is there, or not (IMPL-11).
///
/// A block and not an `async fn`, which would have its arguments twice in the task.
#[allow(clippy::manual_async_fn)]
pub fn life<A: Actor>(
    mut actor: A,
    mut mailbox: Mailbox<A::Message>,
    mut log: Option<Box<Log>>,
) -> impl Future<Output = ()> + Send {
    async move {
        loop {
            let Envelope { from, message } = mailbox.take().await;
            if let Some(log) = &mut log {
                log.take(from, &message);
            }
            if actor.take(from, message) == Fate::Ends {
                break;
            }
        }
    }
}
