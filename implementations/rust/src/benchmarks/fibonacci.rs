//! Fibonacci numbers (IMPL-6).

/// The number by doubly recursive descent, computed each time.
///
/// Not inlined, so that no caller's loop can keep a result.
#[inline(never)]
pub fn fibonacci(n: u32) -> u64 {
    match n {
        0 | 1 => u64::from(n),
        _ => fibonacci(n - 1) + fibonacci(n - 2),
    }
}
