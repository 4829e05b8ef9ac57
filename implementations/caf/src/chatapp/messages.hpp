#pragma once

// The messages of ChatApp (trace.proto), by receiver. Each carries its sender's
// name and its arguments; handles travel in addition where the receiver needs
// one that is not the sender's own, which CAF's envelope carries anyway.

#include "message.hpp"

#include <cstdint>

namespace dramaturg {

/// The `turn` of a `leave` that happens because its sender logs out.
inline constexpr std::uint32_t logout_turn = 0xFFFFFFFF;

namespace to_poker {

struct prepare : message<v1::MESSAGE_KIND_POKER_PREPARE> {};

struct settled : message<v1::MESSAGE_KIND_POKER_SETTLED> {};

struct act : message<v1::MESSAGE_KIND_POKER_ACT> {
  std::uint32_t client;
  v1::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  [[nodiscard]] auto args() const { return arguments(client, choice, index, k); }
};

struct turn : message<v1::MESSAGE_KIND_POKER_TURN> {};

struct run : message<v1::MESSAGE_KIND_POKER_RUN> {};

struct confirm : message<v1::MESSAGE_KIND_POKER_CONFIRM> {
  std::uint32_t turn;
  std::uint64_t value;
  [[nodiscard]] auto args() const { return arguments(turn, value); }
};

struct disconnect : message<v1::MESSAGE_KIND_POKER_DISCONNECT> {};

struct finished : message<v1::MESSAGE_KIND_POKER_FINISHED> {
  sums totals;
  [[nodiscard]] auto args() const { return totals.values; }
};

} // namespace to_poker

namespace to_directory {

struct login : message<v1::MESSAGE_KIND_DIRECTORY_LOGIN> {
  std::uint32_t client;
  [[nodiscard]] auto args() const { return arguments(client); }
};

struct befriend : message<v1::MESSAGE_KIND_DIRECTORY_BEFRIEND> {};

struct settle : message<v1::MESSAGE_KIND_DIRECTORY_SETTLE> {};

struct settled : message<v1::MESSAGE_KIND_DIRECTORY_SETTLED> {};

struct poke : message<v1::MESSAGE_KIND_DIRECTORY_POKE> {
  std::uint32_t turn;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn); }
};

struct act : message<v1::MESSAGE_KIND_DIRECTORY_ACT> {
  std::uint32_t turn;
  std::uint32_t client;
  v1::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, client, choice, index, k); }
};

struct disconnect : message<v1::MESSAGE_KIND_DIRECTORY_DISCONNECT> {};

struct left : message<v1::MESSAGE_KIND_DIRECTORY_LEFT> {
  sums totals;
  [[nodiscard]] auto args() const { return totals.values; }
};

} // namespace to_directory

namespace to_client {

struct befriend : message<v1::MESSAGE_KIND_CLIENT_BEFRIEND> {
  std::uint32_t number;
  client_handle handle;
  [[nodiscard]] auto args() const { return arguments(number); }
};

struct settle : message<v1::MESSAGE_KIND_CLIENT_SETTLE> {};

struct act : message<v1::MESSAGE_KIND_CLIENT_ACT> {
  std::uint32_t turn;
  v1::Choice choice;
  std::uint32_t index;
  std::uint32_t k;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, choice, index, k); }
};

struct forward : message<v1::MESSAGE_KIND_CLIENT_FORWARD> {
  std::uint32_t turn;
  std::uint32_t level;
  std::uint64_t payload;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, level, payload); }
};

struct accepted : message<v1::MESSAGE_KIND_CLIENT_ACCEPTED> {
  std::uint32_t turn;
  std::uint32_t level;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, level); }
};

struct left : message<v1::MESSAGE_KIND_CLIENT_LEFT> {
  std::uint32_t turn;
  accumulator_handle accumulator; // none if `turn` is `logout_turn`
  [[nodiscard]] auto args() const { return arguments(turn); }
};

struct logout : message<v1::MESSAGE_KIND_CLIENT_LOGOUT> {};

} // namespace to_client

namespace to_chat {

struct post : message<v1::MESSAGE_KIND_CHAT_POST> {
  std::uint32_t turn;
  std::uint64_t payload;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, payload); }
};

struct join : message<v1::MESSAGE_KIND_CHAT_JOIN> {
  std::uint32_t turn;
  std::uint32_t number;
  client_handle handle;
  accumulator_handle accumulator;
  [[nodiscard]] auto args() const { return arguments(turn, number); }
};

struct leave : message<v1::MESSAGE_KIND_CHAT_LEAVE> {
  std::uint32_t turn;
  accumulator_handle accumulator; // none if `turn` is `logout_turn`
  [[nodiscard]] auto args() const { return arguments(turn); }
};

} // namespace to_chat

namespace to_accumulator {

struct stop : message<v1::MESSAGE_KIND_ACCUMULATOR_STOP> {
  std::uint32_t level;
  std::uint64_t value;
  [[nodiscard]] auto args() const { return arguments(level, value); }
};

struct bump : message<v1::MESSAGE_KIND_ACCUMULATOR_BUMP> {
  std::uint32_t level;
  std::uint64_t n;
  [[nodiscard]] auto args() const { return arguments(level, n); }
};

} // namespace to_accumulator

} // namespace dramaturg
