#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dramaturg {

/// The bucket that so many nanoseconds are in (OPEN-5).
constexpr std::size_t bucket_of(std::uint64_t nanos) noexcept {
  std::size_t shift = 0;
  while (nanos >> shift >= 256)
    ++shift;
  return 128 * shift + static_cast<std::size_t>(nanos >> shift);
}

/// The one way in which a request is counted, from when it was due and what the clock said, both
/// in nanoseconds after the start of the run (OPEN-9).
inline void count_latency(std::vector<std::uint64_t>& histogram, std::uint64_t due,
                          std::uint64_t reading) {
  const auto bucket = bucket_of(reading - due);
  if (bucket >= histogram.size())
    histogram.resize(bucket + 1);
  ++histogram[bucket];
}

} // namespace dramaturg
