#pragma once

#include "actor.hpp"
#include "control/inbox.hpp"
#include "dramaturg/v2/control.pb.h"
#include "nodes/place.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

namespace dramaturg {

/// Makes the actors that live on this node from the beginning.
class spawner {
public:
  spawner(caf::actor_system& system, environment_ptr environment, place here)
      : system_{system}, environment_{std::move(environment)}, here_{here} {}

  [[nodiscard]] place here() const noexcept { return here_; }

  template <class State, class... Args>
  auto spawn(Args&&... args) const {
    return spawn_named<State>(system_, environment_, std::forward<Args>(args)...);
  }

private:
  caf::actor_system& system_;
  environment_ptr environment_;
  place here_;
};

/// A benchmark as the control port sees it (model/workload.py): who is there at first,
/// and what the lead is told. Each has one at the end of its own file.
class benchmark {
public:
  benchmark() = default;
  virtual ~benchmark() = default;
  benchmark(const benchmark&) = delete;
  benchmark& operator=(const benchmark&) = delete;

  /// Makes who lives here from the beginning.
  virtual void set_up(const spawner& spawner, inbox& inbox) = 0;

  /// On node 0, when all nodes are connected: has the lead make everybody else, if it does;
  /// returns when everybody is quiet.
  virtual void prepare(inbox&) {}

  /// Hands the lead its first message.
  virtual void start(inbox& inbox, std::uint32_t salt) = 0;

  /// Upon Teardown: tells the lead to let everybody go, where it does not do so unasked.
  virtual void disconnect(inbox&) {}

  /// Enters what the lead has reported in the end: once more, as it is.
  virtual void enter(const to_control::done& result, v2::Receipt& receipt) const {
    auto& done = *receipt.mutable_done();
    for (const auto argument : result.arguments)
      done.add_arguments(argument);
    done.set_shortest_nanos(static_cast<std::uint64_t>(result.shortest.count()));
  }

  // -- ChatApp's --

  /// One client acts.
  virtual void drive(inbox&, const v2::ActRequest&) {}

  /// All clients act.
  virtual void drive(inbox&, const v2::TurnRequest&) {}

  /// Enters a turn that is confirmed.
  virtual void enter(const to_control::confirmed&, v2::Receipt&) const {}

  // -- of those that run on several nodes --

  /// Who lives here.
  [[nodiscard]] virtual residents who_is_here() const { return {}; }

  /// Makes those who live here know all others.
  virtual void introduce(const residents&) {}

  /// Makes an actor that lives here, and whose maker does not.
  virtual caf::strong_actor_ptr bear(const spawner&, const to_registrar::birth& birth) {
    throw std::logic_error{spell(birth.name) + ": nobody is born on another node here"};
  }

  /// Whether everybody speaks to everybody, and not to node 0 alone.
  [[nodiscard]] virtual bool is_mesh() const { return false; }
};

} // namespace dramaturg
