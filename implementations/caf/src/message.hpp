#pragma once

#include "protocol.hpp"
#include "trace.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

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

/// Shows CAF a message that crosses a network: one with `fields()`.
template <class Inspector, class Message>
auto inspect(Inspector& inspector, Message& m)
    -> decltype(m.fields(), compat::inspect_fields(inspector, m)) {
  return std::apply(
      [&](auto&... fields) { return compat::inspect_fields(inspector, m, m.from, fields...); },
      m.fields());
}

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

/// What the lead of a micro-benchmark reports; its chapter says of what.
struct totals {
  std::uint64_t result = 0;
  std::uint64_t check = 0;
  std::uint64_t parts = 0;

  totals& operator+=(const totals& other) {
    result += other.result;
    check += other.check;
    parts += other.parts;
    return *this;
  }
};

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

/// From the lead of a windowed form, and counted in `done`'s order.
struct window {
  name_t from;
  std::uint32_t number;
  std::uint64_t count;
  nanos lasted;
};

/// From the lead of a micro-benchmark, upon the last message that it takes; ping's
/// is called `played`.
struct done {
  name_t from;
  totals report;
  nanos started;
  nanos ended;
};

/// From each actor that has one, when it ends, in a world whose receipt is the sum
/// of these: the actors of the node, or a count that the lead does not hear of.
struct part {
  totals share;
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
