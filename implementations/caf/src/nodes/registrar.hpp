#pragma once

#include "benchmark.hpp"
#include "nodes/messages.hpp"

#include <utility>

namespace dramaturg {

/// Stands for a node: tells node 0 who lives there, and hears from it of all others. By
/// its end node 0 notices that the node is lost. No actor of the benchmark.
class registrar {
public:
  using handle_type = registrar_handle;
  using behavior_type = registrar_handle::behavior_type;
  using pointer = registrar_handle::base*;

  registrar(pointer self, environment_ptr environment, benchmark& benchmark)
      : self_{self}, environment_{std::move(environment)}, benchmark_{benchmark} {}

  behavior_type make_behavior() {
    return {
        [this](const to_registrar::call&) {
          environment_->head = caf::actor_cast<control_handle>(self_->current_sender());
          compat::send(*self_, environment_->head, to_control::residents{benchmark_.who_is_here()});
        },
        [this](const to_registrar::introduce& m) {
          benchmark_.introduce(m.all);
          compat::send(*self_, environment_->head, to_control::introduced{});
        },
        [this](const to_registrar::leave&) { self_->quit(); },
    };
  }

private:
  pointer self_;
  environment_ptr environment_;
  benchmark& benchmark_;
};

} // namespace dramaturg
