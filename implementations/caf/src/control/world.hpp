#pragma once

#include "benchmark.hpp"
#include "control/runtime.hpp"
#include "nodes/node.hpp"

#include <functional>
#include <memory>

namespace dramaturg {

/// The world of one iteration, or one node's part of it, and its receipt. Calls come one
/// at a time, from any thread, and throw when an actor or a node has failed; only the log
/// may be read at any time.
class world {
public:
  /// Builds the world; returns when it is quiet (CTRL-4).
  world(runtime& runtime, const v2::PrepareRequest& request);

  /// ChatApp: one client acts, or all of them.
  template <class Request>
  void drive(const Request& request) {
    benchmark_->drive(inbox_, request);
    add(inbox_.await<to_control::confirmed>());
  }

  /// Runs the benchmark, and says on the way how many turns are confirmed or windows
  /// have ended (CTRL-6).
  void run(std::uint32_t salt, const std::function<void(std::uint32_t)>& mark);

  /// Ends the iteration.
  v2::Receipt teardown();

  receive_log& log() { return environment_->log; }

private:
  void add(const to_control::confirmed& turn);
  void add(const to_control::window& window);
  void add(const to_control::readings& readings);
  void add(const to_control::done& result);

  const v2::Benchmark parameters_;
  runtime& runtime_;
  inbox inbox_;
  environment_ptr environment_;
  std::unique_ptr<benchmark> benchmark_;
  node node_;
  v2::Receipt receipt_;
  std::uint32_t steps_ = 0; // turns or windows
  bool is_done_ = false;
  stopwatch::stamp started_;
  stopwatch::stamp stopped_;
  stopwatch::stamp ticked_;
};

} // namespace dramaturg
