#pragma once

#include "message.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

namespace dramaturg {

/// What an actor does with a message before it acts on it.
enum class duty : std::uint8_t {
  play,  // nothing
  log,   // enters it in the receive log
  leave, // ends, whatever it is: the world was abandoned
};

/// What all actors of a world were given besides their parts. Only the control
/// port changes the duty, and only to `leave`.
struct scene {
  scene(control_handle control, std::shared_ptr<receive_log> log, bool in_parts)
      : control{std::move(control)}, log{std::move(log)}, in_parts{in_parts},
        duty{this->log ? duty::log : duty::play} {}

  const control_handle control;
  const std::shared_ptr<receive_log> log; // none unless the world is traced
  const bool in_parts;                    // whether the receipt is the sum of actors' parts
  std::atomic<dramaturg::duty> duty;
};

using scene_ptr = std::shared_ptr<scene>;

/// Base of all states: an actor's name and the three things that any actor may
/// do, with an entry in the receive log before each message that it acts on.
template <class Handle>
class actor_state {
public:
  using handle_type = Handle;
  using behavior_type = typename Handle::behavior_type;
  using pointer = typename Handle::base*;

  actor_state(const actor_state&) = delete;
  actor_state& operator=(const actor_state&) = delete;

  [[nodiscard]] name_t name() const noexcept { return name_; }

  /// Whether to act on the message. In a world that is timed this costs one
  /// branch, which always goes the same way; a build that cannot trace does
  /// without, and so ends an abandoned world at leisure.
  template <class Message>
  bool admit(const Message& message) {
    return !can_trace || scene_->duty.load(std::memory_order_relaxed) == duty::play
           || do_duty(message);
  }

protected:
  actor_state(pointer self, name_t name, scene_ptr scene)
      : self_{self}, name_{name}, scene_{std::move(scene)} {
    self_->set_exception_handler([this](std::exception_ptr& thrown) { return fail(thrown); });
  }

  ~actor_state() = default;

  Handle self() const { return Handle{self_}; }

  /// The actor that sent the message being taken.
  template <class Sender>
  Sender sender() const {
    return caf::actor_cast<Sender>(self_->current_sender());
  }

  [[nodiscard]] const control_handle& control() const { return scene_->control; }

  template <class Receiver, class Message>
  void send(const Receiver& receiver, Message&& message) {
    compat::send(*self_, receiver, std::forward<Message>(message));
  }

  /// Has CAF's timer send this actor a message, no sooner than after `delay`.
  template <class Message>
  void send_later(std::chrono::milliseconds delay, Message&& message) {
    compat::send_later(*self_, delay, self(), std::forward<Message>(message));
  }

  template <class State, class... Args>
  auto spawn(Args&&... args) {
    return compat::spawn<State>(*self_, std::forward<Args>(args)..., scene_);
  }

  /// Calls `action` with 0, 1, ... below `count`. An actor that sends for minutes
  /// takes no message meanwhile, and so has to look whether its world was abandoned.
  template <class Action>
  void repeat(std::uint32_t count, Action action) {
    for (std::uint32_t i = 0; i < count && !is_abandoned(); ++i)
      action(i);
  }

  /// Says what this actor adds to the receipt of its node, where the lead's report
  /// is not the receipt.
  void give_part(std::uint64_t result, std::uint64_t check, std::uint64_t parts) {
    if (scene_->in_parts)
      send(control(), to_control::part{{result, check, parts}});
  }

  void terminate() { self_->quit(); }

private:
  [[nodiscard]] bool is_abandoned() const {
    return scene_->duty.load(std::memory_order_relaxed) == duty::leave;
  }

  // Apart, so that the handlers of a timed world stay as small as they are.
  template <class Message>
  [[gnu::noinline]] bool do_duty(const Message& message) {
    if (scene_->duty == duty::leave) {
      terminate();
      return false;
    }
    scene_->log->append(name_, received_++, message.from, Message::kind, message.args());
    return true;
  }

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
    compat::anon_send(control(), to_control::failed{name_, std::move(reason)});
    return caf::sec::runtime_error;
  }

  pointer self_;
  name_t name_;
  scene_ptr scene_;
  std::uint32_t received_ = 0;
};

/// A message handler: `on<&client::forward>{this}` does the actor's duty and then
/// calls the member function. Known at compile time, so that the call is direct.
template <auto Handler>
struct on;

template <class State, class Message, void (State::*Handler)(Message&)>
struct on<Handler> {
  State* state;

  // CAF copies the message if it must become mutable and is not the receiver's
  // alone; all others are taken as they are.
  void operator()(Message& message) const {
    if (state->admit(message))
      (state->*Handler)(message);
  }
};

} // namespace dramaturg
