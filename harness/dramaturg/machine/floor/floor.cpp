// What a call of Fibonacci's function costs with this compiler, in nanoseconds: the least of
// many short runs. Of two texts, as implementations have one or the other (IMPL-6): the plain
// one, which an optimiser unfolds, and one that it cannot see through. The cheaper one counts.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

namespace {

using clock_type = std::chrono::steady_clock;

volatile std::uint32_t n = 21;
volatile std::uint64_t value;

__attribute__((noinline)) std::uint64_t plain(std::uint32_t n) {
  return n < 2 ? n : plain(n - 1) + plain(n - 2);
}

__attribute__((noinline)) std::uint64_t opaque(std::uint32_t n) {
  if (n < 2)
    return n;
  auto sum = opaque(n - 1);
  sum += opaque(n - 2);
  asm volatile("" : "+r"(sum));
  return sum;
}

double nanos(std::uint64_t (*function)(std::uint32_t)) {
  auto begun = clock_type::now();
  value = function(n);
  return std::chrono::duration<double, std::nano>(clock_type::now() - begun).count();
}

} // namespace

int main() {
  double least = 1e18;
  for (auto ended = clock_type::now() + std::chrono::seconds(1); clock_type::now() < ended;)
    least = std::min({least, nanos(plain), nanos(opaque)});
  std::printf("%.6f\n", least / (2 * opaque(n + 1) - 1));
  return 0;
}
