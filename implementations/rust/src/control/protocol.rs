//! Requests and answers: one JSON object a line (spec/stdio.md).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::benchmarks::{Act, Parameters, Place, Receipt};
use crate::runtime::name::Name;
use crate::runtime::watch::Watch;

#[derive(Debug, Deserialize)]
pub struct Request {
    pub id: u64,
    #[serde(flatten)]
    pub call: Call,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "call", content = "request", rename_all = "lowercase")]
pub enum Call {
    Describe {
        probes: Vec<Probe>,
    },
    Prepare {
        benchmark: Parameters,
        watches: Vec<Watch>,
        #[serde(flatten)]
        place: Place,
    },
    Act(Act),
    Turn {},
    Run {
        salt: u32,
        #[serde(default)]
        log_limit: u32,
    },
    Trace {},
    Teardown {},
}

/// A question of arithmetic (level 0).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Probe {
    Lcg { seed: u32, moduli: Vec<u32> },
    Shuffle { seed: u32, length: u32 },
    Fibonacci { n: u32 },
    Fold { salt: u32, numbers: Vec<u32> },
    Payloads { salt: u32, tasks: u32, size: u32 },
    Latencies { due: u64, answered: Vec<u64> },
}

#[derive(Debug, Serialize)]
pub struct Answer<T> {
    pub id: u64,
    #[serde(flatten)]
    pub body: Body<T>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Body<T> {
    Reply(T),
    Item(T),
    End(bool),
    Error(String),
}

/// The answer to `act` and `turn`.
#[derive(Debug, Serialize)]
pub struct Empty {}

#[derive(Debug, Serialize)]
pub struct Description {
    pub runtime: &'static str,
    pub runtime_version: &'static str,
    pub schedulers: usize,
    pub details: BTreeMap<&'static str, String>,
    pub answers: Vec<ProbeAnswer>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ProbeAnswer {
    pub values: Vec<u64>,
}

/// The answer to `prepare`. `runtime_nanos` is left out, so 0: the runtime is made
/// before the first call.
#[derive(Debug, Serialize)]
pub struct Prepared {
    pub setup_nanos: u64,
}

#[derive(Debug, Serialize)]
pub struct Mark {
    pub done: usize,
}

/// An item of `run`.
#[derive(Debug, Serialize)]
pub struct Progress {
    pub mark: Mark,
}

/// An item of `trace`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Traced {
    Batch(Batch),
    Counts(Counts),
    Footer(Footer),
}

#[derive(Debug, Default, Serialize)]
pub struct Batch {
    pub actor: Vec<Name>,
    pub sender: Vec<Name>,
    pub kind: Vec<u32>,
    pub args: Vec<u64>,
}

#[derive(Debug, Default, Serialize)]
pub struct Counts {
    pub actor: Vec<Name>,
    pub taken: Vec<u64>,
}

#[derive(Debug, Default, Serialize)]
pub struct Footer {
    pub events: usize,
    pub watched: usize,
}

#[derive(Debug, Serialize)]
pub struct TornDown {
    pub receipt: FullReceipt,
}

#[derive(Debug, Serialize)]
pub struct FullReceipt {
    /// Of the node on which the lead lives.
    #[serde(flatten)]
    pub benchmark: Option<Receipt>,
    pub run_nanos: u64,
    pub teardown_nanos: u64,
    pub alive: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_nobody_knows_is_ignored() {
        let line = r#"{"id":1,"call":"turn","request":{"new":[1]},"more":true}"#;
        let request: Request = serde_json::from_str(line).unwrap();
        assert!(matches!(request, Request { id: 1, call: Call::Turn {} }));
    }

    #[test]
    fn an_answer_is_its_id_and_one_body() {
        let end: Answer<Empty> = Answer { id: 7, body: Body::End(true) };
        assert_eq!(serde_json::to_string(&end).unwrap(), r#"{"id":7,"end":true}"#);
    }
}
