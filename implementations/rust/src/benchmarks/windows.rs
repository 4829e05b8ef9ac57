//! The windowed forms (spec/windows.md): what a lead does by its timer.

use std::time::Duration;

use crate::runtime::mailbox::Address;
use crate::runtime::message::Message;
use crate::runtime::name::Name;
use crate::runtime::world::World;

/// How many windows, and how long each is. Without windows: the counted form.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    pub windows: u32,
    /// Milliseconds.
    pub window: u32,
}

impl Windows {
    pub fn counted(self) -> bool {
        self.windows == 0
    }

    /// Whether this is the number of the last window.
    pub fn is_last(self, number: u32) -> bool {
        number + 1 == self.windows
    }

    /// Starts the timer for window `number`, if there is one (WIN-1).
    pub fn start_timer<M: Message>(
        self,
        world: &World,
        lead: &Address<M>,
        name: Name,
        number: u32,
        tick: impl FnOnce(u32) -> M,
    ) {
        if number < self.windows {
            let delay = Duration::from_millis(u64::from(self.window));
            world.send_after(delay, lead.clone(), name, tick(number));
        }
    }
}
