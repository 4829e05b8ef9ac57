#pragma once

#include "control/log.hpp"
#include "message.hpp"
#include "nodes/messages.hpp"
#include "reports.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace dramaturg {

/// What every actor of a world is given besides its own parameters.
struct environment {
  environment(control_handle control, const v2::PrepareRequest& request)
      : control{std::move(control)}, here{place::asked(request)}, log{request} {}

  const control_handle control;
  const place here;
  control_handle head;                      // of node 0, on any other node; set before anybody acts
  std::vector<registrar_handle> registrars; // of all nodes, if there are others; set likewise
  receive_log log;
};

using environment_ptr = std::shared_ptr<environment>;

/// The actor that was named last on this thread.
inline thread_local name_t last_named;

/// Makes an actor. What its constructor throws gets its name here: it can report nothing
/// any more (CTRL-10).
template <class State, class Parent, class... Args>
auto spawn_named(Parent& parent, const environment_ptr& environment, Args&&... args) {
  const auto maker = last_named;
  try {
    auto made = compat::spawn<State>(parent, environment, std::forward<Args>(args)...);
    last_named = maker; // who may be in its own constructor
    return made;
  } catch (const std::exception& thrown) {
    throw std::runtime_error{spell(last_named) + ": " + thrown.what()};
  }
}

/// Base of all states: an actor's name, and what any actor may do. Whether somebody
/// watches the actor is decided here, once, at its birth.
template <class Handle>
class actor_state {
public:
  using handle_type = Handle;
  using behavior_type = typename Handle::behavior_type;
  using pointer = typename Handle::base*;

  actor_state(const actor_state&) = delete;
  actor_state& operator=(const actor_state&) = delete;

  [[nodiscard]] name_t name() const noexcept { return name_; }

  /// The actor's record in the log; none if nobody watches it.
  [[nodiscard]] watched_actor* watched() const noexcept { return watched_; }

  /// What the log has of a message besides its sender and kind.
  template <class Message>
  [[nodiscard]] auto arguments_of(const Message& message) const {
    return message.arguments();
  }

protected:
  actor_state(pointer self, environment_ptr environment, name_t name)
      : self_{self}, name_{name},
        environment_{std::move(environment)}, watched_{environment_->log.enroll(name)} {
    last_named = name;
    self_->set_exception_handler([this](std::exception_ptr& thrown) { return fail(thrown); });
  }

  ~actor_state() = default;

  [[nodiscard]] std::uint32_t index() const noexcept { return index_of(name_); }
  [[nodiscard]] Handle self() const { return Handle{self_}; }
  [[nodiscard]] const control_handle& control() const { return environment_->control; }
  [[nodiscard]] place here() const { return environment_->here; }

  /// The actor that sent the message being taken.
  template <class Sender>
  [[nodiscard]] Sender sender() const {
    return caf::actor_cast<Sender>(self_->current_sender());
  }

  template <class Receiver, class Message>
  void send(const Receiver& receiver, Message&& message) {
    compat::send(*self_, receiver, std::forward<Message>(message));
  }

  /// Has CAF's timer send this actor a message, no sooner than after `delay`.
  template <class Message>
  void send_later(std::chrono::milliseconds delay, Message&& message) {
    compat::send_later(*self_, delay, self(), std::forward<Message>(message));
  }

  /// The same, no sooner than `when`; at once if that is past.
  template <class Message>
  void send_at(caf::actor_clock::time_point when, Message&& message) {
    compat::send_at(*self_, when, self(), std::forward<Message>(message));
  }

  template <class State, class... Args>
  auto spawn(Args&&... args) {
    return spawn_named<State>(*self_, environment_, std::forward<Args>(args)...);
  }

  /// Makes an actor on another node. Until it is there this one takes no other message, so
  /// nothing that it sends afterwards comes before the birth (DIST-7).
  template <class Born, class Then>
  void spawn_at(std::uint32_t node, name_t name, std::uint32_t seed, Then then) {
    compat::request(self_, environment_->registrars[node],
                    to_registrar::birth{name, seed, caf::actor_cast<caf::strong_actor_ptr>(self_)})
        .await([then](const caf::strong_actor_ptr& born) { then(caf::actor_cast<Born>(born)); },
               [](const caf::error&) {}); // which that node has reported, or its loss is
  }

  void terminate() { self_->quit(); }

private:
  // Nobody in a benchmark waits for an answer: unless the control port hears of
  // a failure, the world just stops (CTRL-10).
  caf::error fail(const std::exception_ptr& thrown) {
    std::string reason = "an exception of unknown type";
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& known) {
      reason = known.what();
    } catch (...) {
    }
    const to_control::failed report{spell(name_) + ": " + reason};
    compat::anon_send(control(), report);
    // The call under way is at node 0, while all others wait.
    if (environment_->head)
      compat::anon_send(environment_->head, report);
    return caf::sec::runtime_error;
  }

  pointer self_;
  name_t name_;
  environment_ptr environment_;
  watched_actor* watched_; // the environment's
};

// Apart, so that the handlers of actors that nobody watches stay as small as they are.
template <class State, class Message>
[[gnu::noinline]] void note(const State& state, const Message& message) {
  auto& watched = *state.watched();
  if (!watched.logs_next())
    return watched.count();
  const auto log = [&](const auto&... arguments) {
    const std::array<std::uint64_t, sizeof...(arguments)> row{
        static_cast<std::uint64_t>(arguments)...};
    watched.log(message.from, Message::kind, row.data(), static_cast<int>(row.size()));
  };
  std::apply(log, state.arguments_of(message));
}

/// The one way in which an actor takes a message: `on<&client::forward>{this}` notes
/// it if the actor is watched, and calls the member function. That is known at compile
/// time, so that the call is direct.
template <auto Handler>
struct on;

template <class State, class Message, void (State::*Handler)(Message&)>
struct on<Handler> {
  State* state;

  // CAF copies a message that must become mutable and is not the receiver's alone; all
  // others are taken as they are.
  void operator()(Message& message) const {
    if (can_watch && state->watched())
      note(*state, message);
    (state->*Handler)(message);
  }
};

} // namespace dramaturg
