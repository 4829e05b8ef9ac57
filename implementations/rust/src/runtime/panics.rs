//! Why a thread panics, kept for the report of the actor that failed.

use std::cell::RefCell;
use std::panic;

thread_local! {
    static REASON: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the reason of each panic for the report of the actor that failed.
pub fn keep_reasons_of_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        let place = info.location().map(|place| format!(" ({place})"));
        let reason = text.unwrap_or_default() + &place.unwrap_or_default();
        REASON.with(|kept| *kept.borrow_mut() = Some(reason));
        print(info);
    }));
}

/// The reason of this thread's last panic.
pub fn reason() -> String {
    REASON.with(|kept| kept.borrow_mut().take()).unwrap_or_default()
}
