#include "chatapp/client.hpp"

#include "chatapp/chat.hpp"
#include "fibonacci.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dramaturg {

client::client(pointer self, environment_ptr environment, std::uint32_t number,
               directory_handle directory, std::uint32_t seed, const chatapp_parameters& parameters)
    : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_CLIENT, number)},
      directory_{std::move(directory)}, lcg_{seed}, parameters_{parameters} {}

// CAF 0.17 tries the handlers one after the other, so the most frequent is first.
client::behavior_type client::make_behavior() {
  return {on<&client::forward>{this},  on<&client::act>{this},  on<&client::accepted>{this},
          on<&client::befriend>{this}, on<&client::left>{this}, on<&client::settle>{this},
          on<&client::logout>{this}};
}

void client::befriend(const to_client::befriend& m) {
  friends_.push_back({m.number, m.handle});
}

void client::settle(const to_client::settle&) {
  send(directory_, to_directory::settled{name()});
}

void client::act(const to_client::act& m) {
  auto [choice, index, k] = std::tuple{m.choice, m.index, m.k};
  const auto directed = choice != v2::CHOICE_DRAW;
  if (!directed) {
    index = lcg_.next_int(chats_.size());
    choice = select();
  }
  if (choice != v2::CHOICE_JOIN)
    ++picks_[choice - v2::CHOICE_COMPUTE];
  if (choice == v2::CHOICE_COMPUTE) {
    const auto value = fibonacci(parameters_.fib_n);
    send(m.accumulator, to_accumulator::stop{name(), 0, value});
  } else if (choice == v2::CHOICE_POST && index < chats_.size()) {
    send(chats_[index], to_chat::post{name(), m.turn, payload(m.salt), m.accumulator});
  } else if (choice == v2::CHOICE_LEAVE && index < chats_.size()) {
    send(chats_[index], to_chat::leave{name(), m.turn, m.accumulator});
    chats_.erase(chats_.begin() + index);
  } else if (choice == v2::CHOICE_INVITE && !friends_.empty()) {
    if (!directed) {
      lcg_.shuffle(friends_);
      k = lcg_.next_int(friends_.size());
    }
    invite(m, std::clamp<std::size_t>(k, 1, friends_.size()));
  } else if (choice == v2::CHOICE_JOIN && index < chats_.size() && k < friends_.size()) {
    const auto& [number, handle] = friends_[k];
    send(m.accumulator, to_accumulator::bump{name(), 0, 1, 0});
    send(chats_[index], to_chat::join{name(), m.turn, number, handle, m.accumulator});
  } else {
    send(m.accumulator, to_accumulator::stop{name(), 0, 0});
  }
}

v2::Choice client::select() {
  const auto& p = parameters_;
  const std::array chances{std::pair{v2::CHOICE_COMPUTE, p.compute},
                           std::pair{v2::CHOICE_POST, p.post}, std::pair{v2::CHOICE_LEAVE, p.leave},
                           std::pair{v2::CHOICE_INVITE, p.invite}};
  if (p.selection == v2::SELECTION_CASCADE) {
    for (const auto& [action, chance] : chances)
      if (lcg_.next_int(100) < chance)
        return action;
    return v2::CHOICE_NONE;
  }
  const auto draw = lcg_.next_int(100);
  std::uint32_t limit = 0;
  for (const auto& [action, chance] : chances)
    if (draw < (limit += chance))
      return action;
  return v2::CHOICE_NONE;
}

std::uint64_t client::payload(std::uint32_t salt) {
  return std::uint64_t{index()} << 32 | (salt + posted_++);
}

void client::invite(const to_client::act& m, std::size_t guests) {
  const auto chat_name = make_name(v2::ACTOR_CLASS_CHAT, index(), created_++);
  const auto created = spawn<chat>(chat_name, index(), self(), parameters_.history);
  chats_.push_back(created);
  send(m.accumulator, to_accumulator::bump{name(), 0, guests, 0});
  for (std::size_t i = 0; i < guests; ++i) {
    const auto& [number, handle] = friends_[i];
    send(created, to_chat::join{name(), m.turn, number, handle, m.accumulator});
  }
}

void client::forward(const to_client::forward& m) {
  ++deliveries_;
  send(m.accumulator, to_accumulator::stop{name(), m.level, digest(m.payload)});
}

void client::accepted(const to_client::accepted& m) {
  ++joins_;
  chats_.push_back(sender<chat_handle>());
  send(m.accumulator, to_accumulator::stop{name(), m.level, 0});
}

void client::left(const to_client::left& m) {
  if (m.turn != logout_turn)
    send(m.accumulator, to_accumulator::stop{name(), 0, 0});
  else if (--leaving_ == 0)
    report();
}

void client::logout(const to_client::logout&) {
  leaving_ = chats_.size();
  for (const auto& chat : chats_)
    send(chat, to_chat::leave{name(), logout_turn, {}});
  if (leaving_ == 0)
    report();
}

void client::report() {
  sums mine;
  mine.values[sums::lcg] = lcg_.state();
  std::copy(picks_.begin(), picks_.end(), mine.values.begin() + sums::computes);
  mine.values[sums::deliveries] = deliveries_;
  mine.values[sums::joins] = joins_;
  send(directory_, to_directory::left{name(), mine});
  terminate();
}

} // namespace dramaturg
