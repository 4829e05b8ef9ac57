//! Mailboxes: unbounded, and in the order in which each sender sent (ACT-5).
//!
//! A queue under a lock. Its reader takes all that is there at once, so that it meets its
//! senders once for many messages; and an empty mailbox is small, where a channel of tokio
//! has room for 32 messages from the beginning.

use std::collections::VecDeque;
use std::future::Future;
use std::mem::swap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use super::name::Name;

/// After so many messages an actor lets others run, also if there are more.
const TURN: u32 = 128;

/// A message on its way, with the name of who sent it (IMPL-11).
pub struct Envelope<M> {
    pub from: Name,
    pub message: M,
}

/// What was sent and has not been fetched.
struct Inbox<M> {
    envelopes: VecDeque<Envelope<M>>,
    /// Wakes the reader, if it sleeps.
    sleeper: Option<Waker>,
    /// Whether the reader has gone.
    closed: bool,
}

struct Shared<M>(Mutex<Inbox<M>>);

impl<M> Shared<M> {
    fn lock(&self) -> MutexGuard<'_, Inbox<M>> {
        self.0.lock().expect("nobody panics with an inbox in hand")
    }
}

/// Where to send to one actor.
pub struct Address<M>(Arc<Shared<M>>);

/// Where one actor takes its messages from.
pub struct Mailbox<M> {
    shared: Arc<Shared<M>>,
    /// What was fetched and has not been taken.
    fetched: VecDeque<Envelope<M>>,
    /// How many were taken since the actor last let others run.
    taken: u32,
}

/// A new mailbox and its address.
pub fn mailbox<M>() -> (Address<M>, Mailbox<M>) {
    let inbox = Inbox { envelopes: VecDeque::new(), sleeper: None, closed: false };
    let shared = Arc::new(Shared(Mutex::new(inbox)));
    let address = Address(Arc::clone(&shared));
    (address, Mailbox { shared, fetched: VecDeque::new(), taken: 0 })
}

impl<M> Address<M> {
    /// Sends a message.
    ///
    /// # Panics
    ///
    /// If the actor has ended: no chapter lets anybody send to it then.
    pub fn send(&self, from: Name, message: M) {
        let mut inbox = self.0.lock();
        let closed = inbox.closed;
        if !closed {
            inbox.envelopes.push_back(Envelope { from, message });
        }
        let sleeper = inbox.sleeper.take();
        drop(inbox);
        assert!(!closed, "{from} sent a message to an actor that has ended");
        if let Some(sleeper) = sleeper {
            sleeper.wake();
        }
    }
}

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<M> Mailbox<M> {
    /// Waits for the next message.
    pub fn take(&mut self) -> impl Future<Output = Envelope<M>> + '_ {
        Take(self)
    }

    fn poll(&mut self, context: &Context<'_>) -> Poll<Envelope<M>> {
        if self.taken == TURN {
            self.taken = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.fetched.is_empty() {
            let mut inbox = self.shared.lock();
            swap(&mut self.fetched, &mut inbox.envelopes);
            if self.fetched.is_empty() {
                inbox.sleeper = Some(context.waker().clone());
            }
        }
        match self.fetched.pop_front() {
            Some(envelope) => {
                self.taken += 1;
                Poll::Ready(envelope)
            }
            None => {
                self.taken = 0;
                Poll::Pending
            }
        }
    }
}

impl<M> Drop for Mailbox<M> {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
    }
}

struct Take<'a, M>(&'a mut Mailbox<M>);

impl<M> Future for Take<'_, M> {
    type Output = Envelope<M>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Envelope<M>> {
        self.0.poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::runtime::Builder;

    use super::*;
    use crate::runtime::name::CONTROL;
    use crate::runtime::table::CLASS_PING;

    #[test]
    fn messages_of_one_sender_come_in_the_order_in_which_they_were_sent() {
        const EACH: u32 = 10_000;
        let (address, mut mailbox) = mailbox();
        for sender in 0..4 {
            let address = address.clone();
            let name = Name::of(CLASS_PING, sender);
            thread::spawn(move || (0..EACH).for_each(|number| address.send(name, number)));
        }
        let taken = Builder::new_current_thread().build().unwrap().block_on(async {
            let mut next = [0; 4];
            for _ in 0..4 * EACH {
                let Envelope { from, message } = mailbox.take().await;
                assert_eq!(message, next[from.first() as usize], "from {from}");
                next[from.first() as usize] += 1;
            }
            next
        });
        assert_eq!(taken, [EACH; 4]);
    }

    #[test]
    #[should_panic(expected = "control/0 sent a message to an actor that has ended")]
    fn nobody_sends_to_an_actor_that_has_ended() {
        let (address, mailbox) = mailbox();
        drop(mailbox);
        address.send(CONTROL, ());
    }
}
