//! The actors of one iteration: how they are born, watched and counted.

#[cfg_attr(not(feature = "cluster"), path = "world/alone.rs")]
mod among_nodes;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ractor::ActorRuntime;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};
use tokio::time;
use tokio_util::task::TaskTracker;

#[cfg(feature = "cluster")]
use self::among_nodes::Others;
use super::actor::{Actor, Member};
use super::clock::Clock;
use super::log::{Log, Record};
use super::mailbox::{Address, Envelope};
use super::message::Message;
use super::name::Name;
use super::report::Report;
use super::room::Room;
use super::watch::{Watch, Watches};

/// A handle on a world; its clones are of the same world.
#[derive(Clone)]
pub struct World(Arc<Shared>);

struct Shared {
    runtime: Handle,
    clock: Clock,
    alive: TaskTracker,
    watches: Watches,
    records: Mutex<Vec<Arc<Record>>>,
    room: Arc<Room>,
    reports: UnboundedSender<Report>,
    #[cfg(feature = "cluster")]
    others: Others,
}

impl World {
    /// An empty world, and where control takes its reports from.
    pub fn new(
        runtime: Handle,
        clock: Clock,
        watches: &[Watch],
    ) -> (Self, UnboundedReceiver<Report>) {
        let (reports, inbox) = unbounded_channel();
        let shared = Shared {
            runtime,
            clock,
            alive: TaskTracker::new(),
            watches: Watches::new(watches),
            records: Mutex::default(),
            room: Arc::default(),
            reports,
            #[cfg(feature = "cluster")]
            others: Others::default(),
        };
        (Self(Arc::new(shared)), inbox)
    }

    /// Starts an actor of ractor's, if it lives on this node. Whether it is watched is decided here.
    /// Nobody supervises it: who fails is not started again.
    pub async fn spawn<A, M>(&self, name: Name, actor: A, arguments: A::Arguments) -> Address<M>
    where
        A: Actor<Msg = Envelope<M>>,
        M: Message,
    {
        if self.is_elsewhere(name) {
            return self.address(name);
        }
        let (member, log) = self.member(name, actor);
        match Actor::spawn(self.registered(name), member, (arguments, log)).await {
            Ok((reference, _)) => reference.into(),
            Err(error) => panic!("{name} was not started: {error}"),
        }
    }

    /// Starts the actor that control tells what to do, and all whom it starts at its birth. Who fails
    /// there is reported, and nobody is at this address then.
    pub fn spawn_lead<A, M>(&self, name: Name, actor: A, arguments: A::Arguments) -> Address<M>
    where
        A: Actor<Msg = Envelope<M>>,
        M: Message,
    {
        let (member, log) = self.member(name, actor);
        let registered = self.registered(name);
        self.0.runtime.block_on(async {
            let (reference, birth) =
                ActorRuntime::spawn_instant(registered, member, (arguments, log))
                    .expect("nobody has this name");
            let _ = birth.await;
            reference.into()
        })
    }

    fn member<A>(&self, name: Name, actor: A) -> (Member<A>, Option<Box<Log>>) {
        let log = self.0.watches.of(name).map(|watch| self.watch(name, watch.clone()));
        (Member { actor, name, world: self.clone(), _alive: self.0.alive.token() }, log)
    }

    fn watch(&self, name: Name, watch: Watch) -> Box<Log> {
        let (log, record) = Log::new(name, watch, &self.0.room);
        self.0.records.lock().expect("nobody panics").push(record);
        Box::new(log)
    }

    /// Has ractor's timer send a message, `delay` from now and no sooner.
    pub fn send_after<M: Message>(&self, delay: Duration, to: Address<M>, from: Name, message: M) {
        to.reference().send_after(delay, move || Envelope { from, message });
    }

    /// Has the clock send a message at a moment, and no sooner; at once, if that is past.
    pub fn send_at<M: Message>(&self, moment: Instant, to: Address<M>, from: Name, message: M) {
        self.0.clock.at(moment, move || to.send(from, message));
    }

    /// Tells control, and of a failure control of node 0 as well. Once control has gone nobody is left
    /// to be told.
    pub fn report(&self, report: Report) {
        if let Report::Failed { actor, reason } = &report {
            self.tell_node_0(*actor, reason);
        }
        let _ = self.0.reports.send(report);
    }

