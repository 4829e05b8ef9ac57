#pragma once

#include "reports.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

namespace dramaturg {

/// The control port as the actors see it: a mailbox to which they report, read by the
/// thread whose call is under way. CAF counts it among its actors, and `runtime` knows that.
class inbox {
public:
  explicit inbox(caf::actor_system& system) : self_{system} {}

  [[nodiscard]] control_handle handle() const { return caf::actor_cast<control_handle>(self_); }

  template <class Receiver, class Message>
  void send(const Receiver& receiver, Message&& message) {
    compat::send(*self_, receiver, std::forward<Message>(message));
  }

  /// Waits for a report that one of the handlers takes. Throws when an actor or a node
  /// has failed.
  template <class... Handlers>
  void take(Handlers... handlers) {
    self_->receive(std::move(handlers)...,
                   [](const to_control::failed& m) { throw std::runtime_error{m.reason}; });
  }

  /// Throws when an actor or a node has failed of which nobody has taken notice yet.
  void throw_if_failed() {
    self_->receive([](const to_control::failed& m) { throw std::runtime_error{m.reason}; },
                   caf::after(std::chrono::seconds{0}) >> [] {});
  }

  /// The next report of that type.
  template <class Report>
  Report await() {
    std::optional<Report> report;
    take([&](Report& m) { report = std::move(m); });
    return std::move(*report);
  }

private:
  caf::scoped_actor self_;
};

} // namespace dramaturg
