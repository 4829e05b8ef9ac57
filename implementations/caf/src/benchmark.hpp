#pragma once

#include "actor.hpp"
#include "control/inbox.hpp"
#include "dramaturg/v2/control.pb.h"
#include "nodes/place.hpp"

#include <memory>
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

  /// Makes who is there from the beginning; returns when everybody is quiet.
  virtual void set_up(const spawner& spawner, inbox& inbox) = 0;

  /// Hands the lead its first message.
  virtual void start(inbox& inbox, std::uint32_t salt) = 0;

  /// Upon Teardown: tells the lead to let everybody go, where it does not do so unasked.
  virtual void disconnect(inbox&) {}

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

  /// Whether everybody speaks to everybody, and not to node 0 alone.
  [[nodiscard]] virtual bool is_mesh() const { return false; }
};

} // namespace dramaturg
