//! The threads on which all actors run.

use std::future::pending;
use std::thread;

use tokio::runtime::{Builder, Handle, Runtime};

/// As many threads as there are cores.
pub fn many_threads() -> Runtime {
    Builder::new_multi_thread().enable_all().build().expect("a runtime can be made")
}

/// One thread of its own, beside those of control.
pub fn one_thread() -> Handle {
    let runtime =
        Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let handle = runtime.handle().clone();
    thread::Builder::new()
        .name("actors".to_owned())
        .spawn(move || runtime.block_on(pending::<()>()))
        .expect("a thread can be made");
    handle
}
