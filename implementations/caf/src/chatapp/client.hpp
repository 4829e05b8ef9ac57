#pragma once

#include "actor.hpp"
#include "chatapp/messages.hpp"
#include "chatapp/parameters.hpp"
#include "lcg.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace dramaturg {

/// Has friends, takes part in chats, and acts once a turn.
class client : public actor_state<client_handle> {
public:
  client(pointer self, environment_ptr environment, std::uint32_t number,
         directory_handle directory, std::uint32_t seed, const chatapp_parameters& parameters);

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

  v2::Choice select();
  std::uint64_t payload(std::uint32_t salt);
  void invite(const to_client::act& m, std::size_t guests);
  void report();

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

} // namespace dramaturg
