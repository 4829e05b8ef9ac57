#include "inbox.hpp"

namespace dramaturg {

inbox::event inbox::next(std::chrono::milliseconds patience) {
  if (failure_)
    throw *failure_;
  event next;
  self_->receive(
      [&](to_control::ready& m) { next = m; }, [&](to_control::confirmed& m) { next = m; },
      [&](to_control::finished& m) { next = m; }, [&](to_control::played& m) { next = m; },
      [&](to_control::failed& m) { failure_ = broken(spell(m.from) + ": " + m.reason); },
      [&](to_control::abandoned&) { failure_ = cancelled(); },
      [&](caf::down_msg& m) {
        // A peer that has done its part ends with no reason to complain.
        if (m.reason)
          failure_ = broken(spell(peer_) + ": lost, " + caf::to_string(m.reason));
      },
      caf::after(patience) >> [] {});
  if (failure_)
    throw *failure_;
  return next;
}

} // namespace dramaturg
