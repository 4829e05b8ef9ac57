//! The stopwatch of an iteration (MEAS-2 to MEAS-4): what the stamps add up to.
//!
//! Leads take their own stamps and report them. All are of the monotonic clock.

use std::time::{Duration, Instant};

/// A mark comes no sooner than this after the last (CTRL-6).
const BETWEEN_MARKS: Duration = Duration::from_millis(100);

/// Nanoseconds from one stamp to another.
pub fn nanos(from: Instant, to: Instant) -> u64 {
    (to - from).as_nanos() as u64
}

/// Says when a mark is due.
pub struct Marks {
    last: Instant,
}

impl Marks {
    /// `taken` is when `Run` was.
    pub fn new(taken: Instant) -> Self {
        Self { last: taken }
    }

    /// Whether a mark has to be sent upon what has just been reported.
    pub fn due(&mut self) -> bool {
        let now = Instant::now();
        let due = now - self.last >= BETWEEN_MARKS;
        if due {
            self.last = now;
        }
        due
    }
}
