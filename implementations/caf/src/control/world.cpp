#include "control/world.hpp"

#include <chrono>
#include <variant>

namespace dramaturg {

namespace {

using namespace std::chrono_literals;

// CTRL-6: at most ten marks a second.
constexpr auto mark_interval = 100ms;

} // namespace

world::world(runtime& runtime, const v2::PrepareRequest& request)
    : runtime_{runtime}, inbox_{runtime.system()},
      environment_{std::make_shared<environment>(inbox_.handle(), watches{request.watches()})},
      benchmark_{make_benchmark(request.benchmark())}, receipt_{request.benchmark()} {
  if (request.peers_size() > 1)
    node_.emplace(runtime.system(), inbox_, *benchmark_, request);
  benchmark_->set_up({runtime.system(), environment_, here()}, inbox_);
  if (node_)
    node_->connect();
}

void world::act(const v2::ActRequest& request) {
  benchmark_->act(inbox_, request);
  receipt_.add(inbox_.await<to_control::confirmed>());
}

void world::turn() {
  benchmark_->turn(inbox_);
  receipt_.add(inbox_.await<to_control::confirmed>());
}

void world::run(std::uint32_t salt, const std::function<void(std::uint32_t)>& mark) {
  std::uint32_t marked = 0;
  auto next_mark = stopwatch::clock::now() + mark_interval;
  receipt_.start();
  benchmark_->start(inbox_, salt);
  while (!receipt_.has_run()) {
    std::visit([this](const auto& report) { receipt_.add(report); }, inbox_.next());
    if (receipt_.steps() == marked)
      continue;
    if (const auto now = stopwatch::clock::now(); now >= next_mark) {
      mark(marked = receipt_.steps());
      next_mark = now + mark_interval;
    }
  }
  if (receipt_.steps() > marked)
    mark(receipt_.steps());
}

v2::Receipt world::teardown() {
  const auto asked = stopwatch::clock::now();
  if (here().node == 0)
    benchmark_->disconnect(inbox_);
  if (receipt_.lacks_totals())
    receipt_.add(inbox_.await<to_control::finished>());
  node_.reset();
  auto& message = receipt_.message();
  message.set_alive(runtime_.await_end());
  message.set_teardown_nanos(stopwatch::nanos(asked, stopwatch::clock::now()));
  benchmark_.reset();
  return message;
}

} // namespace dramaturg
