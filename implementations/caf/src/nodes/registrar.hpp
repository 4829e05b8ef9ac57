#pragma once

#include "benchmark.hpp"
#include "nodes/messages.hpp"
#include "reports.hpp"

#include <exception>
#include <utility>

namespace dramaturg {

/// Stands for a node: tells node 0 who lives there, hears from it of all others, and makes those
/// who are born there of makers elsewhere. By its end node 0 notices that the node is lost. No
/// actor of the benchmark.
class registrar {
public:
  using handle_type = registrar_handle;
  using behavior_type = registrar_handle::behavior_type;
  using pointer = registrar_handle::base*;

  registrar(pointer self, environment_ptr environment, benchmark& benchmark)
      : self_{self}, environment_{std::move(environment)}, benchmark_{benchmark} {}

  /// Makes everybody known whom this node has to know.
  static void introduce(const environment_ptr& environment, benchmark& benchmark,
                        const to_registrar::introduce& m) {
    for (const auto& each : m.registrars)
      environment->registrars.push_back(caf::actor_cast<registrar_handle>(each));
    benchmark.introduce(m.all);
  }

  behavior_type make_behavior() {
    return {
        [this](const to_registrar::birth& m) { return bear(m); },
        [this](const to_registrar::call&) {
          environment_->head = caf::actor_cast<control_handle>(self_->current_sender());
          compat::send(*self_, environment_->head, to_control::residents{benchmark_.who_is_here()});
        },
        [this](const to_registrar::introduce& m) {
          introduce(environment_, benchmark_, m);
          compat::send(*self_, environment_->head, to_control::introduced{});
        },
        [this](const to_registrar::leave&) { self_->quit(); },
    };
  }

private:
  // Whoever cannot be made can report nothing any more, and nobody else may hear of it (CTRL-10).
  caf::result<caf::strong_actor_ptr> bear(const to_registrar::birth& m) {
    try {
      return benchmark_.bear({self_->system(), environment_, environment_->here}, m);
    } catch (const std::exception& thrown) {
      const to_control::failed report{thrown.what()};
      compat::anon_send(environment_->control, report);
      if (environment_->head)
        compat::anon_send(environment_->head, report);
      return caf::sec::runtime_error;
    }
  }

  pointer self_;
  environment_ptr environment_;
  benchmark& benchmark_;
};

} // namespace dramaturg
