#pragma once

#include "refusal.hpp"
#include "setup_messages.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dramaturg {

/// The control port as the actors see it: a mailbox to which they report, read
/// by the thread whose call is under way. CAF counts it among its actors, and
/// `runtime` knows that.
class inbox {
public:
  /// What one may have to wait for; nothing at all, if the time is over first.
  using event = std::variant<std::monostate, to_control::ready, to_control::confirmed,
                             to_control::finished, to_control::window, to_control::done,
                             to_control::part, to_control::present, to_control::acquainted>;

  explicit inbox(caf::actor_system& system) : self_{system} {}

  [[nodiscard]] control_handle handle() const { return caf::actor_cast<control_handle>(self_); }

  template <class Receiver, class Message>
  void send(const Receiver& receiver, Message&& message) {
    compat::send(*self_, receiver, std::forward<Message>(message));
  }

  /// Counts it as a failure if that actor is lost, who stands for `node`.
  template <class Handle>
  void monitor(const Handle& usher, std::string node) {
    self_->monitor(usher);
    nodes_.emplace_back(usher.address(), std::move(node));
  }

  /// The next event. Throws a refusal when an actor has failed, now or earlier,
  /// or when the world was abandoned.
  event next(std::chrono::milliseconds patience);

  /// The next event of that type, however long it takes; others are dropped.
  template <class Event>
  Event await() {
    for (;;) {
      auto event = next(std::chrono::hours{1});
      if (auto* wanted = std::get_if<Event>(&event))
        return std::move(*wanted);
    }
  }

  /// Makes whoever waits in `next` stop waiting. Callable from any thread.
  void abandon() { compat::anon_send(handle(), to_control::abandoned{}); }

private:
  [[nodiscard]] std::string spell_node(const caf::actor_addr& usher) const;

  caf::scoped_actor self_;
  std::vector<std::pair<caf::actor_addr, std::string>> nodes_;
  std::optional<refusal> failure_;
};

} // namespace dramaturg