    /// The records of everybody who is watched and was born by now.
    pub fn records(&self) -> Vec<Arc<Record>> {
        self.0.records.lock().expect("nobody panics").clone()
    }

    /// The room that all their logs have in common.
    pub fn room(&self) -> &Room {
        &self.0.room
    }

    /// Actors of this world that ractor has not dropped, by the tracker's own count (IMPL-7).
    pub fn alive(&self) -> usize {
        self.0.alive.len()
    }

    /// Waits until no actor is alive, or until their number has been the same for
    /// `patience` (CTRL-17).
    pub fn wait_for_the_end(&self, patience: Duration) {
        self.0.alive.close();
        let mut alive = self.alive();
        self.0.runtime.block_on(async {
            while time::timeout(patience, self.0.alive.wait()).await.is_err() {
                let now = self.alive();
                if now == alive {
                    break;
                }
                alive = now;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::runtime::{Builder, Runtime};

    use super::*;
    use crate::messages;
    use crate::runtime::actor::{Me, Outcome};
    use crate::runtime::name::CONTROL;
    use crate::runtime::panics::keep_reasons_of_panics;
    use crate::runtime::table::CLASS_RUNNER;

    messages! {
        enum Order {
            Task { number: u32, value: u32 } = KIND_RUNNER_TASK,
        }
    }

    /// An empty world, as `World::new` makes it, with a thread for its actors.
    fn world(watches: &[Watch]) -> (Runtime, World, UnboundedReceiver<Report>) {
        keep_reasons_of_panics();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let (world, reports) = World::new(runtime.handle().clone(), Clock::start(), watches);
        (runtime, world, reports)
    }

    /// Whom control was told of, and why that one failed.
    fn failure(report: Option<Report>) -> (String, String) {
        match report {
            Some(Report::Failed { actor, reason }) => (actor.to_string(), reason),
            _ => panic!("no failure was reported"),
        }
    }

    /// Panics upon the number 1, returns an error upon 3, ends upon 0, and goes on otherwise.
    struct Faulty;

    impl Actor for Faulty {
        type Msg = Envelope<Order>;
        type State = ();
        type Arguments = ();

        async fn pre_start(&self, _: Me<Order>, (): ()) -> Outcome {
            Ok(())
        }

        async fn handle(&self, me: Me<Order>, order: Envelope<Order>, (): &mut ()) -> Outcome {
            let Order::Task { number, value } = order.message;
            assert_ne!(number, 1, "cannot do {value}");
            match number {
                0 => me.stop(None),
                3 => return Err(format!("cannot do {value}").into()),
                _ => {}
            }
            Ok(())
        }
    }

    const EACH: u32 = 10_000;

    /// Takes messages of four senders, and fails upon one that was overtaken.
    struct Orderly;

    impl Actor for Orderly {
        type Msg = Envelope<Order>;
        type State = [u32; 4];
        type Arguments = ();

        async fn pre_start(&self, _: Me<Order>, (): ()) -> Outcome<[u32; 4]> {
            Ok([0; 4])
        }

        async fn handle(
            &self,
            me: Me<Order>,
            order: Envelope<Order>,
            next: &mut [u32; 4],
        ) -> Outcome {
            let Envelope { from, message: Order::Task { number, .. } } = order;
            assert_eq!(number, next[from.first() as usize], "from {from}");
            next[from.first() as usize] += 1;
            if *next == [EACH; 4] {
                me.stop(None);
            }
            Ok(())
        }
    }

    #[test]
    fn messages_of_one_sender_come_in_the_order_in_which_they_were_sent() {
        let (_runtime, world, mut reports) = world(&[]);
        let address = world.spawn_lead(Name::of(CLASS_RUNNER, 4), Orderly, ());
        for sender in 0..4 {
            let (address, name) = (address.clone(), Name::of(CLASS_RUNNER, sender));
            thread::spawn(move || {
                (0..EACH).for_each(|number| address.send(name, Order::Task { number, value: 0 }));
            });
        }
        world.wait_for_the_end(Duration::from_secs(5));
        assert_eq!(world.alive(), 0);
        assert!(reports.try_recv().is_err());
    }

    /// How many are alive in a world of one that took this, and what control was told.
    fn after(number: u32) -> (usize, Option<Report>) {
        let (_runtime, world, mut reports) = world(&[]);
        let address = world.spawn_lead(Name::of(CLASS_RUNNER, 3), Faulty, ());
        address.send(CONTROL, Order::Task { number, value: 7 });
        world.wait_for_the_end(Duration::from_millis(50));
        (world.alive(), reports.try_recv().ok())
    }

    #[test]
    fn one_that_ends_is_not_alive() {
        let (alive, report) = after(0);
        assert_eq!(alive, 0);
        assert!(report.is_none());
    }

    #[test]
    fn one_that_does_not_end_is_counted() {
        let (alive, _) = after(2);
        assert_eq!(alive, 1);
    }

    #[test]
    fn one_that_fails_is_reported_by_name_and_reason() {
        for number in [1, 3] {
            let (_, report) = after(number);
            let (actor, reason) = failure(report);
            assert_eq!(actor, "runner/3");
            assert!(reason.contains("cannot do 7"), "{reason}");
        }
    }

    /// Is not born: panics, or returns an error.
    struct Unborn;

    impl Actor for Unborn {
        type Msg = Envelope<Order>;
        type State = ();
        /// Whether it panics.
        type Arguments = bool;

        async fn pre_start(&self, _: Me<Order>, panics: bool) -> Outcome {
            assert!(!panics, "cannot begin");
            Err("cannot begin".into())
        }
    }

    /// Starts one that is not born, when it is born itself.
    struct Maker(World);

    impl Actor for Maker {
        type Msg = Envelope<Order>;
        type State = Address<Order>;
        type Arguments = bool;

        async fn pre_start(&self, _: Me<Order>, panics: bool) -> Outcome<Address<Order>> {
            Ok(self.0.spawn(Name::of(CLASS_RUNNER, 3), Unborn, panics).await)
        }
    }

    #[test]
    fn one_that_fails_at_its_birth_is_reported_by_name_and_reason() {
        for panics in [true, false] {
            let (_runtime, world, mut reports) = world(&[]);
            world.spawn_lead(Name::of(CLASS_RUNNER, 4), Maker(world.clone()), panics);
            let (actor, reason) = failure(reports.try_recv().ok());
            assert_eq!(actor, "runner/3");
            assert!(reason.contains("cannot begin"), "{reason}");
            assert_eq!(world.alive(), 0);
        }
    }

    /// Cannot be logged.
    struct Unspeakable;

    impl Message for Unspeakable {
        fn kind(&self) -> u32 {
            panic!("it has no kind")
        }

        fn arguments(&self, _: &mut Vec<u64>) {}
    }

    /// Does nothing upon any message.
    struct Idle;

    impl Actor for Idle {
        type Msg = Envelope<Unspeakable>;
        type State = ();
        type Arguments = ();

        async fn pre_start(&self, _: Me<Unspeakable>, (): ()) -> Outcome {
            Ok(())
        }
    }

    #[test]
    fn one_whose_log_fails_is_reported_as_well() {
        let everybody = r#"[{"class": 0, "modulus": 1, "remainder": 0, "first": 0, "last": 9,
            "from": 0, "events": 1}]"#;
        let watches: Vec<Watch> = serde_json::from_str(everybody).unwrap();
        let (_runtime, world, mut reports) = world(&watches);
        let address = world.spawn_lead(Name::of(CLASS_RUNNER, 3), Idle, ());
        address.send(CONTROL, Unspeakable);
        world.wait_for_the_end(Duration::from_secs(5));
        let (_, reason) = failure(reports.try_recv().ok());
        assert!(reason.contains("no kind"), "{reason}");
    }

    #[test]
    #[should_panic(expected = "control/0 sent a message to an actor that has ended")]
    fn nobody_sends_to_an_actor_that_has_ended() {
        let (_runtime, world, _) = world(&[]);
        let address = world.spawn_lead(Name::of(CLASS_RUNNER, 3), Faulty, ());
        address.send(CONTROL, Order::Task { number: 0, value: 7 });
        world.wait_for_the_end(Duration::from_millis(500));
        address.send(CONTROL, Order::Task { number: 2, value: 7 });
    }
}
