// The buckets of the specification (OPEN-5), by the examples of its chapter.
#include "control/histogram.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

using counts = std::vector<std::uint64_t>;

int wrong = 0;

void hold(const char* what, bool is_so) {
  if (is_so)
    return;
  ++wrong;
  std::cerr << "wrong: " << what << '\n';
}

} // namespace

int main() {
  using dramaturg::bucket_of;
  hold("each time below 256 ns has a bucket", bucket_of(0) == 0 && bucket_of(255) == 255);
  hold("256 and 257 ns share one", bucket_of(256) == 256 && bucket_of(257) == 256);
  hold("258 ns are in the next", bucket_of(258) == 257);
  hold("1000 to 1003 ns are in bucket 506", bucket_of(1000) == 506 && bucket_of(1003) == 506);
  hold("1 s begins in bucket 3054", bucket_of(998'244'352) == 3054);
  hold("1 s ends in bucket 3054", bucket_of(1'002'438'655) == 3054);
  counts histogram;
  dramaturg::count_latency(histogram, 0, 7);
  dramaturg::count_latency(histogram, 10, 15);
  dramaturg::count_latency(histogram, 20, 27);
  hold("a histogram counts from when each was due", histogram == counts{0, 0, 0, 0, 0, 1, 0, 2});
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
