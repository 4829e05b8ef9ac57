"""
What a call of Fibonacci's function costs in this language, in nanoseconds:
the least of many short runs, by the text that implementations compute with
(IMPL-6).
"""
use "time"

primitive Fibonacci
  fun apply(n: U32): U64 =>
    if n < 2 then n.u64() else apply(n - 1) + apply(n - 2) end

actor Main
  new create(env: Env) =>
    // Not known when it is compiled.
    let n = U32(20) + env.args.size().u32()
    var least = U64.max_value()
    var sum = U64(0)
    let ended = Time.nanos() + 1_000_000_000
    while true do
      let begun = Time.nanos()
      if begun >= ended then break end
      sum = sum + Fibonacci(n)
      least = least.min(Time.nanos() - begun)
    end
    let calls = (2 * Fibonacci(n + 1)) - 1
    let nanos = least.f64() / calls.f64()
    // The sum is said as well: then it has been computed.
    env.out.print(nanos.string())
    env.err.print(sum.string())
