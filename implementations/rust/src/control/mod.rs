//! All that stands between the pipes and the first actor.

mod describe;
mod histogram;
pub mod port;
mod protocol;
mod session;
mod stopwatch;
mod trace;
