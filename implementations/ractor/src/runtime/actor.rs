//! What an actor of a world is beside its program, and the one way in which it takes messages.

use std::thread;

use ractor::ActorRef;
pub use ractor::{Actor, ActorProcessingErr};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::log::Log;
use super::mailbox::Envelope;
use super::message::Message;
use super::name::Name;
use super::panics::reason;
use super::report::Report;
use super::world::World;

/// An actor's own reference, of what it takes.
pub type Me<M> = ActorRef<Envelope<M>>;

/// What ractor is told of a message that was taken, and of a state that was made.
pub type Outcome<T = ()> = Result<T, ActorProcessingErr>;

/// An actor of a world, watched or not: the log is there, or not (IMPL-11).
pub struct Member<A> {
    pub actor: A,
    pub name: Name,
    pub world: World,
    /// Goes when ractor drops the actor: behind its last message, or its failure.
    pub _alive: TaskTrackerToken,
}

impl<A, M> Actor for Member<A>
where
    A: Actor<Msg = Envelope<M>>,
    M: Message,
{
    type Msg = Envelope<M>;
    type State = (A::State, Option<Box<Log>>);
    type Arguments = (A::Arguments, Option<Box<Log>>);

    async fn pre_start(
        &self,
        me: Me<M>,
        (arguments, log): Self::Arguments,
    ) -> Outcome<Self::State> {
        let obituary = Obituary { name: self.name, world: &self.world };
        let state = self.actor.pre_start(me, arguments).await;
        Ok((state.inspect_err(|error| obituary.publish(error.to_string()))?, log))
    }

    async fn handle(
        &self,
        me: Me<M>,
        envelope: Envelope<M>,
        (state, log): &mut Self::State,
    ) -> Outcome {
        let obituary = Obituary { name: self.name, world: &self.world };
        if let Some(log) = log {
            log.take(envelope.from, &envelope.message);
        }
        let outcome = self.actor.handle(me, envelope, state).await;
        outcome.inspect_err(|error| obituary.publish(error.to_string()))
    }
}

/// Stands by while an actor is born or acts. If a panic carries it off, control is told.
struct Obituary<'a> {
    name: Name,
    world: &'a World,
}

impl Obituary<'_> {
    fn publish(&self, reason: String) {
        self.world.report(Report::Failed { actor: self.name, reason });
    }
}

impl Drop for Obituary<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.publish(reason());
        }
    }
}
