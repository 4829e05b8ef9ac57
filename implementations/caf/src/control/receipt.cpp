#include "control/receipt.hpp"

namespace dramaturg {

receipt::receipt(const v2::Benchmark& benchmark)
    : benchmark_{benchmark.parameters_case()}, turns_{benchmark.has_chatapp()
                                                          ? benchmark.chatapp().turns()
                                                          : without_turns},
      lacks_totals_{benchmark.has_chatapp()} {}

void receipt::start() {
  is_running_ = true;
  ticked_ = started_ = stopwatch::start();
}

void receipt::add(const to_control::confirmed& turn) {
  auto& chatapp = *message_.mutable_chatapp();
  auto& turn_nanos = *chatapp.mutable_turn_nanos();
  const auto place = static_cast<int>(turn.turn);
  if (turn_nanos.size() <= place)
    turn_nanos.Resize(place + 1, 0);
  turn_nanos.Set(place, stopwatch::nanos(turn.started, turn.stopped));
  // Sums of digests have 32 bits.
  const auto sum = [](std::uint64_t one, std::uint32_t other) {
    return static_cast<std::uint32_t>(one) + other;
  };
  const auto& result = turn.result;
  chatapp.set_confirms(++steps_);
  chatapp.set_fib_sum(chatapp.fib_sum() + result.value);
  chatapp.set_stops(chatapp.stops() + result.stops);
  chatapp.set_announced(sum(chatapp.announced(), result.announced));
  chatapp.set_consumed(sum(chatapp.consumed(), result.consumed));
  if (turn.turn == 0)
    started_ = turn.started;
  stop(turn.stopped);
}

void receipt::add(const to_control::window& window) {
  const auto add = [this](const char* name, std::uint64_t value) {
    auto& own = this->own();
    own.GetReflection()->AddUInt64(&own, own.GetDescriptor()->FindFieldByName(name), value);
  };
  add("windows", window.count);
  add("window_nanos", stopwatch::nanos(ticked_, window.ended));
  ticked_ = window.ended;
  ++steps_;
}

void receipt::add(const to_control::done& result) {
  auto& own = this->own();
  const auto& fields = *own.GetDescriptor();
  for (int i = 0; i < fields.field_count() && !fields.field(i)->is_repeated(); ++i)
    own.GetReflection()->SetUInt64(&own, fields.field(i), result.fields.at(i));
  stop(result.stopped);
  is_done_ = true;
}

void receipt::add(const to_control::finished& result) {
  auto& chatapp = *message_.mutable_chatapp();
  const auto& totals = result.totals;
  chatapp.set_computes(totals[sums::computes]);
  chatapp.set_posts(totals[sums::posts]);
  chatapp.set_leaves(totals[sums::leaves]);
  chatapp.set_invites(totals[sums::invites]);
  chatapp.set_nones(totals[sums::nones]);
  chatapp.set_joins(totals[sums::joins]);
  chatapp.set_deliveries(totals[sums::deliveries]);
  chatapp.set_lcg_checksum(totals[sums::lcg]);
  lacks_totals_ = false;
}

void receipt::stop(stopwatch::stamp stopped) {
  if (is_running_)
    message_.set_run_nanos(stopwatch::nanos(started_, stopped));
}

// A benchmark's receipt has the benchmark's number.
google::protobuf::Message& receipt::own() {
  const auto* field = v2::Receipt::descriptor()->FindFieldByNumber(benchmark_);
  return *message_.GetReflection()->MutableMessage(&message_, field);
}

} // namespace dramaturg
