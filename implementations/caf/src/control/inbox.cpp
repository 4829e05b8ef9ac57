#include "control/inbox.hpp"

#include <optional>
#include <stdexcept>

namespace dramaturg {

inbox::report inbox::next() {
  std::optional<report> next;
  const auto keep = [&](auto& m) { next = std::move(m); };
  while (!next)
    self_->receive(
        [&](to_control::ready& m) { keep(m); }, [&](to_control::confirmed& m) { keep(m); },
        [&](to_control::finished& m) { keep(m); }, [&](to_control::window& m) { keep(m); },
        [&](to_control::done& m) { keep(m); }, [&](to_control::residents& m) { keep(m); },
        [&](to_control::introduced& m) { keep(m); },
        [](to_control::failed& m) { throw std::runtime_error{spell(m.from) + ": " + m.reason}; },
        [&](caf::down_msg& m) {
          // A registrar that leaves of itself has been told to: its world is over.
          if (m.reason)
            throw std::runtime_error{spell_node(m.source)
                                     + " is lost: " + caf::to_string(m.reason)};
        });
  return std::move(*next);
}

std::string inbox::spell_node(const caf::actor_addr& registrar) const {
  for (const auto& [address, node] : nodes_)
    if (address == registrar)
      return node;
  return "a node";
}

} // namespace dramaturg
