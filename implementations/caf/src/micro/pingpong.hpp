#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_ping {

struct start : message<v2::MESSAGE_KIND_PING_START> {
  std::uint32_t rounds;
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(rounds, salt); }
};

struct pong : message<v2::MESSAGE_KIND_PING_PONG> {
  std::uint32_t left;
  std::uint64_t value;
  [[nodiscard]] auto arguments() const { return std::tie(left, value); }
};

struct tick : message<v2::MESSAGE_KIND_PING_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
};

} // namespace to_ping

namespace to_pong {

struct ping : message<v2::MESSAGE_KIND_PONG_PING> {
  std::uint32_t left;
  std::uint64_t value;
  [[nodiscard]] auto arguments() const { return std::tie(left, value); }
};

} // namespace to_pong

/// spec/pingpong.md.
std::unique_ptr<benchmark> make_benchmark(const v2::PingPongParameters& parameters);

} // namespace dramaturg
