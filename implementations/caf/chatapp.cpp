// ChatApp (spec/chatapp.md). Definitions stand in the order of the model.
#include "chatapp.hpp"

#include "fibonacci.hpp"

#include <algorithm>
#include <utility>

namespace dramaturg {

// -- poker -------------------------------------------------------------------

poker::poker(pointer self, const chatapp_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_POKER), std::move(scene)},
      parameters_{parameters}, settling_{parameters.directories}, online_{parameters.directories} {}

// The control port ends the poker, which takes its directories along.
poker::~poker() {
  for (const auto& directory : directories_)
    compat::kill(directory);
}

poker::behavior_type poker::make_behavior() {
  return {on<&poker::prepare>{this},    on<&poker::settled>{this}, on<&poker::act>{this},
          on<&poker::turn>{this},       on<&poker::run>{this},     on<&poker::confirm>{this},
          on<&poker::disconnect>{this}, on<&poker::finished>{this}};
}

void poker::prepare(const to_poker::prepare&) {
  const auto& p = parameters_;
  lcg lcg{p.seed};
  for (std::uint32_t index = 0; index < p.directories; ++index)
    directories_.push_back(spawn<directory>(index, lcg.next(), self(), p));
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
    send(control(), to_control::ready{name()});
}

void poker::act(const to_poker::act& m) {
  const auto turn = static_cast<std::uint32_t>(poked_.size());
  const auto accumulator = next_turn(1);
  send(directories_[m.client % parameters_.directories],
       to_directory::act{name(), turn, m.client, m.choice, m.index, m.k, accumulator});
}

void poker::turn(const to_poker::turn&) {
  const auto turn = static_cast<std::uint32_t>(poked_.size());
  const auto accumulator = next_turn(parameters_.clients);
  for (const auto& directory : directories_)
    send(directory, to_directory::poke{name(), turn, accumulator});
}

void poker::run(const to_poker::run& m) {
  running_ = true;
  for (std::uint32_t i = 0; i < parameters_.turns; ++i)
    turn({m.from});
}

accumulator_handle poker::next_turn(std::uint32_t expected) {
  const auto turn = static_cast<std::uint32_t>(poked_.size());
  poked_.push_back(now());
  return spawn<accumulator>(turn, expected, self());
}

void poker::confirm(const to_poker::confirm& m) {
  ++confirms_;
  send(control(), to_control::confirmed{name(), m.turn, m.value, poked_[m.turn], now()});
  if (running_ && confirms_ == parameters_.turns)
    disconnect({m.from});
}

void poker::disconnect(const to_poker::disconnect&) {
  for (const auto& directory : directories_)
    send(directory, to_directory::disconnect{name()});
}

void poker::finished(const to_poker::finished& m) {
  sums_ += m.totals;
  if (--online_ == 0)
    send(control(), to_control::finished{name(), sums_, now()});
}

// -- directory ---------------------------------------------------------------

directory::directory(pointer self, std::uint32_t index, std::uint32_t seed, poker_handle poker,
                     const chatapp_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_DIRECTORY, index), std::move(scene)},
      poker_{std::move(poker)}, parameters_{parameters}, lcg_{seed} {}

// In a world that is abandoned there are clients left to take along.
directory::~directory() {
  for (const auto& client : clients_)
    compat::kill(client);
}

directory::behavior_type directory::make_behavior() {
  return {on<&directory::login>{this},      on<&directory::befriend>{this},
          on<&directory::settle>{this},     on<&directory::settled>{this},
          on<&directory::poke>{this},       on<&directory::act>{this},
          on<&directory::disconnect>{this}, on<&directory::left>{this}};
}

void directory::login(const to_directory::login& m) {
  clients_.push_back(spawn<client>(m.client, self(), lcg_.next(), parameters_));
}

void directory::befriend(const to_directory::befriend&) {
  const auto number = [&](std::size_t place) {
    return index_of(name()) + static_cast<std::uint32_t>(place) * parameters_.directories;
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
    send(client, to_client::act{name(), m.turn, v1::CHOICE_DRAW, 0, 0, m.accumulator});
}

void directory::act(const to_directory::act& m) {
  send(clients_[m.client / parameters_.directories],
       to_client::act{name(), m.turn, m.choice, m.index, m.k, m.accumulator});
}

void directory::disconnect(const to_directory::disconnect&) {
  online_ = clients_.size();
  for (const auto& client : clients_)
    send(client, to_client::logout{name()});
}

void directory::left(const to_directory::left& m) {
  sums_ += m.totals;
  if (--online_ == 0)
    send(poker_, to_poker::finished{name(), sums_});
}

// -- client ------------------------------------------------------------------

client::client(pointer self, std::uint32_t number, directory_handle directory, std::uint32_t seed,
               const chatapp_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_CLIENT, number), std::move(scene)},
      number_{number}, directory_{std::move(directory)}, lcg_{seed}, parameters_{parameters} {}

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
  const auto directed = choice != v1::CHOICE_DRAW;
  if (!directed) {
    index = lcg_.next_int(chats_.size());
    choice = select();
  }
  if (choice != v1::CHOICE_JOIN)
    ++picks_[choice - v1::CHOICE_COMPUTE];
  if (choice == v1::CHOICE_COMPUTE) {
    const auto value = fibonacci(parameters_.fib_n);
    send(m.accumulator, to_accumulator::stop{name(), 0, value});
  } else if (choice == v1::CHOICE_POST && index < chats_.size()) {
    send(chats_[index], to_chat::post{name(), m.turn, payload(), m.accumulator});
  } else if (choice == v1::CHOICE_LEAVE && index < chats_.size()) {
    send(chats_[index], to_chat::leave{name(), m.turn, m.accumulator});
    chats_.erase(chats_.begin() + index);
  } else if (choice == v1::CHOICE_INVITE && !friends_.empty()) {
    if (!directed) {
      lcg_.shuffle(friends_);
      k = lcg_.next_int(friends_.size());
    }
    invite(m, std::clamp<std::size_t>(k, 1, friends_.size()));
  } else if (choice == v1::CHOICE_JOIN && index < chats_.size() && k < friends_.size()) {
    const auto& [number, handle] = friends_[k];
    send(m.accumulator, to_accumulator::bump{name(), 0, 1});
    send(chats_[index], to_chat::join{name(), m.turn, number, handle, m.accumulator});
  } else {
    send(m.accumulator, to_accumulator::stop{name(), 0, 0});
  }
}

