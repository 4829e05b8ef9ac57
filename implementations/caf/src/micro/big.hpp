#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_coordinator {

struct start : message<v2::MESSAGE_KIND_COORDINATOR_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct tick : message<v2::MESSAGE_KIND_COORDINATOR_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
};

struct marked : message<v2::MESSAGE_KIND_COORDINATOR_MARKED> {
  std::uint32_t number;
  std::uint64_t pongs;
  [[nodiscard]] auto arguments() const { return std::tie(number, pongs); }
};

struct idle : message<v2::MESSAGE_KIND_COORDINATOR_IDLE> {};

struct finished : message<v2::MESSAGE_KIND_COORDINATOR_FINISHED> {
  std::uint64_t pings;
  std::uint64_t pongs;
  std::uint32_t given;
  std::uint32_t taken;
  [[nodiscard]] auto arguments() const { return std::tie(pings, pongs, given, taken); }
};

} // namespace to_coordinator

namespace to_peer {

struct go : message<v2::MESSAGE_KIND_PEER_GO> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct ping : message<v2::MESSAGE_KIND_PEER_PING> {
  std::uint32_t round;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(round, value); }
};

struct pong : message<v2::MESSAGE_KIND_PEER_PONG> {
  std::uint32_t round;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(round, value); }
};

struct mark : message<v2::MESSAGE_KIND_PEER_MARK> {
  std::uint32_t number;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
};

struct stop : message<v2::MESSAGE_KIND_PEER_STOP> {};

} // namespace to_peer

/// spec/big.md.
std::unique_ptr<benchmark> make_benchmark(const v2::BigParameters& parameters);

} // namespace dramaturg
