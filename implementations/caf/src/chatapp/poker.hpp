#pragma once

#include "actor.hpp"
#include "chatapp/messages.hpp"
#include "chatapp/parameters.hpp"

#include <cstdint>
#include <vector>

namespace dramaturg {

/// Sets the world up, starts every turn and ends the iteration.
class poker : public actor_state<poker_handle> {
public:
  poker(pointer self, environment_ptr environment, const chatapp_parameters& parameters);

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

  void fill_directories();
  void poke(std::uint32_t salt);
  accumulator_handle next_turn(std::uint32_t expected);

  chatapp_parameters parameters_;
  std::vector<directory_handle> directories_;
  std::vector<stopwatch::stamp> started_; // by turn
  std::uint32_t unborn_;                  // directories
  std::uint32_t settling_;
  std::uint32_t online_;
  sums sums_;
};

} // namespace dramaturg
