#include "chatapp/accumulator.hpp"

#include <utility>

namespace dramaturg {

accumulator::accumulator(pointer self, environment_ptr environment, std::uint32_t turn,
                         std::uint32_t expected, poker_handle poker)
    : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_ACCUMULATOR, turn)},
      poker_{std::move(poker)}, expected_{expected, 0, 0} {}

accumulator::behavior_type accumulator::make_behavior() {
  return {on<&accumulator::stop>{this}, on<&accumulator::bump>{this}};
}

void accumulator::stop(const to_accumulator::stop& m) {
  if (m.level == 0) {
    result_.value += m.value;
  } else {
    ++result_.stops;
    result_.consumed += static_cast<std::uint32_t>(m.value);
  }
  report(m.level);
}

void accumulator::bump(const to_accumulator::bump& m) {
  expected_[m.level + 1] += m.n;
  result_.announced += m.digest;
  report(m.level);
}

void accumulator::report(std::uint32_t level) {
  ++reported_[level];
  if (reported_ != expected_)
    return;
  send(poker_, to_poker::confirm{name(), index(), result_});
  terminate();
}

} // namespace dramaturg
