#include "fibonacci.hpp"

namespace dramaturg {

namespace {

// An optimiser that sees two recursive calls inlines some of them and turns the
// last one into a loop. It cannot see through this, so each call stays a call.
inline void opaque(std::uint64_t& value) {
  asm volatile("" : "+r"(value));
}

} // namespace

[[gnu::noinline]] std::uint64_t fibonacci(std::uint32_t n) {
  if (n < 2)
    return n;
  auto sum = fibonacci(n - 1);
  sum += fibonacci(n - 2);
  opaque(sum);
  return sum;
}

} // namespace dramaturg
