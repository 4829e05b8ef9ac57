#include "benchmarks/fibonacci.h"

// Optimisers make a loop of the one call and unfold the other. They cannot see through this.
static inline void opaque(uint64_t *value) { __asm__ volatile("" : "+r"(*value)); }

__attribute__((noinline)) uint64_t fibonacci(uint32_t n) {
  if (n < 2)
    return n;
  uint64_t sum = fibonacci(n - 1);
  sum += fibonacci(n - 2);
  opaque(&sum);
  return sum;
}
