//! The Dramaturg benchmarks. Actors are ractor's; calls come over standard input.
//!
//! What is not an actor's is Rust's, file by file: it is compiled here with `crate::runtime` and
//! `crate::benchmarks` as this program has them.

mod benchmarks;
#[path = "../../rust/src/control/mod.rs"]
mod control;
mod runtime;

use std::env;
use std::process::exit;

use crate::runtime::panics::keep_reasons_of_panics;
use crate::runtime::threads::{many_threads, one_thread};

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
