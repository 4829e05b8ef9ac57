//! The control port: lines in, lines out, and the end of the input (STDIO-1, CTRL-11).

use std::io::{self, BufRead, Write};
use std::process;
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use serde::Serialize;
use tokio::runtime::Handle;

use super::protocol::{Answer, Body, Call, Empty, Request};
use super::session::{Present, Session};
use super::trace::trace;

/// Where answers go, a line each. Two threads answer.
#[derive(Clone)]
pub struct Output(Arc<Mutex<io::Stdout>>);

impl Output {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(io::stdout())))
    }

    pub fn reply(&self, id: u64, reply: impl Serialize) {
        self.write(&Answer { id, body: Body::Reply(reply) });
    }

    pub fn item(&self, id: u64, item: impl Serialize) {
        self.write(&Answer { id, body: Body::Item(item) });
    }

    pub fn end(&self, id: u64) {
        self.write(&Answer { id, body: Body::<Empty>::End(true) });
    }

    pub fn error(&self, id: u64, reason: String) {
        self.write(&Answer { id, body: Body::<Empty>::Error(reason) });
    }

    /// Nobody is owed an answer whom it cannot reach: the input ends as well.
    fn write<T: Serialize>(&self, answer: &Answer<T>) {
        let mut line = serde_json::to_vec(answer).expect("answers are JSON");
        line.push(b'\n');
        let mut output = self.0.lock().expect("nobody panics");
        let _ = output.write_all(&line).and_then(|()| output.flush());
    }
}

/// Ends the process with status 1 if its thread panics: a call would wait for ever.
struct AtPanic;

impl Drop for AtPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            process::exit(1);
        }
    }
}

/// Takes calls until the input ends. Then the process exits, whatever is under way.
///
/// A trace is answered beside other calls (CTRL-9), and not here: nobody may read what is written,
/// and the end of the input is to be seen all the same (STDIO-9).
pub fn serve(runtime: &Handle) -> ! {
    let _at_panic = AtPanic;
    let output = Output::new();
    let present = Present::default();
    let mut session = Session::new(runtime.clone(), output.clone(), Arc::clone(&present));
    let calls = answering("calls", move |(request, taken)| session.answer(request, taken));
    let traces = answering("traces", move |id| answer_trace(id, &output, &present));
    for line in io::stdin().lock().lines() {
        let line = line.expect("the input is UTF-8");
        let taken = Instant::now();
        let request: Request = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("no request: {error}: {line}"));
        match request.call {
            Call::Trace {} => traces.send(request.id).expect("traces are answered"),
            _ => calls.send((request, taken)).expect("calls are taken"),
        }
    }
    process::exit(0)
}

/// Answers what is sent, one after the other, on a thread of its own.
fn answering<T: Send + 'static>(name: &str, answer: impl FnMut(T) + Send + 'static) -> Sender<T> {
    let (asked, pending) = channel();
    let work = move || {
        let _at_panic = AtPanic;
        pending.into_iter().for_each(answer);
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).expect("a thread can be made");
    asked
}

fn answer_trace(id: u64, output: &Output, present: &Present) {
    let world = present.lock().expect("nobody panics").clone();
    if let Some(world) = world {
        trace(&world, |item| output.item(id, item));
    }
    output.end(id);
}
