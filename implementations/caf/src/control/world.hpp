#pragma once

#include "benchmark.hpp"
#include "control/inbox.hpp"
#include "control/receipt.hpp"
#include "control/runtime.hpp"
#include "dramaturg/v2/control.pb.h"
#include "nodes/node.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace dramaturg {

/// The world of one iteration, or one node's part of it. Its calls come one at a time,
/// from any thread, and throw when an actor or a node has failed; only the log may be
/// read at any time.
class world {
public:
  /// Builds the world; returns when it is quiet (CTRL-4).
  world(runtime& runtime, const v2::PrepareRequest& request);

  /// One client acts.
  void act(const v2::ActRequest& request);

  /// All clients act.
  void turn();

  /// Runs the benchmark, and says on the way how far it is (CTRL-6).
  void run(std::uint32_t salt, const std::function<void(std::uint32_t)>& mark);

  /// Ends the iteration.
  v2::Receipt teardown();

  receive_log& log() { return environment_->log; }

private:
  [[nodiscard]] place here() const { return node_ ? node_->here() : place{}; }

  runtime& runtime_;
  inbox inbox_;
  environment_ptr environment_;
  std::unique_ptr<benchmark> benchmark_;
  std::optional<node> node_; // none if there is but one
  receipt receipt_;
};

} // namespace dramaturg
