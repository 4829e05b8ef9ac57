//! What a call of Fibonacci's function costs in this language, in nanoseconds: the least of
//! many short runs, by the text that implementations compute with (IMPL-6).

use std::hint::black_box;
use std::time::{Duration, Instant};

const N: u32 = 21;

#[inline(never)]
fn fibonacci(n: u32) -> u64 {
    match n {
        0 | 1 => u64::from(n),
        _ => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

fn main() {
    let started = Instant::now();
    let mut least = f64::MAX;
    while started.elapsed() < Duration::from_secs(1) {
        let begun = Instant::now();
        black_box(fibonacci(black_box(N)));
        least = least.min(begun.elapsed().as_nanos() as f64);
    }
    println!("{:.6}", least / (2 * fibonacci(N + 1) - 1) as f64);
}
