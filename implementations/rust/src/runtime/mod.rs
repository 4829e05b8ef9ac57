//! What actors run on: tasks of tokio, mailboxes, worlds, and the logs of who is watched.
//!
//! Nothing here knows a benchmark.

pub mod actor;
pub mod clock;
pub mod log;
pub mod mailbox;
pub mod message;
pub mod name;
pub mod panics;
pub mod report;
pub mod room;
pub mod table;
pub mod threads;
pub mod watch;
pub mod world;

/// What actors run on, and its version, as Describe has it.
pub const RUNTIME: &str = "tokio";
pub const RUNTIME_VERSION: &str = env!("BUILT_WITH_TOKIO");
