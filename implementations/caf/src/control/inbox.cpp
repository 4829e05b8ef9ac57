#include "inbox.hpp"

namespace dramaturg {

inbox::event inbox::next(std::chrono::milliseconds patience) {
  if (failure_)
    throw *failure_;
  event next;
  const auto keep = [&](auto& m) { next = std::move(m); };
  self_->receive(
      [&](to_control::ready& m) { keep(m); }, [&](to_control::confirmed& m) { keep(m); },
      [&](to_control::finished& m) { keep(m); }, [&](to_control::window& m) { keep(m); },
      [&](to_control::done& m) { keep(m); }, [&](to_control::part& m) { keep(m); },
      [&](to_control::present& m) { keep(m); }, [&](to_control::acquainted& m) { keep(m); },
      [&](to_control::failed& m) { failure_ = broken(spell(m.from) + ": " + m.reason); },
      [&](to_control::abandoned&) { failure_ = cancelled(); },
      [&](caf::down_msg& m) {
        // Ushers are killed where a world is torn down, which is no loss.
        if (m.reason && m.reason != caf::exit_reason::kill)
          failure_ = broken(spell_node(m.source) + " is lost: " + caf::to_string(m.reason));
      },
      caf::after(patience) >> [] {});
  if (failure_)
    throw *failure_;
  return next;
}

std::string inbox::spell_node(const caf::actor_addr& usher) const {
  for (const auto& [address, node] : nodes_)
    if (address == usher)
      return node;
  return "a node";
}

} // namespace dramaturg
