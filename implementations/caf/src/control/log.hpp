#pragma once

#include "control/watches.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace dramaturg {

/// Whether this build can watch; that of the variant `bare` cannot.
inline constexpr bool can_watch = DRAMATURG_WATCHES;

/// Rows of the log. All of an actor's are in one shard, so they stay in order; several
/// shards keep workers from queueing up behind one lock.
struct log_shard {
  struct row {
    name_t actor;
    name_t sender;
    std::uint16_t kind;
    std::uint16_t arity;
  };

  std::mutex mutex;
  std::vector<row> rows;
  std::vector<std::uint64_t> arguments;
};

/// An actor's place in the log. Only the actor itself writes to it.
class watched_actor {
public:
  watched_actor(name_t name, const watch& watch, log_shard& shard)
      : name_{name}, first_{watch.first_event}, end_{watch.end_of_events}, shard_{shard} {}

  [[nodiscard]] name_t name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t taken() const noexcept {
    return taken_.load(std::memory_order_relaxed);
  }

  /// Whether the message being taken falls into the slice that is to be logged.
  [[nodiscard]] bool logs_next() const noexcept {
    const auto number = taken_.load(std::memory_order_relaxed);
    return first_ <= number && number < end_;
  }

  void count() noexcept {
    taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Counts the message and enters it.
  template <std::size_t Arity>
  void log(name_t sender, v2::MessageKind kind, const std::array<std::uint64_t, Arity>& arguments) {
    const std::lock_guard guard{shard_.mutex};
    shard_.rows.push_back({name_, sender, static_cast<std::uint16_t>(kind), Arity});
    shard_.arguments.insert(shard_.arguments.end(), arguments.begin(), arguments.end());
    count();
  }

private:
  name_t name_;
  std::uint64_t first_;
  std::uint64_t end_;
  log_shard& shard_;
  std::atomic<std::uint64_t> taken_ = 0;
};

/// What was logged in one world (TRACE-1). It is outside the program (IMPL-2): nobody but
/// the control port reads it, from any thread, also while actors write.
class receive_log {
public:
  explicit receive_log(watches watches) : watches_{std::move(watches)} {}

  /// The record of an actor that is being born; none if no watch fits it.
  watched_actor* enroll(name_t actor) {
    const auto* watch = can_watch ? watches_.find(actor) : nullptr;
    return watch ? &add(actor, *watch) : nullptr;
  }

  /// Hands over what was logged and not handed over before, how many messages each
  /// watched actor has taken by now, and the footer.
  void drain(const std::function<void(const v2::TraceResponse&)>& deliver);

private:
  watched_actor& add(name_t actor, const watch& watch);
  std::vector<std::pair<name_t, std::uint64_t>> counts();

  watches watches_;
  std::array<log_shard, 16> shards_;
  std::mutex mutex_; // guards the actors' births
  std::deque<watched_actor> actors_;
};

} // namespace dramaturg
