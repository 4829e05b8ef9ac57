#pragma once

// What actors tell the control port, with the stamps that a receipt shows. Nobody
// logs these, so they need neither kinds nor arguments.

#include "control/stopwatch.hpp"
#include "handles.hpp"
#include "name.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace dramaturg {

/// What clients say of themselves in `left`, and sums of that (CHAT-15).
struct sums {
  enum field : std::size_t { lcg, computes, posts, leaves, invites, nones, deliveries, joins };

  std::array<std::uint64_t, 8> values{};

  std::uint64_t operator[](field which) const { return values[which]; }

  sums& operator+=(const sums& other) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += other.values[i];
    return *this;
  }
};

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

struct finished {
  sums totals;
};

/// From the lead of a windowed form, in the order of the windows.
struct window {
  std::uint64_t count;
  stopwatch::stamp ended;
};

/// From the lead of any benchmark but ChatApp: its receipt's fields, in their order.
struct done {
  std::array<std::uint64_t, 4> fields;
  stopwatch::stamp stopped;
};

/// From an actor that failed, whichever it is (CTRL-10).
struct failed {
  name_t from;
  std::string reason;
};

} // namespace to_control

} // namespace dramaturg
