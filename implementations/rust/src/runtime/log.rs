//! The receive log of a watched actor: integers only (IMPL-11).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::message::Message;
use super::name::Name;
use super::room::Room;
use super::table::message as kind_of;
use super::watch::Watch;

/// What has been logged and not been delivered, in columns.
#[derive(Default)]
pub struct Events {
    pub senders: Vec<Name>,
    pub kinds: Vec<u32>,
    pub arguments: Vec<u64>,
}

/// What a watched actor and control have in common: its log, and how many it has taken.
pub struct Record {
    pub name: Name,
    taken: AtomicU64,
    events: Mutex<Events>,
}

impl Record {
    /// How many events are logged and not delivered.
    pub fn held(&self) -> usize {
        self.events.lock().expect("no writer panics").kinds.len()
    }

    /// What was logged since the last call, and the messages taken in all.
    ///
    /// An event is counted under the lock of the log, so the two fit each other.
    pub fn deliver(&self) -> (Events, u64) {
        let mut events = self.events.lock().expect("no writer panics");
        (std::mem::take(&mut *events), self.taken.load(Ordering::Acquire))
    }
}

/// The writer's end, which only its actor has.
pub struct Log {
    watch: Watch,
    taken: u64,
    record: Arc<Record>,
    room: Arc<Room>,
}

impl Log {
    pub fn new(name: Name, watch: Watch, room: &Arc<Room>) -> (Self, Arc<Record>) {
        let record = Arc::new(Record { name, taken: AtomicU64::new(0), events: Mutex::default() });
        let log = Self { watch, taken: 0, record: Arc::clone(&record), room: Arc::clone(room) };
        (log, record)
    }

    /// Counts a message that its actor has taken, and keeps it if it is in the slice: as soon
    /// as there is room.
    pub fn take(&mut self, from: Name, message: &impl Message) {
        let number = self.taken;
        self.taken += 1;
        if !self.watch.wants(number) {
            self.record.taken.store(self.taken, Ordering::Release);
            return;
        }
        self.room.take();
        let kind = message.kind();
        let mut events = self.record.events.lock().expect("no reader panics");
        let before = events.arguments.len();
        message.arguments(&mut events.arguments);
        debug_assert_eq!(
            Some(events.arguments.len() - before),
            kind_of(kind).map(|(_, arity)| arity)
        );
        events.senders.push(from);
        events.kinds.push(kind);
        self.record.taken.store(self.taken, Ordering::Release);
    }
}
