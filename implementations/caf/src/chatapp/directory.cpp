#include "chatapp/directory.hpp"

#include "chatapp/client.hpp"

#include <utility>

namespace dramaturg {

directory::directory(pointer self, environment_ptr environment, std::uint32_t index,
                     std::uint32_t seed, poker_handle poker, const chatapp_parameters& parameters)
    : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_DIRECTORY, index)},
      poker_{std::move(poker)}, parameters_{parameters}, lcg_{seed} {}

directory::behavior_type directory::make_behavior() {
  return {on<&directory::login>{this},      on<&directory::befriend>{this},
          on<&directory::settle>{this},     on<&directory::settled>{this},
          on<&directory::poke>{this},       on<&directory::act>{this},
          on<&directory::disconnect>{this}, on<&directory::left>{this}};
}

void directory::login(const to_directory::login& m) {
  const auto seed = lcg_.next();
  const auto home = parameters_.home_of_client(m.client, here());
  if (home == here().node)
    clients_.push_back(spawn<client>(m.client, self(), seed, parameters_));
  else
    spawn_at<client_handle>(home, make_name(v2::ACTOR_CLASS_CLIENT, m.client), seed,
                            [this](client_handle born) { clients_.push_back(std::move(born)); });
}

void directory::befriend(const to_directory::befriend&) {
  const auto number = [&](std::size_t place) {
    return index() + static_cast<std::uint32_t>(place) * parameters_.directories;
  };
  for (std::size_t f = 0; f < clients_.size(); ++f) {
    auto befriended = false;
    while (!befriended) {
      for (std::size_t c = 0; c < clients_.size(); ++c) {
        if (lcg_.next_int(100) < parameters_.befriend && c != f) {
          send(clients_[c], to_client::befriend{name(), number(f), clients_[f]});
          send(clients_[f], to_client::befriend{name(), number(c), clients_[c]});
          befriended = true;
        }
      }
    }
  }
}

void directory::settle(const to_directory::settle&) {
  settling_ = clients_.size();
  for (const auto& client : clients_)
    send(client, to_client::settle{name()});
}

void directory::settled(const to_directory::settled&) {
  if (--settling_ == 0)
    send(poker_, to_poker::settled{name()});
}

void directory::poke(const to_directory::poke& m) {
  for (const auto& client : clients_)
    send(client, to_client::act{name(), m.turn, v2::CHOICE_DRAW, 0, 0, m.salt, m.accumulator});
}

void directory::act(const to_directory::act& m) {
  send(clients_[m.client / parameters_.directories],
       to_client::act{name(), m.turn, m.choice, m.index, m.k, 0, m.accumulator});
}

void directory::disconnect(const to_directory::disconnect&) {
  online_ = clients_.size();
  for (const auto& client : clients_)
    send(client, to_client::logout{name()});
}

void directory::left(const to_directory::left& m) {
  sums_ += m.totals;
  if (--online_ > 0)
    return;
  send(poker_, to_poker::finished{name(), sums_});
  terminate();
}

} // namespace dramaturg
