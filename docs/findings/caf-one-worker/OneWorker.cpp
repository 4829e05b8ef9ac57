// Two actors keep telling each other, and one of them has asked for a message in 50 ms. CAF's
// work-stealing worker takes its newest job first. With one worker nobody steals the oldest.
#include <atomic>
#include <caf/all.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using ball = caf::atom_constant<caf::atom("ball")>;
using meet = caf::atom_constant<caf::atom("meet")>;
using tick = caf::atom_constant<caf::atom("tick")>;

static std::atomic<bool> came{false};
static std::atomic<unsigned long> taken{0};

struct state {
  caf::actor partner;
};

static caf::behavior waits(caf::event_based_actor *) {
  return {[](tick) { came = true; }};
}

static caf::behavior plays(caf::stateful_actor<state> *self) {
  return {
    [=](meet, const caf::actor &partner) { self->state.partner = partner; },
    [=](ball) {
      ++taken;
      self->send(self->state.partner, ball::value);
    },
  };
}

int main(int, char **arguments) {
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom_from_string(arguments[1]));
  config.set("scheduler.max-threads", std::stoul(arguments[2]));
  caf::actor_system system{config};
  auto one = system.spawn(plays), other = system.spawn(plays), third = system.spawn(waits);
  caf::scoped_actor self{system};
  self->send(one, meet::value, other);
  self->send(other, meet::value, one);
  // Each plays a thousand balls, so that neither waits.
  for (int i = 0; i < 1000; i++) {
    self->send(one, ball::value);
    self->send(other, ball::value);
  }
  self->delayed_send(third, std::chrono::milliseconds(50), tick::value);
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(std::stoi(arguments[3]));
  while (!came && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::cout << arguments[1] << ", " << arguments[2] << " worker(s): the message due in 50 ms "
            << (came ? "came" : "had not come after " + std::string(arguments[3]) + " s") << ", "
            << taken << " others were taken" << std::endl;
  std::_Exit(came ? 0 : 1);
}