v1::Choice client::select() {
  const auto& p = parameters_;
  const std::array chances{std::pair{v1::CHOICE_COMPUTE, p.compute},
                           std::pair{v1::CHOICE_POST, p.post}, std::pair{v1::CHOICE_LEAVE, p.leave},
                           std::pair{v1::CHOICE_INVITE, p.invite}};
  if (p.selection == v1::SELECTION_CASCADE) {
    for (const auto& [action, chance] : chances)
      if (lcg_.next_int(100) < chance)
        return action;
    return v1::CHOICE_NONE;
  }
  const auto draw = lcg_.next_int(100);
  std::uint32_t limit = 0;
  for (const auto& [action, chance] : chances)
    if (draw < (limit += chance))
      return action;
  return v1::CHOICE_NONE;
}

std::uint64_t client::payload() {
  return std::uint64_t{number_} << 32 | posted_++;
}

void client::invite(const to_client::act& m, std::size_t guests) {
  const auto chat_name = make_name(v1::ACTOR_CLASS_CHAT, number_, created_++);
  const auto created = spawn<chat>(chat_name, number_, self(), parameters_.history);
  chats_.push_back(created);
  send(m.accumulator, to_accumulator::bump{name(), 0, guests});
  for (std::size_t i = 0; i < guests; ++i) {
    const auto& [number, handle] = friends_[i];
    send(created, to_chat::join{name(), m.turn, number, handle, m.accumulator});
  }
}

void client::forward(const to_client::forward& m) {
  ++deliveries_;
  send(m.accumulator, to_accumulator::stop{name(), m.level, 0});
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

// -- chat --------------------------------------------------------------------

chat::chat(pointer self, name_t name, std::uint32_t creator, client_handle handle, bool history,
           scene_ptr scene)
    : actor_state{self, name, std::move(scene)}, keeps_history_{history} {
  members_.push_back({creator, std::move(handle)});
}

chat::behavior_type chat::make_behavior() {
  return {on<&chat::post>{this}, on<&chat::join>{this}, on<&chat::leave>{this}};
}

void chat::post(const to_chat::post& m) {
  if (keeps_history_)
    history_.push_back(m.payload);
  send(m.accumulator, to_accumulator::bump{name(), 0, members_.size()});
  for (const auto& member : members_)
    send(member.handle, to_client::forward{name(), m.turn, 1, m.payload, m.accumulator});
}

void chat::join(const to_chat::join& m) {
  members_.push_back({m.number, m.handle});
  std::uint32_t level = 1;
  if (!history_.empty()) {
    send(m.accumulator, to_accumulator::bump{name(), 1, history_.size() + 1});
    level = 2;
    for (const auto payload : history_)
      send(m.handle, to_client::forward{name(), m.turn, level, payload, m.accumulator});
  }
  send(m.handle, to_client::accepted{name(), m.turn, level, m.accumulator});
}

void chat::leave(const to_chat::leave& m) {
  const auto leaver = index_of(m.from);
  members_.erase(std::find_if(members_.begin(), members_.end(),
                              [&](const auto& member) { return member.number == leaver; }));
  send(sender<client_handle>(), to_client::left{name(), m.turn, m.accumulator});
  if (members_.empty())
    terminate();
}

// -- accumulator -------------------------------------------------------------

accumulator::accumulator(pointer self, std::uint32_t turn, std::uint32_t expected,
                         poker_handle poker, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_ACCUMULATOR, turn), std::move(scene)},
      turn_{turn}, poker_{std::move(poker)}, expected_{expected, 0, 0} {}

accumulator::behavior_type accumulator::make_behavior() {
  return {on<&accumulator::stop>{this}, on<&accumulator::bump>{this}};
}

void accumulator::stop(const to_accumulator::stop& m) {
  value_ += m.value;
  consume(m.level);
}

void accumulator::bump(const to_accumulator::bump& m) {
  expected_[m.level + 1] += m.n;
  consume(m.level);
}

void accumulator::consume(std::uint32_t level) {
  ++consumed_[level];
  if (consumed_ == expected_) {
    send(poker_, to_poker::confirm{name(), turn_, value_});
    terminate();
  }
}

} // namespace dramaturg
