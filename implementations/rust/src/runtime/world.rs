//! The actors of one iteration: how they are born, watched and counted.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};
use tokio::time;
use tokio_util::task::TaskTracker;

use super::actor::{life, Actor};
use super::clock::Clock;
use super::log::{Log, Record};
use super::mailbox::{Address, Mailbox};
use super::message::Message;
use super::name::Name;
use super::panics::reason;
use super::report::Report;
use super::room::Room;
use super::watch::{Watch, Watches};

/// A handle on a world; its clones are of the same world.
#[derive(Clone)]
pub struct World(Arc<Shared>);

struct Shared {
    runtime: Handle,
    clock: Clock,
    tasks: TaskTracker,
    watches: Watches,
    records: Mutex<Vec<Arc<Record>>>,
    room: Arc<Room>,
    reports: UnboundedSender<Report>,
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
            tasks: TaskTracker::new(),
            watches: Watches::new(watches),
            records: Mutex::default(),
            room: Arc::default(),
            reports,
        };
        (Self(Arc::new(shared)), inbox)
    }

    /// Starts an actor: a task of its own. Whether it is watched is decided here.
    pub fn spawn<A: Actor>(&self, name: Name, mailbox: Mailbox<A::Message>, actor: A) {
        let log = self.0.watches.of(name).map(|watch| self.watch(name, watch.clone()));
        let obituary = Obituary { name, world: self.clone() };
        let life = life(actor, mailbox, log);
        let task = async move {
            let _obituary = obituary;
            life.await;
        };
        self.0.tasks.spawn_on(task, &self.0.runtime);
    }

    fn watch(&self, name: Name, watch: Watch) -> Box<Log> {
        let (log, record) = Log::new(name, watch, &self.0.room);
        self.0.records.lock().expect("nobody panics").push(record);
        Box::new(log)
    }

    /// Has the runtime's timer send a message, `delay` from now and no sooner.
    pub fn send_after<M: Message>(&self, delay: Duration, to: Address<M>, from: Name, message: M) {
        let sleep = time::sleep(delay);
        self.0.runtime.spawn(async move {
            sleep.await;
            to.send(from, message);
        });
    }

    /// Has the clock send a message at a moment, and no sooner; at once, if that is past.
    #[allow(dead_code)] // Only openweb's source waits so.
    pub fn send_at<M: Message>(&self, moment: Instant, to: Address<M>, from: Name, message: M) {
        self.0.clock.at(moment, move || to.send(from, message));
    }

    /// Tells control. Once control has gone nobody is left to be told.
    pub fn report(&self, report: Report) {
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

    /// Tasks of this world that have not ended, by the tracker's own count (IMPL-7).
    pub fn alive(&self) -> usize {
        self.0.tasks.len()
    }

    /// Waits until no actor is alive, or until their number has been the same for
    /// `patience` (CTRL-17).
    pub fn wait_for_the_end(&self, patience: Duration) {
        self.0.tasks.close();
        let mut alive = self.alive();
        self.0.runtime.block_on(async {
            while time::timeout(patience, self.0.tasks.wait()).await.is_err() {
                let now = self.alive();
                if now == alive {
                    break;
                }
                alive = now;
            }
        });
    }
}

/// Goes with an actor. If the actor was carried off by a panic it says so.
struct Obituary {
    name: Name,
    world: World,
}

impl Drop for Obituary {
    fn drop(&mut self) {
        if thread::panicking() {
            let reason = reason();
            self.world.report(Report::Failed { actor: self.name, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;
    use crate::messages;
    use crate::runtime::actor::Fate;
    use crate::runtime::mailbox::mailbox;
    use crate::runtime::name::CONTROL;
    use crate::runtime::panics::keep_reasons_of_panics;
    use crate::runtime::table::CLASS_RUNNER;

    messages! {
        enum Order {
            Task { number: u32, value: u32 } = KIND_RUNNER_TASK,
        }
    }

    /// Fails upon the number 1, ends upon 0, and goes on otherwise.
    struct Faulty;

    impl Actor for Faulty {
        type Message = Order;

        fn take(&mut self, _: Name, Order::Task { number, value }: Order) -> Fate {
            assert_ne!(number, 1, "cannot do {value}");
            match number {
                0 => Fate::Ends,
                _ => Fate::Lives,
            }
        }
    }

    /// How many are alive in a world of one that took this, and what control was told.
    fn after(number: u32) -> (usize, Option<Report>) {
        keep_reasons_of_panics();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let (world, mut reports) = World::new(runtime.handle().clone(), Clock::start(), &[]);
        let (address, mailbox) = mailbox();
        world.spawn(Name::of(CLASS_RUNNER, 3), mailbox, Faulty);
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
        let (_, report) = after(1);
        match report {
            Some(Report::Failed { actor, reason }) => {
                assert_eq!(actor.to_string(), "runner/3");
                assert!(reason.contains("cannot do 7"), "{reason}");
            }
            _ => panic!("no failure was reported"),
        }
    }
}
