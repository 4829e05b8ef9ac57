//! The clock for what is due to the nanosecond. It runs no actors (OPEN-2).

use std::thread::{sleep, Builder};
use std::time::Instant;

use tokio::sync::mpsc::{unbounded_channel, UnboundedSender};

/// What is to be done, and when.
struct Order {
    moment: Instant,
    action: Box<dyn FnOnce() + Send>,
}

/// A handle on a clock; its clones are of the same clock.
#[derive(Clone)]
pub struct Clock(UnboundedSender<Order>);

impl Clock {
    /// Starts its thread, which sleeps until it is time. One is enough: there is one source at a
    /// time, and it waits for one arrival at a time.
    pub fn start() -> Self {
        let (orders, mut pending) = unbounded_channel::<Order>();
        let work = move || {
            while let Some(Order { moment, action }) = pending.blocking_recv() {
                sleep(moment.duration_since(Instant::now()));
                action();
            }
        };
        Builder::new().name("clock".to_owned()).spawn(work).expect("a thread can be made");
        Self(orders)
    }

    /// Does something at a moment, and no sooner.
    pub fn at(&self, moment: Instant, action: impl FnOnce() + Send + 'static) {
        let sent = self.0.send(Order { moment, action: Box::new(action) });
        assert!(sent.is_ok(), "the clock has stopped");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_clock_is_never_early() {
        let clock = Clock::start();
        let (told, times) = channel();
        for micros in [0, 1_700] {
            let moment = Instant::now() + Duration::from_micros(micros);
            let told = told.clone();
            clock.at(moment, move || told.send(Instant::now()).unwrap());
            assert!(times.recv().unwrap() >= moment);
        }
    }
}
