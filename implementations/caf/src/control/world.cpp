#include "control/world.hpp"

#include "benchmarks.hpp"
#include "control/histogram.hpp"

namespace dramaturg {

world::world(runtime& runtime, const v2::PrepareRequest& request)
    : parameters_{request.benchmark()}, runtime_{runtime}, inbox_{runtime.system},
      environment_{std::make_shared<environment>(inbox_.handle(), request)},
      benchmark_{make_benchmark(parameters_)}, node_{runtime.system, inbox_, *benchmark_, request} {
  benchmark_->set_up({runtime.system, environment_, node_.here()}, inbox_);
  node_.connect(environment_);
}

void world::run(std::uint32_t salt, const std::function<void(std::uint32_t)>& mark) {
  constexpr std::chrono::milliseconds mark_interval{100};
  std::uint32_t marked = 0;
  auto next_mark = stopwatch::clock::now() + mark_interval;
  started_ = ticked_ = stopwatch::start();
  benchmark_->start(inbox_, salt);
  while (parameters_.has_chatapp() ? steps_ < parameters_.chatapp().turns() : !is_done_) {
    inbox_.take([this](const to_control::confirmed& m) { add(m); },
                [this](const to_control::window& m) { add(m); },
                [this](const to_control::readings& m) { add(m); },
                [this](const to_control::done& m) { add(m); });
    if (const auto now = stopwatch::clock::now(); steps_ > marked && now >= next_mark) {
      mark(marked = steps_);
      next_mark = now + mark_interval;
    }
  }
  if (steps_ > 0)
    mark(steps_);
  receipt_.set_run_nanos(stopwatch::nanos(started_, stopped_));
}

v2::Receipt world::teardown() {
  const auto asked = stopwatch::clock::now();
  if (node_.here().node == 0)
    benchmark_->disconnect(inbox_);
  if (parameters_.has_chatapp())
    add(inbox_.await<to_control::done>());
  node_.leave();
  receipt_.set_alive(runtime_.await_end());
  receipt_.set_teardown_nanos(stopwatch::nanos(asked, stopwatch::clock::now()));
  inbox_.throw_if_failed();
  benchmark_.reset();
  return receipt_;
}

// A benchmark's receipt is called as its parameters are.
google::protobuf::Message& world::own_receipt() {
  const auto* asked = v2::Benchmark::descriptor()->FindFieldByNumber(parameters_.parameters_case());
  const auto* field = v2::Receipt::descriptor()->FindFieldByName(asked->name());
  return *receipt_.GetReflection()->MutableMessage(&receipt_, field);
}

void world::add(const to_control::confirmed& turn) {
  benchmark_->enter(turn, receipt_);
  ++steps_;
  if (turn.turn == 0)
    started_ = turn.started;
  stopped_ = turn.stopped;
}

void world::add(const to_control::window& window) {
  auto& own = own_receipt();
  const auto enter = [&](const char* field, std::uint64_t value) {
    own.GetReflection()->AddUInt64(&own, own.GetDescriptor()->FindFieldByName(field), value);
  };
  enter("windows", window.count);
  enter("window_nanos", stopwatch::nanos(std::exchange(ticked_, window.ended), window.ended));
  ++steps_;
}

void world::add(const to_control::readings& readings) {
  auto& own = own_receipt();
  const auto enter = [&](const char* field, const std::vector<stopwatch::stamp>& read) {
    for (const auto count : histogram(started_, read))
      own.GetReflection()->AddUInt64(&own, own.GetDescriptor()->FindFieldByName(field), count);
  };
  enter("latency", readings.answered);
  enter("lateness", readings.arrived);
}

void world::add(const to_control::done& result) {
  auto& own = own_receipt();
  auto field = 0;
  for (const auto value : result.fields)
    own.GetReflection()->SetUInt64(&own, own.GetDescriptor()->field(field++), value);
  stopped_ = result.stopped;
  is_done_ = true;
}

} // namespace dramaturg
