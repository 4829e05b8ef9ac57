//! What actors run on: tasks of tokio, mailboxes, worlds, and the logs of who is watched.
//!
//! Nothing here knows a benchmark.

pub mod actor;
pub mod log;
pub mod mailbox;
pub mod name;
pub mod report;
pub mod table;
pub mod watch;
pub mod world;
