// The same three times in milliseconds and in seconds: an error in percent has no unit.
#include "stats.hpp"

#include <cstdio>

int main() {
  double in_ms = sample_stats({900, 1000, 1100}).err();
  double in_s = sample_stats({0.9, 1.0, 1.1}).err();
  std::printf("CAF: 900, 1000, 1100 ms have an error of %.2f %%, and 0.9, 1.0, 1.1 s of %.2f %%\n",
              in_ms, in_s);
  return in_ms < 0.9 * in_s || in_s < 0.9 * in_ms;
}
