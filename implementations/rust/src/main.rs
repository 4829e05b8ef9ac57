//! The Dramaturg benchmarks. Actors are tasks of tokio; calls come over standard input.

mod benchmarks;
mod control;
mod runtime;

use std::env;
use std::future::pending;
use std::process::exit;
use std::thread;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::runtime::world::keep_reasons_of_panics;

const USAGE: &str = "usage: benchmarks [--single]

Takes calls on standard input and answers on standard output, a JSON object a line.

  --single   run all actors on one thread";

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    keep_reasons_of_panics();
    match arguments[..] {
        [] => control::port::serve(many_threads().handle()),
        ["--single"] => control::port::serve(&one_thread()),
        _ => {
            eprintln!("{USAGE}");
            exit(2);
        }
    }
}

/// As many threads as there are cores.
fn many_threads() -> Runtime {
    Builder::new_multi_thread().enable_time().build().expect("a runtime can be made")
}

/// One thread of its own, beside those of control.
fn one_thread() -> Handle {
    let runtime =
        Builder::new_current_thread().enable_time().build().expect("a runtime can be made");
    let handle = runtime.handle().clone();
    thread::Builder::new()
        .name("actors".to_owned())
        .spawn(move || runtime.block_on(pending::<()>()))
        .expect("a thread can be made");
    handle
}
