#pragma once

#include "actor.hpp"
#include "chatapp/messages.hpp"

#include <cstdint>
#include <vector>

namespace dramaturg {

/// Forwards what is posted to all its members; ends with its last member.
class chat : public actor_state<chat_handle> {
public:
  chat(pointer self, environment_ptr environment, name_t name, std::uint32_t creator,
       client_handle handle, bool history);

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
  /// The sum of the history's.
  std::uint32_t digests_ = 0;
};

} // namespace dramaturg
