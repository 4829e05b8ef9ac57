//! What runtime this is, and the answers to probes.

use std::collections::BTreeMap;

use tokio::runtime::{Handle, RuntimeFlavor};

use super::histogram::histogram;
use super::protocol::{Description, Probe, ProbeAnswer};
use crate::benchmarks::fibonacci::fibonacci;
use crate::benchmarks::fold::fold;
use crate::benchmarks::lcg::Lcg;
use crate::benchmarks::payload::sum_of_results;
use crate::runtime::{RUNTIME, RUNTIME_VERSION};

/// The answer to `describe`.
pub fn describe(runtime: &Handle, probes: Vec<Probe>) -> Description {
    let flavor = match runtime.runtime_flavor() {
        RuntimeFlavor::CurrentThread => "current thread",
        _ => "multi-threaded",
    };
    let checks = match cfg!(debug_assertions) {
        true => "debug assertions, overflow checks",
        false => "none",
    };
    let details = BTreeMap::from([
        ("rustc", env!("BUILT_WITH_RUSTC").to_owned()),
        ("tokio", env!("BUILT_WITH_TOKIO").to_owned()),
        ("scheduler", flavor.to_owned()),
        ("checks", checks.to_owned()),
    ]);
    Description {
        runtime: RUNTIME,
        runtime_version: RUNTIME_VERSION,
        schedulers: runtime.metrics().num_workers(),
        details,
        answers: probes.into_iter().map(answer).collect(),
    }
}

fn answer(probe: Probe) -> ProbeAnswer {
    let values = match probe {
        Probe::Lcg { seed, moduli } => {
            let mut lcg = Lcg::new(seed);
            moduli.into_iter().map(|limit| lcg.next_int(limit).into()).collect()
        }
        Probe::Shuffle { seed, length } => {
            let mut lcg = Lcg::new(seed);
            let mut list: Vec<u64> = (0..length.into()).collect();
            lcg.shuffle(&mut list);
            list.push(lcg.state().into());
            list
        }
        Probe::Fibonacci { n } => vec![fibonacci(n)],
        Probe::Fold { salt, numbers } => vec![numbers.into_iter().fold(salt, fold).into()],
        Probe::Payloads { salt, tasks, size } => vec![sum_of_results(salt, tasks, size).into()],
        Probe::Latencies { due, answered } => histogram(&vec![due; answered.len()], answered),
    };
    ProbeAnswer { values }
}
