"""The cost of a call of Fibonacci's function on this interpreter, in nanoseconds: the least of
many short runs, by the text that implementations compute with (IMPL-6)."""

import time

N = 16


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def main() -> None:
    least = 10**18
    ended = time.perf_counter_ns() + 10**9
    while (begun := time.perf_counter_ns()) < ended:
        fibonacci(N)
        least = min(least, time.perf_counter_ns() - begun)
    print(f"{least / (2 * fibonacci(N + 1) - 1):.6f}")


main()
