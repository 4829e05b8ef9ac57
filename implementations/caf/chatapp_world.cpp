#include "chatapp_world.hpp"

#include "validation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dramaturg {

nanos chatapp_world::prepare() {
  const auto start = now();
  poker_ = compat::spawn<poker>(runtime_.system(), parameters_, scene_);
  inbox_.send(poker_, to_poker::prepare{control_name});
  inbox_.await<to_control::ready>();
  return busy_ += now() - start;
}

std::uint32_t chatapp_world::act(const v1::ActRequest& request) {
  validate(request, parameters_.clients);
  inbox_.send(poker_, to_poker::act{control_name, request.client(), request.choice(),
                                    request.index(), request.k()});
  return confirmation().turn;
}

v1::TurnResponse chatapp_world::turn() {
  inbox_.send(poker_, to_poker::turn{control_name});
  const auto confirmed = confirmation();
  v1::TurnResponse response;
  response.set_turn(confirmed.turn);
  response.set_nanos(static_cast<std::uint64_t>(confirmed.done - confirmed.poked));
  return response;
}

v1::Receipt chatapp_world::run(const progress& report) {
  const auto start = now();
  const nanos interval = std::chrono::nanoseconds{report_interval}.count();
  auto reported = start;
  inbox_.send(poker_, to_poker::run{control_name});
  nanos first_poke = std::numeric_limits<nanos>::max();
  for (;;) {
    const auto event = inbox_.next(report_interval);
    if (const auto* confirmed = std::get_if<to_control::confirmed>(&event)) {
      record(*confirmed);
      first_poke = std::min(first_poke, confirmed->poked);
      measured_ = confirmed->done - first_poke;
    }
    if (const auto* finished = std::get_if<to_control::finished>(&event)) {
      busy_ += finished->done - start;
      return receipt(finished->totals);
    }
    if (const auto time = now(); time - reported >= interval) {
      report(confirms_, parameters_.turns);
      reported = time;
    }
  }
}

v1::Receipt chatapp_world::finish() {
  const auto start = now();
  inbox_.send(poker_, to_poker::disconnect{control_name});
  const auto finished = inbox_.await<to_control::finished>();
  busy_ += finished.done - start;
  return receipt(finished.totals);
}

void chatapp_world::clear() {
  if (poker_)
    compat::kill(poker_);
}

to_control::confirmed chatapp_world::confirmation() {
  const auto confirmed = inbox_.await<to_control::confirmed>();
  record(confirmed);
  measured_ += confirmed.done - confirmed.poked;
  busy_ += confirmed.done - confirmed.poked;
  return confirmed;
}

void chatapp_world::record(const to_control::confirmed& confirmed) {
  const auto& [from, turn, value, poked, done] = confirmed;
  if (turn_nanos_.size() <= turn)
    turn_nanos_.resize(turn + 1);
  turn_nanos_[turn] = done - poked;
  ++confirms_;
  fib_sum_ += value;
}

v1::Receipt chatapp_world::receipt(const sums& totals) const {
  v1::Receipt receipt;
  auto& chatapp = *receipt.mutable_chatapp();
  chatapp.set_computes(totals[sums::computes]);
  chatapp.set_posts(totals[sums::posts]);
  chatapp.set_leaves(totals[sums::leaves]);
  chatapp.set_invites(totals[sums::invites]);
  chatapp.set_nones(totals[sums::nones]);
  chatapp.set_joins(totals[sums::joins]);
  chatapp.set_deliveries(totals[sums::deliveries]);
  chatapp.set_lcg_checksum(totals[sums::lcg]);
  chatapp.set_fib_sum(fib_sum_);
  chatapp.set_confirms(confirms_);
  chatapp.mutable_turn_nanos()->Add(turn_nanos_.begin(), turn_nanos_.end());
  receipt.set_iteration_nanos(static_cast<std::uint64_t>(busy_));
  receipt.set_run_nanos(static_cast<std::uint64_t>(measured_));
  receipt.set_alive(runtime_.alive_beyond(1 + parameters_.directories));
  return receipt;
}

} // namespace dramaturg
