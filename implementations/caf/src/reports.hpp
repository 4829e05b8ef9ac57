#pragma once

// What actors tell the control port, with the stamps that a receipt shows. Nobody
// logs these, so they need neither kinds nor arguments.

#include "control/stopwatch.hpp"
#include "handles.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace dramaturg {

/// What an accumulator found out about its turn (CHAT-33).
struct turn_result {
  std::uint64_t value = 0;
  std::uint64_t stops = 0;
  std::uint32_t announced = 0;
  std::uint32_t consumed = 0;
};

namespace to_control {

struct ready {};

struct confirmed {
  std::uint32_t turn;
  turn_result result;
  stopwatch::stamp started;
  stopwatch::stamp stopped;
};

/// From the lead of a windowed form, in the order of the windows.
struct window {
  std::uint64_t count;
  stopwatch::stamp ended;
};

/// From the source, before it is done, by requests: when each was due, in nanoseconds after the
/// start of the run, which control knows, and what the clock said (OPEN-5).
struct readings {
  std::vector<std::uint64_t> due;
  std::vector<stopwatch::stamp> answered;
  std::vector<stopwatch::stamp> arrived;
};

/// From the lead: the specification's `done`, and the poker's `finished`.
struct done {
  std::vector<std::uint64_t> arguments;
  stopwatch::stamp stopped;
  /// Sleepers': of all naps (SLEEP-5).
  std::chrono::nanoseconds shortest{};
};

/// Of an actor that failed, whichever it is, or of a node that is lost (CTRL-10).
struct failed {
  std::string reason;
};

template <class Inspector>
auto inspect(Inspector& inspector, failed& m) {
  return compat::inspect_fields(inspector, m, m.reason);
}

} // namespace to_control

} // namespace dramaturg
