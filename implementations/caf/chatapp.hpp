#pragma once

#include "actor.hpp"
#include "chatapp_messages.hpp"
#include "dramaturg/v1/benchmarks.pb.h"
#include "lcg.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace dramaturg {

/// Parameters of one iteration; probabilities in percent (CHAT-1).
struct chatapp_parameters {
  std::uint32_t clients;
  std::uint32_t directories;
  std::uint32_t turns;
  std::uint32_t compute;
  std::uint32_t post;
  std::uint32_t leave;
  std::uint32_t invite;
  std::uint32_t befriend;
  v1::Selection selection;
  std::uint32_t fib_n;
  bool history;
  std::uint32_t seed;
};

/// Sets the scene, starts every turn and ends the iteration.
class poker : public actor_state<poker_handle> {
public:
  poker(pointer self, const chatapp_parameters& parameters, scene_ptr scene);
  ~poker();

  behavior_type make_behavior();

private:
  void prepare(const to_poker::prepare& m);
  void settled(const to_poker::settled& m);
  void act(const to_poker::act& m);
  void turn(const to_poker::turn& m);
  void run(const to_poker::run& m);
  void confirm(const to_poker::confirm& m);
  void disconnect(const to_poker::disconnect& m);
  void finished(const to_poker::finished& m);

  accumulator_handle next_turn(std::uint32_t expected);

  chatapp_parameters parameters_;
  std::vector<directory_handle> directories_;
  std::vector<nanos> poked_; // one for each turn
  std::uint32_t settling_;
  std::uint32_t confirms_ = 0;
  bool running_ = false;
  std::uint32_t online_;
  sums sums_;
};

/// Creates its clients, makes them friends, and passes the poker's word on to them.
class directory : public actor_state<directory_handle> {
public:
  directory(pointer self, std::uint32_t index, std::uint32_t seed, poker_handle poker,
            const chatapp_parameters& parameters, scene_ptr scene);
  ~directory();

  behavior_type make_behavior();

private:
  void login(const to_directory::login& m);
  void befriend(const to_directory::befriend& m);
  void settle(const to_directory::settle& m);
  void settled(const to_directory::settled& m);
  void poke(const to_directory::poke& m);
  void act(const to_directory::act& m);
  void disconnect(const to_directory::disconnect& m);
  void left(const to_directory::left& m);

  poker_handle poker_;
  chatapp_parameters parameters_;
  lcg lcg_;
  std::vector<client_handle> clients_;
  std::size_t settling_ = 0;
  std::size_t online_ = 0;
  sums sums_;
};

/// Has friends, takes part in chats, and acts once a turn.
class client : public actor_state<client_handle> {
public:
  client(pointer self, std::uint32_t number, directory_handle directory, std::uint32_t seed,
         const chatapp_parameters& parameters, scene_ptr scene);

  behavior_type make_behavior();

private:
  struct friendship {
    std::uint32_t number;
    client_handle handle;
  };

  void befriend(const to_client::befriend& m);
  void settle(const to_client::settle& m);
  void act(const to_client::act& m);
  void forward(const to_client::forward& m);
  void accepted(const to_client::accepted& m);
  void left(const to_client::left& m);
  void logout(const to_client::logout& m);

  v1::Choice select();
  std::uint64_t payload();
  void invite(const to_client::act& m, std::size_t guests);
  void report();

  std::uint32_t number_;
  directory_handle directory_;
  lcg lcg_;
  chatapp_parameters parameters_;
  std::vector<friendship> friends_;
  std::vector<chat_handle> chats_;
  std::uint32_t created_ = 0;
  std::uint32_t posted_ = 0;
  std::size_t leaving_ = 0;
  std::array<std::uint32_t, 5> picks_{};
  std::uint64_t deliveries_ = 0;
  std::uint64_t joins_ = 0;
};

/// Forwards what is posted to all its members; ends with its last member.
class chat : public actor_state<chat_handle> {
public:
  chat(pointer self, name_t name, std::uint32_t creator, client_handle handle, bool history,
       scene_ptr scene);

  behavior_type make_behavior();

private:
  struct member {
    std::uint32_t number;
    client_handle handle;
  };

  void post(const to_chat::post& m);
  void join(const to_chat::join& m);
  void leave(const to_chat::leave& m);

  std::vector<member> members_;
  bool keeps_history_;
  std::vector<std::uint64_t> history_;
};

/// Counts the work of one turn, level by level (CHAT-30).
class accumulator : public actor_state<accumulator_handle> {
public:
  accumulator(pointer self, std::uint32_t turn, std::uint32_t expected, poker_handle poker,
              scene_ptr scene);

  behavior_type make_behavior();

private:
  void stop(const to_accumulator::stop& m);
  void bump(const to_accumulator::bump& m);

  void consume(std::uint32_t level);

  std::uint32_t turn_;
  poker_handle poker_;
  std::array<std::uint64_t, 3> expected_;
  std::array<std::uint64_t, 3> consumed_{};
  std::uint64_t value_ = 0;
};

} // namespace dramaturg
