#include "chatapp/poker.hpp"

#include "chatapp/accumulator.hpp"
#include "chatapp/directory.hpp"
#include "lcg.hpp"

#include <utility>

namespace dramaturg {

poker::poker(pointer self, environment_ptr environment, const chatapp_parameters& parameters)
    : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_POKER)},
      parameters_{parameters},
      directories_(parameters.directories), unborn_{parameters.directories},
      settling_{parameters.directories}, online_{parameters.directories} {}

poker::behavior_type poker::make_behavior() {
  return {on<&poker::prepare>{this},    on<&poker::settled>{this}, on<&poker::act>{this},
          on<&poker::turn>{this},       on<&poker::run>{this},     on<&poker::confirm>{this},
          on<&poker::disconnect>{this}, on<&poker::finished>{this}};
}

void poker::prepare(const to_poker::prepare&) {
  const auto& p = parameters_;
  lcg lcg{p.seed};
  for (std::uint32_t index = 0; index < p.directories; ++index) {
    const auto seed = lcg.next();
    const auto home = chatapp_parameters::home_of_directory(index, here());
    const auto is_born = [this, index](directory_handle born) {
      directories_[index] = std::move(born);
      if (--unborn_ == 0)
        fill_directories();
    };
    if (home == here().node)
      is_born(spawn<directory>(index, seed, self(), p));
    else
      spawn_at<directory_handle>(home, make_name(v2::ACTOR_CLASS_DIRECTORY, index), seed, is_born);
  }
}

void poker::fill_directories() {
  const auto& p = parameters_;
  for (std::uint32_t client = 0; client < p.clients; ++client)
    send(directories_[client % p.directories], to_directory::login{name(), client});
  for (const auto& directory : directories_) {
    if (p.befriend > 0)
      send(directory, to_directory::befriend{name()});
    send(directory, to_directory::settle{name()});
  }
}

void poker::settled(const to_poker::settled&) {
  if (--settling_ == 0)
    send(control(), to_control::ready{});
}

void poker::act(const to_poker::act& m) {
  const auto turn = static_cast<std::uint32_t>(started_.size());
  const auto accumulator = next_turn(1);
  send(directories_[m.client % parameters_.directories],
       to_directory::act{name(), turn, m.client, m.choice, m.index, m.k, accumulator});
}

void poker::turn(const to_poker::turn&) {
  poke(0);
}

void poker::run(const to_poker::run& m) {
  for (std::uint32_t i = 0; i < parameters_.turns; ++i)
    poke(m.salt);
}

void poker::poke(std::uint32_t salt) {
  const auto turn = static_cast<std::uint32_t>(started_.size());
  const auto accumulator = next_turn(parameters_.clients);
  for (const auto& directory : directories_)
    send(directory, to_directory::poke{name(), turn, salt, accumulator});
}

accumulator_handle poker::next_turn(std::uint32_t expected) {
  const auto turn = static_cast<std::uint32_t>(started_.size());
  started_.push_back(stopwatch::start());
  return spawn<accumulator>(turn, expected, self());
}

void poker::confirm(const to_poker::confirm& m) {
  send(control(), to_control::confirmed{m.turn, m.result, started_[m.turn], stopwatch::stop()});
}

void poker::disconnect(const to_poker::disconnect&) {
  for (const auto& directory : directories_)
    send(directory, to_directory::disconnect{name()});
}

void poker::finished(const to_poker::finished& m) {
  sums_ += m.totals;
  if (--online_ > 0)
    return;
  const auto& all = sums_;
  send(control(), to_control::done{{all[sums::computes], all[sums::posts], all[sums::leaves],
                                    all[sums::invites], all[sums::nones], all[sums::joins],
                                    all[sums::deliveries], all[sums::lcg]},
                                   stopwatch::stop()});
  terminate();
}

} // namespace dramaturg
