#pragma once

#include "actor.hpp"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace dramaturg {

/// Base of actors that may lead: control speaks to the lead, and hears from it.
template <class Handle>
class lead : public actor_state<Handle> {
protected:
  using actor_state<Handle>::actor_state;

  /// Upon the last message, when nothing else is left to be done: reports what
  /// the receipt repeats.
  template <class... Arguments>
  void done(Arguments... arguments) {
    done_at(stopwatch::stop(), arguments...);
  }

  /// The same, if making the arguments is no part of the run.
  template <class... Arguments>
  void done_at(stopwatch::stamp stopped, Arguments... arguments) {
    this->send(this->control(), to_control::done{{arguments...}, stopped});
  }
};

/// What a windowed form is asked for; no windows are the counted form.
struct window_parameters {
  std::uint32_t count = 0;
  std::chrono::milliseconds length{};

  template <class Parameters>
  explicit window_parameters(const Parameters& p) : count{p.windows()}, length{p.window()} {}

  explicit operator bool() const { return count > 0; }
};

/// Base of leads that can count in windows (spec/windows.md, model/windows.py).
/// `Tick` is the message that the timer sends at the end of each.
template <class Handle, class Tick>
class windowed_lead : public lead<Handle> {
protected:
  windowed_lead(typename lead<Handle>::pointer self, environment_ptr environment, name_t name,
                window_parameters windows)
      : lead<Handle>{self, std::move(environment), name}, windows_{windows} {}

  /// Opens the first window, in the windowed form.
  void open_windows() {
    if (windows_)
      open(0);
  }

  /// Closes the window and opens the one after it; false if it was the last.
  bool next(std::uint32_t number) {
    ended_.push_back(stopwatch::stop());
    if (number + 1 == windows_.count)
      return false;
    open(number + 1);
    return true;
  }

  /// Tells control what fell into a window that is closed.
  void report(std::uint32_t number, std::uint64_t count) {
    this->send(this->control(), to_control::window{count, ended_[number]});
  }

  /// How far `total` has come since this was last asked.
  std::uint64_t since(std::uint64_t total) { return total - std::exchange(before_, total); }

private:
  void open(std::uint32_t number) { this->send_later(windows_.length, Tick{this->name(), number}); }

  window_parameters windows_;
  std::vector<stopwatch::stamp> ended_;
  std::uint64_t before_ = 0;
};

} // namespace dramaturg
