#pragma once

#include "protocol.hpp"
#include "trace.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace dramaturg {

/// The arguments of a message as the receive log has them.
template <class... Values>
constexpr std::array<std::uint64_t, sizeof...(Values)> arguments(Values... values) {
  return {static_cast<std::uint64_t>(values)...};
}

/// What each message of the specification carries: its sender's name and its
/// arguments, of which a message has none unless it says so itself.
template <v1::MessageKind Kind>
struct message {
  static constexpr auto kind = Kind;
  name_t from;
  [[nodiscard]] auto args() const { return arguments(); }
};

/// What clients say of themselves in `left`, and sums of that.
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

/// Nanoseconds of the monotonic clock.
using nanos = std::int64_t;

inline nanos now() {
  return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

// The control port's inbox is not logged, so its messages need neither kinds
// nor arguments; they bring the times that a receipt shows.
namespace to_control {

struct ready {
  name_t from;
};

struct confirmed {
  name_t from;
  std::uint32_t turn;
  std::uint64_t value;
  nanos poked;
  nanos done;
};

struct finished {
  name_t from;
  sums totals;
  nanos done;
};

/// From ping, upon the last `pong`; and from pong, when it has ended.
struct played {
  name_t from;
  std::uint64_t rounds;
  nanos started;
  nanos done;
};

/// From an actor that failed, whichever it is.
struct failed {
  name_t from;
  std::string reason;
};

/// From the control port to itself: stop waiting.
struct abandoned {};

} // namespace to_control

} // namespace dramaturg
