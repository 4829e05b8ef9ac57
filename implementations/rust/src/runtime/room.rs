//! The room that the log limit leaves for events that are not delivered yet (CTRL-18).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

/// Without a limit at first.
#[derive(Default)]
pub struct Room {
    limited: AtomicBool,
    /// For how many events there is room; below 0 if more are held than the limit is.
    left: Mutex<i64>,
    freed: Condvar,
}

impl Room {
    /// Whether there is a limit now.
    pub fn limited(&self) -> bool {
        self.limited.load(Ordering::Acquire)
    }

    /// Lets so many events be held, of which some are held already; 0 is no limit. For when nobody
    /// takes anything, unless it is 0.
    pub fn limit(&self, events: u32, held: usize) {
        let mut left = self.left();
        *left = i64::from(events) - held as i64;
        self.limited.store(events != 0, Ordering::Release);
        self.freed.notify_all();
    }

    /// Takes the room of one event. If there is none its thread waits: actors that run there would
    /// soon wait as well.
    pub fn take(&self) {
        if !self.limited() {
            return;
        }
        let full = |left: &mut i64| self.limited() && *left <= 0;
        let mut left = self.freed.wait_while(self.left(), full).expect("nobody panics");
        *left -= 1;
    }

    /// Gives back the room of events that were delivered.
    pub fn delivered(&self, events: usize) {
        if !self.limited() {
            return;
        }
        *self.left() += events as i64;
        self.freed.notify_all();
    }

    fn left(&self) -> MutexGuard<'_, i64> {
        self.left.lock().expect("nobody panics")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{channel, Receiver};
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// One who takes comes within this time, or waits.
    const SOON: Duration = Duration::from_millis(100);

    const LONG: Duration = Duration::from_secs(10);

    /// Four threads that take the room of 25 events each, and say so of each.
    fn takers(room: &Arc<Room>) -> Receiver<()> {
        let (told, taken) = channel();
        for _ in 0..4 {
            let (room, told) = (Arc::clone(room), told.clone());
            thread::spawn(move || {
                for _ in 0..25 {
                    room.take();
                    told.send(()).unwrap();
                }
            });
        }
        taken
    }

    /// Whether so many come, and nobody else soon.
    fn are(taken: &Receiver<()>, events: usize) -> bool {
        (0..events).all(|_| taken.recv_timeout(LONG).is_ok()) && taken.recv_timeout(SOON).is_err()
    }

    #[test]
    fn without_a_limit_nobody_waits() {
        assert!(are(&takers(&Arc::default()), 100));
    }

    #[test]
    fn who_finds_no_room_waits_until_there_is_some() {
        let room = Arc::<Room>::default();
        room.limit(10, 3);
        let taken = takers(&room);
        assert!(are(&taken, 7));
        room.delivered(10);
        assert!(are(&taken, 10));
        room.delivered(1);
        assert!(are(&taken, 1));
    }

    #[test]
    fn what_was_held_before_may_be_more_than_the_limit() {
        let room = Arc::<Room>::default();
        room.limit(10, 30);
        let taken = takers(&room);
        assert!(are(&taken, 0));
        room.delivered(30);
        assert!(are(&taken, 10));
    }

    #[test]
    fn all_who_wait_go_on_when_the_limit_is_off() {
        let room = Arc::<Room>::default();
        room.limit(1, 0);
        let taken = takers(&room);
        assert!(are(&taken, 1));
        room.limit(0, 0);
        assert!(are(&taken, 99));
        assert!(!room.limited());
    }
}
