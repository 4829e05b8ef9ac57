//! What an actor is, and the one way in which it takes messages.

use std::future::Future;

use super::log::Log;
use super::mailbox::{Envelope, Mailbox};
use super::name::Name;

/// What actors of one class take.
pub trait Message: Send + 'static {
    /// The number of its kind in `trace.proto`.
    fn kind(&self) -> u32;

    /// Appends the arguments that a log has of it, in their order.
    fn arguments(&self, log: &mut Vec<u64>);
}

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

/// Declares what the actors of a class take, kind by kind.
///
/// What stands before a semicolon are the arguments of the log; what stands behind it
/// travels along and is in no log.
#[macro_export]
macro_rules! messages {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident {
            $(
                $variant:ident {
                    $($argument:ident: $type:ty),* $(; $($along:ident: $along_type:ty),*)?
                } = $kind:ident
            ),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis enum $name {
            $($variant { $($argument: $type,)* $($($along: $along_type,)*)? },)*
        }

        impl $crate::runtime::actor::Message for $name {
            fn kind(&self) -> u32 {
                match self {
                    $(Self::$variant { .. } => $crate::runtime::table::$kind,)*
                }
            }

            #[allow(unused_variables)]
            fn arguments(&self, log: &mut Vec<u64>) {
                match self {
                    $(Self::$variant { $($argument,)* .. } => {
                        $(log.push(u64::from(*$argument));)*
                    })*
                }
            }
        }
    };
}
