#pragma once

#include "actor.hpp"
#include "chatapp/messages.hpp"

#include <array>
#include <cstdint>

namespace dramaturg {

/// Counts the work of one turn, level by level (CHAT-30).
class accumulator : public actor_state<accumulator_handle> {
public:
  accumulator(pointer self, environment_ptr environment, std::uint32_t turn, std::uint32_t expected,
              poker_handle poker);

  behavior_type make_behavior();

private:
  void stop(const to_accumulator::stop& m);
  void bump(const to_accumulator::bump& m);

  void report(std::uint32_t level);

  poker_handle poker_;
  std::array<std::uint64_t, 3> expected_;
  std::array<std::uint64_t, 3> reported_{};
  turn_result result_;
};

} // namespace dramaturg
