#pragma once

// The messages of ChatApp (trace.proto), by receiver. Each carries its sender's
// name and its arguments; handles travel in addition, as `sent` says, where the receiver
// needs one that is not the sender's own, which CAF's envelope carries anyway.

#include "benchmark.hpp"
#include "fold.hpp"
#include "message.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>

namespace dramaturg {

/// The `turn` of a `leave` that happens because its sender logs out.
inline constexpr std::uint32_t logout_turn = 0xFFFFFFFF;

/// What clients say of themselves in `left`, and sums of that (CHAT-15).
struct sums {
  enum field : std::size_t { lcg, computes, posts, leaves, invites, nones, deliveries, joins };

  std::array<std::uint64_t, 8> values{};

  std::uint64_t operator[](field which) const { return values[which]; }

  [[nodiscard]] auto all() const {
    return std::apply([](const auto&... each) { return std::tie(each...); }, values);
  }

  sums& operator+=(const sums& other) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += other.values[i];
    return *this;
  }
};

namespace to_poker {

struct prepare : message<v2::MESSAGE_KIND_POKER_PREPARE> {};

struct settled : message<v2::MESSAGE_KIND_POKER_SETTLED> {};

struct act : message<v2::MESSAGE_KIND_POKER_ACT> {
  std::uint32_t client;
  v2::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  [[nodiscard]] auto arguments() const { return std::tie(client, choice, index, k); }
};

struct turn : message<v2::MESSAGE_KIND_POKER_TURN> {};

struct run : message<v2::MESSAGE_KIND_POKER_RUN> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct confirm : message<v2::MESSAGE_KIND_POKER_CONFIRM> {
  std::uint32_t turn;
  turn_result result;
  [[nodiscard]] auto arguments() const {
    const auto& [value, stops, announced, consumed] = result;
    return std::tie(turn, value, stops, announced, consumed);
  }
};

struct disconnect : message<v2::MESSAGE_KIND_POKER_DISCONNECT> {};

struct finished : message<v2::MESSAGE_KIND_POKER_FINISHED> {
  sums totals;
  [[nodiscard]] auto arguments() const { return totals.all(); }
};

} // namespace to_poker

namespace to_directory {

struct login : message<v2::MESSAGE_KIND_DIRECTORY_LOGIN> {
  std::uint32_t client;
  [[nodiscard]] auto arguments() const { return std::tie(client); }
};

struct befriend : message<v2::MESSAGE_KIND_DIRECTORY_BEFRIEND> {};

struct settle : message<v2::MESSAGE_KIND_DIRECTORY_SETTLE> {};

struct settled : message<v2::MESSAGE_KIND_DIRECTORY_SETTLED> {};

struct poke : message<v2::MESSAGE_KIND_DIRECTORY_POKE> {
  std::uint32_t turn;
  std::uint32_t salt;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, salt); }
  [[nodiscard]] auto sent() const { return std::tie(turn, salt, accumulator); }
};

struct act : message<v2::MESSAGE_KIND_DIRECTORY_ACT> {
  std::uint32_t turn;
  std::uint32_t client;
  v2::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, client, choice, index, k); }
  [[nodiscard]] auto sent() const { return std::tie(turn, client, choice, index, k, accumulator); }
};

struct disconnect : message<v2::MESSAGE_KIND_DIRECTORY_DISCONNECT> {};

struct left : message<v2::MESSAGE_KIND_DIRECTORY_LEFT> {
  sums totals;
  [[nodiscard]] auto arguments() const { return totals.all(); }
};

} // namespace to_directory

namespace to_client {

struct befriend : message<v2::MESSAGE_KIND_CLIENT_BEFRIEND> {
  std::uint32_t number;
  client_handle handle;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
  [[nodiscard]] auto sent() const { return std::tie(number, handle); }
};

struct settle : message<v2::MESSAGE_KIND_CLIENT_SETTLE> {};

struct act : message<v2::MESSAGE_KIND_CLIENT_ACT> {
  std::uint32_t turn;
  v2::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  std::uint32_t salt;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, choice, index, k, salt); }
  [[nodiscard]] auto sent() const { return std::tie(turn, choice, index, k, salt, accumulator); }
};

struct forward : message<v2::MESSAGE_KIND_CLIENT_FORWARD> {
  std::uint32_t turn;
  std::uint32_t level;
  std::uint64_t payload;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, level, payload); }
  [[nodiscard]] auto sent() const { return std::tie(turn, level, payload, accumulator); }
};

struct accepted : message<v2::MESSAGE_KIND_CLIENT_ACCEPTED> {
  std::uint32_t turn;
  std::uint32_t level;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, level); }
  [[nodiscard]] auto sent() const { return std::tie(turn, level, accumulator); }
};

struct left : message<v2::MESSAGE_KIND_CLIENT_LEFT> {
  std::uint32_t turn;
  accumulator_handle accumulator; // none if `turn` is `logout_turn`
  [[nodiscard]] auto arguments() const { return std::tie(turn); }
  [[nodiscard]] auto sent() const { return std::tie(turn, accumulator); }
};

struct logout : message<v2::MESSAGE_KIND_CLIENT_LOGOUT> {};

} // namespace to_client

namespace to_chat {

struct post : message<v2::MESSAGE_KIND_CHAT_POST> {
  std::uint32_t turn;
  std::uint64_t payload;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, payload); }
  [[nodiscard]] auto sent() const { return std::tie(turn, payload, accumulator); }
};

struct join : message<v2::MESSAGE_KIND_CHAT_JOIN> {
  std::uint32_t turn;
  std::uint32_t number;
  client_handle handle;
  accumulator_handle accumulator;
  [[nodiscard]] auto arguments() const { return std::tie(turn, number); }
  [[nodiscard]] auto sent() const { return std::tie(turn, number, handle, accumulator); }
};

struct leave : message<v2::MESSAGE_KIND_CHAT_LEAVE> {
  std::uint32_t turn;
  accumulator_handle accumulator; // none if `turn` is `logout_turn`
  [[nodiscard]] auto arguments() const { return std::tie(turn); }
  [[nodiscard]] auto sent() const { return std::tie(turn, accumulator); }
};

} // namespace to_chat

namespace to_accumulator {

struct stop : message<v2::MESSAGE_KIND_ACCUMULATOR_STOP> {
  std::uint32_t level;
  std::uint64_t value;
  [[nodiscard]] auto arguments() const { return std::tie(level, value); }
};

struct bump : message<v2::MESSAGE_KIND_ACCUMULATOR_BUMP> {
  std::uint32_t level;
  std::uint64_t n;
  std::uint32_t digest;
  [[nodiscard]] auto arguments() const { return std::tie(level, n, digest); }
};

} // namespace to_accumulator

/// spec/chatapp.md.
std::unique_ptr<benchmark> make_benchmark(const v2::ChatAppParameters& parameters);

} // namespace dramaturg
