#pragma once

#include "control/stopwatch.hpp"

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

/// How many of the readings, less the start, are in each bucket.
inline std::vector<std::uint64_t> histogram(stopwatch::stamp started,
                                            const std::vector<stopwatch::stamp>& readings) {
  std::vector<std::uint64_t> counts;
  for (const auto& reading : readings) {
    const auto bucket = bucket_of(stopwatch::nanos(started, reading));
    if (bucket >= counts.size())
      counts.resize(bucket + 1);
    ++counts[bucket];
  }
  return counts;
}

} // namespace dramaturg
