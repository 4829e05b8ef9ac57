//! What actors run on: ractor's actors, worlds and nodes, and, of Rust's, the logs of who is watched.
//!
//! Nothing here knows a benchmark.

pub mod actor;
#[path = "../../../rust/src/runtime/clock.rs"]
pub mod clock;
#[cfg(feature = "cluster")]
mod gate;
#[path = "../../../rust/src/runtime/log.rs"]
pub mod log;
pub mod mailbox;
#[cfg_attr(not(feature = "cluster"), path = "../../../rust/src/runtime/message.rs")]
pub mod message;
#[path = "../../../rust/src/runtime/name.rs"]
pub mod name;
#[cfg(feature = "cluster")]
pub mod nodes;
#[path = "../../../rust/src/runtime/panics.rs"]
pub mod panics;
#[path = "../../../rust/src/runtime/report.rs"]
pub mod report;
#[path = "../../../rust/src/runtime/room.rs"]
pub mod room;
#[path = "../../../rust/src/runtime/table.rs"]
pub mod table;
#[path = "../../../rust/src/runtime/threads.rs"]
pub mod threads;
#[cfg(feature = "cluster")]
pub mod travel;
#[path = "../../../rust/src/runtime/watch.rs"]
pub mod watch;
pub mod world;

/// What actors run on, and its version, as Describe has it.
pub const RUNTIME: &str = "ractor";
pub const RUNTIME_VERSION: &str = env!("BUILT_WITH_RACTOR");
