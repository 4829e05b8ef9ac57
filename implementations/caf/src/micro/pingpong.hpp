#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_ping {

struct start : message<v1::MESSAGE_KIND_PING_START> {
  std::uint32_t rounds;
  [[nodiscard]] auto args() const { return arguments(rounds); }
  auto fields() { return std::tie(rounds); }
};

struct pong : message<v1::MESSAGE_KIND_PING_PONG> {
  std::uint32_t left;
  [[nodiscard]] auto args() const { return arguments(left); }
  auto fields() { return std::tie(left); }
};

struct tick : message<v1::MESSAGE_KIND_PING_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

} // namespace to_ping

namespace to_pong {

struct ping : message<v1::MESSAGE_KIND_PONG_PING> {
  std::uint32_t left;
  [[nodiscard]] auto args() const { return arguments(left); }
  auto fields() { return std::tie(left); }
};

} // namespace to_pong

struct pingpong_cast {
  ping_handle ping;
  pong_handle pong;
};

/// Sends `ping`, takes `pong`, until none are left (PING-1, PING-6).
class ping : public windowed_lead<ping_handle, to_ping::tick> {
public:
  ping(pointer self, cast_ptr<pingpong_cast> cast, window_parameters windows, scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_ping::start& m);
  void pong(const to_ping::pong& m);
  void tick(const to_ping::tick& m);

  void serve(std::uint32_t left);

  cast_ptr<pingpong_cast> cast_;
  std::uint64_t pongs_ = 0;
  bool windowed_;
};

/// Answers each `ping` with what it carried (PING-2).
class pong : public actor_state<pong_handle> {
public:
  pong(pointer self, scene_ptr scene);

  behavior_type make_behavior();

private:
  void ping(const to_pong::ping& m);

  std::uint64_t pings_ = 0;
};

std::unique_ptr<play> make_play(const v1::PingPongParameters& parameters);

} // namespace dramaturg
