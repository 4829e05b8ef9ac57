#pragma once

#include "control/reports.hpp"
#include "nodes/messages.hpp"

#include <caf/scoped_actor.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dramaturg {

/// The control port as the actors see it: a mailbox to which they report, read by the
/// thread whose call is under way. CAF counts it among its actors, and `runtime` knows that.
class inbox {
public:
  using report = std::variant<to_control::ready, to_control::confirmed, to_control::finished,
                              to_control::window, to_control::done, to_control::residents,
                              to_control::introduced>;

  explicit inbox(caf::actor_system& system) : self_{system} {}

  [[nodiscard]] control_handle handle() const { return caf::actor_cast<control_handle>(self_); }

  template <class Receiver, class Message>
  void send(const Receiver& receiver, Message&& message) {
    compat::send(*self_, receiver, std::forward<Message>(message));
  }

  /// Counts it as a failure if that actor is lost, who stands for `node`.
  template <class Handle>
  void monitor(const Handle& registrar, std::string node) {
    self_->monitor(registrar);
    nodes_.emplace_back(registrar.address(), std::move(node));
  }

  /// The next report, however long it takes. Throws when an actor or a node has failed.
  report next();

  /// The next report, which is one of that type.
  template <class Report>
  Report await() {
    return std::get<Report>(next());
  }

private:
  [[nodiscard]] std::string spell_node(const caf::actor_addr& registrar) const;

  caf::scoped_actor self_;
  std::vector<std::pair<caf::actor_addr, std::string>> nodes_;
};

} // namespace dramaturg
