#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace dramaturg {

/// The room that the log limit leaves for events that are not delivered yet (CTRL-18). At first
/// there is no limit.
class room {
public:
  [[nodiscard]] bool is_limited() const noexcept { return limit_ != 0; }

  /// Lets so many events be held, of which some are held already; 0 is no limit.
  void limit(std::uint64_t limit, std::uint64_t held) {
    const std::lock_guard guard{mutex_};
    limit_ = limit;
    held_ = held;
    changed_.notify_all();
  }

  /// Takes the room of one event, and waits for it while the log is full.
  void take() {
    if (is_limited())
      await();
  }

  /// Gives the room of these events back.
  void delivered(std::uint64_t events) {
    const std::lock_guard guard{mutex_};
    held_ -= std::min(events, held_);
    changed_.notify_all();
  }

private:
  // Apart, so that it costs little where there is no limit.
  [[gnu::noinline]] void await() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !is_limited() || held_ < limit_; });
    ++held_;
  }

  std::atomic<std::uint64_t> limit_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t held_ = 0; // only where there is a limit
};

} // namespace dramaturg
