#pragma once

#include "actor.hpp"
#include "chatapp/messages.hpp"
#include "chatapp/parameters.hpp"
#include "lcg.hpp"

#include <cstdint>
#include <vector>

namespace dramaturg {

/// Creates its clients, makes them friends, and passes the poker's word on to them.
class directory : public actor_state<directory_handle> {
public:
  directory(pointer self, environment_ptr environment, std::uint32_t index, std::uint32_t seed,
            poker_handle poker, const chatapp_parameters& parameters);

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

} // namespace dramaturg
