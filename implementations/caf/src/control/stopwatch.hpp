#pragma once

#include <chrono>
#include <cstdint>

namespace dramaturg {

/// The one stopwatch of an iteration (MEAS-3). Control starts it just before it hands
/// the lead its first message; the lead stops it upon its last. ChatApp's poker does
/// both, for each turn: the run is from turn 0's start to the last one's stop.
struct stopwatch {
  using clock = std::chrono::steady_clock; // the machine's, which all threads share
  using stamp = clock::time_point;

  static stamp start() { return clock::now(); }
  static stamp stop() { return clock::now(); }

  static std::uint64_t nanos(stamp from, stamp to) {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds{to - from}.count());
  }
};

} // namespace dramaturg
