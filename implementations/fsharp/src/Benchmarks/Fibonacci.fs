/// Fibonacci numbers (IMPL-6).
module Dramaturg.Benchmarks.Fibonacci

/// The number by doubly recursive descent, computed each time.
let rec fibonacci (n: uint32) : uint64 =
    if n < 2u then
        uint64 n
    else
        fibonacci (n - 1u) + fibonacci (n - 2u)
