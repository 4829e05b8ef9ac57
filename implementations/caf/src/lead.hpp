#pragma once

#include "actor.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

namespace dramaturg {

/// Base of actors that may lead: control speaks to the lead, and hears from it.
template <class Handle>
class lead : public actor_state<Handle> {
protected:
  using actor_state<Handle>::actor_state;

  /// To be called before the first message is sent.
  void begin() { started_ = now(); }

  void done(std::uint64_t result, std::uint64_t check, std::uint64_t parts) {
    this->send(this->control(),
               to_control::done{this->name(), {result, check, parts}, started_, now()});
    this->terminate();
  }

  nanos started_ = 0;
};

/// What a windowed form is asked for; no windows are the counted form.
struct window_parameters {
  std::uint32_t count = 0;
  std::chrono::milliseconds length{};

  explicit operator bool() const { return count > 0; }
};

/// Base of leads that can count in windows (spec/windows.md, model/windows.py).
/// `Tick` is the message that the timer sends at the end of each.
template <class Handle, class Tick>
class windowed_lead : public lead<Handle> {
protected:
  windowed_lead(typename lead<Handle>::pointer self, name_t name, window_parameters windows,
                scene_ptr scene)
      : lead<Handle>{self, name, std::move(scene)}, windows_{windows} {}

  void begin() {
    lead<Handle>::begin();
    ticked_ = this->started_;
    if (windows_)
      open(0);
  }

  /// Closes the window and opens the one after it; false if it was the last.
  bool next(std::uint32_t number) {
    const auto ticked = now();
    lasted_.push_back(ticked - std::exchange(ticked_, ticked));
    if (number + 1 == windows_.count)
      return false;
    open(number + 1);
    return true;
  }

  /// Tells control what fell into a window that is closed.
  void report(std::uint32_t number, std::uint64_t count) {
    this->send(this->control(), to_control::window{this->name(), number, count, lasted_[number]});
  }

  /// How far `total` has come since this was last asked.
  std::uint64_t since(std::uint64_t total) { return total - std::exchange(before_, total); }

private:
  void open(std::uint32_t number) { this->send_later(windows_.length, Tick{this->name(), number}); }

  window_parameters windows_;
  nanos ticked_ = 0;
  std::vector<nanos> lasted_;
  std::uint64_t before_ = 0;
};

} // namespace dramaturg
