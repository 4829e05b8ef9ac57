#pragma once

#include "actor.hpp"

#include <cstdint>

namespace dramaturg {

// The messages of ping-pong, by receiver. `ping` and `pong` cross the network,
// so they show their fields to CAF.

namespace to_ping {

struct start : message<v1::MESSAGE_KIND_PING_START> {
  std::uint32_t rounds;
  [[nodiscard]] auto args() const { return arguments(rounds); }
};

struct pong : message<v1::MESSAGE_KIND_PING_PONG> {
  std::uint32_t left;
  [[nodiscard]] auto args() const { return arguments(left); }
};

template <class Inspector>
auto inspect(Inspector& inspector, pong& m) {
  return compat::inspect_fields(inspector, m, m.from, m.left);
}

} // namespace to_ping

namespace to_pong {

struct ping : message<v1::MESSAGE_KIND_PONG_PING> {
  std::uint32_t left;
  [[nodiscard]] auto args() const { return arguments(left); }
};

template <class Inspector>
auto inspect(Inspector& inspector, ping& m) {
  return compat::inspect_fields(inspector, m, m.from, m.left);
}

} // namespace to_pong

/// Sends `ping`, takes `pong`, until none are left (PING-1).
class ping : public actor_state<ping_handle> {
public:
  ping(pointer self, pong_handle peer, scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_ping::start& m);
  void pong(const to_ping::pong& m);

  pong_handle peer_;
  std::uint64_t pongs_ = 0;
  nanos started_ = 0;
};

/// Answers each `ping` with what it carried (PING-2).
class pong : public actor_state<pong_handle> {
public:
  pong(pointer self, scene_ptr scene);
  ~pong();

  behavior_type make_behavior();

private:
  void ping(const to_pong::ping& m);

  std::uint64_t pings_ = 0;
};

} // namespace dramaturg
