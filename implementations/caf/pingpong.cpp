// Ping-pong (spec/pingpong.md). Definitions stand in the order of the model.
#include "pingpong.hpp"

#include <utility>

namespace dramaturg {

// -- ping --------------------------------------------------------------------

ping::ping(pointer self, pong_handle peer, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_PING), std::move(scene)}, peer_{std::move(peer)} {
}

ping::behavior_type ping::make_behavior() {
  return {on<&ping::start>{this}, on<&ping::pong>{this}};
}

void ping::start(const to_ping::start& m) {
  started_ = now();
  send(peer_, to_pong::ping{name(), m.rounds - 1});
}

void ping::pong(const to_ping::pong& m) {
  ++pongs_;
  if (m.left > 0) {
    send(peer_, to_pong::ping{name(), m.left - 1});
  } else {
    send(control(), to_control::played{name(), pongs_, started_, now()});
    terminate();
  }
}

// -- pong --------------------------------------------------------------------

pong::pong(pointer self, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_PONG), std::move(scene)} {}

// The receipt wants to know what pong took, however pong came to end.
pong::~pong() {
  compat::anon_send(control(), to_control::played{name(), pings_, 0, 0});
}

pong::behavior_type pong::make_behavior() {
  return {on<&pong::ping>{this}};
}

void pong::ping(const to_pong::ping& m) {
  ++pings_;
  send(sender<ping_handle>(), to_ping::pong{name(), m.left});
  if (m.left == 0)
    terminate();
}

} // namespace dramaturg
