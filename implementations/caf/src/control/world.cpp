#include "control/world.hpp"

#include "benchmarks.hpp"
#include "control/histogram.hpp"

namespace dramaturg {

namespace {

const std::string& name_of(const v2::Benchmark& chosen) {
  return v2::Benchmark::descriptor()->FindFieldByNumber(chosen.parameters_case())->name();
}

} // namespace

world::world(runtime& runtime, const v2::PrepareRequest& request)
    : parameters_{request.benchmark()}, runtime_{runtime}, inbox_{runtime.system},
      environment_{std::make_shared<environment>(inbox_.handle(), request)},
      benchmark_{make_benchmark(parameters_)}, node_{runtime.system, inbox_, *benchmark_, request} {
  benchmark_->set_up({runtime.system, environment_, node_.here()}, inbox_);
  node_.connect(environment_);
  if (node_.here().node == 0)
    benchmark_->prepare(inbox_);
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
  if (node_.here().node == 0) {
    benchmark_->disconnect(inbox_);
    if (parameters_.has_chatapp())
      add(inbox_.await<to_control::done>());
  }
  node_.leave();
  receipt_.set_alive(runtime_.await_end());
  receipt_.set_teardown_nanos(stopwatch::nanos(asked, stopwatch::clock::now()));
  inbox_.throw_if_failed();
  benchmark_.reset();
  return receipt_;
}

void world::add(const to_control::confirmed& turn) {
  benchmark_->enter(turn, receipt_);
  ++steps_;
  if (turn.turn == 0)
    started_ = turn.started;
  stopped_ = turn.stopped;
}

void world::add(const to_control::window& window) {
  auto& done = *receipt_.mutable_done();
  done.add_windows(window.count);
  done.add_window_nanos(stopwatch::nanos(std::exchange(ticked_, window.ended), window.ended));
  ++steps_;
}

void world::add(const to_control::readings& readings) {
  const auto histogram = [&](const std::vector<stopwatch::stamp>& read) {
    std::vector<std::uint64_t> counts;
    for (std::size_t number = 0; number < read.size(); ++number)
      count_latency(counts, readings.due[number], stopwatch::nanos(started_, read[number]));
    return counts;
  };
  auto& done = *receipt_.mutable_done();
  for (const auto count : histogram(readings.answered))
    done.add_latency(count);
  for (const auto count : histogram(readings.arrived))
    done.add_lateness(count);
}

void world::add(const to_control::done& result) {
  benchmark_->enter(result, receipt_);
  if (receipt_.has_done())
    receipt_.mutable_done()->set_benchmark(name_of(parameters_));
  stopped_ = result.stopped;
  is_done_ = true;
}

} // namespace dramaturg
