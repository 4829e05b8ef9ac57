//! The arithmetic held against the specification's vectors.

use serde::Deserialize;

use super::fibonacci::fibonacci;
use super::fold::{checksum, digest, fold, stream};
use super::lcg::Lcg;
use super::payload::Payload;

#[derive(Deserialize)]
struct Vectors {
    lcg: Vec<Draws>,
    shuffle: Vec<Shuffle>,
    fibonacci: Vec<Fibonacci>,
    fold: Vec<Fold>,
    checksum: Vec<Checksum>,
    payload: Vec<Post>,
    stream: Vec<Stream>,
    task: Vec<Task>,
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
struct Post {
    payload: u64,
    digest: u32,
}

#[derive(Deserialize)]
struct Stream {
    key: u32,
    numbers: Vec<u32>,
}

#[derive(Deserialize)]
struct Task {
    salt: u32,
    number: u32,
    size: u32,
    checksum: u32,
    result: u32,
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
    for Post { payload, digest: expected } in vectors().payload {
        assert_eq!(digest(payload), expected, "payload {payload}");
    }
}

#[test]
fn streams() {
    for Stream { key, numbers } in vectors().stream {
        let drawn: Vec<u32> = stream(key).take(numbers.len()).collect();
        assert_eq!(drawn, numbers, "key {key}");
    }
}

#[test]
fn tasks() {
    for Task { salt, number, size, checksum, result } in vectors().task {
        let payload = Payload::new(salt, number, size);
        let found = (payload.checksum(), payload.result(number));
        assert_eq!(found, (checksum, result), "salt {salt}, task {number}, size {size}");
    }
}
