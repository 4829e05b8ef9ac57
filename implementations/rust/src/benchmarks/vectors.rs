//! The arithmetic held against the specification's vectors.

use serde::Deserialize;

use super::fibonacci::fibonacci;
use super::fold::{checksum, digest, fold};
use super::lcg::Lcg;

#[derive(Deserialize)]
struct Vectors {
    lcg: Vec<Draws>,
    shuffle: Vec<Shuffle>,
    fibonacci: Vec<Fibonacci>,
    fold: Vec<Fold>,
    checksum: Vec<Checksum>,
    payload: Vec<Payload>,
}

#[derive(Deserialize)]
struct Draws {
    seed: u32,
    moduli: Vec<u32>,
    values: Vec<u32>,
}

#[derive(Deserialize)]
struct Shuffle {
    seed: u32,
    length: u32,
    values: Vec<u32>,
    state: u32,
}

#[derive(Deserialize)]
struct Fibonacci {
    n: u32,
    value: u64,
}

#[derive(Deserialize)]
struct Fold {
    salt: u32,
    numbers: Vec<u32>,
    digest: u32,
}

#[derive(Deserialize)]
struct Checksum {
    start: u32,
    numbers: Vec<u32>,
    checksum: u32,
}

#[derive(Deserialize)]
struct Payload {
    payload: u64,
    digest: u32,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../tests/vectors.json")).unwrap()
}

#[test]
fn draws() {
    for Draws { seed, moduli, values } in vectors().lcg {
        let mut lcg = Lcg::new(seed);
        let drawn: Vec<u32> = moduli.iter().map(|limit| lcg.next_int(*limit)).collect();
        assert_eq!(drawn, values, "seed {seed}, moduli {moduli:?}");
    }
}

#[test]
fn shuffles() {
    for Shuffle { seed, length, values, state } in vectors().shuffle {
        let mut lcg = Lcg::new(seed);
        let mut list: Vec<u32> = (0..length).collect();
        lcg.shuffle(&mut list);
        assert_eq!((list, lcg.state()), (values, state), "seed {seed}, length {length}");
    }
}

#[test]
fn fibonacci_numbers() {
    for Fibonacci { n, value } in vectors().fibonacci {
        if n <= 25 {
            assert_eq!(fibonacci(n), value, "fib({n})");
        }
    }
}

#[test]
fn folds() {
    for Fold { salt, numbers, digest } in vectors().fold {
        let folded = numbers.iter().fold(salt, |d, x| fold(d, *x));
        assert_eq!(folded, digest, "salt {salt}, numbers {numbers:?}");
    }
}

#[test]
fn checksums() {
    for Checksum { start, numbers, checksum: expected } in vectors().checksum {
        assert_eq!(
            checksum(start, numbers.clone()),
            expected,
            "start {start}, numbers {numbers:?}"
        );
    }
}

#[test]
fn digests_of_payloads() {
    for Payload { payload, digest: expected } in vectors().payload {
        assert_eq!(digest(payload), expected, "payload {payload}");
    }
}
