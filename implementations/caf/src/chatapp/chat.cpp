#include "chatapp/chat.hpp"

#include <algorithm>
#include <utility>

namespace dramaturg {

chat::chat(pointer self, environment_ptr environment, name_t name, std::uint32_t creator,
           client_handle handle, bool history)
    : actor_state{self, std::move(environment), name}, keeps_history_{history} {
  members_.push_back({creator, std::move(handle)});
}

chat::behavior_type chat::make_behavior() {
  return {on<&chat::post>{this}, on<&chat::join>{this}, on<&chat::leave>{this}};
}

void chat::post(const to_chat::post& m) {
  const auto posted = digest(m.payload);
  if (keeps_history_) {
    history_.push_back(m.payload);
    digests_ += posted;
  }
  const auto announced = static_cast<std::uint32_t>(members_.size()) * posted;
  send(m.accumulator, to_accumulator::bump{name(), 0, members_.size(), announced});
  for (const auto& member : members_)
    send(member.handle, to_client::forward{name(), m.turn, 1, m.payload, m.accumulator});
}

void chat::join(const to_chat::join& m) {
  members_.push_back({m.number, m.handle});
  std::uint32_t level = 1;
  if (!history_.empty()) {
    send(m.accumulator, to_accumulator::bump{name(), 1, history_.size() + 1, digests_});
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

} // namespace dramaturg
